/*
 * Arabic attaches the article, and short words such as "and" or "with", to the noun: a search for "shoe" must also find
 * "the shoe" and "her shoes". The affixes are those of light10 (Larkey, Ballesteros and Connell, "Light stemming for
 * Arabic information retrieval", 2007), which removes them without a dictionary.
 */

import { stemmerOf } from './stems/stemmers.ts';

const prefixes = ['بال', 'كال', 'فال', 'ال', 'لل'];
const and = 'و';
/** At least this many letters of a word are kept. */
const shortest = 3;

export function isArabic(word: string): boolean {
  return /\p{Script=Arabic}/u.test(word);
}

/** Unifies letters with several spellings, and removes the stroke that only widens a word (tatweel). */
export function foldedArabic(word: string): string {
  return word
    .replaceAll('ـ', '')
    .replaceAll(/[ٱ]/g, 'ا')
    .replaceAll(/[ىی]/g, 'ي')
    .replaceAll('ة', 'ه')
    .replaceAll('ک', 'ك');
}

/**
 * The stem of a folded word. Snowball's stemmer knows more endings and prepositions, but no "and" before an article, so
 * that and the article go first.
 */
export function arabicStem(word: string): string {
  if (word.length > maxStemmedLength) return word;
  return stemmerOf('ar')(withoutArticle(word));
}

const maxStemmedLength = 40;

function withoutArticle(word: string): string {
  const rest = word.startsWith(and) && word.length > shortest + 1 ? word.slice(and.length) : word;
  const prefix = prefixes.find((one) => rest.startsWith(one) && rest.length - one.length >= shortest);
  return prefix === undefined ? rest : rest.slice(prefix.length);
}
