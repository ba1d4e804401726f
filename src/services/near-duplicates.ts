/*
 * Passages that say the same in nearly the same words: a page saved in two editions, a paragraph that everybody quotes. They
 * are compared by their word 3-shingles, as whole texts are (domain/simhash.ts), but exactly: an answer has few.
 */

const shingleWords = 3;
/** Shared of all shingles of two passages (Jaccard) from which they count as the same. */
const leastShared = 0.8;
/** Passages with fewer shingles are the same only word by word: one word makes another answer of them. */
const fewestShingles = 12;

/** Hashes of a text's distinct shingles, letter case and punctuation aside. */
function shinglesOf(text: string): Set<number> {
  const shingles = new Set<number>();
  const last: number[] = [];
  for (const [word] of text.toLowerCase().matchAll(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[\p{L}\p{M}\p{N}]+/gu)) {
    let hash = 0x811c9dc5;
    for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
    last.push(hash);
    if (last.length > shingleWords) last.shift();
    if (last.length === shingleWords) shingles.add(last.reduce((sum, one) => Math.imul(sum ^ one, 0x9e3779b1), 7));
  }
  return shingles;
}

/**
 * Remembers passages, and tells of a further one which of them it nearly repeats: its key, or null when it is new (and is
 * then remembered, too).
 */
export function createNearDuplicates<Key>(): (text: string, key: Key) => Key | null {
  const known: { key: Key; text: string; size: number }[] = [];
  const byShingle = new Map<number, number[]>();
  return (text, key) => {
    const shingles = shinglesOf(text);
    const shared = new Map<number, number>();
    for (const shingle of shingles)
      for (const index of byShingle.get(shingle) ?? []) shared.set(index, (shared.get(index) ?? 0) + 1);
    for (const [index, { key: other, text: otherText, size }] of known.entries()) {
      const common = shared.get(index) ?? 0;
      const isLong = Math.min(size, shingles.size) >= fewestShingles;
      const isNear = isLong && common >= leastShared * (size + shingles.size - common);
      if (isNear || (!isLong && otherText.trim() === text.trim())) return other;
    }
    for (const shingle of shingles) byShingle.set(shingle, [...(byShingle.get(shingle) ?? []), known.length]);
    known.push({ key, text, size: shingles.size });
    return null;
  };
}
