import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActionItem } from '../../src/domain/records/analyses/action.ts';
import type { ContentItem, Insight } from '../../src/domain/records/content.ts';
import { layOutTranscript, type Block, type PlacedBlock } from '../../src/domain/records/texts/document.ts';
import { pageOfItem, pagesOfItems, type ItemPage } from '../../src/services/library/item-page.ts';
import { itemWith } from '../support/content.ts';
import { runs } from '../support/vitest/thorough.ts';
import { forAll } from '../support/for-all.ts';

const cut = '[cut; more tokens show all]';

function insight(text: string, index: number): Insight {
  return {
    text,
    quote: text,
    locator: { kind: 'text', start: index, end: index + text.length },
    url: `https://example.com/#${index}`,
  };
}

function action(title: string, index: number): ActionItem {
  return {
    id: `a_${String(index).padStart(16, 'a')}`,
    contentId: 'c_aaaaaaaaaaaaaaaa',
    contentTitle: null,
    goalId: null,
    goalReason: null,
    title,
    reason: title,
    quote: title,
    locator: { kind: 'time', seconds: index },
    url: null,
    state: 'open',
    completed: false,
    completedAt: null,
    due: null,
    priority: 'normal',
    snoozedUntil: null,
    createdAt: '2026-01-01T00:00:01.000Z',
  };
}

function walk(item: ContentItem, maxTokens: number, blocks: readonly PlacedBlock[] = []): ItemPage[] {
  const pages = [pageOfItem(item, blocks, { maxTokens })];
  for (let cursor = pages[0]?.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor) {
    pages.push(pageOfItem(item, blocks, { maxTokens, cursor }));
    expect(pages.length).toBeLessThan(50_000);
  }
  return pages;
}

/** Text as pages have it, of up to so many characters: words, emoji, quotation marks, line ends. */
const prose = (most: number) =>
  fc
    .array(
      fc.oneof(fc.lorem({ maxCount: 12 }), fc.constantFrom('🙂🙃', '"quoted"', 'a\\b', '\n\n', '漢字かな交じり文')),
      { maxLength: 200, size: 'max' },
    )
    .map((parts) => parts.join(' ').slice(0, most).toWellFormed());

const anyItem = fc
  .record({
    title: fc.option(prose(3_000)),
    summary: fc.option(prose(3_000)),
    notes: fc.option(prose(10_000)),
    author: fc.option(prose(400)),
    tags: fc.array(prose(100), { maxLength: 50 }),
    url: prose(1_500).map((path) => `https://example.com/${encodeURIComponent(path).slice(0, 2_000)}`),
    warnings: fc.array(fc.record({ code: fc.constant('partial'), message: prose(200) }), { maxLength: 3 }),
    insights: fc.array(prose(2_500), { maxLength: 12 }),
    actions: fc.array(prose(1_500), { maxLength: 7 }),
    transcript: fc.option(
      fc.array(prose(6_000), { maxLength: 8 }).map((parts) => parts.join('\n')),
      { nil: undefined },
    ),
  })
  .map(({ insights, actions, transcript, ...about }) =>
    itemWith({
      ...about,
      canonicalUrl: about.url,
      keyInsights: insights.map(insight),
      actions: actions.map(action),
      ...(transcript !== undefined && { transcript }),
    }),
  );

describe('an item in pieces', () => {
  it('stays within the budget on every page and is complete after the last one', () => {
    forAll(runs(150), anyItem, fc.integer({ min: 500, max: 20_000 }), (item, maxTokens) => {
      const pages = walk(item, maxTokens);
      for (const page of pages) expect(JSON.stringify(page).length / 4).toBeLessThanOrEqual(maxTokens);

      expect(pages.map((page) => page.transcript ?? '').join('')).toBe(item.transcript ?? '');
      const insights = pages.flatMap((page) => page.keyInsights ?? []);
      expect(insights.map(({ url }) => url)).toEqual(item.keyInsights.map(({ url }) => url));
      const actions = pages.flatMap((page) => page.actions ?? []);
      expect(actions.map(({ id }) => id)).toEqual(item.actions.map(({ id }) => id));

      for (const [index, shown] of insights.entries()) {
        const whole = item.keyInsights[index];
        expect(whole?.quote?.startsWith(shown.quote ?? '')).toBe(true);
        expect(shown.text === whole?.text || shown.text.includes(cut)).toBe(true);
      }
      const { keyInsights: _, actions: __, transcript: ___, ...details } = item;
      expect(Object.keys(pages[0] ?? {})).toEqual(expect.arrayContaining(Object.keys(details)));
      for (const page of pages) expect(page.id).toBe(item.id);
    });
  });

  it('numbers the parts of the transcript', () => {
    forAll(runs(60), anyItem, fc.integer({ min: 500, max: 5_000 }), (item, maxTokens) => {
      const transcript = item.transcript ?? '';
      let reached = 0;
      for (const page of walk(item, maxTokens)) {
        if (page.transcript === undefined) continue;
        const range = page.transcriptRange ?? { start: 0, end: transcript.length, total: transcript.length };
        expect(range).toMatchObject({ start: reached, total: transcript.length });
        expect(transcript.slice(range.start, range.end)).toBe(page.transcript);
        expect(page.transcript.isWellFormed()).toBe(true);
        reached = range.end;
      }
      expect(reached).toBe(transcript.length);
    });
  });

  it('cuts no text of a person while it fits the budget', () => {
    const item = itemWith({ notes: 'n'.repeat(10_000), transcript: 't'.repeat(100_000) });
    expect(pageOfItem(item, [], { maxTokens: 8_000 }).notes).toBe(item.notes);
    expect(pageOfItem(item, [], { maxTokens: 1_000 }).notes).toContain(cut);
  });

  it('keeps a long address whole while texts can be shortened', () => {
    const url = `https://example.com/${'a'.repeat(500)}`;
    const item = itemWith({ url, canonicalUrl: url, notes: 'n'.repeat(10_000) });
    expect(pageOfItem(item, [], { maxTokens: 600 })).toMatchObject({ url, canonicalUrl: url });
  });

  it('refuses the cursor of another item, and one from before the item was reprocessed', () => {
    const item = itemWith({ transcript: 'word '.repeat(10_000) });
    const cursor = pageOfItem(item, [], { maxTokens: 500 }).nextCursor;
    expect(cursor).toBeDefined();
    for (const other of [
      { ...item, id: 'c_bbbbbbbbbbbbbbbb' },
      { ...item, processedAt: '2026-02-01T00:00:00.000Z' },
      { ...item, transcript: 'word' },
    ]) {
      expect(() => pageOfItem(other, [], { maxTokens: 500, cursor })).toThrow(
        expect.objectContaining({ code: 'invalid_input' }),
      );
    }
  });
});

describe('a long text', () => {
  const chapter = (number: number, words: number): Block[] => [
    { text: `## Chapter ${number}`, kind: 'heading', level: 2 },
    { text: `### A detail of ${number}`, kind: 'heading', level: 3 },
    { text: `Here begins ${number}. ${'word '.repeat(words)}`.trim(), kind: 'paragraph' },
  ];
  const itemOf = (blocks: readonly Block[], more: Partial<ContentItem> = {}) => {
    const { text, blocks: placed } = layOutTranscript(blocks);
    return { item: itemWith({ ...more, transcript: text }), text, placed };
  };

  it('begins with an outline whose cursors open its sections', () => {
    const { item, text, placed } = itemOf(Array.from({ length: 12 }, (_, number) => chapter(number, 700)).flat(), {
      keyInsights: [insight('An insight', 0)],
      actions: [action('Do it', 1)],
    });
    const [first, second] = walk(item, 4_000, placed);
    expect(first?.outline?.filter(({ title }) => title.startsWith('Chapter'))).toHaveLength(12);
    expect(first?.keyInsights).toHaveLength(1);
    for (const { title, start, cursor } of first?.outline ?? []) {
      expect(text.slice(start).replace(/^#+ /, '').startsWith(title)).toBe(true);
      const page = pageOfItem(item, placed, { maxTokens: 4_000, cursor });
      expect(page.transcript).toBe(text.slice(start, start + (page.transcript?.length ?? 0)));
      expect(page).not.toHaveProperty('outline');
      expect(page).not.toHaveProperty('keyInsights');
    }
    expect(second?.section).toMatch(/^Chapter \d+$/);
    expect(second?.transcript).toMatch(/^## Chapter/);
  });

  it('has no outline when it fits whole', () => {
    const { item, placed } = itemOf([...chapter(1, 50), ...chapter(2, 50)]);
    expect(walk(item, 4_000, placed)).toEqual([item]);
  });

  it('has an outline from the times of a recording or the pages of a document where it has no headings', () => {
    const minutes = Array.from({ length: 90 }, (_, minute): Block => ({
      text: `Minute ${minute} is about something that takes a while to say, and so on. ${'talk '.repeat(100)}`.trim(),
      kind: 'caption',
      locator: { kind: 'time', seconds: minute * 60 + 0.5 },
    }));
    const talk = itemOf(minutes);
    const marks = walk(talk.item, 4_000, talk.placed)[0]?.outline ?? [];
    expect(marks.map(({ seconds }) => seconds)).toEqual(
      Array.from({ length: marks.length }, (_, index) => index * (marks[1]?.seconds ?? 0)),
    );
    expect(marks[1]?.title).toBe(`Minute ${(marks[1]?.seconds ?? 0) / 60} is about something that takes a …`);
    const paper = itemOf(minutes.map((block, index) => ({ ...block, locator: { kind: 'page', page: index + 1 } })));
    const pages = walk(paper.item, 4_000, paper.placed)[0]?.outline ?? [];
    expect(pages.length).toBeGreaterThan(10);
    for (const { page, start } of pages)
      expect(paper.text.slice(start)).toMatch(new RegExp(`^Minute ${(page ?? 0) - 1} `));
    const plain = itemOf(minutes.map(({ text }) => ({ text, kind: 'paragraph' })));
    expect(walk(plain.item, 4_000, plain.placed)[0]?.outline?.length).toBeGreaterThan(5);
  });

  it('is returned once, within the budget, wherever its sections end', () => {
    const blocks = fc.array(
      fc.record({
        kind: fc.constantFrom('heading' as const, 'paragraph' as const),
        level: fc.integer({ min: 1, max: 4 }),
        words: fc.integer({ min: 1, max: 900 }),
        seconds: fc.option(fc.nat(9_000)),
      }),
      { minLength: 1, maxLength: 40 },
    );
    forAll(runs(60), blocks, fc.integer({ min: 500, max: 9_000 }), (made, maxTokens) => {
      const { item, text, placed } = itemOf(
        made.map(({ kind, level, words, seconds }): Block => ({
          text: kind === 'heading' ? `${'#'.repeat(level)} Part ${words}` : 'some words '.repeat(words).trim(),
          kind,
          ...(kind === 'heading' && { level }),
          ...(seconds !== null && { locator: { kind: 'time' as const, seconds } }),
        })),
      );
      const pages = walk(item, maxTokens, placed);
      for (const page of pages) expect(JSON.stringify(page).length / 4).toBeLessThanOrEqual(maxTokens);
      expect(pages.map((page) => page.transcript ?? '').join('')).toBe(text);
    });
  });
});

describe('several items in one budget', () => {
  it('stay within the budget, and every item is named or reported as left out', () => {
    forAll(
      runs(100),
      fc.array(anyItem, { minLength: 1, maxLength: 10 }),
      fc.integer({ min: 500, max: 20_000 }),
      (items, maxTokens) => {
        const given = items.map((item, index) => ({ item: { ...item, id: `c_${index}` }, blocks: [] }));
        const { items: pages, left = [] } = pagesOfItems(given, { maxTokens });
        expect(JSON.stringify({ items: pages, left }).length / 4).toBeLessThanOrEqual(maxTokens);
        expect([...pages.map(({ id }) => id), ...left]).toEqual(given.map(({ item }) => item.id));
      },
    );
  });

  it('gives short items whole and divides the rest equally among long ones, each with a cursor', () => {
    const short = itemWith({ id: 'c_short', transcript: 'A short text.' });
    const long = itemWith({ id: 'c_long', transcript: 'word '.repeat(20_000) });
    const longer = itemWith({ id: 'c_longer', transcript: 'word '.repeat(60_000) });
    const missing = { id: 'c_none', message: 'There is none.' };
    const given = [long, short, longer].map((item) => ({ item, blocks: [] }));
    const { items, left } = pagesOfItems([...given, missing], { maxTokens: 4_000 });
    expect(left).toBeUndefined();
    const [first, second, third, fourth] = items as ItemPage[];
    expect(second).toEqual(short);
    expect(fourth).toEqual(missing);
    const lengths = [first, third].map((page) => page?.transcript?.length ?? 0);
    expect(Math.min(...lengths)).toBeGreaterThan(6_000);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThan(100);
    expect(JSON.stringify(items).length / 4).toBeGreaterThan(3_700);
    const { nextCursor: cursor } = first ?? {};
    const next = pageOfItem(long, [], { maxTokens: 500, cursor });
    expect(next.transcriptRange?.start).toBe(first?.transcript?.length);
  });
});
