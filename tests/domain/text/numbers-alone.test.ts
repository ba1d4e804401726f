import { describe, expect, it } from 'vitest';
import { differInNumbersAlone } from '../../../src/domain/text/words/without-numbers.ts';

describe('texts that differ in numbers alone', () => {
  it.each([
    ['en', 'The tide is low.\n\nIt is Monday, 9:45 am.', 'The tide is low.\n\nIt is Tuesday, 12:05 pm.', true],
    ['en', 'Seen 1,200 times.', 'Seen 9 times.', true],
    ['de', 'Stand: 3. März', 'Stand: 12. Dezember', true],
    ['en', 'Stand: 3. März', 'Stand: 12. Dezember', false],
    ['de', 'On Monday', 'On Friday', true],
    [null, 'On Monday', 'On Friday', true],
    ['no language', 'On Monday', 'On Friday', true],
    ['en', 'The tide is low at 9.', 'The tide is high at 9.', false],
    ['en', 'One.\n\nTwo.', 'One.', false],
  ])('in %s: %j and %j: %j', (language, one, other, expected) => {
    expect(differInNumbersAlone(one, other, language)).toBe(expected);
    expect(differInNumbersAlone(other, one, language)).toBe(expected);
  });

  it('are compared where their paragraphs differ, up to a limit', () => {
    const long = 'The tide is low. '.repeat(10_000);
    expect(differInNumbersAlone(`1\n${long}\n2`, `3\n${long}\n4`, 'en')).toBe(true);
    expect(differInNumbersAlone(`${long.repeat(2)}\n1`, `${long.repeat(2)}\n2`, 'en')).toBe(false);
    expect(differInNumbersAlone(`${long} 1`, `${long} 2`, 'en')).toBe(false);
  });
});
