import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countFitting, fittingEnd, tokensOf } from '../../../src/domain/text/token-budget.ts';
import { forAll } from '../../support/for-all.ts';

/** Texts of every kind: letters, emoji, line ends, and what JSON has to escape. */
const anyText = fc
  .array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('word ', '🙂', '\n', '"', '\\', '\u0001', '漢字')))
  .map((parts) => parts.join(''));

describe('what a value costs', () => {
  it('is its JSON’s length over four, rounded up', () => {
    expect(tokensOf('')).toBe(1);
    expect(tokensOf('123456')).toBe(2);
    expect(tokensOf('1234567')).toBe(3);
    expect(tokensOf({ a: [1, null] })).toBe(4);
  });
});

describe('the items that fit', () => {
  it('are as many as the budget holds, from the first on', () => {
    forAll(fc.array(fc.string()), fc.integer({ min: 0, max: 200 }), (items, maxTokens) => {
      const count = countFitting(items, maxTokens);
      const cost = (upTo: number) => items.slice(0, upTo).reduce((sum, item) => sum + tokensOf(item) + 1, 0);
      expect(cost(count)).toBeLessThanOrEqual(Math.max(0, maxTokens));
      expect(count === items.length || cost(count + 1) > maxTokens).toBe(true);
      expect(tokensOf(items.slice(0, count))).toBeLessThanOrEqual(maxTokens + 1);
    });
  });
});

describe('the end of a slice', () => {
  it('advances, splits no character, and keeps the slice’s JSON within the budget', () => {
    forAll(anyText, fc.integer({ min: 2, max: 60 }), (whole, maxTokens) => {
      const text = whole.toWellFormed();
      const pieces: string[] = [];
      for (let start = 0; start < text.length;) {
        const end = fittingEnd(text, start, maxTokens);
        expect(end).toBeGreaterThan(start);
        const piece = text.slice(start, end);
        expect(piece.isWellFormed()).toBe(true);
        expect(JSON.stringify(piece).length - 2).toBeLessThanOrEqual(maxTokens * 4);
        pieces.push(piece);
        start = end;
      }
      expect(pieces.join('')).toBe(text);
    });
  });

  it('advances by a character even where the budget holds none', () => {
    expect(fittingEnd('🙂🙂', 0, 0)).toBe(2);
    expect(fittingEnd('ab', 0, -50)).toBe(1);
  });

  it('follows a line or a word where one ends near', () => {
    const text = 'one two three\nfour five six';
    expect(text.slice(0, fittingEnd(text, 0, 4))).toBe('one two three\n');
    expect(text.slice(0, fittingEnd(text, 0, 5))).toBe('one two three\nfour ');
  });

  it('uses most of the budget', () => {
    const text = 'word '.repeat(1_000);
    for (let maxTokens = 20; maxTokens < 500; maxTokens += 37) {
      expect(fittingEnd(text, 0, maxTokens)).toBeGreaterThan(maxTokens * 4 * 0.75);
    }
  });
});
