import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ContentItem } from '../../../src/domain/records/content.ts';
import { mounts } from '../../../src/http/listen.ts';
import { openHttpServer, type HttpTestServer } from '../../support/http.ts';
import { connectInMemory, type TestClient } from '../../support/mcp.ts';

let testServer: HttpTestServer;
let client: TestClient;

const subjects = {
  bread: 'sourdough, rye flour, kneading and hot ovens',
  sleep: 'melatonin, dark bedrooms, alarm clocks and regular bedtimes',
};

const note = async (text: string, tags: string[]): Promise<string> => {
  const { body } = await testServer.ask('/api/v1/content', { method: 'POST', body: { text, tags } });
  return (body as ContentItem).id;
};
const item = async (id: string) => (await testServer.ask(`/api/v1/content/${id}`)).body as ContentItem;

beforeAll(async () => {
  testServer = await openHttpServer({ embedder: 'none', apiV1: true, analyseTools: true }, { mounts });
  client = await connectInMemory(testServer.app);
  for (const [tag, words] of Object.entries(subjects))
    for (let number = 0; number < 6; number += 1)
      await note(`Chapter ${number} is about ${words}. It says why ${words} need patience.`, [tag]);
  await testServer.app.worker.runUntilEmpty();
});
afterAll(async () => {
  await client.close();
  await testServer.close();
});

test('a new item is proposed the tag of similar items, adding it confirms it, and models see it on request', async () => {
  const id = await note('What sourdough and rye flour need: patience, kneading, and hot ovens.', []);
  await testServer.app.worker.runUntilEmpty();
  const { proposedTags } = await item(id);
  expect(proposedTags).toEqual([
    { tag: 'bread', reason: expect.stringMatching(/^like \d items tagged bread$/) as string },
  ]);
  const read = async (detail: string) => (await client.call('get_content', { id, detail })).structured;
  expect(await read('lean')).not.toHaveProperty('proposedTags');
  expect(await read('full')).toMatchObject({ proposedTags });

  await testServer.ask(`/api/v1/content/${id}`, { method: 'PUT', body: { tags: ['bread', 'mine'] } });
  const confirmed = await item(id);
  expect(confirmed.tags).toEqual(['bread', 'mine']);
  expect(confirmed).not.toHaveProperty('proposedTags');
});

test('a rejected tag is not proposed for the item again', async () => {
  const id = await note('Dark bedrooms, regular bedtimes and melatonin, without alarm clocks.', []);
  await testServer.app.worker.runUntilEmpty();
  expect((await item(id)).proposedTags).toMatchObject([{ tag: 'sleep' }]);
  const body = { ids: [id], rejectTags: ['sleep'] };
  const { body: changed } = await testServer.ask('/api/v1/content/changes', { method: 'POST', body });
  expect(changed).toMatchObject({ changed: 1 });
  const { services } = testServer.app;
  await services.library.reprocess('local', 'analyse', id);
  await testServer.app.worker.runUntilEmpty();
  expect(await item(id)).toMatchObject({ status: 'completed', tags: [] });
  expect(await item(id)).not.toHaveProperty('proposedTags');
});

test('an analysing assistant is given the tags, and proposes some of them and one new one', async () => {
  const id = await note('Oats soak overnight in milk and need no oven at all.', []);
  await testServer.app.worker.runUntilEmpty();
  const next = (await client.call('next_to_analyse', {})).structured as {
    item: { id: string };
    lease: string;
    tags: string[];
  };
  expect(next.item.id).toBe(id);
  expect(next.tags.toSorted()).toEqual(['bread', 'sleep']);
  const analysis = { summary: 'Oats soak overnight.', insights: [], actions: [], tags: ['Breakfast', 'Bread', 'Oats'] };
  const { isError, text } = await client.call('submit_analysis', { id, lease: next.lease, ...analysis });
  expect(isError, text).toBe(false);
  const { tags, proposedTags } = await item(id);
  expect(tags).toEqual([]);
  expect(proposedTags?.map(({ tag }) => tag)).toEqual(['bread', 'Breakfast']);
});
