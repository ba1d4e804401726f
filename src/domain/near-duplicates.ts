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

/** What a unit is of a word, as far as it was met; `half` of a pair, which says nothing alone. */
const kinds = { unknown: 0, none: 1, part: 2, alone: 3, half: 4 } as const;
const kindOfUnit = new Uint8Array(0x1_0000);

function kindOf(code: number): number {
  const known = kindOfUnit[code] ?? kinds.unknown;
  if (known !== kinds.unknown) return known;
  const unit = String.fromCharCode(code);
  let kind: number = kinds.none;
  if ((code & 0xf800) === 0xd800) kind = kinds.half;
  else if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(unit)) kind = kinds.alone;
  else if (/[\p{L}\p{M}\p{N}]/u.test(unit)) kind = kinds.part;
  kindOfUnit[code] = kind;
  return kind;
}

const basis = 0x811c9dc5;

function withUnit(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/** A hash of each word (FNV-1a), in their order. */
function wordHashes(lower: string): number[] {
  const hashes: number[] = [];
  let hash = basis;
  let isInside = false;
  for (let at = 0; at < lower.length; at += 1) {
    const code = lower.charCodeAt(at);
    const kind = kindOf(code);
    if (kind === kinds.half) return Array.from(lower.matchAll(word), ([found]) => hashOf(found));
    if (kind === kinds.part || (kind === kinds.alone && isInside)) {
      hash = withUnit(hash, code);
      isInside = true;
      continue;
    }
    if (isInside) hashes.push(hash);
    if (kind === kinds.alone) hashes.push(withUnit(basis, code));
    isInside = false;
    hash = basis;
  }
  if (isInside) hashes.push(hash);
  return hashes;
}

function hashOf(found: string): number {
  let hash = basis;
  for (let at = 0; at < found.length; at += 1) hash = withUnit(hash, found.charCodeAt(at));
  return hash;
}

/** Hashes of a text's distinct shingles, letter case and punctuation aside, in ascending order. */
function shinglesOf(text: string): Uint32Array {
  const words = wordHashes(text.toLowerCase());
  const shingles = new Uint32Array(Math.max(0, words.length - shingleWords + 1));
  for (let nth = 0; nth < shingles.length; nth += 1)
    shingles[nth] = mixed(mixed(mixed(7, words[nth] ?? 0), words[nth + 1] ?? 0), words[nth + 2] ?? 0);
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
