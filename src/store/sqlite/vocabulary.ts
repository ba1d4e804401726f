import { type FullText, fullTextOf } from './full-text/full-text.ts';
import { unlessNotUnderstood } from './full-text/not-understood.ts';
import type { SqliteFile } from './sqlite-file.ts';

/** The words of an account, in the form that they have in the index. */
interface Vocabulary {
  /** Some of them may be in no passage any more. */
  termsBeginning(beginning: string): readonly string[];
  /** In how many passages a term is, and the first `most` of those. */
  count(term: string, most: number): { passages: number; first: number[] };
}

/** To be used within one transaction. */
export function openVocabulary(file: SqliteFile): Vocabulary {
  const index = fullTextOf(file);
  const statements = vocabularyByStatements(file);
  if (index === null) return statements;
  return {
    termsBeginning: (beginning) =>
      unlessNotUnderstood(() => termsOf(file, index, beginning)) ?? statements.termsBeginning(beginning),
    count(term, most) {
      const found = unlessNotUnderstood(() => index.findToken(term).ids);
      if (found === null) return statements.count(term, most);
      return { passages: found.length, first: [...found.subarray(0, most)] };
    },
  };
}

/** Remembered as long as nobody writes: as text, which takes a fifth of the memory. */
function termsOf(file: SqliteFile, index: FullText, beginning: string): readonly string[] {
  const terms = file.remember(`terms ${beginning}`, () => index.wordsBeginning(beginning).join(' '));
  return terms === '' ? [] : terms.split(' ');
}

/** As FTS5 says it, which reads the postings of all that begin so. */
function vocabularyByStatements(file: SqliteFile): Vocabulary {
  return {
    termsBeginning(beginning) {
      file.run(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.word_terms USING fts5vocab('main', 'passage_words', 'row')`);
      const terms = file.all<{ term: string }>(
        'SELECT term FROM temp.word_terms WHERE term >= ? AND term <= ?',
        beginning,
        `${beginning}\u{10ffff}`,
      );
      return terms.map(({ term }) => term);
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
