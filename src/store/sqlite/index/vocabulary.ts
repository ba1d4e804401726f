import { fullTextOf } from './full-text/full-text.ts';
import { unlessUnsupported } from './full-text/unsupported-index-format.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/** The words of an account, in the form that they have in the index. */
interface Vocabulary {
  /** Strings of terms separated by spaces; a term may be in several of them, or no longer in any passage. */
  textsBeginning(beginning: string): readonly string[];
  /** How many passages have a term, and the first `limit` of them. */
  count(term: string, limit: number): { passages: number; first: number[] };
}

/** Use within one transaction. */
export function openVocabulary(file: SqliteFile): Vocabulary {
  const index = fullTextOf(file);
  const statements = vocabularyByStatements(file);
  if (index === null) return statements;
  return {
    textsBeginning: (beginning) =>
      unlessUnsupported(() => index.textsBeginning(beginning)) ?? statements.textsBeginning(beginning),
    count(term, limit) {
      const found = unlessUnsupported(() => index.findToken(term).ids);
      if (found === null) return statements.count(term, limit);
      return { passages: found.length, first: [...found.subarray(0, limit)] };
    },
  };
}

/** The same from FTS5, which reads the postings of all terms with the prefix. */
function vocabularyByStatements(file: SqliteFile): Vocabulary {
  return {
    textsBeginning(beginning) {
      file.run(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.word_terms USING fts5vocab('main', 'passage_words', 'row')`);
      const terms = file.all<{ term: string }>(
        'SELECT term FROM temp.word_terms WHERE term >= ? AND term <= ?',
        beginning,
        `${beginning}\u{10ffff}`,
      );
      return [terms.map(({ term }) => term).join(' ')];
    },
    count(term, limit) {
      file.run(
        `CREATE VIRTUAL TABLE IF NOT EXISTS temp.word_places USING fts5vocab('main', 'passage_words', 'instance')`,
      );
      const places = file.all<{ doc: number }>('SELECT DISTINCT doc FROM temp.word_places WHERE term = ?', term);
      return { passages: places.length, first: places.slice(0, limit).map(({ doc }) => doc) };
    },
  };
}
