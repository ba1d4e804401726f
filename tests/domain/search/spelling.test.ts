import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, mayBeMisspelt } from '../../../src/domain/search/spelling.ts';
import { runs } from '../../support/vitest/thorough.ts';
import { forAll } from '../../support/for-all.ts';

describe('the distance of two spellings', () => {
  it.each([
    ['quantum', 'quantum', 0],
    ['qauntum', 'quantum', 1],
    ['quantm', 'quantum', 1],
    ['quanttum', 'quantum', 1],
    ['quentum', 'quantum', 1],
    ['uqantmu', 'quantum', 2],
    ['kwantum', 'quantum', 2],
    ['naïve', 'naive', 1],
    ['', 'ab', 2],
    ['sleep', 'money', 4],
  ])('of %s and %s is %i', (from, to, distance) => {
    expect(editDistance(from, to, 5)).toBe(distance);
    expect(editDistance(to, from, 5)).toBe(distance);
    for (const most of [0, 1, 2]) expect(editDistance(from, to, most)).toBe(Math.min(distance, most + 1));
  });

  it('equals that of the whole table, although much of it is skipped', () => {
    /** Optimal string alignment, every cell of it. */
    const whole = (from: string[], to: string[]): number => {
      const table = Array.from({ length: from.length + 1 }, (_, row) =>
        Array.from({ length: to.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
      );
      const at = (row: number, column: number) => table[row]?.[column] ?? Infinity;
      for (let row = 1; row <= from.length; row += 1) {
        for (let column = 1; column <= to.length; column += 1) {
          const changed = at(row - 1, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
          const isExchanged = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
          const exchanged = row > 1 && column > 1 && isExchanged ? at(row - 2, column - 2) + 1 : Infinity;
          table[row]![column] = Math.min(changed, at(row - 1, column) + 1, at(row, column - 1) + 1, exchanged);
        }
      }
      return at(from.length, to.length);
    };
    const letters = fc.array(fc.constantFrom('a', 'b', 'c', 'é', '𐐀'), { maxLength: 9 });
    forAll(runs(2_000), letters, letters, fc.nat(4), (from, to, most) => {
      const expected = Math.min(whole(from, to), most + 1);
      expect(editDistance(from.join(''), to.join(''), most)).toBe(expected);
    });
  });

  it('grows by at most one with a wrong letter before or after, and never shrinks', () => {
    // Not with one in between: an exchange of neighbours that it parts is none any more.
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), maxLength: 8 });
    forAll(runs(1_000), letters, letters, fc.boolean(), (from, to, isBehind) => {
      const before = editDistance(from, to, 20);
      const after = editDistance(from, isBehind ? `${to}x` : `x${to}`, 20);
      expect([before, before + 1]).toContain(after);
    });
  });
});

it('is computed for words in alphabets', () => {
  for (const word of ['sleep', 'привычка', 'zürich']) expect(mayBeMisspelt(word), word).toBe(true);
  for (const word of ['cat', 'v2ray', '1234', '図書館図書館', 'x'.repeat(31), ''])
    expect(mayBeMisspelt(word), word).toBe(false);
});
