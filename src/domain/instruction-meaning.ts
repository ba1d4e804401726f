import { functionWords, genericWords } from './instruction-words.ts';
import { areAkin, stemOfWord, type Token } from './instruction-tokens.ts';

/* Which words of an instruction carry its meaning, and whether a text has them. */

const germanWords = new Set(
  'der die das den dem des ein eine einen einem und nicht mit zu zum zur im am auf bei fur nach von sich'.split(' '),
);
export const isGermanic = ({ word }: Token) => germanWords.has(word);

export function isWord({ word, stem }: Token, words: ReadonlySet<string>): boolean {
  return words.has(word) || (words === genericWords && genericStems.has(stem));
}

const genericStems = new Set(Array.from(genericWords, stemOfWord));

export function isIn(token: Token, near: readonly Token[]): boolean {
  return (
    near.some((other) => areAkin(token, other)) || (token.isAcronym && isShortFor(token.word.replace(/s$/, ''), near))
  );
}

/** CPA for certified public accountants. */
function isShortFor(acronym: string, near: readonly Token[]): boolean {
  const initials = near.map(({ word }) => word.charAt(0)).join('');
  return initials.includes(acronym);
}

/** A text that speaks of a PR may be told of as a pull request. */
export function withExpansions(near: readonly Token[], tokens: readonly Token[]): readonly Token[] {
  const initials = tokens.map(({ word }) => word.charAt(0)).join('');
  const meant = near.flatMap(({ word, isAcronym }) => {
    const at = isAcronym ? initials.indexOf(word) : -1;
    return at === -1 ? [] : tokens.slice(at, at + word.length);
  });
  return meant.length === 0 ? near : [...near, ...meant];
}

/** Whether it carries meaning: neither a function word nor a generic one, and no number. */
export function isTelling(token: Token): boolean {
  if (token.isRun) return true;
  const { word, numbers } = token;
  return numbers.length === 0 && /^\p{L}/u.test(word) && !functionWords.has(word) && !isWord(token, genericWords);
}

export const isTellingOrGeneric = (token: Token) => isTelling(token) || isWord(token, genericWords);
