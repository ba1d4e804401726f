import { isArabic } from '../text/words/arabic.ts';
import type { TextSpan } from '../text/graphemes.ts';
import { type PrefixSet, prefixSetOf, latinWordsWithPrefix } from '../text/words/latin-words.ts';
import { furtherIn, isReversed, reversedWord, withoutMark } from './spellings.ts';
import { literalsIn, literalsOf, placesOfSigns, signsOf } from './literals.ts';
import { stemOf } from '../text/words/porter.ts';
import {
  indexedWord,
  mayChangeBeginning,
  type StemmedLanguage,
  stemmedLanguage,
} from '../text/words/stems/word-forms.ts';
import { functionWordsOf } from './question-language.ts';
import type { ParsedQuery } from './query-language.ts';
import { foldedWord, normalizedText, pairsOf, type Word, wordsOf } from '../text/words/words.ts';

/** The terms of a query, prepared once to be matched against many texts. */
export interface TermMatcher {
  /** Stems of single words. Includes function words only when the query has no other words. */
  readonly stems: ReadonlySet<string>;
  /** The prefixes of words with one of these stems: checking a word's first letters is cheaper than stemming it. */
  readonly prefixes: ReadonlySet<string>;
  /** The same prefixes as a table, for unfolded words of Latin letters; null when a word may begin in another way. */
  readonly latinPrefixes: PrefixSet | null;
  /** The language of the texts, when it has a stemmer. */
  readonly language: StemmedLanguage | null;
  /** Symbols to match when the query has no words. */
  readonly signs: readonly string[];
  /** The words of each phrase, folded. */
  readonly phrases: readonly (readonly string[])[];
  /** Other ways to write a word, each as the stems of words in a row. */
  readonly rows: readonly (readonly string[])[];
  /** Words of the index by the ends of which a term was found. */
  readonly compounds: ReadonlySet<string>;
  /** Cache: whether a word, as written in a text, is a term. The same words occur again and again. */
  readonly met: Map<string, boolean>;
}

/** A word, or a character of a script without spaces. */
interface MatchedUnit extends TextSpan {
  written: string;
  folded: string;
  isCharacter: boolean;
}

function unitsOf(text: string): MatchedUnit[] {
  return wordsOf(text).flatMap(({ text: word, start, isRun }: Word): MatchedUnit[] => {
    if (!isRun)
      return [{ written: word, folded: foldedWord(word), start, end: start + word.length, isCharacter: false }];
    let at = start;
    return Array.from(word, (character) => {
      const from = at;
      at += character.length;
      return { written: character, folded: foldedWord(character), start: from, end: at, isCharacter: true };
    });
  });
}

/** Characters of an unspaced run become pairs, as in the index; a character without neighbours stays single. */
function keysOf(units: readonly MatchedUnit[], language: StemmedLanguage | null): string[] {
  return units.flatMap((unit, index) => {
    if (!unit.isCharacter) return [keyOfWord(unit.written, unit.folded, language)];
    const [before, after] = [units[index - 1], units[index + 1]];
    const follows = after?.isCharacter === true && after.start === unit.end;
    if (follows) return pairsOf([unit.folded, after.folded]);
    return before?.isCharacter === true && before.end === unit.start ? [] : [unit.folded];
  });
}

/** The index's form of a word in a text of this language, without accents. */
function keyOfWord(written: string, folded: string, language: StemmedLanguage | null): string {
  if (isArabic(folded) || (language === null && /^[a-z0-9]*$/.test(folded))) return stemOf(folded);
  return stemOf(foldedWord(indexedWord(normalizedText(written), language)));
}

export interface MatchedWords extends Pick<ParsedQuery, 'text' | 'phrases'> {
  /** See `ItemsFound.spellings`. */
  spellings?: readonly (readonly string[])[];
}

/** @param language tag of the language of the texts to match, when it is known */
export function createTermMatcher(
  { text, phrases, spellings = [] }: MatchedWords,
  languageTag: string | null = null,
): TermMatcher {
  const language = stemmedLanguage(languageTag);
  const units = unitsOf(text);
  const isFunctionWord = functionWordsOf(text);
  const keywords = units.filter(({ folded, isCharacter }) => isCharacter || !isFunctionWord(folded));
  const stems = new Set(keysOf(keywords.length > 0 ? keywords : units, language));
  const single = spellings.filter(({ length }) => length === 1).flat();
  const compounds = new Set(single.filter(isReversed));
  for (const word of single) if (!compounds.has(word)) stems.add(stemOf(foldedWord(withoutMark(word))));
  const prefixes = new Set(Array.from(stems, beginningOf));
  return {
    stems,
    prefixes,
    latinPrefixes: compounds.size > 0 || mayChangeBeginning(language) ? null : prefixSetOf(prefixes),
    language,
    signs: signsOf(text),
    phrases: phrases.map((phrase) => unitsOf(phrase).map(({ folded }) => folded)).filter((words) => words.length > 0),
    rows: spellings.filter(({ length }) => length > 1).map((words) => words.map((word) => stemOf(foldedWord(word)))),
    compounds,
    met: new Map(),
  };
}

/**
 * The prefix that a stem shares with its words. Except for Arabic, no stemmer rule changes a word's first letter, nor
 * its second one if the stem has at least three letters.
 */
function beginningOf(stem: string): string {
  return stem.length > 2 ? stem.slice(0, 2) : stem.slice(0, 1);
}

function hasTerm({ stems, prefixes, language, compounds }: TermMatcher, written: string, folded: string): boolean {
  if (compounds.size > 0 && compounds.has(reversedWord(written) ?? '')) return true;
  const hasPrefix =
    prefixes.has(folded.slice(0, 2)) ||
    prefixes.has(folded.slice(0, 1)) ||
    isArabic(folded.charAt(0)) ||
    mayChangeBeginning(language);
  return hasPrefix && stems.has(keyOfWord(written, folded, language));
}

/** The index after the last of `words` if they follow each other from `index` on; otherwise null. */
function phraseEnd(
  units: readonly MatchedUnit[],
  index: number,
  words: readonly string[],
  formOf: (unit: MatchedUnit) => string = ({ folded }) => folded,
): number | null {
  const isThere = words.every((word, offset) => {
    const unit = units[index + offset];
    return unit !== undefined && formOf(unit) === word;
  });
  return isThere ? index + words.length : null;
}

/**
 * The spans of a text that match a word of the query in any form, or one of its phrases word for word. They are in text
 * order and do not overlap. Letter case, accents and punctuation between words are ignored.
 */
export function matchedRanges(text: string, matcher: TermMatcher): TextSpan[] {
  if (matcher.signs.length > 0) return placesOfSigns(text, matcher.signs);
  const { phrases, rows, latinPrefixes } = matcher;
  const isByUnits = phrases.length + rows.length > 0 || latinPrefixes === null;
  const edges = isByUnits ? null : latinWordsWithPrefix(text, latinPrefixes);
  const found = edges === null ? matchedUnits(text, matcher) : matchedWords(text, edges, matcher);
  return withFurther(text, found, matcher);
}

/** Adds words that are found by their parts, and numbers and the like that are found without their signs. */
function withFurther(text: string, found: TextSpan[], matcher: TermMatcher): TextSpan[] {
  const further = [...furtherIn(text)].filter(({ words }) =>
    words.some((word) => matcher.stems.has(keyOfWord(word, foldedWord(word), null))),
  );
  if (further.length === 0) return found;
  const joined: TextSpan[] = [];
  for (const { start, end } of [...found, ...further].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

/** Matches single words only. `edges` has only words with a matching prefix. */
function matchedWords(text: string, edges: readonly number[], matcher: TermMatcher): TextSpan[] {
  const found: TextSpan[] = [];
  for (let at = 0; at < edges.length; at += 2) {
    const [start = 0, end = 0] = [edges[at], edges[at + 1]];
    const word = text.slice(start, end);
    let isTerm = matcher.met.get(word);
    if (isTerm === undefined) {
      isTerm = hasTerm(matcher, word, foldedWord(word));
      matcher.met.set(word, isTerm);
    }
    if (isTerm) found.push({ start, end });
  }
  return found;
}

function matchedUnits(text: string, matcher: TermMatcher): TextSpan[] {
  const { stems, phrases, rows, language } = matcher;
  const units = unitsOf(text);
  const found: TextSpan[] = [];
  const add = (from: MatchedUnit | undefined, to: MatchedUnit | undefined) => {
    if (from === undefined || to === undefined) return;
    const last = found.at(-1);
    if (last !== undefined && from.start < last.end) last.end = Math.max(last.end, to.end);
    else found.push({ start: from.start, end: to.end });
  };
  for (const [index, unit] of units.entries()) {
    for (const words of phrases) {
      const end = phraseEnd(units, index, words);
      if (end !== null) add(unit, units[end - 1]);
    }
    for (const words of rows) {
      const end = phraseEnd(units, index, words, ({ written, folded }) => keyOfWord(written, folded, language));
      if (end !== null) add(unit, units[end - 1]);
    }
    if (!unit.isCharacter) {
      if (hasTerm(matcher, unit.written, unit.folded)) add(unit, unit);
      continue;
    }
    const next = units[index + 1];
    const pair = next?.isCharacter === true && next.start === unit.end ? unit.folded + next.folded : null;
    if (pair !== null && stems.has(pair)) add(unit, next);
    else if (stems.has(unit.folded)) add(unit, unit);
  }
  return found;
}

/**
 * Whether the text contains the phrase word for word. Letter case, accents and punctuation between words are ignored,
 * except for symbols that are part of a word: "C++" is not "C".
 */
export function containsPhrase(text: string, phrase: string): boolean {
  const literals = literalsOf(phrase);
  if (literals.length > 0 && literalsIn(text, literals).length < literals.length) return false;
  const words = unitsOf(phrase).map(({ folded }) => folded);
  const units = unitsOf(text);
  return units.some((_, index) => phraseEnd(units, index, words) !== null);
}
