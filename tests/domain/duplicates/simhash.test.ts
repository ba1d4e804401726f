import { array, assert, constantFrom, integer, oneof, pre, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  differingBits,
  fingerprintBits,
  fingerprintOf,
  maxDifferingBits,
} from '../../../src/domain/duplicates/simhash.ts';

/** A text of distinct words, which no other seed shares. */
function textOf(seed: number, words = 300): string[] {
  return Array.from({ length: words }, (_, at) => `w${(seed * 1_000_003 + at * 7919) % 999_983}`);
}

function fingerprint(words: readonly string[]): Uint8Array {
  const print = fingerprintOf(words.join(' '));
  if (print === null) throw new Error('the text is too short');
  return print;
}

/** The definition, bit by bit and with the words as Unicode's properties find them. */
function fingerprintByDefinition(text: string): Uint8Array | null {
  const mix = (value: number): number => {
    let hash = value;
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return (hash ^ (hash >>> 16)) >>> 0;
  };
  const word =
    /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]]{1,1000}/gv;
  const hashes = Array.from(text.normalize('NFKC').toLowerCase().matchAll(word), ([found]) =>
    Array.from({ length: found.length }, (_, at) => found.charCodeAt(at)).reduce(
      (hash, unit) => Math.imul(hash ^ unit, 0x01000193) >>> 0,
      0x811c9dc5,
    ),
  );
  const shingles = new Set(
    hashes.slice(2).map((third, at) => mix(mix(mix(hashes[at] ?? 0) + (hashes[at + 1] ?? 0)) + third)),
  );
  if (shingles.size < 40) return null;
  const bits = Array.from({ length: fingerprintBits }, (_, bit) => {
    const ones = [...shingles].filter(
      (shingle) => (mix(shingle + Math.imul((bit >>> 5) + 1, 0x9e3779b9)) >>> (bit & 31)) & 1,
    );
    return ones.length * 2 > shingles.size;
  });
  return Uint8Array.from({ length: fingerprintBits / 8 }, (_, byte) =>
    bits.slice(byte * 8, byte * 8 + 8).reduce((value, isSet, bit) => value | (Number(isSet) << bit), 0),
  );
}

describe('fingerprints', () => {
  it('follow the definition', () => {
    const words = array(
      oneof(
        string(),
        string({ unit: 'binary' }),
        constantFrom('a', 'Über', '10', '東京', 'ไทย', '𠮷', 'a\u0301', '\ud800'),
      ),
      { minLength: 60, maxLength: 400 },
    );
    assert(
      property(words, (parts) => {
        const text = parts.join(' ');
        expect(fingerprintOf(text)).toEqual(fingerprintByDefinition(text));
      }),
    );
    for (const size of [299, 1_000, 2_500])
      expect(fingerprintOf(`${'é'.repeat(size)} ${textOf(size, size).join(' ')}`)).toEqual(
        fingerprintByDefinition(`${'é'.repeat(size)} ${textOf(size, size).join(' ')}`),
      );
  });

  it('ignore case, punctuation, markup and white space', () => {
    const words = textOf(1);
    const dressed = words.map((word, at) => (at % 7 === 0 ? `**${word.toUpperCase()}**,` : word)).join('\n ');
    expect(fingerprintOf(dressed)).toEqual(fingerprint(words));
  });

  it('of unrelated texts differ in about half of their bits', () => {
    assert(
      property(integer({ min: 1, max: 900 }), integer({ min: 1, max: 900 }), (a, b) => {
        pre(a !== b);
        const bits = differingBits(fingerprint(textOf(a)), fingerprint(textOf(b)));
        expect(bits).toBeGreaterThan(fingerprintBits * 0.3);
        expect(bits).toBeLessThan(fingerprintBits * 0.7);
      }),
    );
  });

  it('separate a lightly edited copy from a text that shares two thirds', () => {
    assert(
      property(integer({ min: 1, max: 900 }), integer({ min: 0, max: 299 }), (seed, at) => {
        const words = textOf(seed);
        const edited = words.with(at, 'changed');
        const similar = words.map((word, index) => (index % 9 === 0 ? `other${index}` : word));
        expect(differingBits(fingerprint(words), fingerprint(edited))).toBeLessThanOrEqual(maxDifferingBits);
        expect(differingBits(fingerprint(words), fingerprint(similar))).toBeGreaterThan(maxDifferingBits);
      }),
    );
  });

  it('compare scripts without spaces by their characters', () => {
    const text = Array.from({ length: 120 }, (_, at) => String.fromCodePoint(0x4e00 + at * 17)).join('');
    const edited = `${text.slice(0, 60)}好${text.slice(60)}`;
    expect(differingBits(fingerprintOf(text)!, fingerprintOf(edited)!)).toBeLessThanOrEqual(maxDifferingBits);
  });

  it('are made of words of any length', () => {
    expect(fingerprintOf('ÿ'.repeat(6_000_000))).toBeNull();
  });

  it('are not made of texts that are too short', () => {
    expect(fingerprintOf('')).toBeNull();
    expect(fingerprintOf('Ten words say too little to be told from others.')).toBeNull();
    expect(fingerprintOf('again and again '.repeat(500))).toBeNull();
  });
});
