import { isGeneric, isGermanic, isIn } from './keywords.ts';
import { placesInCycle } from './dates.ts';
import type { GroundingToken } from './tokens.ts';
import { medicineEndings, substances } from './word-lists.ts';

/* Names, identifiers of programs, medicines and other substances. */

/**
 * Whether it has a name that is not near the quote. A capitalized word within an instruction is a name, unless most of
 * its words are capitalized or the language (German) capitalizes nouns.
 */
export function hasForeignName(tokens: readonly GroundingToken[], near: readonly GroundingToken[]): boolean {
  const inner = tokens.slice(1).filter(({ word }) => /^\p{L}{4,}/u.test(word));
  const capitals = inner.filter(({ isCapital }) => isCapital).length;
  const isTitleCase =
    capitals > Math.max(2, inner.length * 0.5) && inner.some((token) => token.isCapital && isIn(token, near));
  const hasNames =
    !isTitleCase && !tokens.some(isGermanic) && near.filter(isGermanic).length < near.length * minGermanic;
  return tokens.some((token) => {
    const isWritten =
      (token.isCode && !powers.has(token.word)) || (/^\d/.test(token.word) && token.numbers.length === 0);
    if (isWritten) return !near.some(({ word }) => word === token.word);
    if (token.isFirst || !hasNames || !token.isCapital || token.isAcronym || token.word.length < 3) return false;
    return !isIn(token, near) && !isGeneric(token) && placesInCycle(token).length === 0;
  });
}

/** A tenth of the words of a German text are German function words; in other languages it is hardly one in fifty. */
const minGermanic = 0.05;
/** Square and cubic metres. */
const powers = new Set('m2 m3 cm2 cm3 km2'.split(' '));

/** Identifiers of programs, with symbols or inner capitals: `pg_dump`, `--force`, `maxSize`. */
const symbol = /[_~\\{}|]|^--?\p{L}/u;
const innerCapital = /\p{Ll}\p{Lu}/u;
/** Shorter words with inner capitals are units: dB, kWh, mmHg. */
const minIdentifier = 5;

export function hasForeignIdentifier(words: string, written: string): boolean {
  const isIdentifier = (word: string) => symbol.test(word) || (word.length >= minIdentifier && innerCapital.test(word));
  return words
    .split(/[\s,;:()"'`]/u)
    .some((word) => isIdentifier(word) && !written.includes(word.toLowerCase().replace(/[.!?]$/, '')));
}

/** Whether it names a medicine or another substance that is not near the quote, or names none of the quote's. */
export function hasForeignSubstance(
  tokens: readonly GroundingToken[],
  near: readonly GroundingToken[],
  quote: readonly GroundingToken[],
): boolean {
  const named = tokens.filter(isSubstance);
  const isOf = (text: readonly GroundingToken[]) => (one: GroundingToken) => text.some(({ stem }) => stem === one.stem);
  const asked = quote.filter(isSubstance);
  return !named.every(isOf(near)) || (named.length > 0 && asked.length > 0 && !named.some(isOf(asked)));
}

/** Without the vowel that languages put at the end of an international name, and without the s of a plural. */
const bareName = (word: string) => (word.length < minName ? word.replace(/s$/, '') : word.replace(/[aeo]?s?$/, ''));
const minName = 7;
const substanceNames = new Set(Array.from(substances, bareName));
const substanceEndings = medicineEndings.map(bareName);
const isSubstance = ({ word }: GroundingToken) => {
  const name = bareName(word);
  return substanceNames.has(name) || (name.length >= minName - 1 && substanceEndings.some((end) => name.endsWith(end)));
};
