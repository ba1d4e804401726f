import { afterEach, beforeEach, expect, test } from 'vitest';
import { localAccountId, localCaller, scopes, type Scope } from '../../src/domain/records/account.ts';
import { permissionsOfScopes } from '../../src/domain/access/permission.ts';
import { openTestServer } from '../support/test-server.ts';
import { connectInMemory, type TestClient } from '../support/mcp.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import { httpParts } from '../support/http.ts';

let testServer: Awaited<ReturnType<typeof openTestServer>>;
let client: TestClient;

beforeEach(async () => {
  testServer = await openTestServer();
  client = await connectInMemory(testServer.app);
});
afterEach(async () => {
  await client.close();
  await testServer.close();
});

const call = async <T>(tool: string, input: object, by = client): Promise<T> => {
  const { text, isError } = await by.call(tool, { ...input });
  if (isError) throw new Error(text);
  return JSON.parse(text) as T;
};

interface Undoable {
  id: string;
  undo?: string;
}

test('every write answers with an undo id, unless it changes nothing', async () => {
  const saved = await call<Undoable>('save_content', { title: 'Boiler', text: 'Serviced in May.', tags: ['house'] });
  const edited = await call<Undoable>('update_content', { id: saved.id, notes: 'mine' });
  const many = await call<Undoable>('update_contents', { ids: [saved.id], addTags: ['x'] });
  const renamed = await call<Undoable>('rename_tag', { from: 'house', to: 'home' });
  const goal = await call<Undoable>('add_goal', { title: 'Save', category: 'Wealth' });
  const changed = await call<Undoable>('update_goal', { id: goal.id, description: 'Ten percent' });
  const deleted = await call<Undoable>('delete_content', { id: saved.id });
  const restored = await call<Undoable>('restore_content', { id: saved.id });
  const handles = [saved, edited, many, renamed, goal, changed, deleted, restored].map(({ undo }) => undo ?? '');
  expect(new Set(handles).size).toBe(8);
  for (const handle of handles) expect(handle).toMatch(/^x_[a-z2-7]{16}$/);
  expect(await call('update_content', { id: saved.id, notes: 'mine' })).not.toHaveProperty('undo');
  expect(await call('add_goal', { title: 'Save', category: 'Wealth', description: 'Ten percent' })).not.toHaveProperty(
    'undo',
  );
  for (const handle of handles.toReversed()) {
    expect(await call('undo', { id: handle })).toMatchObject({ id: handle, outcome: 'undone' });
  }
  expect(await call('list_content', {})).toMatchObject({ total: 0 });
  expect(await call('list_goals', {})).toMatchObject({ total: 0 });
  const history = await call<{ total: number; items: { operation: string }[] }>('history', {});
  expect(history.total).toBe(16);
  expect(history.items.slice(8).map(({ operation }) => operation)).toEqual([
    'restore_content',
    'delete_content',
    'update_goal',
    'add_goal',
    'rename_tag',
    'update_contents',
    'update_content',
    'save_content',
  ]);
});

test('over MCP only a caller with the undo tool gets the id, and over REST every caller', async () => {
  const core = await connectInMemory(testServer.app, undefined, ['core']);
  expect(await call('save_content', { title: 'A', text: 'Of one.' }, core)).not.toHaveProperty('undo');
  await core.close();
  const rest: HttpServer = await createHttpServer(httpParts(testServer.app));
  const { token } = await testServer.app.access.createToken({ account: localAccountId, name: 'phone', scopes });
  const answer = await rest.app.request('/content', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://example.com/page' }),
  });
  expect(answer.status).toBe(201);
  const { undo = '', id } = (await answer.json()) as Undoable;
  expect(await call('history', { id: undo })).toMatchObject({
    items: [
      {
        id: undo,
        face: 'rest',
        by: 'phone',
        operation: 'save_content',
        changes: [{ id, field: 'saved', after: 'https://example.com/page' }],
      },
    ],
  });
});

test.each<[Scope, string]>([
  ['goals:write', 'add_goal'],
  ['actions:write', 'complete_action'],
])('without %s, nothing that required it is undone', async (scope) => {
  const goal = await call<Undoable>('add_goal', { title: 'Save', category: 'Wealth' });
  const caller = { ...localCaller(), permissions: permissionsOfScopes(scopes.filter((one) => one !== scope)) };
  const lesser = await connectInMemory(testServer.app, undefined, undefined, caller);
  const { isError, text } = await lesser.call('undo', { id: goal.undo });
  expect([isError, text.includes('goals:write')]).toEqual([scope === 'goals:write', scope === 'goals:write']);
  await lesser.close();
});

test('a write-only caller gets no undo id, which would reveal whether something existed before', async () => {
  const caller = { ...localCaller(), permissions: permissionsOfScopes(['content:write']) };
  const writer = await connectInMemory(testServer.app, undefined, undefined, caller);
  expect(await call('save_content', { title: 'Boiler', text: 'Serviced in May.' }, writer)).not.toHaveProperty('undo');
  expect((await writer.listTools()).map(({ name }) => name)).not.toContain('undo');
  await writer.close();
});

test('texts of the history are shortened for a model, but not in the record', async () => {
  const saved = await call<Undoable>('save_content', { title: 'Boiler', text: 'Serviced in May.' });
  const notes = 'n'.repeat(9_000);
  const { undo = '' } = await call<Undoable>('update_content', { id: saved.id, notes });
  const { text } = await client.call('history', { id: undo });
  expect(text.length).toBeLessThan(1_000);
  const whole = await testServer.app.services.history.list(localAccountId, {
    id: undo,
    limit: 1,
    offset: 0,
    permissions: permissionsOfScopes(scopes),
  });
  expect(whole.items[0]?.changes).toMatchObject([{ field: 'notes', before: null, after: notes }]);
});

test('without days of history nothing is recorded', async () => {
  const off = await openTestServer({ historyDays: 0 });
  const some = await connectInMemory(off.app);
  const { undo } = await call<Undoable>('add_goal', { title: 'Save', category: 'Wealth' }, some);
  expect(undo).toBeUndefined();
  expect(await call('history', {}, some)).toMatchObject({ total: 0 });
  await some.close();
  await off.close();
});
