import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ContentItem, ContentSummary } from '../../../src/domain/records/content.ts';
import type { ActionItem } from '../../../src/domain/records/analyses/action.ts';
import type { SearchAnswer } from '../../../src/services/search/search.ts';
import type { TextPage } from '../../../src/services/library/item-page.ts';
import type { TestClient } from '../../support/mcp.ts';
import { articlePage, serve, startSite, type Site } from '../../support/servers/site.ts';

const advice = [
  'Caffeine has a long half-life in the blood, and an espresso after lunch is still there at bedtime for most people.',
  'Drink your last coffee before noon because caffeine lingers for twelve hours. The effect on deep sleep is larger than people think.',
  'Keep the bedroom cool and dark. A room of seventeen degrees lets the body lose the one degree it has to lose.',
];

/** What every assistant must be able to do, over whatever transport and protocol `connect` speaks. */
export function describeTools(name: string, connect: () => Promise<TestClient>): void {
  describe(name, () => {
    let site: Site;
    let client: TestClient;
    const call = async <T>(tool: string, input: object): Promise<T> => {
      const result = await client.call(tool, input);
      expect(result.isError, result.text).toBe(false);
      return result.structured as T;
    };

    beforeAll(async () => {
      site = await startSite();
      site.routes.set('/sleep', serve(articlePage('Coffee and sleep', advice)));
      site.routes.set(
        '/note.md',
        serve('# Rare words\n\nThe error code ZX-4711 means that the boiler lost pressure.', 'text/markdown'),
      );
      client = await connect();
    });
    afterAll(async () => {
      await client.close();
      await site.close();
    });

    test('lists the eight tools with instructions', async () => {
      expect((await client.listTools()).map((tool) => tool.name)).toEqual([
        'search',
        'fetch',
        'list_content',
        'get_content',
        'save_content',
        'list_actions',
        'complete_action',
        'list_goals',
      ]);
      expect(client.instructions()).toContain('search');
    });

    test('saves a page, reports progress, and answers with the result', async () => {
      const seen: number[] = [];
      const result = await client.call(
        'save_content',
        { url: `${site.url}/sleep`, tags: ['health'], notes: 'from a friend', wait: 30 },
        { onprogress: ({ progress }) => seen.push(progress) },
      );
      const item = result.structured as ContentItem & { outcome: string };
      expect(item).toMatchObject({
        status: 'completed',
        outcome: 'created',
        contentType: 'article',
        title: 'Coffee and sleep',
        tags: ['health'],
        notes: 'from a friend',
      });
      expect(item).not.toHaveProperty('transcript');
      // Of five stages; a client of the SDK's first version leaves out what it reads together with the answer.
      expect(seen.at(-1)).toBeGreaterThanOrEqual(4);
      expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
    });

    test('saves the same page again as the same item with merged tags', async () => {
      const again = await call<ContentItem & { outcome: string }>('save_content', {
        url: `${site.url}/sleep#top`,
        tags: ['coffee'],
      });
      expect(again).toMatchObject({ outcome: 'existed', tags: ['health', 'coffee'], notes: 'from a friend' });
      expect(await call<{ total: number }>('list_content', {})).toMatchObject({ total: 1 });
    });

    test('finds a rare word with the exact passage and a link to it', async () => {
      await call('save_content', { url: `${site.url}/note.md`, wait: 30 });
      const answer = await call<SearchAnswer>('search', { query: 'what does ZX-4711 mean?' });
      const [hit] = answer.results;
      expect(hit?.passages[0]?.text).toContain('ZX-4711 means that the boiler lost pressure');
      expect(hit?.url).toBe(`${site.url}/note.md`);
      expect(hit?.passages[0]).toMatchObject({ at: expect.stringMatching(/^#:~:text=/) });
      expect(answer.coverage).toEqual({ searchable: 2 });
    });

    test('reads an item whose passage offsets slice its transcript', async () => {
      const { results } = await call<SearchAnswer>('search', {
        query: 'espresso half-life caffeine',
        filters: { tags: ['HEALTH'] },
        detail: 'full',
      });
      const hit = results[0];
      const item = await call<ContentItem>('get_content', { id: hit?.id, detail: 'full' });
      const passage = hit?.passages[0];
      if (passage?.locator.kind !== 'text') throw new Error('a page has text locators');
      expect(item.transcript?.slice(passage.locator.start, passage.locator.end)).toBe(passage.text);
      for (const insight of item.keyInsights) expect(item.transcript).toContain(insight.quote ?? '');
    });

    test('reads an item as research clients do: search, then fetch, with only their fields', async () => {
      const { results } = await call<SearchAnswer>('search', { query: 'espresso half-life caffeine' });
      const [hit] = results;
      expect(hit).toMatchObject({ id: expect.any(String), title: 'Coffee and sleep', url: `${site.url}/sleep` });
      const page = await call<TextPage>('fetch', { id: hit?.id });
      const item = await call<ContentItem>('get_content', { id: hit?.id });
      expect(page).toMatchObject({ id: hit?.id, title: hit?.title, url: hit?.url, text: item.transcript });
      expect(page.metadata).toMatchObject({ contentType: 'article', status: 'completed' });
      for (const value of Object.values(page.metadata ?? {})) expect(value).toBeTypeOf('string');
      expect(await client.call('fetch', { id: 'c_aaaaaaaaaaaaaaaa' })).toMatchObject({
        isError: true,
        text: expect.stringContaining('search show the ids'),
      });
    });

    test('completes an action item permanently', async () => {
      const { items } = await call<{ items: ActionItem[] }>('list_actions', { completed: false });
      const action = items.find(({ title }) => title.includes('coffee'));
      expect(action?.quote ?? action?.title).toContain('Drink your last coffee before noon');
      const done = await call<ActionItem>('complete_action', { id: action?.id });
      expect(done).toMatchObject({ state: 'done', completed: true });
      expect(await call<ActionItem>('complete_action', { id: action?.id })).toEqual(done);
      expect((await call<{ items: ActionItem[] }>('list_actions', { completed: true })).items).toMatchObject([
        { id: done.id, state: 'done' },
      ]);
    });

    test('fails a missing page with a reason and blocks nothing', async () => {
      const item = await call<ContentSummary>('save_content', { url: `${site.url}/gone`, wait: 30 });
      expect(item).toMatchObject({ status: 'failed', failure: { code: 'not_found', retryable: false } });
      expect(await call<{ total: number }>('list_content', { status: 'failed' })).toMatchObject({ total: 1 });
    });

    test('refuses with advice on what to do', async () => {
      expect(await client.call('save_content', { url: 'file:///etc/passwd' })).toMatchObject({
        isError: true,
        text: expect.stringContaining('only the command line can save files'),
      });
      expect(await client.call('get_content', { id: 'c_aaaaaaaaaaaaaaaa' })).toMatchObject({
        isError: true,
        text: expect.stringContaining('show the ids'),
      });
      expect(await client.call('search', { query: 'x', limit: 51, nonsense: 1 })).toMatchObject({
        isError: true,
        text: expect.stringMatching(/limit.*nonsense|nonsense.*limit/),
      });
      expect(await client.call('search', { query: '  ' })).toMatchObject({ isError: true });
    });

    test.each([
      '"',
      '*',
      'NEAR(',
      '-',
      'a AND',
      '^',
      ':',
      '(((',
      '\u0000',
      '\ud800',
      'x'.repeat(2_000),
      "'; DROP TABLE content; --",
    ])('treats %j as text', async (query) => {
      expect((await client.call('search', { query })).isError).toBe(false);
    });
  });
}
