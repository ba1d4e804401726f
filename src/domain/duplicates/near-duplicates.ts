import { randomBytes } from 'node:crypto';
import { shinglesOf } from './simhash.ts';

/*
 * Near-duplicate passages: a page saved in two editions, a paragraph that many pages quote. They are compared by their
 * word 3-shingles, like whole texts (simhash.ts), but exactly, because an answer has few passages.
 */

/** Minimum Jaccard similarity of the shingles of two passages that count as the same. */
const minShared = 0.8;
/** Passages with fewer shingles must be identical: in a short passage, one different word changes the answer. */
const minShingles = 12;
/** Minimum share of each text's shingles that the other one has, when two texts count as the same. */
const minSharedOfTexts = 0.7;

/**
 * The random seed of the hashes of words. Otherwise an attacker could compute words with equal hashes, to pass a page off as a copy
 * of another.
 */
const seed = randomBytes(4).readInt32LE();

/** The words of a text, for comparison with others. */
export interface TextWords {
  bare: string;
  shingles: ReadonlySet<number>;
}

export function wordsOf(text: string): TextWords {
  return { bare: text.trim(), shingles: shinglesOf(text, seed) };
}

/** Whether a text has most of the words of another, in their order. Few words must all be there, and no others. */
export function hasWordsOf(text: TextWords, other: TextWords): boolean {
  const { size } = other.shingles;
  if (size < minShingles) return text.bare === other.bare;
  return countCommon(other.shingles, text.shingles) >= minSharedOfTexts * size;
}

function countCommon(some: ReadonlySet<number>, others: ReadonlySet<number>): number {
  let common = 0;
  for (const one of some) if (others.has(one)) common += 1;
  return common;
}

/**
 * Returns a function that remembers passages. It returns the key of an earlier passage that the given one nearly
 * repeats, or null when the passage is new, and then remembers it too.
 */
export function createNearDuplicates<Key>(): (text: string, key: Key) => Key | null {
  const known: (TextWords & { key: Key })[] = [];
  const met = new Set<number>();
  return (text, key) => {
    const words = wordsOf(text);
    const { size } = words.shingles;
    // Nearly all passages are new: only the others are compared with each one.
    const isNew = size >= minShingles && countCommon(words.shingles, met) < minShared * size;
    const same = isNew ? undefined : known.find((other) => areNearlySame(words, other));
    if (same !== undefined) return same.key;
    known.push({ ...words, key });
    for (const shingle of words.shingles) met.add(shingle);
    return null;
  };
}

function areNearlySame({ bare, shingles }: TextWords, other: TextWords): boolean {
  const [size, otherSize] = [shingles.size, other.shingles.size];
  if (size < minShingles) return bare === other.bare;
  if (otherSize < minShingles || Math.min(size, otherSize) < minShared * Math.max(size, otherSize)) return false;
  const common = countCommon(shingles, other.shingles);
  return common >= minShared * (size + otherSize - common);
}
