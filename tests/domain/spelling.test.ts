import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, mayBeMisspelt } from '../../src/domain/spelling.ts';

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

  it('grows by one at most with each mistake', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', 'c', 'é'), { maxLength: 8 });
    fc.assert(
      fc.property(letters, letters, fc.nat(), fc.constantFrom('a', 'x'), (from, to, at, letter) => {
        const place = at % (to.length + 1);
        const more = [...to.slice(0, place), letter, ...to.slice(place)].join('');
        const [before, after] = [editDistance(from.join(''), to.join(''), 20), editDistance(from.join(''), more, 20)];
        expect(Math.abs(after - before)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

it('is asked for words that people spell letter by letter', () => {
  for (const word of ['sleep', 'привычка', 'zürich']) expect(mayBeMisspelt(word), word).toBe(true);
  for (const word of ['cat', 'v2ray', '1234', '図書館図書館', 'x'.repeat(31), ''])
    expect(mayBeMisspelt(word), word).toBe(false);
});
