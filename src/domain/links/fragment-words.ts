import type { TextSpan } from '../text/graphemes.ts';

/*
 * The words of a fragment's terms. A term must begin and end at a word's boundary; it is long enough to be told from
 * others and short enough to be cheap to read.
 */

/** What counts as one word; a script without spaces has no others. */
const wordCharacters = 14 / 6;
/** Cutting into words is the cost of a link; more than this of a line's beginning or end is never part of a term. */
export const enoughCharacters = 400;

export interface FragmentWord extends TextSpan {
  /** In words. */
  weight: number;
}

const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

// Making one takes 60 ms, more than starting the program: it waits for the first link.
let segmenter: Intl.Segmenter | undefined;

/**
 * Characters by their codes: `letter` is one of Latin script, `digit` one of ASCII, `mark` punctuation that is never part of a word at its
 * edges, `break` such that is none within one either, `apostrophe` what joins two letters.
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
 * Adds the words of `slice.slice(from, to)`, which has no space, where they are in any reading of it: letters and digits with ordinary marks
 * between and around them. ICU takes thirty times as long to say so. False when it has to be asked, and nothing is added.
 */
function addPlainWords(words: FragmentWord[], slice: string, from: number, to: number, offset: number): boolean {
  const before = words.length;
  /** Where the word began that runs; -1 for none. */
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
 * Words of `text.slice(start, end)` as browsers cut them (both use ICU), also where a script has no spaces.
 * @param enough of what they weigh together: the rest may be left out
 */
export function wordsIn(text: string, start = 0, end = text.length, enough = Number.POSITIVE_INFINITY): FragmentWord[] {
  const slice = text.slice(start, end);
  const words: FragmentWord[] = [];
  /** From here on it has not been cut yet. */
  let from = 0;
  let [weight, weighed] = [0, 0];
  for (let at = 0; at < slice.length && weight < enough;) {
    const space = slice.indexOf(' ', at);
    const to = space === -1 ? slice.length : space;
    // More than a space has not been cut: it comes before.
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

/** The words of `slice.slice(from, to)`, as ICU has them. */
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

/** From the first word on, about `most` words; null when there is none. */
export function headOf(words: readonly FragmentWord[], most: number): TextSpan | null {
  const [first] = words;
  if (first === undefined) return null;
  let { end } = first;
  let weight = 0;
  for (const word of words) {
    if (weight >= most - 1e-9) break;
    weight += word.weight;
    end = word.end;
  }
  return { start: first.start, end };
}

/** Up to the last word, about `most` words; null when there is none. */
export function tailOf(words: readonly FragmentWord[], most: number): TextSpan | null {
  const last = words.at(-1);
  if (last === undefined) return null;
  let { start } = last;
  let weight = 0;
  for (const word of words.toReversed()) {
    if (weight >= most - 1e-9) break;
    weight += word.weight;
    start = word.start;
  }
  return { start, end: last.end };
}

/** The first words of a line from `from` on; `enough` as in `wordsIn`. */
export function openingWords(text: string, from: number, to: number, enough?: number): FragmentWord[] {
  return wordsIn(text, from, Math.min(to, from + enoughCharacters), enough);
}

/** Whether there is a word in a line between `from` and `to`, as `closingWords` finds them. */
export function hasWords(text: string, from: number, to: number): boolean {
  // A letter of these is part of a word whatever stands around it.
  for (let at = to - 1; at >= Math.max(from, to - enoughCharacters); at -= 1)
    if (kindOf[text.charCodeAt(at)] === kinds.letter) return true;
  return closingWords(text, from, to, 0).length > 0;
}

/** So much of a line's end is looked at first: it has as many words as terms have, unless they are long. */
const mostlyEnoughCharacters = 120;

/** The last words of a line up to `to`; `enough` as in `wordsIn`. */
export function closingWords(
  text: string,
  from: number,
  to: number,
  enough = Number.POSITIVE_INFINITY,
): FragmentWord[] {
  for (const most of Number.isFinite(enough) ? [mostlyEnoughCharacters, enoughCharacters] : [enoughCharacters]) {
    if (to - from <= most) return wordsIn(text, from, to);
    const words = wordsBehindCut(text, to - most, to);
    if (most === enoughCharacters || weigh(words) > enough) return words;
  }
  return [];
}

/** The words between a place within a line and `to`. A cut inside a word would make half of it the first one. */
function wordsBehindCut(text: string, cut: number, to: number): FragmentWord[] {
  const space = text.indexOf(' ', cut);
  if (space !== -1 && space < to) return wordsIn(text, space + 1, to);
  // Without spaces every word may be the half of one, but only the first.
  const words = wordsIn(text, cut, to);
  return words[0]?.start === cut ? words.slice(1) : words;
}

/** `-`, `,` and `&` are syntax of a directive; the rest would end a link in running text. */
export function encodeTerm(term: string): string {
  return encodeURIComponent(term.toWellFormed()).replaceAll(
    /[-!'()*_~]/g,
    (character) => `%${character.codePointAt(0)?.toString(16).toUpperCase()}`,
  );
}
