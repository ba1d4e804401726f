/*
 * Passages that say the same in nearly the same words: a page saved in two editions, a paragraph that everybody quotes. They
 * are compared by their word 3-shingles, as whole texts are (simhash.ts), but exactly: an answer has few.
 */

const shingleWords = 3;
/** Shared of all shingles of two passages (Jaccard) from which they count as the same. */
const minShared = 0.8;
/** Passages with fewer shingles are the same only word by word: one word makes another answer of them. */
const minShingles = 12;

/** Words as they are compared, letter case aside: runs of letters, marks and digits, Han and Kana one by one. */
const word = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[\p{L}\p{M}\p{N}]+/gu;

/** What a unit is of a word, as far as it was met; `half` of a pair, which says nothing alone. */
const kinds = { unknown: 0, none: 1, part: 2, alone: 3, half: 4 } as const;
const kindOfUnit = new Uint8Array(0x1_0000);

function learnKind(code: number): number {
  const unit = String.fromCharCode(code);
  let kind: number = kinds.none;
  if ((code & 0xf800) === 0xd800) kind = kinds.half;
  else if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(unit)) kind = kinds.alone;
  else if (/[\p{L}\p{M}\p{N}]/u.test(unit)) kind = kinds.part;
  kindOfUnit[code] = kind;
  return kind;
}

/** Signed, so that all numbers of the loop below are 32-bit integers. */
const basis = 0x811c9dc5 | 0;

function withUnit(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/**
 * Writes a hash of each word (FNV-1a), in their order.
 * @param hashes of at least as many entries as `lower` has units
 * @returns how many words there are
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

/** Hashes of the distinct shingles of a text, letter case and punctuation aside, in ascending order. */
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

/** A passage of which more shingles than this share stand in none before is no repetition: a fifth may, and room for rounding. */
const maxNew = 1 - minShared + 0.05;
/** Bits that say which shingles were met. An answer's passages have a few thousand; more only make more of them look known. */
const filterBitsLog = 16;
const filterBits = 2 ** filterBitsLog;

/**
 * Remembers passages, and tells of a further one which of them it nearly repeats: its key, or null when it is new (and is
 * then remembered, too). Nearly all are new, and have shingles that a Bloom filter (CACM 1970) has not met: only the others are compared.
 */
export function createNearDuplicates<Key>(): (text: string, key: Key) => Key | null {
  const known: Known<Key>[] = [];
  const isNew = createNoveltyCheck();
  return (text, key) => {
    const same = isNew(text) ? undefined : findSame(known, text);
    if (same !== undefined) return same.key;
    known.push({ key, text });
    return null;
  };
}

interface Known<Key> {
  key: Key;
  text: string;
  /** Made when something is compared with it. */
  shingles?: Uint32Array;
}

/** Tells whether a text has so many shingles that none before had, each counted once, that it nearly repeats none of them. */
function createNoveltyCheck(): (text: string) => boolean {
  const met = new Int32Array(filterBits / 32);
  let words = new Int32Array(0);
  return (text) => {
    const lower = text.toLowerCase();
    if (words.length < lower.length) words = new Int32Array(lower.length * 2);
    // Of fewer words than a shingle has there is none, and that is not new.
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

function findSame<Key>(known: readonly Known<Key>[], text: string): Known<Key> | undefined {
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
