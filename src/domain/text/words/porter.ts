/*
 * Porter's stemmer (M. F. Porter, "An algorithm for suffix stripping", 1980), as SQLite's full-text index applies it:
 * to words of 3 to 64 bytes, in lower case. Implemented here to highlight in a text the words that the index matched.
 */

import { arabicStem, isArabic } from './arabic.ts';

const utf8 = new TextEncoder();

const vowels = new Set([...'aeiou'].map((vowel) => vowel.charCodeAt(0)));
const y = 'y'.charCodeAt(0);

/** Whether the letter at an index is a vowel; y is a vowel after a consonant. */
function isVowelAt(word: string, at: number, isVowelBefore: boolean): boolean {
  const letter = word.charCodeAt(at);
  return vowels.has(letter) || (letter === y && at > 0 && !isVowelBefore);
}

/** The number of vowel groups that are followed by a consonant group: m in Porter's paper. */
function measure(stem: string): number {
  let [groups, before] = [0, false];
  for (let at = 0; at < stem.length; at += 1) {
    const isVowel = isVowelAt(stem, at, before);
    if (before && !isVowel) groups += 1;
    before = isVowel;
  }
  return groups;
}

function hasVowel(stem: string): boolean {
  // A y at the beginning is a consonant, and makes a y after it a vowel.
  for (let at = 0; at < stem.length; at += 1) if (isVowelAt(stem, at, false)) return true;
  return false;
}

/** Whether a stem ends in consonant, vowel, consonant, and the last is not w, x or y: *o in Porter's paper. */
function endsShort(stem: string): boolean {
  let [last, secondLast, thirdLast] = [true, false, true];
  for (let at = 0; at < stem.length; at += 1) {
    const isVowel = isVowelAt(stem, at, last && at > 0);
    [thirdLast, secondLast, last] = [secondLast, last, isVowel];
  }
  return stem.length > 2 && !thirdLast && secondLast && !last && !/[wxy]$/.test(stem);
}

type SuffixRule = readonly [ending: string, replacement: string];

/** Rules by the last letter of their ending: for most words, no rule has to be tried. */
type SuffixRules = ReadonlyMap<string, readonly SuffixRule[]>;

function byLastLetter(rules: readonly SuffixRule[]): SuffixRules {
  return Map.groupBy(rules, ([ending]) => ending.slice(-1));
}

/** The first rule whose ending matches. */
function ruleFor(word: string, rules: SuffixRules): SuffixRule | undefined {
  return rules
    .get(word.charAt(word.length - 1))
    ?.find(([ending]) => word.length > ending.length && word.endsWith(ending));
}

/** Applies the first rule whose ending matches, if the measure of the rest is more than `above`. */
function replaceEnding(word: string, rules: SuffixRules, above: number): string {
  const rule = ruleFor(word, rules);
  if (rule === undefined) return word;
  const stem = word.slice(0, -rule[0].length);
  return measure(stem) > above ? stem + rule[1] : word;
}

function withoutPlural(word: string): string {
  if (/.(?:sses|ies)$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function withoutPast(word: string): string {
  if (word.endsWith('eed') && word.length > 3) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const ending = ['ed', 'ing'].find((candidate) => word.endsWith(candidate));
  if (ending === undefined) return word;
  const stem = word.slice(0, -ending.length);
  if (stem === '' || !hasVowel(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/([^aeiou])\1$/.test(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

// Longer endings come before their own suffixes.
const step2 = byLastLetter([
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['logi', 'log'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
]);
const step3 = byLastLetter([
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
]);
const step4 = byLastLetter(
  'al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize'
    .split(' ')
    .map((ending) => [ending, '']),
);

function withoutSuffix(word: string): string {
  const [ending] = ruleFor(word, step4) ?? [];
  if (ending === undefined) return word;
  const stem = word.slice(0, -ending.length);
  if (ending === 'ion' && !/[st]$/.test(stem)) return word;
  return measure(stem) > 1 ? stem : word;
}

function tidyEnd(word: string): string {
  let end = word;
  if (end.endsWith('e')) {
    const stem = end.slice(0, -1);
    const size = measure(stem);
    if (size > 1 || (size === 1 && !endsShort(stem))) end = stem;
  }
  return end.endsWith('ll') && measure(end.slice(0, -1)) > 1 ? end.slice(0, -1) : end;
}

/** The stem of a word in lower case, without accents. The rules are for English; Arabic has its own stemmer. */
export function stemOf(word: string): string {
  if (isArabic(word)) return arabicStem(word);
  const bytes = /^[a-z0-9]*$/.test(word) ? word.length : utf8.encode(word).length;
  if (bytes < 3 || bytes > 64) return word;
  let stem = withoutPast(withoutPlural(word));
  if (stem.endsWith('y') && hasVowel(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`;
  return tidyEnd(withoutSuffix(replaceEnding(replaceEnding(stem, step2, 0), step3, 0)));
}
