/*
 * Arabic attaches the article, and short words such as "and" or "with", to the noun: a search for "shoe" must also find
 * "the shoe" and "her shoes". The affixes are those of light10 (Larkey, Ballesteros and Connell, "Light stemming for
 * Arabic information retrieval", 2007), which removes them without a dictionary.
 */

const prefixes = ['بال', 'كال', 'فال', 'ال', 'لل'];
const suffixes = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ه', 'ي'];
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

/** The stem of a folded word: without its affixes. */
export function arabicStem(word: string): string {
  let stem = word.startsWith(and) && word.length > shortest + 1 ? word.slice(and.length) : word;
  const prefix = prefixes.find((one) => stem.startsWith(one) && stem.length - one.length >= shortest);
  if (prefix !== undefined) stem = stem.slice(prefix.length);
  for (const suffix of suffixes)
    if (stem.endsWith(suffix) && stem.length - suffix.length >= shortest) stem = stem.slice(0, -suffix.length);
  return stem;
}
