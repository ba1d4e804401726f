import { stemOf } from '../../../../domain/text/porter.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';

/** Longer words are not asked for by anyone who means them. */
const maxWordLength = 200;
const maxKnown = 5_000;

const plainWord = /^[a-z0-9]+$/;

/**
 * The words of the index that a word in small letters becomes: one; none when it is made of marks that the index does not
 * know; an empty one when it is nothing but accents; several when the index takes a newer letter for a mark between words.
 */
export class Tokens {
  readonly #file: SqliteFile;
  readonly #known = new Map<string, readonly string[]>();

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  of(word: string): readonly string[] {
    const known = this.#known.get(word);
    if (known !== undefined) return known;
    if (this.#known.size >= maxKnown) this.#known.clear();
    // What stems of plain words are a test compares with the index.
    const isPlain = plainWord.test(word) && word.length <= maxWordLength;
    const tokens = isPlain ? [stemOf(word)] : this.#ask(word);
    this.#known.set(word, tokens);
    return tokens;
  }

  /** Of letters that have cases, accents or signs the index says itself what it makes. */
  #ask(word: string): string[] {
    const file = this.#file;
    return file.aside(() => {
      file.run(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.asked_words USING fts5 (
        word, tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'")`);
      file.run(
        `CREATE VIRTUAL TABLE IF NOT EXISTS temp.asked_tokens USING fts5vocab('temp', 'asked_words', 'instance')`,
      );
      file.run('INSERT INTO temp.asked_words (rowid, word) VALUES (1, ?)', word);
      const tokens = file.all<{ term: string | null }>('SELECT term FROM temp.asked_tokens ORDER BY offset');
      file.run('DELETE FROM temp.asked_words WHERE rowid = 1');
      return tokens.map(({ term }) => term ?? '');
    });
  }
}
