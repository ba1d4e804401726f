import { stemOf } from '../../../../domain/text/words/porter.ts';
import { foldedWord } from '../../../../domain/text/words/words.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';

/** Nobody searches for longer words on purpose; they are left to FTS5. */
const maxWordLength = 200;
const maxKnown = 5_000;

/** Letters that `foldedWord` and the index fold alike. */
const plainWord = /^[a-z0-9à-åç-ïñ-öù-ýÿ]+$/;

/**
 * The index terms that a lower-case word becomes: usually one. None when it consists of characters that the index
 * ignores; an empty one when it is only accents; several when the index treats a newer letter as a separator.
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
    // A test compares `stemOf` with the index for plain words.
    const isPlain = plainWord.test(word) && word.length <= maxWordLength;
    const tokens = isPlain ? [stemOf(foldedWord(word))] : this.#ask(word);
    this.#known.set(word, tokens);
    return tokens;
  }

  /** For other words, which have accents, signs or other letters, the index's own tokenizer is asked. */
  #ask(word: string): string[] {
    const file = this.#file;
    return file.aside(() => {
      file.run(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.asked_words USING fts5 (
        word, tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'")`);
      file.run(
        `CREATE VIRTUAL TABLE IF NOT EXISTS temp.asked_tokens USING fts5vocab('temp', 'asked_words', 'instance')`,
      );
      // Replaced rather than deleted afterwards: reading writes what is pending, so nothing is left to be written, and counted
      // as a change of the account, when the transaction ends.
      file.run('REPLACE INTO temp.asked_words (rowid, word) VALUES (1, ?)', word);
      const tokens = file.all<{ term: string | null }>('SELECT term FROM temp.asked_tokens ORDER BY offset');
      return tokens.map(({ term }) => term ?? '');
    });
  }
}
