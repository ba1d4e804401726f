import { foldText } from './folded-text.ts';

/** Words or phrases by which a person chooses what a source brings. */
export interface WantedWords {
  /** A text is wanted if it has one of these (when there are any) … */
  only: readonly string[];
  /** … and none of these. */
  without: readonly string[];
}

/** Characters of an entry or a letter in which words are looked for. */
export const maxSearched = 20_000;

const folded = (text: string): string => foldText(text).replaceAll(/\s+/g, ' ').trim();

export function isWanted(text: string, { only, without }: WantedWords): boolean {
  if (only.length === 0 && without.length === 0) return true;
  const searched = folded(text);
  const has = (word: string): boolean => hasWord(searched, folded(word));
  return (only.length === 0 || only.some(has)) && !without.some(has);
}

/** Scripts that put no spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const isPartOfWord = (character: string): boolean => /[\p{L}\p{N}]/u.test(character) && !unspaced.test(character);

/** Whether the word is in the text, and does not begin or end within a longer one. */
function hasWord(text: string, word: string): boolean {
  const goesOn = (before: string, after: string): boolean => isPartOfWord(before) && isPartOfWord(after);
  if (word === '') return false;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    const end = at + word.length;
    if (!goesOn(text.charAt(at - 1), word.charAt(0)) && !goesOn(word.charAt(word.length - 1), text.charAt(end)))
      return true;
  }
  return false;
}
