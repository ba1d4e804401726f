import { afterAll, beforeAll, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import type { ContentItem } from '../../../src/domain/records/content.ts';
import type { TextPage } from '../../../src/services/library/item-page.ts';
import { openTestServer } from '../../support/test-server.ts';
import { connectInMemory, type TestClient } from '../../support/mcp.ts';

let testServer: Awaited<ReturnType<typeof openTestServer>>;
let client: TestClient;

beforeAll(async () => {
  testServer = await openTestServer({ embedder: 'none' });
  client = await connectInMemory(testServer.app);
});
afterAll(async () => {
  await client.close();
  await testServer.close();
});

const call = async <T>(tool: string, input: object): Promise<T> => {
  const { text, isError } = await client.call(tool, input);
  expect(isError, text).toBe(false);
  return JSON.parse(text) as T;
};
const stored = (id: string): Promise<ContentItem> => testServer.app.services.library.get(localAccountId, id);
const process = () => testServer.app.worker.runUntilEmpty();
const boiler = { title: 'The boiler', text: 'The plumber serviced the boiler in May. His number is 0211-4711.' };

interface Saved {
  id: string;
  outcome: string;
}

it('a note is an item without an address', async () => {
  const saved = await call<Saved & ContentItem>('save_content', { ...boiler, tags: ['house'] });
  expect(saved).toMatchObject({ outcome: 'created', title: 'The boiler', status: 'pending' });
  await process();
  const item = await stored(saved.id);
  expect(item).toMatchObject({
    url: null,
    canonicalUrl: null,
    contentType: 'text',
    status: 'completed',
    title: 'The boiler',
    tags: ['house'],
    transcript: boiler.text,
    language: 'en',
  });
  for (const { url } of [...item.keyInsights, ...item.actions]) expect(url).toBeNull();
  expect(JSON.stringify(item)).not.toContain('note:');
  expect(await call('list_content', { contentType: 'text' })).toMatchObject({ items: [{ id: saved.id }], total: 1 });
});

it('a note with the same title and text is the same item, whatever was added', async () => {
  const again = await call<Saved>('save_content', { ...boiler, tags: ['repairs'] });
  expect(again).toMatchObject({ outcome: 'existed', tags: ['house', 'repairs'] });
  const other = await call<Saved>('save_content', { ...boiler, title: 'Another' });
  expect(other).toMatchObject({ outcome: 'created' });
  expect(other.id).not.toBe(again.id);
  await call('delete_content', { id: other.id });
  expect(await call('save_content', { ...boiler, title: 'Another' })).toMatchObject({
    outcome: 'restored',
    id: other.id,
  });
  await call('delete_content', { id: other.id });
});

it('a note is found, and research clients get its resource as the address', async () => {
  const { results } = await call<{ results: (Saved & { url: string; passages: object[] })[] }>('search', {
    query: 'plumber number',
  });
  const [hit] = results;
  expect(hit).toMatchObject({ title: 'The boiler', url: `commonplace://content/${hit?.id}` });
  expect(hit?.passages).toEqual([{ text: boiler.text }]);
  const page = await call<TextPage>('fetch', { id: hit?.id });
  expect(page).toMatchObject({ url: hit?.url, text: boiler.text });
  expect(await client.readResource(page.url)).toContain('The boiler');
  const full = await call<{ results: { url: null; passages: { url: null }[] }[] }>('search', {
    query: 'plumber number',
    detail: 'full',
  });
  expect(full.results[0]).toMatchObject({ url: null, passages: [{ url: null }] });
});

it('a note can get a new text, and its first text then makes another note', async () => {
  const { id } = await call<Saved>('save_content', boiler);
  const text = 'The plumber serviced the boiler in June.\n\nHe said: replace the valve.';
  expect(await call('update_content', { id, text, tags: ['house'] })).toMatchObject({ id, status: 'pending' });
  expect((await stored(id)).transcript).toBe(boiler.text);
  await process();
  expect(await stored(id)).toMatchObject({ title: 'The boiler', transcript: text, tags: ['house'], url: null });
  const first = await call<Saved>('save_content', boiler);
  expect(first).toMatchObject({ outcome: 'created' });
  const twin = await client.call('update_content', { id, text: boiler.text });
  expect(twin).toMatchObject({ isError: true, text: expect.stringContaining(first.id) });
  await process();
  expect((await stored(id)).transcript).toBe(text);
  await call('delete_content', { id: first.id });
});

it('a note without a title is named by its first heading or line', async () => {
  const titleOf = async (text: string) => {
    const { id } = await call<Saved>('save_content', { text });
    await process();
    return (await stored(id)).title;
  };
  expect(await titleOf('Buy *milk* and bread\nbefore noon')).toBe('Buy milk and bread');
  expect(await titleOf('Some words.\n\n# A heading\n\nMore words.')).toBe('A heading');
  expect(await titleOf('0:05 begin\n0:10 go on\n0:20 end\n0:30 stop')).toBe('0:05 begin');
  expect(await titleOf('word '.repeat(60))).toMatch(/^(?:word ){10,}.*…$/);
});

it.each([
  [{}, 'url is missing: give the address of a page, or the text of a note'],
  [{ title: 'Alone' }, 'url is missing: give the address of a page, or the text of a note'],
  [{ html: '<p>Text</p>' }, 'html and captions belong to a page'],
  // Blank is the same as not given.
  [{ text: '  \u200b ' }, 'the text of a note'],
])('%j is refused', async (input, words) => {
  expect(await client.call('save_content', input)).toMatchObject({
    isError: true,
    text: expect.stringContaining(words),
  });
});

it('only notes can get another text', async () => {
  const { id } = await call<Saved>('save_content', { url: 'https://example.org/page', text: 'The text of a page.' });
  expect(await client.call('update_content', { id, text: 'Another' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('only for notes'),
  });
  expect(await client.call('update_content', { id: 'c_aaaaaaaaaaaaaaaa', text: 'Another' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('no saved item'),
  });
});

it("a note gives its tasks, and an edited one gives new ones and keeps a person's changes", async () => {
  const { id } = await call<Saved>('save_content', {
    title: 'Saturday',
    text: '- [ ] Renew the library card\n- [ ] Ask Tom for the drill back\n- [x] Pay the gym',
  });
  await process();
  const before = (await stored(id)).actions;
  expect(before.map(({ title, state }) => [title, state])).toEqual([
    ['Renew the library card', 'open'],
    ['Ask Tom for the drill back', 'open'],
  ]);
  await call('update_action', { id: before[0]!.id, state: 'done' });
  await call('update_content', { id, text: '- [ ] Call the plumber\n- [x] Ask Tom for the drill back' });
  await process();
  expect((await stored(id)).actions.map(({ title, state }) => [title, state]).sort()).toEqual([
    ['Call the plumber', 'open'],
    ['Renew the library card', 'done'],
  ]);
});
