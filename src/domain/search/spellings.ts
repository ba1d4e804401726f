import type { TextSpan } from '../text/graphemes.ts';
import { foldedWord, type Word } from '../text/words/words.ts';
import { functionWordsOf } from './question-language.ts';

/*
 * Words that are written in two ways: getUserById and "get user by id", multi-agent and multiagent, 1,234,567 and 1234567, M.I.T.
 * and MIT. The index holds a few additional words that a question cannot know (the parts of getUserById); all other variants are
 * additional forms of a question's words.
 */

/**
 * Matches texts that may have additional words, which few do. Each alternative begins with something rarer than lower-case letters,
 * so that most characters are skipped at once.
 */
const mayHaveFurther =
  /(?<=\p{Ll})\p{Lu}|\p{Nd}(?:[-,.'’]\p{Nd}|\p{Nd}{2}(?:\p{L}|(?<=\p{L}\p{Nd}{3})))|(?<=\p{L})-\p{L}|[.&](?<=(?<!\p{L})\p{L}{1,2}[.&])\p{L}/u;
/** Words with the signs that join them. */
const joinedRun = /[\p{L}\p{M}\p{N}]+(?:[-,.'’&][\p{L}\p{M}\p{N}]+)*/gu;
const groupedNumber = /^\p{Nd}{1,3}(?:([,.'’])\p{Nd}{3})(?:\1\p{Nd}{3})*(?!\p{Nd})/u;
const hyphenedNumber = /^\p{Nd}+(?:-\p{Nd}+)+(?:-[Xx])?$/u;
const hyphenedWord = /^\p{L}+(?:-\p{L}+){1,2}$/u;
/** U.S.A, Ph.D, R&D. */
const initials = /^\p{L}{1,2}(?:[.&]\p{L}{1,2})+$/u;
const caseParts = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Nd}+/gu;

/** Longer runs are addresses, keys and the like. */
const maxJoinedLength = 60;
const maxParts = 8;
/** A number of fewer digits is a part of too many words: CO2, v12, 15th. So are two letters beside a number. */
const minBesideDigits = 3;
const minPartLength = 2;
/** Of a text, this many further words are kept. */
const maxFurther = 500;

/** The parts of a word as its capitals and digits tell them; fewer than two when they tell none. */
export function partsOf(word: string): string[] {
  if (word.length > maxJoinedLength || !/\p{Ll}\p{Lu}|\p{L}\p{Nd}|\p{Nd}\p{L}/u.test(word)) return [];
  const parts = word.match(caseParts) ?? [];
  return parts.length <= maxParts && parts.join('').length === word.length ? parts : [];
}

/** Words by which a place in a text is found, too. */
interface Further extends TextSpan {
  /** Neighbours, in their order. */
  words: string[];
  isHyphened: boolean;
}

/** The parts of words, and numbers, initials and words with hyphens without their signs. */
export function* furtherIn(text: string): Generator<Further> {
  if (!mayHaveFurther.test(text)) return;
  for (const { 0: run, index } of text.matchAll(joinedRun)) {
    if (run.length > maxJoinedLength || !mayHaveFurther.test(run)) continue;
    const isHyphened = hyphenedWord.test(run);
    const isWhole = isHyphened || hyphenedNumber.test(run) || initials.test(run);
    const joined = isWhole ? run : groupedNumber.exec(run)?.[0];
    if (joined !== undefined) {
      const word = joined.replaceAll(/[^\p{L}\p{N}]/gu, '');
      yield { start: index, end: index + joined.length, words: [word], isHyphened };
    }
    for (const { 0: word, index: at } of run.matchAll(/[^-,.'’&]+/gu)) {
      const parts = partsOf(word);
      const min = /\p{Nd}/u.test(word) ? minBesideDigits : minPartLength;
      const words = parts.length < 2 ? [] : parts.filter((part) => part.length >= min);
      if (words.length > 0) yield { start: index + at, end: index + at + word.length, words, isHyphened: false };
    }
  }
}

/** Prefix of a word that a text has with hyphens. It is indexed separately, since on-line is mostly found well enough by its parts. */
const hyphenedMark = '\u{e043}';

/** How the index holds a word that a text has with hyphens. */
export function hyphened(word: string): string {
  return hyphenedMark + word;
}

export function withoutMark(word: string): string {
  return word.startsWith(hyphenedMark) ? word.slice(1) : word;
}

/** The same without their places, for the index. */
export function furtherWords(text: string): string[] {
  const found = new Set<string>();
  for (const { words, isHyphened } of furtherIn(text)) {
    if (found.size >= maxFurther) break;
    found.add(isHyphened ? hyphened(words.join('')) : words.join(' '));
  }
  return [...found];
}

/** Whether a sign, and no space or apostrophe, is between two words. */
function areJoined(text: string, end: number, start: number): boolean {
  return start - end === 1 && !/[\s'’]/u.test(text.charAt(end));
}

const maxJoined = 5;
const minJoinedLength = 4;
const maxRows = 200;

/**
 * Neighbouring words of a question that may be one word elsewhere.
 * @param isShort a short question: two words with a space between them may be one, too
 */
export function joinedWords(text: string, words: readonly Word[], isShort: boolean): Word[][] {
  const joined: Word[][] = [];
  for (const first of words.keys()) {
    if (joined.length >= maxRows) break;
    let isTight = true;
    let length = 0;
    for (let last = first; last < Math.min(words.length, first + maxJoined); last += 1) {
      const [before, word] = [words[last - 1], words[last]];
      if (word === undefined || word.isRun || (length += word.text.length) > maxJoinedLength) break;
      if (last === first || before === undefined) continue;
      isTight &&= areJoined(text, before.start + before.text.length, word.start);
      if (!isTight && !(isShort && last === first + 1)) break;
      // In a sentence, U.S. is no "us", and e.g. is no subject.
      if (isShort || length >= minJoinedLength) joined.push(words.slice(first, last + 1));
    }
  }
  return joined;
}

const isEnglishFunctionWord = functionWordsOf('');
const minSplit = 3;
const maxSplitLength = 30;

/** The ways to write a word as two words. */
export function splitsOf(word: string): string[][] {
  if (word.length > maxSplitLength || !/^[a-z0-9]+$/.test(word)) return [];
  const splits: string[][] = [];
  for (let at = minSplit; at <= word.length - minSplit; at += 1) splits.push([word.slice(0, at), word.slice(at)]);
  return splits.filter((parts) => !parts.some(isEnglishFunctionWord));
}

/** Languages that write compounds as one word. */
const compounding = new Set(['de', 'nl', 'sv', 'da', 'no', 'nb', 'nn', 'fi', 'is', 'hu', 'et']);
/** Minimum letters of a compound's last part and of the part before it, without endings. */
const minPart = 4;
const minBefore = 4;
const maxCompoundLength = 40;
/** Without its most frequent endings in German and Dutch. Others are cut off from no word: Haus, Wein and Bier end so, too. */
const inflected = /^([a-z]+?)(?:en|e)?$/;
/** Around a compound's letters, from its end to its beginning: no word of a text begins or ends so, and no ending is cut off. */
export const reversedMark = '\u{e042}';

export function isCompounding(language: string): boolean {
  return compounding.has(language.slice(0, 2).toLowerCase());
}

/** How the index holds a long word by its end. Null for a short one, and for one with other letters than plain ones. */
export function reversedWord(word: string): string | null {
  const beginning = reversedBeginning(word, minBefore + minPart);
  return beginning === null ? null : beginning + reversedMark;
}

/** How words begin in the index whose last part is this one. Null for a part that is too short. */
export function reversedBeginning(part: string, minLength = minPart): string | null {
  if (part.length < minLength || part.length > maxCompoundLength) return null;
  const [, stem = ''] = inflected.exec(foldedWord(part)) ?? [];
  return stem.length < minLength ? null : reversedMark + [...stem].reverse().join('');
}

export function isReversed(word: string): boolean {
  return word.startsWith(reversedMark);
}

/** Whether enough letters are before the last part of a word. */
export function isCompoundOf(beginning: string, compound: string): boolean {
  return compound.length > beginning.length + minBefore;
}

/** A part of so many letters is no chance, in whatever language and wherever it is in a word. */
const unmistakable = 10;

export function mayBeWithin(word: string): boolean {
  return word.length >= unmistakable && word.length <= maxJoinedLength && /^[\p{L}\p{N}]+$/u.test(word);
}
