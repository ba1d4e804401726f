import type { TextSpan } from './graphemes.ts';

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
 * What stands between two spaces, when any reading of it has the same words: letters and digits of Latin script with nothing
 * but ordinary marks around them. ICU takes thirty times as long for it.
 */
const plainPiece = /(?<=^| )[!-/:-@[-^{-~]*([0-9A-Za-zÀ-ÖØ-öø-ɏ]+)[!-/:-@[-^{-~]*(?= |$)/y;

/**
 * Words of `text.slice(start, end)` as browsers cut them (both use ICU), also where a script has no spaces.
 * @param enough of what they weigh together: the rest may be left out
 */
export function wordsIn(text: string, start = 0, end = text.length, enough = Number.POSITIVE_INFINITY): FragmentWord[] {
  const slice = text.slice(start, end);
  const words: FragmentWord[] = [];
  /** From here on it has not been cut yet. */
  let from = 0;
  let at = 0;
  // No word weighs less than one character of a script without spaces.
  while (at <= slice.length && words.length < enough * wordCharacters) {
    plainPiece.lastIndex = at;
    const [piece = '', word = ''] = plainPiece.exec(slice) ?? [];
    if (word !== '') {
      addWords(words, slice, from, at, start);
      const first = start + at + piece.indexOf(word);
      words.push({ start: first, end: first + word.length, weight: 1 });
      from = at + piece.length;
    }
    const space = slice.indexOf(' ', at + piece.length);
    at = space === -1 ? slice.length + 1 : space + 1;
  }
  if (at > slice.length) addWords(words, slice, from, slice.length, start);
  return words;
}

/** The words of `slice.slice(from, to)`, as ICU has them. */
function addWords(words: FragmentWord[], slice: string, from: number, to: number, offset: number): void {
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

/** The last words of a line up to `to`. */
export function closingWords(text: string, from: number, to: number): FragmentWord[] {
  if (to - from <= enoughCharacters) return wordsIn(text, from, to);
  // A cut inside a word would make half of it the first one: a space before is enough to begin with a whole one.
  return wordsIn(text, text.indexOf(' ', to - enoughCharacters) + 1, to);
}

/** `-`, `,` and `&` are syntax of a directive; the rest would end a link in running text. */
export function encodeTerm(term: string): string {
  return encodeURIComponent(term.toWellFormed()).replaceAll(
    /[-!'()*_~]/g,
    (character) => `%${character.codePointAt(0)?.toString(16).toUpperCase()}`,
  );
}
