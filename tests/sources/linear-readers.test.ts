// Second stage, alone.
import { expect, it } from 'vitest';
import { parseCaptions } from '../../src/domain/captions/caption-formats.ts';
import type { Caption } from '../../src/domain/captions/timed-lines.ts';
import { decodeText } from '../../src/sources/decoding/charset.ts';
import { sniffResource } from '../../src/sources/decoding/sniff.ts';
import { captionBlocks, dedupeRollingCaptions } from '../../src/sources/captions/caption-blocks.ts';
import { readCaptionXml } from '../../src/sources/captions/read-captions.ts';
import { xmlElements } from '../../src/sources/files/xml-elements.ts';
import { markdownBlocks } from '../../src/sources/text/markdown-blocks.ts';
import { joinRows, withoutLeaders } from '../../src/sources/pdf/lines.ts';
import { buildBlocks } from '../../src/sources/pdf/paragraphs.ts';
import { inReadingOrder } from '../../src/sources/pdf/reading-order.ts';
import { salvagePages } from '../../src/sources/pdf/open-pdf.ts';
import { readSegments } from '../../src/sources/pdf/segments.ts';
import type { TextItem, TextSegment } from '../../src/sources/pdf/letters/join-runs.ts';
import { measureStyles } from '../../src/sources/pdf/styles.ts';
import { readMarkdown } from '../../src/sources/text/read-text.ts';
import { readReddit } from '../../src/sources/page/kinds/read-reddit.ts';
import { growthOf, maxGrowth } from '../support/texts/growth.ts';

/*
 * Attacks that once took the square of their length, or worse: sixteen times the input may not take 256 times the time.
 */

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

function readWhole(text: string): unknown {
  return captionBlocks(parseCaptions(text, readCaptionXml));
}

/** Four captions of the same lines except for the last one of each, so that no ending of one is a beginning of the next. */
function alike(lines: number): Caption[] {
  return ['b', 'c', 'd', 'e'].map((last, start) => ({ start, duration: null, text: 'a\n'.repeat(lines) + last }));
}

function item(str: string, x: number, y: number, width = 1): TextItem {
  return { str, dir: 'ltr', width, height: 10, transform: [10, 0, 0, 10, x, y], fontName: 'f', hasEOL: false };
}

const view = [1, 0, 0, 1, 0, 0];
const segmentsOf = (items: readonly TextItem[]): TextSegment[] => readSegments(items, view, () => false);
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

function segment(text: string, x0: number, x1: number, y: number, size = 10): TextSegment {
  return { text, x0, x1, y, size, font: 'f', isRightToLeft: false, turn: 0 };
}

function paragraphsOf(segments: TextSegment[]): unknown {
  const lines = joinRows({ number: 1, height: 1e9, segments });
  return buildBlocks([lines], { styles: measureStyles(lines), outline: new Map(), words: new Set() });
}

it.each<[name: string, make: (size: number) => unknown, run: (input: never) => unknown, size: number]>([
  ['captions of many lines that are the same', alike, (captions: Caption[]) => dedupeRollingCaptions(captions), 3_000],
  [
    'a track of many lines that are the same, as it is read',
    (size) => `WEBVTT\n\n${many(4, (i) => `00:0${i}.000 --> 00:0${i}.900\n${'a\n'.repeat(size)}${i}\n\n`).join('')}`,
    readWhole,
    1_000,
  ],
  [
    'many chapters',
    (size) => many(size, (i) => ({ start: i / 1_000, title: 'a' })),
    (chapters: { start: number; title: string }[]) =>
      captionBlocks([{ start: 1e9, duration: null, text: 'said' }], chapters),
    4_000,
  ],
  ['a charset behind white space', (size) => bytes(`<meta charset=${'\t'.repeat(size)}"\u0080`), decodeMeta, 12_000],
  ['many meta tags', (size) => latin1(`${'<meta '.repeat(size)}\u0080`), decodeMeta, 2_000],
  ['dots that lead to nothing', (size) => `${'.... '.repeat(size)}!`, withoutLeaders, 4_000],
  ['letters drawn one by one', (size) => many(size, (i) => item('a', i, 0)), segmentsOf, 1_000],
  [
    'raised numbers',
    (size) => [
      item('main text', 0, 0, 9),
      ...many(size, (i) => ({ ...item('1', 9 + i, 3), transform: [5, 0, 0, 5, 9 + i, -3] })),
    ],
    segmentsOf,
    1_000,
  ],
  [
    'cells of one row',
    (size) => ({ number: 1, height: 800, segments: many(size, (i) => segment('ab', i * 30, i * 30 + 9, 0)) }),
    joinRows,
    2_000,
  ],
  [
    'lines of one paragraph',
    (size) => many(size, (i) => segment('some words of one line that goes on', 0, 200, i * 11)),
    paragraphsOf,
    2_000,
  ],
  [
    'two columns that alternate',
    (size) =>
      many(size, (i) => {
        const [x, y] = [i % 2 === 0 ? 0 : 300, Math.floor(i / 2) * 12];
        return segment('a line of prose that goes on and on', x, x + 250, y);
      }),
    inReadingOrder,
    600,
  ],
  ['objects without ends', (size) => bytes('1 0 obj '.repeat(size)), salvagePages, 2_000],
  ['elements in each other', (size) => '<a>'.repeat(size), (xml: string) => xmlElements(xml, new Set(['a'])), 3_000],
  [
    'text in elements in each other',
    (size) => `${'<a>'.repeat(100)}${'text '.repeat(size)}`,
    (xml: string) => xmlElements(xml, new Set(['a'])),
    5_000,
  ],
  ['fences that never close', (size) => '- ```\n'.repeat(size), markdownBlocks, 2_000],
])('%s take time in proportion to their length', (_name, make, run, size) => {
  expect(growthOf(make, run as (input: unknown) => unknown, size)).toBeLessThan(maxGrowth);
});

function decodeMeta(page: Uint8Array): unknown {
  return decodeText(page, null);
}

it.each([
  ['8 KB that look like a PDF inside', `<p>\n%PDF-1.7 ${'1 '.repeat(4_000)}\u0000`],
  ['rows of a table that never ends', `|${':\n|---'.repeat(10_000)}`],
  ['link targets that never end', '](/'.repeat(17_000)],
  ['underlines', `${'a'.repeat(190)}\n=`.repeat(250)],
])('the kind of %s is recognised', { timeout: 20_000 }, async (_name, text) => {
  const { mediaType } = await sniffResource(bytes(text), null, 'https://example.com/a');
  expect(['text/plain', 'text/html']).toContain(mediaType);
});

it('dot leaders before a number become one character, and signature lines stay', () => {
  expect(withoutLeaders('Chapter 1 ........ 12')).toBe('Chapter 1 … 12');
  expect(withoutLeaders('Total . . . . . . . $ 12')).toBe('Total . . . . . . . $ 12');
  expect(withoutLeaders('Total  . . . . . . 12')).toBe('Total  … 12');
  expect(withoutLeaders('Tenant: ........................................')).toBe(
    'Tenant: ........................................',
  );
  expect(withoutLeaders('wait ... what')).toBe('wait ... what');
});

it('front matter is read with any line endings', async () => {
  const read = async (markdown: string) => (await readMarkdown(markdown, 'https://example.com/a.md')).title;
  expect(await read('---\ntitle:   "Kept"  \n---\n# Heading')).toBe('Kept');
  expect(await read('\ufeff---  \ntitle: Kept\n...\ntext')).toBe('Kept');
  expect(await read('---\ntitle: Kept\n---')).toBe('Kept');
  expect(await read('...\ntitle: Kept\n---\n# Heading')).toBe('Heading');
  expect(await read(`---\n${'a: b\n'.repeat(201)}---\n# Heading`)).toBe('Heading');
});

it('endlessly nested data is refused like broken data', async () => {
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  await expect(readReddit(nested)).rejects.toMatchObject({ code: 'empty' });
  expect(parseCaptions(`{"events":${nested}}`, readCaptionXml)).toEqual([]);
});
