import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completionOf, deepLink, pageAddress } from '../../../src/domain/links/url.ts';
import { exampleAction, exampleItem, exampleSummary } from '../../../src/domain/records/examples.ts';
import type { Locator } from '../../../src/domain/records/texts/locator.ts';
import {
  leanActions,
  leanInsight,
  leanItem,
  leanPassage,
  leanResults,
  leanSummary,
  withoutEmpty,
} from '../../../src/operations/answers/lean.ts';
import { forAll } from '../../support/for-all.ts';

const locators = fc.oneof(
  fc.record({ kind: fc.constant('time' as const), seconds: fc.nat(90_000) }),
  fc.record({ kind: fc.constant('page' as const), page: fc.integer({ min: 1, max: 900 }) }),
  fc.record({ kind: fc.constant('text' as const), start: fc.constant(3), end: fc.constant(9) }),
);
const addresses = fc.constantFrom(
  'https://example.com/a',
  'https://example.com/a?b=c&d',
  'https://example.com/a#section',
  'https://www.youtube.com/watch?v=aaaaaaaaaaa',
  'https://youtu.be/aaaaaaaaaaa',
  'https://www.youtube.com/shorts/aaaaaaaaaaa',
  'file:///home/someone/notes.md',
);
const linkOf = (url: string, locator: Locator) => deepLink(url, locator, 'some%20words,at%20the%20end');

describe('a link in a lean answer', () => {
  it("is the item's address followed by `at`, or is given whole", () => {
    forAll(addresses, locators, (itemUrl, locator) => {
      const url = linkOf(itemUrl, locator);
      const lean = leanPassage({ text: 'Words', locator, url, score: 1 }, itemUrl);
      expect(lean['url'] ?? `${itemUrl}${(lean['at'] as string | undefined) ?? ''}`).toBe(url);
      // Where no link leads to the place, the page of a file still does.
      const tellsPlace = lean['at'] !== undefined || lean['url'] !== undefined || lean['locator'] !== undefined;
      expect(tellsPlace || locator.kind === 'text').toBe(true);
    });
  });

  it('is cut at the locator when only the link is known', () => {
    forAll(addresses, locators, (itemUrl, locator) => {
      const url = linkOf(itemUrl, locator);
      expect(pageAddress(url, locator) + (completionOf(url, locator) ?? '')).toBe(url);
    });
    expect(pageAddress('https://example.com/a#:~:text=x', { kind: 'text', start: 0, end: 1 })).toBe(
      'https://example.com/a',
    );
  });
});

describe('the headings above a passage in a lean answer', () => {
  const pathOf = (text: string, headingPath: string[]) =>
    leanPassage({ text, headingPath, locator: { kind: 'text', start: 0, end: 9 }, url: null, score: 1 }, null)[
      'headingPath'
    ];

  it.each([
    ['### Care', 'Care'],
    ['## **3\\. Placement**', '3. Placement'],
    ['### The best *type* of bed?', 'The best type of bed?'],
    ['### Use Organic\u00a0Sprays', 'Use Organic Sprays'],
  ])('omit the one that begins it: %j', (line, heading) => {
    expect(pathOf(`${line}\n\nWords.`, ['Above', heading])).toEqual(['Above']);
  });

  it('keep one that only shares words with its beginning', () => {
    expect(pathOf('All about care.', ['Above', 'Care'])).toEqual(['Above', 'Care']);
  });
});

describe('a lean answer', () => {
  it('completes the address of the archived copy that a text came from', () => {
    const archivedCopy = {
      url: 'https://web.archive.org/web/20190304050607/https://example.com/a',
      date: '2019-03-04',
    };
    const url = linkOf(archivedCopy.url, { kind: 'text', start: 3, end: 9 });
    const passage = { text: 'Words', locator: { kind: 'text' as const, start: 3, end: 9 }, url, score: 1 };
    const result = {
      id: 'c_1',
      title: 'A',
      url: 'https://example.com/a',
      contentType: 'article' as const,
      tags: [],
      score: 1,
    };
    expect(leanResults([{ ...result, archivedCopy, passages: [passage] }])).toEqual([
      {
        id: 'c_1',
        title: 'A',
        url: 'https://example.com/a',
        archivedCopy: archivedCopy.url,
        contentType: 'article',
        score: 1,
        passages: [{ text: 'Words', at: '#:~:text=some%20words,at%20the%20end' }],
      },
    ]);
    expect(leanItem({ ...exampleItem, archivedCopy })).toMatchObject({
      url: exampleItem.url,
      archivedCopy: archivedCopy.url,
    });
  });

  it('describes each item of a list briefly', () => {
    expect(leanSummary({ ...exampleSummary, summary: 'word '.repeat(100) })).toEqual({
      author: 'Ann Author',
      contentType: 'article',
      createdAt: '2026-03-02',
      id: 'c_4kq7m2zt6wxp3ahr',
      notes: 'Read again in spring',
      publishedAt: '2025-11-20',
      summary:
        'word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word…',
      tags: ['health', 'sleep'],
      title: 'What helps to sleep',
      url: 'https://example.com/articles/sleep',
      wordCount: 1240,
    });
  });

  it("gives an item's facts, with insights and actions that link to their place", () => {
    const { transcript: _, ...item } = exampleItem;
    expect(leanItem(item)).toEqual({
      actions: [
        {
          at: '#:~:text=Get%20up%20at%20the%20same%20hour%20every%20day',
          goalId: 'g_2jxe6rmu4p7sfa3o',
          id: 'a_w5n3yq7c2gvk6tdb',
          quote: 'Get up at the same hour every day, weekends included.',
          title: 'Get up at the same hour every day',
        },
      ],
      author: 'Ann Author',
      contentType: 'article',
      createdAt: '2026-03-02',
      id: 'c_4kq7m2zt6wxp3ahr',
      keyInsights: [
        {
          at: '#:~:text=Get%20up%20at%20the%20same%20hour%20every%20day',
          goalId: 'g_2jxe6rmu4p7sfa3o',
          goalReason: 'Serves your goal "Sleep eight hours": it speaks of hour, weekends.',
          text: 'Get up at the same hour every day, weekends included.',
        },
      ],
      language: 'en',
      notes: 'Read again in spring',
      publishedAt: '2025-11-20',
      siteName: 'Example',
      status: 'completed',
      summary: 'A steady hour of getting up does more for sleep than an early bedtime.',
      tags: ['health', 'sleep'],
      title: 'What helps to sleep',
      url: 'https://example.com/articles/sleep',
      wordCount: 1240,
    });
  });

  it('gives an address once for the actions of an item, and no goal that was asked for', () => {
    const second = { ...exampleAction, id: 'a_bbbbbbbbbbbbbbbb', title: 'Another', state: 'done' as const };
    const [first, further] = leanActions([exampleAction, second], exampleAction.goalId) as Record<string, unknown>[];
    expect(first).toMatchObject({
      id: exampleAction.id,
      contentId: exampleAction.contentId,
      title: exampleAction.title,
    });
    expect(`${String(first?.['url'])}${String(first?.['at'])}`).toBe(exampleAction.url);
    expect(first).not.toHaveProperty('goalId');
    expect(first).not.toHaveProperty('state');
    expect(further).toMatchObject({ at: first?.['at'], state: 'done' });
    expect(further).not.toHaveProperty('url');
  });

  it('gives a quote only where it differs from the insight', () => {
    const [text, locator] = ['Get up at the same hour.', { kind: 'page', page: 2 } as const];
    const url = 'https://example.com/a.pdf#page=2';
    expect(leanInsight({ text, quote: `**${text}**`, locator, url })).toEqual({ text, at: '#page=2' });
    expect(leanInsight({ text, quote: 'Rise early', locator, url })).toEqual({
      text,
      quote: 'Rise early',
      at: '#page=2',
    });
    const serves = { goalId: 'g_2jxe6rmu4p7sfa3o', goalReason: 'Serves your goal "Rise at six": it speaks of hour.' };
    expect(leanInsight({ text, quote: text, locator, url, ...serves })).toEqual({ text, at: '#page=2', ...serves });
  });

  it('has no nulls and no empty lists, except as the answer itself', () => {
    expect(withoutEmpty({ items: [], item: null, a: null, b: [], c: [{ d: null, e: 0, f: '' }], g: false })).toEqual({
      items: [],
      item: null,
      c: [{ e: 0, f: '' }],
      g: false,
    });
  });
});
