import { fullTextOf } from './full-text/full-text.ts';
import { unlessNotUnderstood } from './full-text/unsupported-index-format.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/** The words of an account, in the form that they have in the index. */
interface Vocabulary {
  /** Texts of terms with a space between them; some of them may be in several texts, or in no passage any more. */
  textsBeginning(beginning: string): readonly string[];
  /** In how many passages a term is, and the first `most` of those. */
  count(term: string, most: number): { passages: number; first: number[] };
}

/** To be used within one transaction. */
export function openVocabulary(file: SqliteFile): Vocabulary {
  const index = fullTextOf(file);
  const statements = vocabularyByStatements(file);
  if (index === null) return statements;
  return {
    textsBeginning: (beginning) =>
      unlessNotUnderstood(() => index.textsBeginning(beginning)) ?? statements.textsBeginning(beginning),
    count(term, most) {
      const found = unlessNotUnderstood(() => index.findToken(term).ids);
      if (found === null) return statements.count(term, most);
      return { passages: found.length, first: [...found.subarray(0, most)] };
    },
  };
}

/** As FTS5 says it, which reads the postings of all that begin so. */
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
    count(term, most) {
      file.run(
        `CREATE VIRTUAL TABLE IF NOT EXISTS temp.word_places USING fts5vocab('main', 'passage_words', 'instance')`,
      );
      const places = file.all<{ doc: number }>('SELECT DISTINCT doc FROM temp.word_places WHERE term = ?', term);
      return { passages: places.length, first: places.slice(0, most).map(({ doc }) => doc) };
    },
  };
}
