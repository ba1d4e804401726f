import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOutTranscript } from '../../../src/domain/records/texts/document.ts';
import type { Analysis } from '../../../src/domain/records/analyses/analysis.ts';
import { placeAnalysis } from '../../../src/domain/drafts/place-analysis.ts';
import type { TextSpan } from '../../../src/domain/text/graphemes.ts';
import { paragraphs } from '../../support/content.ts';
import { forAll } from '../../support/for-all.ts';

const item = { url: 'https://example.com/essay', contentType: 'article' } as const;
const info = { by: 'extractive', model: null, at: '2026-01-01T00:00:00.000Z' } as const;
const transcript = layOutTranscript(
  paragraphs('Sleep is a skill 🙂 that grows.', 'Go to bed at the same hour every night.'),
);
const { text } = transcript;

function analysis(parts: Partial<Analysis>): Analysis {
  return { summary: null, insights: [], actions: [], droppedQuotes: 0, ...parts };
}

function spanOf(quote: string): TextSpan {
  const start = text.indexOf(quote);
  return { start, end: start + quote.length };
}

const action = (quote: TextSpan, title = 'Do it') => ({ title, reason: null, goalId: null, quote });

describe('placing an analysis', () => {
  it('gives quotes their words, offsets and links', () => {
    const quote = spanOf('Go to bed at the same hour');
    const placed = placeAnalysis(
      analysis({ summary: 'On sleep.', insights: [{ text: 'Same hour', quote }], actions: [action(quote)] }),
      transcript,
      item,
      info,
    );
    const place = { quote: 'Go to bed at the same hour', ...quote, locator: { kind: 'text', ...quote } };
    expect(placed).toMatchObject({
      summary: 'On sleep.',
      insights: [{ text: 'Same hour', ...place }],
      actions: [{ title: 'Do it', ...place }],
      info: { ...info, droppedQuotes: 0 },
    });
    expect(placed.actions[0]?.url).toContain('#:~:text=');
  });

  it('names the second of a recording and the page of a document', () => {
    const spoken = layOutTranscript([
      { text: 'First words.', kind: 'caption', locator: { kind: 'time', seconds: 0 } },
      { text: 'Second words.', kind: 'caption', locator: { kind: 'time', seconds: 61.5 } },
    ]);
    const start = spoken.text.indexOf('Second');
    const quote = { start, end: spoken.text.length };
    const placed = placeAnalysis(
      analysis({ insights: [{ text: 'x', quote }] }),
      spoken,
      { url: 'https://www.youtube.com/watch?v=aaaaaaaaaaa', contentType: 'youtube' },
      info,
    );
    expect(placed.insights[0]).toMatchObject({
      locator: { kind: 'time', seconds: 61.5 },
      url: 'https://www.youtube.com/watch?v=aaaaaaaaaaa&t=61',
    });
  });

  it('drops and counts quotes that are not in the text, and keeps an insight without its quote', () => {
    const emoji = text.indexOf('🙂');
    const bad: TextSpan[] = [
      { start: -3, end: 4 },
      { start: 0, end: text.length + 1 },
      { start: 5, end: 5 },
      { start: 9, end: 2 },
      { start: 0.5, end: 4 },
      { start: Number.NaN, end: 4 },
      { start: text.indexOf('\n\n'), end: text.indexOf('\n\n') + 2 },
      { start: 0, end: emoji + 1 },
      { start: emoji + 1, end: emoji + 6 },
    ];
    const placed = placeAnalysis(
      analysis({
        insights: bad.map((quote, index) => ({ text: `insight ${index}`, quote })),
        actions: bad.map((quote) => action(quote)),
        droppedQuotes: 2,
      }),
      transcript,
      item,
      info,
    );
    expect(placed.actions).toEqual([]);
    expect(placed.insights).toEqual(
      bad.map((_, index) => ({
        text: `insight ${index}`,
        quote: null,
        start: null,
        end: null,
        locator: null,
        url: null,
      })),
    );
    expect(placed.info.droppedQuotes).toBe(2 + 2 * bad.length);
  });

  it("keeps at most seven actions of an assistant; invalid ones take no one's place", () => {
    const good = spanOf('Go to bed');
    const placed = placeAnalysis(
      analysis({
        actions: [
          ...Array.from({ length: 5 }, () => action({ start: -1, end: 1 })),
          ...Array.from({ length: 9 }, (_, index) => action(good, `action ${index}`)),
        ],
      }),
      transcript,
      item,
      { ...info, by: 'assistant' },
    );
    expect(placed.actions.map(({ title }) => title)).toEqual(
      Array.from({ length: 7 }, (_, index) => `action ${index}`),
    );
    expect(placed.info.droppedQuotes).toBe(5);
  });

  it('never keeps a quote that differs from its slice of the text', () => {
    const offset = fc.oneof(fc.integer({ min: -5, max: text.length + 5 }), fc.double());
    forAll(fc.array(fc.record({ start: offset, end: offset })), (spans) => {
      const placed = placeAnalysis(
        analysis({
          insights: spans.map((quote) => ({ text: 'x', quote })),
          actions: spans.map((quote) => action(quote)),
        }),
        transcript,
        item,
        info,
      );
      for (const { quote, start, end } of [...placed.insights, ...placed.actions]) {
        if (quote === null || start === null || end === null) continue;
        expect(text.slice(start, end)).toBe(quote);
        expect(quote.isWellFormed()).toBe(true);
      }
      const kept = placed.insights.filter(({ quote }) => quote !== null).length;
      expect(placed.insights).toHaveLength(spans.length);
      expect(placed.info.droppedQuotes).toBeGreaterThanOrEqual(spans.length - kept);
    });
  });
});
