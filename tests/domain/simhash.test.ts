import { assert, integer, pre, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  differingBits,
  fingerprintBits,
  fingerprintOf,
  maxDifferingBits,
} from '../../src/domain/duplicates/simhash.ts';

/** A text of distinct words, which no other seed shares. */
function textOf(seed: number, words = 300): string[] {
  return Array.from({ length: words }, (_, at) => `w${(seed * 1_000_003 + at * 7919) % 999_983}`);
}

function fingerprint(words: readonly string[]): Uint8Array {
  const print = fingerprintOf(words.join(' '));
  if (print === null) throw new Error('the text is too short');
  return print;
}

describe('fingerprints', () => {
  it('do not see case, punctuation, markup and white space', () => {
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

  it('tell a lightly edited copy from a text that shares two thirds', () => {
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

  it('reads scripts without spaces by their characters', () => {
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
