import { latinWords } from './latin-words.ts';

/*
 * Passages that say the same in nearly the same words: a page saved in two editions, a paragraph that everybody quotes. They
 * are compared by their word 3-shingles, as whole texts are (simhash.ts), but exactly: an answer has few.
 */

const shingleWords = 3;
/** Shared of all shingles of two passages (Jaccard) from which they count as the same. */
const leastShared = 0.8;
/** Passages with fewer shingles are the same only word by word: one word makes another answer of them. */
const fewestShingles = 12;

/** Words as they are compared, letter case aside: runs of letters, marks and digits, Han and Kana one by one. */
const word = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[\p{L}\p{M}\p{N}]+/gu;

/** Hashes of a text's distinct shingles, letter case and punctuation aside, in ascending order. */
function shinglesOf(text: string): Uint32Array {
  const lower = text.toLowerCase();
  const edges =
    latinWords(lower) ??
    Array.from(lower.matchAll(word), ({ 0: found, index }) => [index, index + found.length]).flat();
  const shingles = new Uint32Array(Math.max(0, edges.length / 2 - shingleWords + 1));
  let [before, last] = [0, 0];
  for (let at = 0; at < edges.length; at += 2) {
    let hash = 0x811c9dc5;
    const end = edges[at + 1] ?? 0;
    for (let place = edges[at] ?? 0; place < end; place += 1)
      hash = Math.imul(hash ^ lower.charCodeAt(place), 0x01000193);
    const nth = at / 2 - shingleWords + 1;
    if (nth >= 0) shingles[nth] = mixed(mixed(mixed(7, before), last), hash);
    [before, last] = [last, hash];
  }
  shingles.sort();
  return shingles.subarray(0, moveDistinct(shingles));
}

function mixed(sum: number, hash: number): number {
  return Math.imul(sum ^ hash, 0x9e3779b1);
}

/** Brings the distinct ones of a sorted list to its front. @returns how many there are */
function moveDistinct(sorted: Uint32Array): number {
  let count = 0;
  for (const value of sorted) {
    if (count > 0 && sorted[count - 1] === value) continue;
    sorted[count] = value;
    count += 1;
  }
  return count;
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

/**
 * The shingles of which two passages that count as the same share at least one: when so many of one are left out as may
 * differ, and one more is looked at in their common order, one of the common ones is among them (prefix filtering: Chaudhuri, Ganti,
 * Kaushik, ICDE 2006).
 */
function telling(shingles: Uint32Array): Uint32Array {
  return shingles.subarray(0, shingles.length - Math.ceil(leastShared * shingles.length) + 1);
}

/**
 * Remembers passages, and tells of a further one which of them it nearly repeats: its key, or null when it is new (and is
 * then remembered, too).
 */
export function createNearDuplicates<Key>(): (text: string, key: Key) => Key | null {
  const known: { key: Key; text: string; shingles: Uint32Array }[] = [];
  /** Which of them have a shingle among their telling ones. */
  const having = new Map<number, number[]>();
  return (text, key) => {
    const shingles = shinglesOf(text);
    const mayBeSame = new Set<number>();
    for (const shingle of telling(shingles)) for (const index of having.get(shingle) ?? []) mayBeSame.add(index);
    for (const [index, other] of known.entries()) {
      const { length: size } = other.shingles;
      if (Math.min(size, shingles.length) < fewestShingles) {
        if (other.text.trim() === text.trim()) return other.key;
        continue;
      }
      if (!mayBeSame.has(index)) continue;
      const common = countCommon(shingles, other.shingles);
      if (common >= leastShared * (size + shingles.length - common)) return other.key;
    }
    for (const shingle of telling(shingles)) {
      const indexes = having.get(shingle);
      if (indexes === undefined) having.set(shingle, [known.length]);
      else indexes.push(known.length);
    }
    known.push({ key, text, shingles });
    return null;
  };
}
