import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { tokensOf } from '../../../src/domain/text/token-budget.ts';
import { createSearchService, type SearchQuery, type SearchService } from '../../../src/services/search/search.ts';
import { ManualClock } from '../../support/clock.ts';
import { addFinishedItem, paragraphs } from '../../support/content.ts';
import { openStores, rememberingLog, type TestStores } from '../../support/store/stores.ts';

const signal = new AbortController().signal;
let testServer: TestStores;
let search: SearchService;
const ids: Record<string, string> = {};

const footer =
  'Subscribe to our walrus letter: every Sunday we send you the five best things that we have read about the sea, and nothing else.';

beforeAll(async () => {
  testServer = await openStores(new ManualClock());
  const add = async (name: string, texts: string[], tags: string[], publishedAt: string | null) => {
    ids[name] = await addFinishedItem(testServer.store, {
      url: `https://example.com/${name}`,
      about: { title: name, publishedAt },
      tags,
      blocks: paragraphs(...texts),
    });
  };
  const parts = Array.from({ length: 9 }, (_, part) =>
    `Part ${part} of the story. ${`Line ${part} goes on. `.repeat(30)}`.trim(),
  );
  await add(
    'story',
    parts.with(4, `${parts[4]} Here a giraffe appears.`),
    ['Animals', 'fiction'],
    '2024-05-01T00:00:00.000Z',
  );
  await add('first', ['The walrus sleeps in the water.', footer], ['animals'], '2024-01-01T00:00:00.000Z');
  await add('second', ['A walrus can weigh a ton and a half.', footer.replace('Sunday', 'sunday')], ['facts'], null);
  await add('third', [footer], [], '2023-01-01T00:00:00.000Z');
  search = createSearchService(testServer.stores, null, new ManualClock(), rememberingLog());
});
afterAll(() => testServer.close());

const ask = (query: Partial<SearchQuery>) =>
  search.search(localAccountId, { query: 'giraffe', limit: 10, ...query }, signal);

describe('neighbours of a passage', () => {
  it('are the text before and after it, word for word', async () => {
    const text = (await testServer.store.readTranscript(ids['story']!)) ?? '';
    for (const neighbours of [1, 2]) {
      const [passage] = (await ask({ neighbours })).results[0]?.passages ?? [];
      const whole = `${passage?.before}${passage?.text}${passage?.after}`;
      expect(text).toContain(whole);
      expect(passage?.before?.startsWith(`Part ${4 - neighbours} of`)).toBe(true);
      expect(whole).toContain(`Line ${4 + neighbours} goes on.`);
      expect(whole).not.toContain(`Line ${5 + neighbours} goes on.`);
    }
    expect((await ask({})).results[0]?.passages[0]).not.toHaveProperty('before');
  });

  it('are shortened to the budget, from their far ends', async () => {
    const text = (await testServer.store.readTranscript(ids['story']!)) ?? '';
    const answer = await ask({ neighbours: 2, maxTokens: 700 });
    const [passage] = answer.results[0]?.passages ?? [];
    expect(tokensOf(answer)).toBeLessThanOrEqual(700);
    expect(passage?.before?.length).toBeGreaterThan(100);
    expect(text).toContain(`${passage?.before}${passage?.text}${passage?.after}`);
  });

  it('are omitted where another passage of the answer shows them', async () => {
    const { results } = await ask({ query: 'line 3 4 5', neighbours: 1 });
    const shown = results.flatMap(({ passages }) => passages);
    for (const { text } of shown)
      expect(shown.some(({ before = '', after = '' }) => before.includes(text) || after.includes(text))).toBe(false);
  });
});

describe('passages that nearly repeat another', () => {
  it('are shown once, with all items that have them', async () => {
    const { results } = await ask({ query: 'walrus letter subscribe Sunday' });
    const shown = results.flatMap(({ passages }) => passages).filter(({ text }) => text.startsWith('Subscribe'));
    expect(shown).toHaveLength(1);
    const holder = results.find(({ passages }) => passages.includes(shown[0]!))?.id;
    expect([holder, ...(shown[0]?.alsoIn ?? [])].sort()).toEqual([ids['first'], ids['second'], ids['third']].sort());
  });
});

describe('facets', () => {
  it('count the matching items on request', async () => {
    expect((await ask({ query: 'walrus' })).facets).toBeUndefined();
    const { facets, results } = await ask({ query: 'walrus', limit: 1, facets: true });
    expect(results).toHaveLength(1);
    expect(facets).toEqual({
      types: [{ value: 'article', count: 3 }],
      tags: [
        { value: 'animals', count: 1 },
        { value: 'facts', count: 1 },
      ],
      years: [
        { value: new Date(new ManualClock().now()).getUTCFullYear(), count: 1 },
        { value: 2024, count: 1 },
        { value: 2023, count: 1 },
      ].sort((a, b) => b.value - a.value),
    });
    const both = await ask({ query: 'walrus giraffe', facets: true, filter: { tag: 'ANIMALS' } });
    expect(both.facets?.tags[0]).toEqual({ value: 'Animals', count: 2 });
  });
});
