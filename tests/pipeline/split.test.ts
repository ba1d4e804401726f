import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { layOutTranscript, type Block, type BlockKind } from '../../src/domain/records/texts/document.ts';
import { splitTranscript, linkPassages, counterFor } from '../../src/pipeline/splitting/split.ts';
import { runs } from '../support/vitest/thorough.ts';
import { forAll } from '../support/for-all.ts';
import type { ContentType } from '../../src/domain/records/content.ts';
import type { Locator } from '../../src/domain/records/texts/locator.ts';

/** Words and marks, as a tokenizer would part them, and long words in pieces of four characters. */
function countTokens(text: string): number {
  let count = 0;
  for (const [word] of text.matchAll(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)) count += Math.ceil(word.length / 4);
  return count;
}

const countSlicesOf = (text: string) => (start: number, end: number) => countTokens(text.slice(start, end));

function split(blocks: readonly Block[], maxTokens?: number) {
  const transcript = layOutTranscript(blocks);
  const passages = splitTranscript(
    transcript,
    countSlicesOf(transcript.text),
    maxTokens === undefined ? {} : { maxTokens },
  );
  return { transcript, passages, texts: passages.map(({ start, end }) => transcript.text.slice(start, end)) };
}

const paragraph = (text: string): Block => ({ kind: 'paragraph', text });
const heading = (level: number, text: string): Block => ({
  kind: 'heading',
  level,
  text: `${'#'.repeat(level)} ${text}`,
});
const said = (n: number): string => Array.from({ length: n }, (_, i) => `The tide came in at hour ${i}.`).join(' ');

describe('splitTranscript', () => {
  it('begins a passage at each heading and names the headings above it', () => {
    const { passages, texts } = split([
      paragraph('Before all.'),
      heading(1, 'The *Harbour*'),
      heading(2, 'Tides'),
      paragraph('Twice a day.'),
      paragraph('And once more.'),
      heading(2, 'Boats'),
      paragraph('Three of them.'),
    ]);
    expect(texts).toEqual([
      'Before all.',
      '# The *Harbour*\n\n## Tides\n\nTwice a day.\n\nAnd once more.',
      '## Boats\n\nThree of them.',
    ]);
    expect(passages.map(({ headingPath }) => headingPath)).toEqual([
      [],
      ['The Harbour', 'Tides'],
      ['The Harbour', 'Boats'],
    ]);
    expect(passages.map(({ ordinal }) => ordinal)).toEqual([0, 1, 2]);
    expect(passages[0]?.locator).toEqual({ kind: 'text', start: 0, end: 11 });
  });

  it('shortens a heading of a million characters', () => {
    const { passages } = split([heading(1, 'tides '.repeat(200_000)), paragraph(said(2_000))]);
    expect(passages.length).toBeGreaterThan(100);
    for (const { headingPath } of passages) expect(headingPath.join('').length).toBeLessThanOrEqual(300);
    expect(passages.at(-1)?.headingPath[0]).toMatch(/^tides tides .*…$/);
  });

  it('limits pieces by tokens even where a tokenizer skips characters', () => {
    const { text, blocks } = layOutTranscript([{ kind: 'table', text: 'x\n'.repeat(3_000) }]);
    const passages = splitTranscript({ text, blocks }, () => 0, { maxTokens: 50 });
    for (const { start, end } of passages) expect(text.slice(start, end).split('\n').length).toBeLessThanOrEqual(50);
  });

  it('splits long sections evenly and at sentences, without tiny remainders', () => {
    const { texts } = split([heading(1, 'Log'), paragraph(said(36)), paragraph('The last word.')]);
    expect(texts.length).toBeGreaterThan(1);
    for (const text of texts) {
      expect(countTokens(text)).toBeLessThanOrEqual(250);
      expect(countTokens(text)).toBeGreaterThan(100);
      expect(text).toMatch(/\.$/);
    }
    expect(texts[0]).toMatch(/^# Log\n\nThe tide/);
  });

  it('never separates a heading from the text after it', () => {
    for (const n of [20, 24, 25, 26, 27, 28, 29, 30, 31, 60]) {
      for (const text of split([heading(1, 'A long heading about the tides of the harbour'), paragraph(said(n))])
        .texts) {
        expect(text).toMatch(/The tide came in/);
      }
    }
    expect(split([paragraph('Text.'), heading(1, 'The end')]).texts).toEqual(['Text.', '# The end']);
  });

  it('keeps code and tables whole, and cuts them at line ends only when they alone are too long', () => {
    const code = (lines: number): string => `\`\`\`\n${'let tide = high;\n'.repeat(lines)}\`\`\``;
    expect(split([paragraph(said(20)), { kind: 'code', text: code(30) }, paragraph(said(20))]).texts).toContain(
      code(30),
    );
    const { texts } = split([{ kind: 'code', text: code(100) }]);
    expect(texts.length).toBeGreaterThan(1);
    for (const line of texts.flatMap((text) => text.split('\n'))) expect(line).toMatch(/^(?:let tide = high;|```)$/);
  });

  it('locates a passage by the page or second at which it begins', () => {
    const pages = split([
      { ...paragraph(said(28)), locator: { kind: 'page', page: 1 } },
      { ...paragraph(said(28)), locator: { kind: 'page', page: 2 } },
      paragraph(said(28)),
    ]);
    expect(pages.passages.map(({ locator }) => locator)).toEqual([
      { kind: 'page', page: 1 },
      { kind: 'page', page: 2 },
      { kind: 'page', page: 2 },
    ]);
    const cues = split(
      Array.from({ length: 300 }, (_, i) => ({
        kind: 'caption' as const,
        text: 'so we went down to the harbour again',
        locator: { kind: 'time' as const, seconds: i * 4 },
      })),
    );
    const starts = new Map(cues.transcript.blocks.map((block) => [block.start, block.locator]));
    for (const { start, end, locator } of cues.passages) {
      expect(starts.get(start)).toEqual(locator);
      expect(countTokens(cues.transcript.text.slice(start, end))).toBeGreaterThanOrEqual(150);
    }
  });

  it('handles a megabyte without a space', () => {
    const { texts } = split([paragraph('aB3+'.repeat(250_000))]);
    expect(texts.join('')).toHaveLength(1_000_000);
    for (const text of texts) expect(countTokens(text)).toBeLessThanOrEqual(250);
  });

  it('limits passages however the tokenizer counts long words', () => {
    const transcript = layOutTranscript([paragraph('x'.repeat(100_000))]);
    for (const { start, end } of splitTranscript(transcript, () => 1)) expect(end - start).toBeLessThanOrEqual(4_000);
  });

  it('covers every non-blank character once, within the limit, and cuts no grapheme', () => {
    const kinds: BlockKind[] = ['heading', 'paragraph', 'list', 'quote', 'code', 'table', 'caption'];
    const text = fc
      .array(
        fc.oneof(
          fc.string({ unit: 'grapheme', maxLength: 12 }),
          fc.constantFrom(
            ' ',
            '\n',
            '\n\n',
            '. ',
            ', ',
            '。',
            'word ',
            '- item\n',
            '```\n',
            '| a | b |\n',
            '👩‍👩‍👧'.repeat(4),
            '🇩🇪'.repeat(5),
            'a\u0301\u0302',
            'ก็ดีครับ',
            'x'.repeat(50),
          ),
        ),
        { maxLength: 30 },
      )
      .map((parts) => parts.join(''));
    const block: fc.Arbitrary<Block> = fc.record({
      kind: fc.constantFrom(...kinds),
      text,
      level: fc.integer({ min: 1, max: 6 }),
      locator: fc.option(fc.record({ kind: fc.constant('page' as const), page: fc.integer({ min: 1, max: 9 }) }), {
        nil: undefined,
      }),
    });
    const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
    forAll(runs(300), fc.array(block, { maxLength: 12 }), fc.integer({ min: 8, max: 40 }), (blocks, maxTokens) => {
      const { transcript, passages } = split(blocks, maxTokens);
      const graphemes = [...segmenter.segment(transcript.text)];
      const bounds = new Set([transcript.text.length, ...graphemes.map(({ index }) => index)]);
      const widest = Math.max(0, ...graphemes.map(({ segment }) => countTokens(segment)));
      let at = 0;
      for (const { start, end } of passages) {
        expect(transcript.text.slice(at, start).trim()).toBe('');
        expect(bounds.has(start) && bounds.has(end)).toBe(true);
        expect(countTokens(transcript.text.slice(start, end))).toBeLessThanOrEqual(Math.max(maxTokens, widest));
        at = end;
      }
      expect(transcript.text.slice(at).trim()).toBe('');
    });
  });

  it('finds text outside of all blocks', () => {
    const text = 'lost and found';
    const passages = splitTranscript({ text, blocks: [{ start: 9, end: 14, kind: 'paragraph' }] }, countSlicesOf(text));
    expect(passages.map(({ start, end }) => [start, end])).toEqual([[0, 14]]);
  });
});

/** What the links of passages say, of which each is a paragraph. */
function fragments(paragraphs: string[], contentType: ContentType = 'article', locator?: Locator) {
  const transcript = layOutTranscript(paragraphs.map((text) => ({ kind: 'paragraph', text })));
  const passages = transcript.blocks.map(({ start, end }, ordinal) => {
    const place = locator ?? { kind: 'text' as const, start, end };
    return { ordinal, start, end, headingPath: [], locator: place };
  });
  const linked = linkPassages(passages, { transcript, contentType });
  expect(linked).toMatchObject(passages);
  return linked.map(({ fragment }) => fragment);
}

it('passages of a page record where a link to them leads, or that none does', () => {
  expect(fragments(['One fox.', '***', 'Two wolves.'])).toEqual(['One%20fox', null, 'Two%20wolves']);
});

it('passages of recordings, very long pages and other kinds are not linked in advance', () => {
  expect(fragments(['One fox.'], 'ebook')).toEqual([undefined]);
  expect(fragments(['One fox.'], 'article', { kind: 'time', seconds: 3 })).toEqual([undefined]);
  expect(fragments(['One fox.', 'Much more. '.repeat(40_000)])).toEqual([undefined, undefined]);
});

const ofModel = { countSlicesOf: () => () => -1 };
const counterOf = (language: string | null, text: string) =>
  counterFor({ language, transcript: { text, blocks: [] } }, ofModel);

test.each([
  ['en-GB', 'Words of a text', -1],
  [null, 'Words of a text', -1],
  ['es', 'The presidents of Costa Rica, Peru and Chile', -1],
  [null, 'Слова одного текста', 5],
  ['ru', 'Слова одного текста', 5],
  ['de', 'Wörter eines Textes', 5],
  ['zh', '图书馆', 3],
  ['hi', 'किताबों', 1],
  ['th', 'ห้องสมุด', 2],
])('a text in %j is counted by the model or by characters: %j', (language, text, expected) => {
  expect(counterOf(language, text)(0, text.length)).toBe(expected);
});

test('a passage of Russian has about as many characters as one of English', () => {
  const text = 'Слова одного текста. '.repeat(100);
  expect(counterOf('ru', text)(500, 1_500)).toBe(250);
});
