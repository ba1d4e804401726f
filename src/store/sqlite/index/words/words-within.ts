import { isCompounding, mayStandWithin, standsWithin } from '../../../../domain/search/spellings.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';
import { indexedLanguages } from './indexed-languages.ts';

/*
 * The index knows words by their beginning. Words within others (Versicherung in Haftpflichtversicherung) are looked for in
 * the texts themselves, of the newest passages: a thousand take about a millisecond.
 */

/** How many of the newest passages are looked at for a word that no passage has. */
const newestOfMissing = 20_000;
/** The same for a word that some passage has, in a language that writes compounds as one word. */
const newestOfCompounds = 5_000;
/** Passages that are read; further ones would not be shown. */
const maxRead = 200;

/** The passages in which a word stands within another one, ascending. @param isFound whether the word stands alone somewhere */
export function findWithin(file: SqliteFile, word: string, isFound: boolean): Uint32Array {
  if (!mayStandWithin(word)) return new Uint32Array(0);
  if (isFound && !indexedLanguages(file).languages.some(isCompounding)) return new Uint32Array(0);
  const rows = file.all<{ id: number; text: string; language: string | null }>(
    `SELECT p.id, p.text, d.language FROM passages p JOIN documents d ON d.id = p.document
     WHERE p.id > (SELECT max(id) FROM passages) - ? AND (instr(p.text, ?) > 0 OR instr(p.text, ?) > 0)
     ORDER BY p.id DESC LIMIT ?`,
    isFound ? newestOfCompounds : newestOfMissing,
    word,
    word.charAt(0).toUpperCase() + word.slice(1),
    maxRead,
  );
  return Uint32Array.from(
    rows.filter(({ text, language }) => standsWithin(text, language, word)).map(({ id }) => id),
  ).sort();
}
