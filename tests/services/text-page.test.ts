import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ContentItem } from '../../src/domain/records/content.ts';
import { textPageOf, type TextPage } from '../../src/services/library/item-page.ts';
import { itemWith } from '../support/content.ts';
import { runs } from '../support/vitest/thorough.ts';
import { forAll } from '../support/for-all.ts';

/** As `itemWith`, except for what the metadata of a text page say. */
const essay = (parts: Partial<ContentItem>): ContentItem =>
  itemWith({ summary: null, author: 'Ada', publishedAt: '2026-01-01', analysis: null, ...parts });

function walk(item: ContentItem, maxTokens: number): TextPage[] {
  const pages = [textPageOf(item, { maxTokens })];
  for (let cursor = pages[0]?.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor) {
    pages.push(textPageOf(item, { maxTokens, cursor }));
    expect(pages.length).toBeLessThan(1_000);
  }
  return pages;
}

const prose = (most: number) =>
  fc
    .array(fc.oneof(fc.lorem({ maxCount: 12 }), fc.constantFrom('🙂🙃', '"quoted"', '\n\n', '漢字かな交じり文')), {
      maxLength: 120,
      size: 'max',
    })
    .map((parts) => parts.join(' ').slice(0, most).toWellFormed());

test('every piece names its item and fits the budget, and together they have each character once', () => {
  const anyItem = fc.record({
    title: fc.option(prose(3_000)),
    author: fc.option(prose(500)),
    url: prose(1_500).map((path) => `https://example.com/${encodeURIComponent(path).slice(0, 2_000)}`),
    transcript: fc.option(prose(20_000), { nil: undefined }),
  });
  forAll(runs(150), anyItem, fc.integer({ min: 500, max: 20_000 }), ({ transcript, ...about }, maxTokens) => {
    const item = essay({ ...about, ...(transcript !== undefined && { transcript }) });
    const pages = walk(item, maxTokens);
    expect(pages.map(({ text }) => text).join('')).toBe(transcript ?? '');
    for (const page of pages) {
      expect(JSON.stringify(page).length / 4).toBeLessThanOrEqual(maxTokens);
      expect(page).toMatchObject({ id: item.id, title: expect.any(String), url: expect.any(String) });
      expect(page.text.isWellFormed()).toBe(true);
    }
  });
});

test('a short item is one piece in the format of research clients', () => {
  expect(textPageOf(essay({ transcript: 'A short text.' }), { maxTokens: 8_000 })).toEqual({
    id: 'c_aaaaaaaaaaaaaaaa',
    metadata: { author: 'Ada', contentType: 'article', language: 'en', publishedAt: '2026-01-01', status: 'completed' },
    text: 'A short text.',
    title: 'An essay',
    url: 'https://example.com/essay',
  });
});

test('an item without a title is named by its address', () => {
  expect(textPageOf(essay({ title: null, transcript: 'x' }), { maxTokens: 8_000 }).title).toBe(
    'https://example.com/essay',
  );
});

test('an item without text says why', () => {
  expect(textPageOf(essay({ status: 'pending' }), { maxTokens: 8_000 })).toMatchObject({
    text: '',
    metadata: { status: 'pending', message: 'This item has no text yet.' },
  });
  const failure = {
    code: 'not_found',
    message: 'The page is gone.',
    retryable: false,
    attempts: 1,
    nextAttemptAt: null,
  };
  expect(textPageOf(essay({ status: 'failed', failure }), { maxTokens: 8_000 })).toMatchObject({
    text: '',
    metadata: { status: 'failed', message: 'The page is gone.' },
  });
});

test('the cursor of another tool, another item or an earlier text is refused', () => {
  const item = essay({ transcript: 'word '.repeat(2_000) });
  const cursor = textPageOf(item, { maxTokens: 500 }).nextCursor;
  expect(cursor).toBeDefined();
  for (const other of [
    { ...item, id: 'c_bbbbbbbbbbbbbbbb' },
    { ...item, processedAt: '2026-02-01T00:00:00.000Z' },
  ]) {
    expect(() => textPageOf(other, { maxTokens: 500, cursor })).toThrow(
      expect.objectContaining({ code: 'invalid_input' }),
    );
  }
});
