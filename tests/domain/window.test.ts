import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTermFinder } from '../../src/domain/matched-terms.ts';
import { bestWindow } from '../../src/domain/window.ts';

const filler = 'Nobody asked about this sentence at all. ';

function windowFor(question: string, text: string, most: number): string {
  const { start, end } = bestWindow(text, createTermFinder(question)(text), most);
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

  it('is where most of the words stand together, not where one stands often', () => {
    const text = `Coffee, coffee, coffee. ${filler.repeat(4)}Coffee after noon ruins sleep. ${filler.repeat(4)}`;
    expect(windowFor('coffee ruins sleep', text, 40)).toBe('Coffee after noon ruins sleep.');
  });

  it('is the beginning when no word stands in it, and everything when that fits', () => {
    expect(windowFor('zebra', filler.repeat(5), 45)).toBe(filler.trim());
    expect(windowFor('zebra', filler, 1_000)).toBe(filler);
  });

  it('cuts at a space where a sentence is longer, never within a character', () => {
    const words = windowFor('needle', `${'hay '.repeat(200)}needle ${'hay '.repeat(200)}`, 100);
    expect(words).toMatch(/^(?:hay )*needle (?:hay )*$/);
    expect(words.length).toBeLessThanOrEqual(100);
    expect(windowFor('x', '👩‍👩‍👧‍👦'.repeat(50), 40).isWellFormed()).toBe(true);
  });

  it('is never longer than it may be, and begins and ends where a sentence does', () => {
    const sentence = fc
      .array(fc.constantFrom('coffee', 'sleep', 'noon', 'rain', 'bread'), { minLength: 1, maxLength: 5 })
      .map((words) => `This says ${words.join(' and ')}.`);
    fc.assert(
      fc.property(
        fc.array(sentence, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 80, max: 400 }),
        (all, most) => {
          const shown = windowFor('coffee at noon', all.join(' '), most);
          expect(shown.length).toBeLessThanOrEqual(most);
          expect(shown).toMatch(/^This .*\.$/s);
          const weigh = (text: string) => ['coffee', 'noon'].filter((word) => text.includes(word)).length;
          expect(weigh(shown)).toBeGreaterThanOrEqual(Math.max(...all.map(weigh)));
        },
      ),
    );
  });
});

describe('matched terms', () => {
  const matched = (question: string, text: string): string[] =>
    createTermFinder(question)(text).map(({ start, end }) => text.slice(start, end));

  it('are the words of the question in any of their forms', () => {
    expect(matched('How do I sleep better?', 'Sleeping well means better sleep. I do.')).toEqual([
      'Sleeping',
      'better',
      'sleep',
    ]);
    expect(matched('running habits', 'A habit of runs: run.')).toEqual(['habit', 'runs', 'run']);
  });

  it('are found whatever their case, accents and script', () => {
    expect(matched('CAFÉ', 'The cafe, the Café')).toEqual(['cafe', 'Café']);
    expect(matched('睡眠', '良い睡眠をとる')).toEqual(['睡眠']);
    expect(matched('ﬁsh', 'Fish and chips')).toEqual(['Fish']);
  });

  it('are the words that hold a sentence together only when there are no others', () => {
    expect(matched('who is it', 'Who is that? It is me.')).toEqual(['Who', 'is', 'It', 'is']);
    expect(matched('what is tea', 'What is tea?')).toEqual(['tea']);
  });

  it('lie within the text and do not overlap, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (question, text) => {
        let last = 0;
        for (const { start, end } of createTermFinder(question)(`${text} ${question}`)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length + 1 + question.length);
      }),
    );
  });
});
