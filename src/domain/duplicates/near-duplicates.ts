import { randomBytes } from 'node:crypto';

/*
 * Near-duplicate passages: a page saved in two editions, a paragraph that many pages quote. They are compared by their
 * word 3-shingles, like whole texts (simhash.ts), but exactly, because an answer has few passages.
 */

const shingleWords = 3;
/** Minimum Jaccard similarity of the shingles of two passages that count as the same. */
const minShared = 0.8;
/** Passages with fewer shingles must be identical: in a short passage, one different word changes the answer. */
const minShingles = 12;

/** A word, after lower-casing: a run of letters, marks and digits, or a single character of a script without spaces. */
const word = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{M}\p{N}]+/gu;

/** Role of a UTF-16 unit in a word, cached on first use. `half` is a surrogate, which cannot be classified alone. */
const kinds = { unknown: 0, none: 1, part: 2, alone: 3, half: 4 } as const;
const kindOfUnit = new Uint8Array(0x1_0000);

function learnKind(code: number): number {
  const unit = String.fromCharCode(code);
  let kind: number = kinds.none;
  if ((code & 0xf800) === 0xd800) kind = kinds.half;
  else if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(unit)) kind = kinds.alone;
  else if (/[\p{L}\p{M}\p{N}]/u.test(unit)) kind = kinds.part;
  kindOfUnit[code] = kind;
  return kind;
}

/**
 * Offset basis of FNV-1a, signed, so that all numbers in the loop below are 32-bit integers. It is random: other words
 * with the same hashes could be made by whoever knows it, to pass a page off as a copy of another.
 */
const basis = randomBytes(4).readInt32LE();

function withUnit(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/**
 * Writes the FNV-1a hash of each word, in text order.
 * @param hashes has at least as many entries as `lower` has UTF-16 units
 * @returns the number of words
 */
function hashWords(lower: string, hashes: Int32Array): number {
  let count = 0;
  let hash = basis;
  let isInside = false;
  for (let at = 0; at < lower.length; at += 1) {
    const code = lower.charCodeAt(at);
    const kind = kindOfUnit[code] || learnKind(code);
    if (kind === kinds.part || (kind === kinds.alone && isInside)) {
      hash = withUnit(hash, code);
      isInside = true;
      continue;
    }
    if (kind === kinds.half) return hashMatches(lower, hashes);
    if (isInside) hashes[count++] = hash;
    if (kind === kinds.alone) hashes[count++] = withUnit(basis, code);
    isInside = false;
    hash = basis;
  }
  if (isInside) hashes[count++] = hash;
  return count;
}

function hashMatches(lower: string, hashes: Int32Array): number {
  const found = Array.from(lower.matchAll(word), ([found]) => hashOf(found));
  hashes.set(found);
  return found.length;
}

function hashOf(found: string): number {
  let hash = basis;
  for (let at = 0; at < found.length; at += 1) hash = withUnit(hash, found.charCodeAt(at));
  return hash;
}

function shingleAt(words: Int32Array, at: number): number {
  return mixed(mixed(mixed(7, words[at] ?? 0), words[at + 1] ?? 0), words[at + 2] ?? 0);
}

/** Hashes of the distinct shingles of a text, in ascending order. Letter case and punctuation are ignored. */
function shinglesOf(text: string): Uint32Array {
  const lower = text.toLowerCase();
  const words = new Int32Array(lower.length);
  const shingles = new Uint32Array(Math.max(0, hashWords(lower, words) - shingleWords + 1));
  for (let nth = 0; nth < shingles.length; nth += 1) shingles[nth] = shingleAt(words, nth);
  shingles.sort();
  return shingles.subarray(0, moveDistinct(shingles));
}

function mixed(sum: number, hash: number): number {
  return Math.imul(sum ^ hash, 0x9e3779b1);
}

/** Moves the distinct values of a sorted array to its front. @returns how many there are */
function moveDistinct(sorted: Uint32Array): number {
  let count = 0;
  for (const value of sorted) {
    if (count > 0 && sorted[count - 1] === value) continue;
    sorted[count] = value;
    count += 1;
  }
  return count;
}

/** Minimum share of each text's shingles that the other one has, when two texts count as the same. */
const minSharedOfTexts = 0.7;

/** The words of a text, to be compared with those of others. */
export interface TextWords {
  bare: string;
  shingles: Uint32Array;
}

export function wordsOf(text: string): TextWords {
  return { bare: text.trim(), shingles: shinglesOf(text) };
}

/** Whether a text has most of the words of another, in their order. Few words must all be there, and no others. */
export function hasWordsOf(text: TextWords, other: TextWords): boolean {
  const { length: size } = other.shingles;
  if (size < minShingles) return text.bare === other.bare;
  return countCommon(other.shingles, text.shingles) >= minSharedOfTexts * size;
}

function countCommon(a: Uint32Array, b: Uint32Array): number {
  let [i, j, common] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const [x = 0, y = 0] = [a[i], b[j]];
    if (x === y) common += 1;
    if (x <= y) i += 1;
    if (y <= x) j += 1;
  }
  return common;
}

/** Above this share of new shingles, a passage is not a near-duplicate: a fifth, plus room for rounding. */
const maxNew = 1 - minShared + 0.05;
/** Bits of the Bloom filter. An answer has a few thousand shingles; with more, more new shingles look known. */
const filterBitsLog = 16;
const filterBits = 2 ** filterBitsLog;

/**
 * Returns a function that remembers passages. It returns the key of an earlier passage that the given one nearly
 * repeats, or null when the passage is new, and then remembers it too. Nearly all passages are new and have shingles
 * that a Bloom filter (CACM 1970) has not seen, so only the others are compared.
 */
export function createNearDuplicates<Key>(): (text: string, key: Key) => Key | null {
  const known: KnownPassage<Key>[] = [];
  const isNew = createNoveltyCheck();
  return (text, key) => {
    const same = isNew(text) ? undefined : findSame(known, text);
    if (same !== undefined) return same.key;
    known.push({ key, text });
    return null;
  };
}

interface KnownPassage<Key> {
  key: Key;
  text: string;
  /** Computed when the passage is first compared. */
  shingles?: Uint32Array;
}

/**
 * Returns a function that is true when a text has so many unseen shingles, each counted once, that it is not a
 * near-duplicate of any text before.
 */
function createNoveltyCheck(): (text: string) => boolean {
  const met = new Int32Array(filterBits / 32);
  let words = new Int32Array(0);
  return (text) => {
    const lower = text.toLowerCase();
    if (words.length < lower.length) words = new Int32Array(lower.length * 2);
    // A text with fewer words than a shingle has no shingles, and does not count as new.
    const count = Math.max(0, hashWords(lower, words) - shingleWords + 1);
    let fresh = 0;
    for (let nth = 0; nth < count; nth += 1) {
      const at = shingleAt(words, nth) >>> (32 - filterBitsLog);
      const bit = 1 << (at & 31);
      const bits = met[at >>> 5] ?? 0;
      if ((bits & bit) === 0) fresh += 1;
      met[at >>> 5] = bits | bit;
    }
    return fresh > maxNew * count;
  };
}

function findSame<Key>(known: readonly KnownPassage<Key>[], text: string): KnownPassage<Key> | undefined {
  const shingles = shinglesOf(text);
  const bare = text.trim();
  if (shingles.length < minShingles) return known.find((other) => other.text.trim() === bare);
  return known.find((other) => {
    other.shingles ??= shinglesOf(other.text);
    const { length: size } = other.shingles;
    if (size < minShingles || Math.min(size, shingles.length) < minShared * Math.max(size, shingles.length))
      return false;
    const common = countCommon(shingles, other.shingles);
    return common >= minShared * (size + shingles.length - common);
  });
}
