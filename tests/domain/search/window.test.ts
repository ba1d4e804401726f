import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../src/domain/search/query-language.ts';
import { createTermMatcher, matchedRanges } from '../../../src/domain/search/term-matches.ts';
import { bestWindow } from '../../../src/domain/text/window.ts';
import { forAll } from '../../support/for-all.ts';

const filler = 'Nobody asked about this sentence at all. ';

function windowFor(question: string, text: string, most: number): string {
  const { start, end } = bestWindow(text, matchedRanges(text, createTermMatcher(parseQuery(question, 0))), most);
  return text.slice(start, end);
}

describe('the window of a passage', () => {
  it('is the sentence that answers, with as many around it as fit', () => {
    const text = `${filler.repeat(6)}Coffee keeps you awake. ${filler.repeat(6)}`;
    expect(windowFor('does coffee keep me awake?', text, 30)).toBe('Coffee keeps you awake.');
    expect(windowFor('does coffee keep me awake?', text, 110)).toBe(
      `${filler}Coffee keeps you awake. ${filler}`.trim(),
    );
  });

  it('is where most of the words occur together, not where one occurs often', () => {
    const text = `Coffee, coffee, coffee. ${filler.repeat(4)}Coffee after noon ruins sleep. ${filler.repeat(4)}`;
    expect(windowFor('coffee ruins sleep', text, 40)).toBe('Coffee after noon ruins sleep.');
  });

  it('is the beginning when no word matches, and everything when that fits', () => {
    expect(windowFor('zebra', filler.repeat(5), 45)).toBe(filler.trim());
    expect(windowFor('zebra', filler, 1_000)).toBe(filler);
  });

  it('cuts a longer sentence at a space, never within a character', () => {
    const words = windowFor('needle', `${'hay '.repeat(200)}needle ${'hay '.repeat(200)}`, 100);
    expect(words).toMatch(/^(?:hay )*needle (?:hay )*$/);
    expect(words.length).toBeLessThanOrEqual(100);
    expect(windowFor('x', '👩‍👩‍👧‍👦'.repeat(50), 40).isWellFormed()).toBe(true);
  });

  it('never exceeds its limit, and begins and ends at sentence boundaries', () => {
    const sentence = fc
      .array(fc.constantFrom('coffee', 'sleep', 'noon', 'rain', 'bread'), { minLength: 1, maxLength: 5 })
      .map((words) => `This says ${words.join(' and ')}.`);
    forAll(fc.array(sentence, { minLength: 1, maxLength: 12 }), fc.integer({ min: 80, max: 400 }), (all, most) => {
      const shown = windowFor('coffee at noon', all.join(' '), most);
      expect(shown.length).toBeLessThanOrEqual(most);
      expect(shown).toMatch(/^This .*\.$/s);
      const weigh = (text: string) => ['coffee', 'noon'].filter((word) => text.includes(word)).length;
      expect(weigh(shown)).toBeGreaterThanOrEqual(Math.max(...all.map(weigh)));
    });
  });
});
