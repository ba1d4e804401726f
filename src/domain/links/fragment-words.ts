import type { TextSpan } from '../text/graphemes.ts';

/*
 * The words in the terms of a text fragment. A term must begin and end at a word boundary. It must be long enough to be
 * unique and short enough to be cheap to read.
 */

/** Characters that count as one word in a script without spaces. */
const wordCharacters = 14 / 6;
/** A term uses at most this many characters of a line's start or end: word segmentation is the main cost of a link. */
export const enoughCharacters = 400;

export interface FragmentWord extends TextSpan {
  /** In words. */
  weight: number;
}

const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

// Created for the first link that needs it: creation takes 60 ms, longer than starting the program.
let segmenter: Intl.Segmenter | undefined;

/**
 * Character classes by code: `letter` is a Latin letter, `digit` an ASCII digit, `mark` is punctuation that never
 * begins or ends a word, `break` is punctuation that always separates words, `apostrophe` joins two letters.
 */
const kinds = { mark: 1, letter: 2, digit: 3, break: 4, apostrophe: 5 } as const;
const kindOf = new Uint8Array(0x2027);
for (let code = 0; code < 0x250; code += 1) {
  const character = String.fromCharCode(code);
  if (/[!-/:-@[-^{-~]/.test(character)) kindOf[code] = kinds.mark;
  if (/[-!"#$%&()*+/<=>?@[\\\]^{|}~]/.test(character)) kindOf[code] = kinds.break;
  if (/[A-Za-zÀ-ÖØ-öø-ɏ]/.test(character)) kindOf[code] = kinds.letter;
  if (/[0-9]/.test(character)) kindOf[code] = kinds.digit;
}
for (const character of '–—“”„') kindOf[character.charCodeAt(0)] = kinds.break;
for (const character of "'’") kindOf[character.charCodeAt(0)] = kinds.apostrophe;

/**
 * Adds the words of `slice.slice(from, to)`, which has no space, if their boundaries are unambiguous: letters and
 * digits with ordinary punctuation between and around them. ICU takes thirty times as long. Returns false, and adds
 * nothing, when ICU is needed.
 */
function addPlainWords(words: FragmentWord[], slice: string, from: number, to: number, offset: number): boolean {
  const before = words.length;
  /** Start of the current word; -1 outside a word. */
  let began = -1;
  for (let at = from; at < to; at += 1) {
    const kind = kindOf[slice.charCodeAt(at)] ?? 0;
    if (kind === kinds.letter || kind === kinds.digit) {
      if (began === -1) began = at;
      continue;
    }
    if (kind === 0) {
      words.length = before;
      return false;
    }
    if (began === -1) continue;
    if (kind !== kinds.break) {
      const next = at + 1 < to ? (kindOf[slice.charCodeAt(at + 1)] ?? 0) : kinds.break;
      const isBetween = next !== kinds.break && next !== kinds.mark && next !== kinds.apostrophe;
      if (isBetween) {
        const last = kindOf[slice.charCodeAt(at - 1)];
        if (kind === kinds.apostrophe && last === kinds.letter && next === kinds.letter) continue;
        words.length = before;
        return false;
      }
    }
    words.push({ start: offset + began, end: offset + at, weight: 1 });
    began = -1;
  }
  if (began !== -1) words.push({ start: offset + began, end: offset + to, weight: 1 });
  return true;
}

/**
 * Words of `text.slice(start, end)` as browsers segment them (both use ICU), including scripts without spaces.
 * @param enough may stop once the words have this total weight
 */
export function wordsIn(text: string, start = 0, end = text.length, enough = Number.POSITIVE_INFINITY): FragmentWord[] {
  const slice = text.slice(start, end);
  const words: FragmentWord[] = [];
  /** From here on the slice is not segmented yet. */
  let from = 0;
  let [weight, weighed] = [0, 0];
  for (let at = 0; at < slice.length && weight < enough;) {
    const space = slice.indexOf(' ', at);
    const to = space === -1 ? slice.length : space;
    // Text before `at` still waits for ICU: its words must come first.
    const pending = at - from > 1;
    const plain = pending ? [] : words;
    const before = plain.length;
    if (addPlainWords(plain, slice, at, to, start) && plain.length > before) {
      if (pending) {
        addWords(words, slice, from, at, start);
        words.push(...plain);
      }
      from = to;
    }
    at = to + 1;
    if (at >= slice.length) addWords(words, slice, from, slice.length, start);
    for (; weighed < words.length; weighed += 1) weight += words[weighed]?.weight ?? 0;
  }
  return words;
}

/** Adds the words that ICU finds in `slice.slice(from, to)`. */
function addWords(words: FragmentWord[], slice: string, from: number, to: number, offset: number): void {
  if (from >= to) return;
  const piece = slice.slice(from, to);
  if (piece.trim() === '') return;
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  for (const { segment: word, index, isWordLike } of segmenter.segment(piece)) {
    if (isWordLike !== true) continue;
    const weight = spaceless.test(word) ? word.length / wordCharacters : 1;
    words.push({ start: offset + from + index, end: offset + from + index + word.length, weight });
  }
}

export function weigh(words: readonly FragmentWord[]): number {
  return words.reduce((sum, word) => sum + word.weight, 0);
}

/** The span of words of about this weight at the beginning; null when there are no words. */
export function headOf(words: readonly FragmentWord[], maxWeight: number): TextSpan | null {
  const [first] = words;
  if (first === undefined) return null;
  let { end } = first;
  let weight = 0;
  for (const word of words) {
    if (weight >= maxWeight - 1e-9) break;
    weight += word.weight;
    end = word.end;
  }
  return { start: first.start, end };
}

/** The span of words of about this weight at the end; null when there are no words. */
export function tailOf(words: readonly FragmentWord[], maxWeight: number): TextSpan | null {
  const last = words.at(-1);
  if (last === undefined) return null;
  let { start } = last;
  let weight = 0;
  for (const word of words.toReversed()) {
    if (weight >= maxWeight - 1e-9) break;
    weight += word.weight;
    start = word.start;
  }
  return { start, end: last.end };
}

/** The first words of a line after `from`; `enough` as in `wordsIn`. */
export function openingWords(text: string, from: number, to: number, enough: number): FragmentWord[] {
  return wordsIn(text, from, Math.min(to, from + enoughCharacters), enough);
}

/** Whether `closingWords` finds a word between `from` and `to`. */
export function hasWords(text: string, from: number, to: number): boolean {
  // A Latin letter is part of a word in any context.
  for (let at = to - 1; at >= Math.max(from, to - enoughCharacters); at -= 1)
    if (kindOf[text.charCodeAt(at)] === kinds.letter) return true;
  return closingWords(text, from, to, 0).length > 0;
}

/** Characters of a line's end to segment first: usually enough words for a term. */
const mostlyEnoughCharacters = 120;

/** The last words of a line up to `to`; `enough` as in `wordsIn`. */
export function closingWords(
  text: string,
  from: number,
  to: number,
  enough = Number.POSITIVE_INFINITY,
): FragmentWord[] {
  for (const maxChars of Number.isFinite(enough) ? [mostlyEnoughCharacters, enoughCharacters] : [enoughCharacters]) {
    if (to - from <= maxChars) return wordsIn(text, from, to);
    const words = wordsBehindCut(text, to - maxChars, to);
    if (maxChars === enoughCharacters || weigh(words) > enough) return words;
  }
  return [];
}

/** The words between an offset within a line and `to`, without a first word that the cut may have split. */
function wordsBehindCut(text: string, cut: number, to: number): FragmentWord[] {
  const space = text.indexOf(' ', cut);
  if (space !== -1 && space < to) return wordsIn(text, space + 1, to);
  // Without spaces, only the first word can be split by the cut.
  const words = wordsIn(text, cut, to);
  return words[0]?.start === cut ? words.slice(1) : words;
}

/** Encodes `-`, `,` and `&`, which are syntax of a directive, and characters that would end a link in running text. */
export function encodeTerm(term: string): string {
  return encodeURIComponent(term.toWellFormed()).replaceAll(
    /[-!'()*_~]/g,
    (character) => `%${character.codePointAt(0)?.toString(16).toUpperCase()}`,
  );
}
