import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginningOf, shortened } from '../../../src/domain/text/shortened.ts';
import { forAll } from '../../support/for-all.ts';

test('a shortened text fits the limit, begins like the whole, and ends with a whole character', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '😀', '漢', '𝒳') });
  forAll(text, fc.integer({ min: 1, max: 12 }), (whole, most) => {
    const [begin, short] = [beginningOf(whole, most), shortened(whole, most)];
    expect(whole.startsWith(begin)).toBe(true);
    expect(begin.length).toBeLessThanOrEqual(most);
    expect(begin.length).toBeGreaterThanOrEqual(Math.min(whole.length, most - 1));
    expect(short.length).toBeLessThanOrEqual(most);
    expect(short === whole || short.endsWith('…')).toBe(true);
    expect([begin, short].every((one) => one.isWellFormed())).toBe(true);
  });
});

test.each([
  ['sleep well', 10, 'sleep well'],
  ['sleep well', 9, 'sleep we…'],
  ['sleep well', 7, 'sleep…'],
  ['four 😀', 6, 'four…'],
])('%j within %i is %j', (text, most, short) => expect(shortened(text, most)).toBe(short));
