import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokensOf } from '../../src/domain/text/token-budget.ts';
import { listWithinBudget } from '../../src/services/library/listing.ts';
import { runs } from '../support/vitest/thorough.ts';
import { forAllAsync } from '../support/for-all.ts';

interface Entry {
  id: string;
  title: string;
  tags: string[];
  url: string;
}

interface ListQuery {
  limit?: number | undefined;
  offset: number;
  maxTokens?: number | undefined;
  cursor?: string | undefined;
}

/** A list of these entries, newest first as they stand. */
function listOf(entries: readonly Entry[]) {
  return (query: ListQuery) =>
    listWithinBudget('list_entries', query, async ({ limit = entries.length, offset }) => ({
      items: entries.slice(offset, offset + limit),
      total: entries.length,
    }));
}

async function walk(list: ReturnType<typeof listOf>, query: ListQuery) {
  const pages = [await list(query)];
  for (let cursor = pages[0]?.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor) {
    pages.push(await list({ ...query, cursor }));
  }
  return pages;
}

const entries = (text: fc.Arbitrary<string>) =>
  fc
    .array(fc.record({ title: text, tags: fc.array(fc.string({ maxLength: 20 }), { maxLength: 5 }) }), {
      maxLength: 60,
    })
    .map((list) => list.map((entry, index) => ({ id: `c_${index}`, ...entry, url: `https://example.com/${index}` })));
const query = fc.record({
  limit: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
  offset: fc.integer({ min: 0, max: 70 }),
  maxTokens: fc.integer({ min: 500, max: 5_000 }),
});

describe('a list within a budget', () => {
  it('returns every entry of its window exactly once, each page within the budget', async () => {
    await forAllAsync(entries(fc.string({ unit: 'binary', maxLength: 250 })), query, async (list, asked) => {
      const pages = await walk(listOf(list), asked);
      const { offset, limit = list.length } = asked;
      expect(pages.flatMap(({ items }) => items)).toEqual(list.slice(offset, offset + limit));
      for (const page of pages) {
        expect(tokensOf(page)).toBeLessThanOrEqual(asked.maxTokens);
        expect(page.total).toBe(list.length);
      }
    });
  });

  it('shortens an entry that no page could hold, marks it, and loses none', async () => {
    await forAllAsync(
      runs(30),
      entries(fc.string({ unit: 'binary', maxLength: 9_000, size: 'max' })),
      query,
      async (list, asked) => {
        const pages = await walk(listOf(list), asked);
        const { offset, limit = list.length } = asked;
        const shown = pages.flatMap(({ items }) => items);
        expect(shown.map(({ id }) => id)).toEqual(list.slice(offset, offset + limit).map(({ id }) => id));
        for (const page of pages) expect(tokensOf(page)).toBeLessThanOrEqual(asked.maxTokens);
        for (const entry of shown) {
          const whole = list.find(({ id }) => id === entry.id);
          expect(entry.title === whole?.title || entry.title.includes('[cut; more tokens show all]')).toBe(true);
        }
      },
    );
  });

  it('accepts a cursor for the same window only, with any budget', async () => {
    const list = Array.from({ length: 50 }, (_, index) => ({
      id: `c_${index}`,
      title: 'x'.repeat(500),
      tags: [],
      url: '',
    }));
    const { nextCursor: cursor, items } = await listOf(list)({ limit: 40, offset: 0, maxTokens: 500 });
    expect(cursor).toBeDefined();
    await expect(listOf(list)({ limit: 39, offset: 0, maxTokens: 500, cursor })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    const rest = await listOf(list)({ limit: 40, offset: 0, maxTokens: 100_000, cursor });
    expect([...items, ...rest.items]).toEqual(list.slice(0, 40));
  });
});
