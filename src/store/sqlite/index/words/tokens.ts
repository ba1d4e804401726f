import { stemOf } from '../../../../domain/text/words/porter.ts';
import { foldedWord } from '../../../../domain/text/words/words.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';

/**
 * Letters that `foldedWord` and the index fold alike, perhaps behind the mark of words with hyphens. Nobody searches for
 * longer words on purpose.
 */
const plainWord = /^\u{e043}?[a-z0-9à-åç-ïñ-öù-ýÿ]{1,200}$/u;

/**
 * The term of the index that a lower-case word becomes. Empty when the index ignores its characters; several, separated
 * by spaces, when the index treats a newer letter as a separator.
 */
export function tokenOf(file: SqliteFile, word: string): string {
  // A test compares `stemOf` with the index for plain words. About others, the index's own tokenizer is asked.
  if (plainWord.test(word)) return stemOf(foldedWord(word));
  return file.aside(() => {
    file.run(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.asked_words USING fts5 (
      word, tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'")`);
    file.run(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.asked_tokens USING fts5vocab('temp', 'asked_words', 'instance')`);
    // Replaced rather than deleted afterwards: reading writes what is pending, so nothing is left to be written, and
    // counted as a change of the account, when the transaction ends.
    file.run('REPLACE INTO temp.asked_words (rowid, word) VALUES (1, ?)', word);
    const tokens = file.all<{ term: string | null }>('SELECT term FROM temp.asked_tokens ORDER BY offset');
    return tokens.map(({ term }) => term ?? '').join(' ');
  });
}
