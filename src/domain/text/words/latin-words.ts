/*
 * Most texts have only Latin letters. Splitting those into words needs no Unicode properties, and a loop over their
 * characters takes a tenth of the time of a regular expression.
 */

/** Up to U+024F, plus characters that never belong to words: punctuation, currency signs, arrows, boxes, symbols. First and last of each range. */
const latin = [
  [0, 0x24f],
  [0x2000, 0x206f],
  [0x20a0, 0x20cf],
  [0x2190, 0x245f],
  [0x2500, 0x2775],
  [0x2794, 0x2bff],
] as const;
const firstBeyond = 0x250;

/** Whether a character is a letter or a number, by its code. */
const isWordCharacter = new Uint8Array(firstBeyond);
const isLetter = new Uint8Array(firstBeyond);
// One pass of each expression over all characters: a test for each of them was the dearest part of loading this file.
const characters = String.fromCharCode(...isWordCharacter.keys());
for (const { index } of characters.matchAll(/[\p{L}\p{N}\p{Co}\p{M}]/gu)) isWordCharacter[index] = 1;
for (const { index } of characters.matchAll(/\p{L}/gu)) isLetter[index] = 1;

/** Class of a UTF-16 unit by its code; `other` does not occur in a Latin text. */
const kinds = { other: 0, gap: 1, word: 2 } as const;
const kindOf = new Uint8Array(0x2c00);
for (const [first, last] of latin) kindOf.fill(kinds.gap, first, last + 1);
for (const [code, isWord] of isWordCharacter.entries()) if (isWord === 1) kindOf[code] = kinds.word;

/**
 * The words of a text, as alternating start and end offsets. A word is a run of letters and numbers.
 * @returns null when the text has characters outside `latin`
 */
export function latinWords(text: string): number[] | null {
  return latinWordsWithPrefix(text, anyPrefix);
}

/**
 * A set of word prefixes: bit `second` of row `first`, by the codes of two ASCII characters. `second` may also be
 * `alone` or `beyond`. Words whose first character is not ASCII always match.
 */
export type PrefixSet = Int32Array;

/** The word has no second character. */
const alone = 0;
/** The second character is not ASCII. */
const beyond = 0x7f;
const rowLength = 0x80 / 32;

const anyPrefix: PrefixSet = new Int32Array(0x80 * rowLength).fill(-1);

/** @param prefixes one or two characters each, in lower case */
export function prefixSetOf(prefixes: Iterable<string>): PrefixSet {
  const set: PrefixSet = new Int32Array(0x80 * rowLength);
  for (const prefix of prefixes) {
    for (const form of [prefix.charAt(0), prefix.charAt(0).toUpperCase()]) {
      const row = form.charCodeAt(0) * rowLength;
      if (row >= set.length) continue;
      if (prefix.length === 1) {
        set.fill(-1, row, row + rowLength);
        continue;
      }
      for (const second of [prefix.charCodeAt(1), prefix.charAt(1).toUpperCase().charCodeAt(0), beyond]) {
        const bit = Math.min(second, beyond);
        set[row + (bit >>> 5)] = (set[row + (bit >>> 5)] ?? 0) | (1 << (bit & 31));
      }
    }
  }
  return set;
}

/** Whether a word with these first two characters matches; `second` is `alone` for a word of one character. */
function hasPrefix(prefixes: PrefixSet, first: number, second: number): boolean {
  if (first >= 0x80) return true;
  const bit = Math.min(second, beyond);
  return ((prefixes[first * rowLength + (bit >>> 5)] ?? 0) & (1 << (bit & 31))) !== 0;
}

/** Whether a word of any script may begin with one of the prefixes. */
export function mayHavePrefix(word: string, prefixes: PrefixSet): boolean {
  return hasPrefix(prefixes, word.charCodeAt(0), word.length > 1 ? word.charCodeAt(1) : alone);
}

/** `latinWords`, but only words that may begin with one of the prefixes. */
export function latinWordsWithPrefix(text: string, prefixes: PrefixSet): number[] | null {
  const edges: number[] = [];
  const { length } = text;
  for (let at = 0; at < length; at += 1) {
    const first = text.charCodeAt(at);
    const kind = kindOf[first];
    if (kind === kinds.gap) continue;
    if (kind !== kinds.word) return null;
    const start = at;
    let code = 0;
    for (at += 1; at < length; at += 1) {
      code = text.charCodeAt(at);
      if (kindOf[code] !== kinds.word) break;
    }
    if (at < length && kindOf[code] !== kinds.gap) return null;
    if (hasPrefix(prefixes, first, at - start > 1 ? text.charCodeAt(start + 1) : alone)) edges.push(start, at);
  }
  return edges;
}

/** Like `latin`, without the zero-width joiners and without the symbols above U+206F. */
const latinUnjoined = /^[\0-\u024f\u2000-\u200b\u200e-\u206f]*$/;

/**
 * The number of words as a person counts them. An apostrophe between letters is part of a word; after an apostrophe, a
 * digit begins a new word.
 * @returns null when the text has characters outside `latinUnjoined`
 */
export function countLatinWords(text: string): number | null {
  if (!latinUnjoined.test(text)) return null;
  let count = 0;
  let isInside = false;
  let isAfterApostrophe = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isWordCharacter[code] === 1) {
      if (isInside && !isAfterApostrophe) continue;
      if (!isInside || isLetter[code] === 0) {
        count += 1;
        isAfterApostrophe = false;
      }
      isInside = true;
    } else if (isInside) {
      isInside = (code === 0x27 || code === 0x2019) && isLetter[text.charCodeAt(at + 1)] === 1;
      isAfterApostrophe = isInside;
    }
  }
  return count;
}
