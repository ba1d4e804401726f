import type { SqliteFile } from '../files/sqlite-file.ts';
import { narrowingOf } from './narrowing.ts';
import { fullTextOf } from './words/full-text.ts';

/** The words of an account, in the form that they have in the index. */
interface Vocabulary {
  /** The terms that begin so, separated by spaces. */
  termsBeginning(beginning: string): string;
  /** How many passages have a term, and the first `limit` of them. */
  count(term: string, limit: number): { passages: number; first: number[] };
}

/** Use within one transaction. */
export function openVocabulary(file: SqliteFile): Vocabulary {
  const index = fullTextOf(file);
  return {
    termsBeginning: (beginning) =>
      narrowingOf(file) !== undefined
        ? ''
        : file.remember(`words beginning ${beginning}`, () => index.wordsBeginning(beginning) ?? ''),
    count(term, limit) {
      const { ids } = index.findToken(term);
      return { passages: ids.length, first: [...ids.subarray(0, limit)] };
    },
  };
}
