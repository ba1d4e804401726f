import type { Word } from '../text/words/words.ts';
import { functionWordsOf } from './question-language.ts';

/*
 * Words that are written in two ways: getUserById and "get user by id", multi-agent and multiagent, 1,234,567 and 1234567,
 * M.I.T. and MIT. The index holds a few further words for what a question cannot know (the parts of getUserById); all other
 * ways are further forms of a question's words.
 */

/** What may have further words, which few texts have. */
const mayHaveFurther = /\p{Ll}\p{Lu}|\p{L}\p{Nd}{3}|\p{Nd}{3}\p{L}|\p{Nd}[-,.'’]\p{Nd}|(?<!\p{L})\p{L}{1,2}[.&]\p{L}/u;
/** Words with the signs that join them. */
const joinedRun = /[\p{L}\p{M}\p{N}]+(?:[-,.'’&][\p{L}\p{M}\p{N}]+)*/gu;
const groupedNumber = /^\p{Nd}{1,3}(?:([,.'’])\p{Nd}{3})(?:\1\p{Nd}{3})*(?!\p{Nd})/u;
const hyphenedNumber = /^\p{Nd}+(?:-\p{Nd}+)+(?:-[Xx])?$/u;
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

/** Words by which a text is found, too: the parts of its words, and its numbers and initials without signs. */
export function furtherWords(text: string): string[] {
  if (!mayHaveFurther.test(text)) return [];
  const found = new Set<string>();
  for (const [run] of text.matchAll(joinedRun)) {
    if (found.size >= maxFurther) break;
    if (run.length > maxJoinedLength || !mayHaveFurther.test(run)) continue;
    const joined = hyphenedNumber.test(run) || initials.test(run) ? run : groupedNumber.exec(run)?.[0];
    if (joined !== undefined) found.add(joined.replaceAll(/[^\p{L}\p{N}]/gu, ''));
    for (const word of run.split(/[-,.'’&]/u)) {
      const parts = partsOf(word);
      if (parts.length < 2) continue;
      const min = /\p{Nd}/u.test(word) ? minBesideDigits : minPartLength;
      const long = parts.filter((part) => part.length >= min);
      // One entry, so that its words stay neighbours.
      if (long.length > 0) found.add(long.join(' '));
    }
  }
  return [...found];
}

/** Whether a sign, and no space or apostrophe, is between two words. */
export function areJoined(text: string, end: number, start: number): boolean {
  return start - end === 1 && !/[\s'’]/u.test(text.charAt(end));
}

const maxJoined = 5;
const minJoinedLength = 4;
const maxRows = 200;

/**
 * Neighbouring words of a question that may be one word elsewhere.
 * @param isShort a short question: words with a space between them may be one, too
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
      if (!isTight && !isShort) break;
      // In a sentence, U.S. is no "us", and e.g. is no subject.
      if (isShort || length >= minJoinedLength) joined.push(words.slice(first, last + 1));
    }
  }
  return joined;
}

const isEnglishFunctionWord = functionWordsOf('');
const minSplitLength = 5;
const maxSplitLength = 30;
const minRest = 2;

/** The ways to write a word as two words. */
export function splitsOf(word: string): string[][] {
  if (word.length < minSplitLength || word.length > maxSplitLength || !/^[a-z0-9]+$/.test(word)) return [];
  const splits: string[][] = [];
  for (let at = 1; at <= word.length - minRest; at += 1) splits.push([word.slice(0, at), word.slice(at)]);
  return splits.filter((parts) => !parts.some(isEnglishFunctionWord));
}

/** Languages that write compounds as one word. */
const compounding = new Set(['de', 'nl', 'sv', 'da', 'no', 'nb', 'nn', 'fi', 'is', 'hu', 'et']);
/** A part of so many letters is no chance, in whatever language and wherever it stands. */
const unmistakable = 10;
/** Shorter ones are looked for in compounding languages alone, and in texts of unknown language from the second number on. */
const minCompoundPart = 4;
const minPartOfUnknown = 5;
const minOtherPart = 4;
const maxEnding = 3;

export function isCompounding(language: string): boolean {
  return compounding.has(language.slice(0, 2).toLowerCase());
}

export function mayStandWithin(word: string): boolean {
  return word.length >= minCompoundPart && word.length <= maxJoinedLength && /^[\p{L}\p{N}]+$/u.test(word);
}

/** Whether a word stands within another one in a text, as a part of it: Versicherung in Haftpflichtversicherungen. */
export function standsWithin(text: string, language: string | null, word: string): boolean {
  const isLong = word.length >= unmistakable;
  const isLooked = language === null ? word.length >= minPartOfUnknown : isCompounding(language);
  if (!isLong && !isLooked) return false;
  const inside = text.toLowerCase();
  for (let at = inside.indexOf(word); at >= 0; at = inside.indexOf(word, at + 1)) {
    const before = lettersUntil(inside, at - 1, -1);
    const after = lettersUntil(inside, at + word.length, 1);
    const isPart = (before === 0 && after >= minOtherPart) || (before >= minOtherPart && after <= maxEnding);
    if (isLong ? before + after > 0 : isPart) return true;
  }
  return false;
}

/** How many letters there are from here on, up to the greatest number that matters. */
function lettersUntil(text: string, from: number, step: 1 | -1): number {
  let count = 0;
  while (count < minOtherPart && /[\p{L}\p{M}\p{N}]/u.test(text.charAt(from + count * step))) count += 1;
  return count;
}
