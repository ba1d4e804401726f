import { functionWords, genericWords, avoidance, negators, runNegators } from './word-lists.ts';
import { areAkin, stemOfWord, type GroundingToken } from './tokens.ts';

/* Which words of an instruction are keywords, and whether a text has them. */

const germanWords = new Set(
  'der die das den dem des ein eine einen einem und nicht mit zu zum zur im am auf bei fur nach von sich'.split(' '),
);
export const isGermanic = ({ word }: GroundingToken) => germanWords.has(word);

const genericStems = new Set(Array.from(genericWords, stemOfWord));
export const isGeneric = ({ word, stem }: GroundingToken) => genericWords.has(word) || genericStems.has(stem);

/** Whether it is a keyword: not a function word, not a generic word and not a number. */
export function isKeyword(token: GroundingToken): boolean {
  return isContentWord(token) && (token.isRun || !isGeneric(token));
}

export function isContentWord({ isRun, word, numbers }: GroundingToken): boolean {
  return isRun || (numbers.length === 0 && /^\p{L}/u.test(word) && !functionWords.has(word));
}

export function isIn(token: GroundingToken, near: readonly GroundingToken[]): boolean {
  return (
    near.some((other) => areAkin(token, other)) || (token.isAcronym && isShortFor(token.word.replace(/s$/, ''), near))
  );
}

const isNegation = ({ word }: GroundingToken) => negators.has(word) || avoidance.has(word);

/** Whether an acronym stands for words nearby: CPA for "certified public accountants". */
function isShortFor(acronym: string, near: readonly GroundingToken[]): boolean {
  const initials = near.map(({ word }) => word.charAt(0)).join('');
  return initials.includes(acronym);
}

/**
 * Whether an instruction shares something with the text near its quote: a keyword, a number, or a pair of characters in
 * scripts without spaces. With the quote itself it may also share a generic word, or that both have a negation.
 */
export function sharesWord(
  tokens: readonly GroundingToken[],
  near: readonly GroundingToken[],
  quote: readonly GroundingToken[],
): boolean {
  const runs = runsOf(near);
  // A shared number is no evidence if the words are in another script.
  const scripts = new Set(near.filter(isContentWord).map(scriptOf));
  const isSameScript = tokens.some((token) => isContentWord(token) && scripts.has(scriptOf(token)));
  return tokens.some((token) => {
    if (token.isRun)
      return pairsOf(token.word).some((pair) => runs.includes(pair)) || areMostlyIn([...token.word], runs);
    if (isNegation(token) && quote.some(isNegation)) return true;
    if (isKeyword(token)) return isIn(token, near) || quote.some((other) => areSimilar(token, other));
    if (isContentWord(token)) return isIn(token, quote);
    return isSameScript && token.numbers.some((number) => number !== 1);
  });
}

const alphabets = [/^\p{sc=Latin}/u, /^\p{sc=Cyrillic}/u, /^\p{sc=Arabic}/u, /^\p{sc=Greek}/u, /^\p{sc=Hebrew}/u];
const scriptOf = ({ word }: GroundingToken) => alphabets.findIndex((alphabet) => alphabet.test(word));

/** A loose kinship, for words of the quote alone: decide, decision. */
const areSimilar = ({ word }: GroundingToken, other: GroundingToken) =>
  word.length > 4 && isContentWord(other) && other.word.startsWith(word.slice(0, 4));

const areMostlyIn = (signs: readonly string[], runs: string) =>
  signs.filter((sign) => runs.includes(sign)).length > signs.length / 2;

export const runsOf = (tokens: readonly GroundingToken[]) =>
  tokens.flatMap(({ word, isRun }) => (isRun ? [word] : [])).join(' ');

export function pairsOf(run: string): string[] {
  const signs = [...run];
  return signs.length < 2 ? signs : signs.slice(1).map((sign, at) => `${signs[at]}${sign}`);
}

export const isNegatedRun = (run: string) =>
  [...runNegators.before, ...runNegators.behind].some((sign) => run.includes(sign));
