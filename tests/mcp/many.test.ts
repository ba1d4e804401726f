import { afterAll, beforeAll, expect, test } from 'vitest';
import { localCaller } from '../../src/domain/records/account.ts';
import type { ItemPages } from '../../src/services/library/item-page.ts';
import type { SavedMany } from '../../src/domain/records/answers.ts';
import { openTestServer } from '../support/test-server.ts';
import { connectInMemory, type TestClient } from '../support/mcp.ts';

let testServer: Awaited<ReturnType<typeof openTestServer>>;
let client: TestClient;
const ids: string[] = [];

beforeAll(async () => {
  testServer = await openTestServer();
  client = await connectInMemory(testServer.app);
  for (const [index, length] of [3, 400, 900].entries()) {
    const text = Array.from({ length }, (_, line) => `Sentence ${line} of text ${index} tells of bees.`).join(' ');
    const saved = await client.call('save_content', { url: `https://example.com/${index}`, text, title: `T${index}` });
    ids.push((saved.structured as { id: string }).id);
  }
  await testServer.app.worker.runUntilEmpty();
});
afterAll(async () => {
  await client.close();
  await testServer.close();
});

const read = async (input: object) =>
  (await client.call('get_content', { ...input })).structured as unknown as ItemPages;

test('get_content reads several items in one budget and reports unknown ids', async () => {
  const { items } = await read({ ids: [...ids, 'c_nothing', ids[0]], maxTokens: 3_000 });
  expect(items.map(({ id }) => id)).toEqual([...ids, 'c_nothing']);
  expect(items.at(-1)).toEqual({ id: 'c_nothing', message: expect.stringContaining('no saved item') as string });
  const shown = items.slice(0, 3) as { transcript?: string; summary?: string; nextCursor?: string }[];
  expect(shown.every(({ summary = '' }) => summary !== '')).toBe(true);
  expect(shown.map(({ nextCursor }) => nextCursor === undefined)).toEqual([true, false, false]);
  expect(JSON.stringify(items).length / 4).toBeLessThan(3_000);

  const rest = await client.call('get_content', { id: ids[1], cursor: shown[1]?.nextCursor });
  expect((rest.structured as { transcript: string }).transcript).toMatch(/^Sentence|^\w/);
});

test('one id is answered as before, and several share the same answer form', async () => {
  const one = (await client.call('get_content', { id: ids[0] })).structured;
  expect(one).toMatchObject({ id: ids[0], title: 'T0' });
  expect(one).not.toHaveProperty('items');
  expect((await read({ id: [ids[0], ids[1]] })).items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  // An address from which something was saved stands for its id.
  expect((await read({ ids: ['https://example.com/0'] })).items).toMatchObject([{ id: ids[0] }]);
  expect(await client.call('get_content', { id: 'c_nothing' })).toMatchObject({ isError: true });
  expect((await client.call('get_content', {})).text).toContain('id: is missing');
  const eleven = Array.from({ length: 11 }, (_, index) => `c_${index}`);
  expect((await client.call('get_content', { ids: eleven })).text).toContain('at most 10');
});

test('save_content saves each address separately, and one undo removes all', async () => {
  const urls = ['https://example.com/one', 'ftp://example.com/', 'no address', 'https://example.com/0'];
  const saved = (await client.call('save_content', { urls, tags: ['many'] })).structured as unknown as SavedMany & {
    undo: string;
  };
  expect(saved.saved).toBe(2);
  expect(saved.items.map(({ url, outcome }) => [url, outcome])).toEqual([
    ['https://example.com/one', 'created'],
    ['ftp://example.com/', 'refused'],
    ['no address', 'refused'],
    ['https://example.com/0', 'existed'],
  ]);
  expect(saved.items[1]?.message).toContain('https://');
  const tagged = async () =>
    ((await client.call('list_content', { tags: ['many'] })).structured as { total: number }).total;
  expect(await tagged()).toBe(2);
  await client.call('undo', { id: saved.undo });
  expect(await tagged()).toBe(0);
  expect((await client.call('save_content', { urls, title: 'T' })).text).toContain('tags and notes alone');
});

test('a repeated address is saved once and answered twice', async () => {
  const [twice, other] = ['https://example.com/twice', 'https://example.com/other'];
  const { structured } = await client.call('save_content', { urls: [twice, other, twice] });
  const saved = structured as unknown as SavedMany;
  expect(saved.items.map(({ url }) => url)).toEqual([twice, other, twice]);
  expect(saved.items[2]).toEqual(saved.items[0]);
  expect(saved.saved).toBe(2);
});

test('waiting reports the outcome of each item', async () => {
  testServer.app.worker.start();
  const { items } = (
    await client.call('save_content', { url: ['https://example.invalid/a', 'https://example.invalid/b'], wait: 30 })
  ).structured as unknown as SavedMany;
  expect(items).toHaveLength(2);
  for (const { status } of items) expect(['failed', 'pending']).toContain(status);
});

test('a write-only caller learns no more about several items than about one', async () => {
  const writer = { ...localCaller(), permissions: new Set(['content:write'] as const) };
  const some = await connectInMemory(testServer.app, undefined, undefined, writer);
  const { structured } = await some.call('save_content', {
    urls: ['https://example.com/1', 'https://example.com/new'],
  });
  await some.close();
  expect(structured).toMatchObject({ items: [{ id: ids[1], outcome: 'existed' }, { outcome: 'created' }], saved: 2 });
  expect(JSON.stringify(structured)).not.toContain('T1');
});
