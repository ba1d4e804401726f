import { afterAll, beforeAll, expect, test } from 'vitest';
import { localAccountId } from '../../src/domain/records/account.ts';
import { addFinishedItem, paragraphs } from '../support/content.ts';
import { openTestServer } from '../support/test-server.ts';
import { connectInMemory, type TestClient } from '../support/mcp.ts';

/* An assistant tidies up a library. */

let testServer: Awaited<ReturnType<typeof openTestServer>>;
let client: TestClient;
const ids: string[] = [];

beforeAll(async () => {
  testServer = await openTestServer({ embedder: 'none', workers: 0 });
  client = await connectInMemory(testServer.app);
  const store = await testServer.app.stores.open(localAccountId);
  for (const [index, tags] of [['Sleep'], ['sleeping'], []].entries()) {
    const about = { title: `Page ${index}` };
    const blocks = paragraphs(`The text of page ${index}, which says something else than the others do.`);
    ids.push(await addFinishedItem(store, { url: `https://example.com/${index}`, blocks, about, tags }));
  }
});
afterAll(async () => {
  await client.close();
  await testServer.close();
});

const call = async (tool: string, input: object): Promise<unknown> => {
  const { text, isError } = await client.call(tool, input);
  expect(isError, text).toBe(false);
  return JSON.parse(text);
};

test('one call changes tags, notes and titles of many items, and reports what it could not change', async () => {
  const [one, two, three] = ids;
  const titles = [
    { id: three, title: 'Third' },
    { id: 'c_aaaaaaaaaaaaaaaa', title: 'Nobody' },
  ];
  const answer = await call('update_contents', {
    ids: [one, two],
    addTags: ['health'],
    removeTags: ['SLEEPING'],
    titles,
  });
  expect(answer).toMatchObject({
    changed: 3,
    failed: [{ id: 'c_aaaaaaaaaaaaaaaa', outcome: 'not_found', message: expect.stringContaining('no saved item') }],
  });
  const { items } = (await call('list_content', {})) as { items: object[] };
  expect(items).toMatchObject([
    { id: three, title: 'Third' },
    { id: two, title: 'Page 1', tags: ['health'] },
    { id: one, title: 'Page 0', tags: ['Sleep', 'health'] },
  ]);
  expect(await call('update_contents', { ids: [three], clear: ['title'] })).toMatchObject({ changed: 1 });
  expect(await call('update_contents', { ids: [one], notes: 'Read again' })).toMatchObject({ changed: 1 });
  expect(await call('get_content', { id: one })).toMatchObject({ notes: 'Read again' });
});

test.each([
  [{ addTags: ['x'] }, 'ids are missing'],
  [{}, 'Nothing to change'],
  [{ ids: ['c_aaaaaaaaaaaaaaaa'] }, 'Nothing to change'],
])('%j is refused', async (input, words) => {
  expect(await client.call('update_contents', input)).toMatchObject({
    isError: true,
    text: expect.stringContaining(words),
  });
});

test('an action without an item is stored with a new note, and undo removes both', async () => {
  const goal = (await call('add_goal', { title: 'See the world', category: 'Relationships' })) as { id: string };
  const added = (await call('add_action', { title: 'Renew the passport', goalId: goal.id, due: '2026-03-31' })) as {
    id: string;
    contentId: string;
    undo: string;
  };
  expect(added).toMatchObject({ goalId: goal.id, due: '2026-03-31' });
  expect(await call('get_content', { id: added.contentId })).toMatchObject({
    actions: [{ id: added.id, title: 'Renew the passport', due: '2026-03-31' }],
  });
  expect(await call('list_actions', { goalId: goal.id })).toMatchObject({
    items: [{ id: added.id, title: 'Renew the passport', due: '2026-03-31' }],
  });
  await call('undo', { id: added.undo });
  expect(await call('list_actions', { goalId: goal.id })).toMatchObject({ total: 0 });
  expect((await client.call('get_content', { id: added.contentId })).text).toContain('no saved item');
  expect((await client.call('add_action', { title: 'Pack', goalId: 'g_aaaaaaaaaaaaaaaa' })).text).toContain('no goal');
  expect((await client.call('add_action', { title: 'Pack', contentId: added.contentId })).text).toContain('no item');
});

test('an assistant lists the inbox, moves items to later, archives and marks them as read, and undoes it', async () => {
  const [one, two] = ids;
  const inbox = async () => {
    const { items } = (await call('list_content', { query: 'is:inbox' })) as { items: { id: string }[] };
    return items.map(({ id }) => id);
  };
  expect(await inbox()).toEqual(ids.toReversed());
  const { undo } = (await call('update_contents', { ids: [one, two], shelf: 'archive', read: true })) as {
    undo: string;
  };
  expect(await call('update_contents', { ids: [two], shelf: 'later' })).toMatchObject({ changed: 1 });
  expect(await inbox()).toEqual(ids.slice(2));
  expect(await call('get_content', { id: two })).toMatchObject({
    shelf: 'later',
    readAt: expect.any(String) as string,
  });
  expect(await call('undo', { id: undo })).toMatchObject({
    outcome: 'changed_since',
    conflicts: [{ id: two, field: 'shelf', now: 'later' }],
  });
  expect(await call('undo', { id: undo, force: true })).toMatchObject({ outcome: 'undone' });
  expect(await inbox()).toEqual(ids.toReversed());
});
