import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HeldTo } from '../../../src/domain/access/held.ts';
import { permissions } from '../../../src/domain/access/permission.ts';
import { localAccountId, localCaller } from '../../../src/domain/records/account.ts';
import { newId } from '../../../src/domain/records/ids.ts';
import { mounts } from '../../../src/http/listen.ts';
import { captureRoute } from '../../../src/http/rest/capture.ts';
import { fileRoutes } from '../../../src/http/rest/file-routes.ts';
import { apiV1Routes, fixedRoutes, type Route } from '../../../src/http/rest/routes.ts';
import { inputSchema } from '../../../src/operations/call.ts';
import { lookUpPage } from '../../../src/operations/capture.ts';
import { operations } from '../../../src/operations/index.ts';
import type { Store } from '../../../src/store/store.ts';
import { addFinishedItem, emptyAnalysis, paragraphs } from '../../support/content.ts';
import { type Answer, type HttpTestServer, openHttpServer } from '../../support/http.ts';
import { mcpMessage } from '../../support/access/keys.ts';
import { tools } from '../../support/api/operations.ts';
import { PostgresServer } from '../../support/postgres/server.ts';

/*
 * A key that is restricted to the tag `work` in a library with a diary. Every operation is called on every interface, with ids
 * and words of the diary. What it reads has to be the same before the diary is there and afterwards, to the last score
 * and count. What it writes has to leave the diary as it was.
 */

/** `tests/store/postgres/held.test.ts` sets it: the library is in a database then. */
const isOnPostgres = process.env['TEST_ENGINE'] === 'postgres';
const heldTo: HeldTo = { lists: [], tags: ['Work'] };

interface Ids {
  /** An item that the key knows. */
  own: string;
  content: string;
  deleted: string;
  action: string;
  goal: string;
  highlight: string;
  list: string;
  change: string;
  key: string;
  address: string;
}

/** Each stands in one place of the diary. No input has them whole but where it is said. */
const markers = {
  text: 'zanzibar',
  title: 'quixote',
  tag: 'mauveness',
  note: 'petrichor',
  highlight: 'sonderkin',
  list: 'serendib',
  action: 'labyrinth',
  goal: 'halcyon',
  query: 'ephemera',
  author: 'Wolkenstein',
  deleted: 'obsidian',
};

const nowhere = (own = ''): Ids => ({
  own,
  content: newId('c'),
  deleted: newId('c'),
  action: newId('a'),
  goal: newId('g'),
  highlight: newId('h'),
  list: newId('l'),
  change: newId('x'),
  key: newId('k'),
  address: 'https://example.com/nowhere',
});

type Inputs = readonly Record<string, unknown>[];
/** What an operation is asked about records that the key does not know. An operation that is missing here fails the test. */
const aims: Readonly<Record<string, (of: Ids) => Inputs>> = {
  search: ({ address }) => [
    ...Object.values(markers).map((query) => ({ query })),
    // Misspelt, half typed, as a phrase, by other fields, and what both have.
    { query: 'zanzibr' },
    { query: 'quixot' },
    { query: 'zanzi' },
    { query: '"zanzibar"' },
    { query: 'wether forecast' },
    { query: 'weather' },
    { query: 'weather boiler zanzibar' },
    { query: 'Wolkenstein weather' },
    { query: 'tag:mauveness' },
    { query: 'goal:halcyon' },
    { query: 'list:"List of serendib"' },
    { query: 'list:*' },
    { query: 'site:diary.example' },
    { query: 'weather -zanzibar' },
    { query: 'last week' },
    { query: 'weather', filters: { tags: ['mauveness'] } },
    { query: address },
  ],
  save_contents: ({ address }) => [{ urls: [address, `${address}/2`], notes: 'mine' }],
  fetch: ({ content, deleted, address }) => [{ id: content }, { id: deleted }, { id: address }],
  count_items: () => [{}],
  list_content: () => [
    ...[
      'goal:halcyon',
      'goal:*',
      'list:"List of serendib"',
      'list:*',
      'zanzibar',
      'tag:mau*',
      'author:Wolken*',
      '-tag:work',
      'is:inbox has:action',
    ].map((query) => ({ query })),
    {},
    { tags: ['mauveness'] },
    { status: 'completed' },
    { contentType: 'article' },
    { limit: 1 },
  ],
  get_content: ({ content, deleted, action }) => [
    { id: content },
    { id: deleted },
    { id: action },
    { ids: [content, deleted] },
  ],
  save_content: ({ address }) => [{ url: address, tags: ['own'], notes: 'mine' }],
  add_note: () => [{ title: 'A note', text: 'A secret note.' }],
  list_actions: ({ content, goal }) => [{}, { contentId: content }, { goalId: goal }, { completed: false, limit: 1 }],
  list_pending_actions: () => [{}],
  list_goal_actions: ({ goal }) => [{ id: goal }],
  complete_action: ({ action }) => [{ id: action }],
  update_action: ({ action, goal }) => [
    { id: action, state: 'dismissed' },
    { id: action, title: 'mine' },
    { id: action, goalId: goal },
  ],
  add_action: ({ content, goal }) => [
    { contentId: content, title: 'mine' },
    { contentId: content, title: 'mine', goalId: goal },
  ],
  list_goals: () => [{}],
  add_goal: () => [{ title: 'Goal of halcyon', category: 'Wealth' }],
  update_goal: ({ goal }) => [{ id: goal, title: 'mine' }],
  update_content: ({ content, deleted }) => [
    { id: content, tags: ['Work'] },
    { id: content, tags: ['work', 'more'] },
    { id: content, title: 'mine', notes: 'mine' },
    { id: deleted, title: 'mine' },
    { id: content, shelf: 'archive', read: true },
  ],
  update_contents: ({ content, deleted }) => [
    { ids: [content, deleted], addTags: ['Work'] },
    { ids: [content], notes: 'mine' },
  ],
  refresh_content: ({ content, deleted }) => [{ ids: [content, deleted] }, { query: 'mauveness' }],
  list_versions: ({ content }) => [{ id: content }],
  get_version: ({ content }) => [{ id: content, version: 1 }],
  restore_version: ({ content }) => [{ id: content, version: 1 }],
  update_reading: ({ content }) => [{ id: content, start: 1, share: 0.5 }],
  delete_content: ({ content }) => [{ id: content }],
  restore_content: ({ deleted }) => [{ id: deleted }],
  next_to_analyse: ({ content }) => [{}, { cursor: `${content}.x.0` }],
  submit_analysis: ({ content }) => [{ id: content, lease: 'x', summary: 'It is mine.', insights: [], actions: [] }],
  list_tags: () => [{}, { limit: 1 }],
  rename_tag: () => [
    { from: 'mauveness', to: 'work' },
    { from: 'mauveness', to: 'mine' },
  ],
  list_lists: () => [{}],
  get_list: ({ list }) => [{ id: list }, { id: 'List of serendib' }],
  add_list: () => [{ name: 'Mine' }, { name: 'List of serendib', icon: 'x' }, { name: 'Mine', query: 'tag:mauveness' }],
  update_list: ({ list }) => [{ id: list, name: 'Mine' }],
  delete_list: ({ list }) => [{ id: list }],
  put_in_list: ({ list, content }) => [{ id: list, contentIds: [content] }],
  take_from_list: ({ list, content }) => [{ id: list, contentIds: [content] }],
  list_sources: () => [{}],
  get_source: () => [{ id: 'f_aaaaaaaaaaaaaaaa' }],
  follow: () => [{ address: 'http://127.0.0.1:9/feed' }],
  update_source: () => [{ id: 'f_aaaaaaaaaaaaaaaa', state: 'paused' }],
  delete_source: () => [{ id: 'f_aaaaaaaaaaaaaaaa' }],
  check_source: () => [{ id: 'f_aaaaaaaaaaaaaaaa' }],
  list_source_entries: () => [{ id: 'f_aaaaaaaaaaaaaaaa' }],
  open_source_entry: () => [{ id: 'f_aaaaaaaaaaaaaaaa', key: 'x' }],
  change_list: ({ list, content }) => [
    { list, add: [content] },
    { list, delete: true },
    { list: 'Mine', add: [content] },
  ],
  list_highlights: ({ content }) => [{}, { contentId: content }, { query: 'sonder' }],
  add_highlight: ({ content }) => [{ contentId: content, quote: 'weather' }],
  update_highlight: ({ highlight }) => [{ id: highlight, note: 'mine' }],
  delete_highlight: ({ highlight }) => [{ id: highlight }],
  related: ({ content, own }) => [{ id: content }, { id: own }],
  suggest: () => ['', 'q', 'zan', 'mau', 'eph', 'Page', 'weather'].map((prefix) => ({ prefix })),
  forget_queries: () => [{}],
  history: ({ content, change }) => [{}, { id: content }, { id: change }],
  undo: ({ change }) => [{ id: change }, { id: change, force: true }],
  list_imports: () => [{}],
  get_import: () => [{ id: newId('j') }],
  cancel_import: () => [{ id: newId('j') }],
  resume_import: () => [{ id: newId('j') }],
  delete_import: () => [{ id: newId('j') }],
  start_import: () => [{ name: 'list.txt' }],
  get_import_report: () => [{ id: newId('j') }],
  start_export: () => [{ format: 'jsonl' }],
  list_exports: () => [{}],
  get_export: () => [{ id: newId('j') }],
  get_export_file: () => [{ id: newId('j') }],
  delete_export: () => [{ id: newId('j') }],
  list_keys: () => [{}],
  get_key: ({ key }) => [{ id: key }],
  create_key: () => [
    { name: 'wider', permissions: ['content:read'], heldTo: { tags: ['mauveness'] } },
    { name: 'wider', permissions: ['content:read'], heldTo: { tags: ['work', 'mauveness'] } },
  ],
  rotate_key: ({ key }) => [{ id: key }],
  revoke_key: ({ key }) => [{ id: key }],
  capture: () => [{}],
  look_up_page: ({ address }) => [{ url: address }],
};

let database: PostgresServer | null = null;
let testServer: HttpTestServer;
let store: Store;
/** The key that is held, and the ids of what it knows. */
let held: string;
let work: { first: string; second: string; action: string };
let diary: Ids;

/** Of every read, before the diary was there. */
const before = new Map<string, string>();
const fresh = nowhere();

async function item(name: string, more: { tags: string[]; text: string; author?: string }): Promise<string> {
  const quote = `Ask for the ${name} before Friday.`;
  const place = { start: more.text.length + 2, end: more.text.length + 2 + quote.length };
  return addFinishedItem(store, {
    url: `https://diary.example/${name}`,
    blocks: paragraphs(more.text, quote),
    about: { title: `Page of ${name}`, author: more.author ?? null, language: 'en' },
    tags: more.tags,
    notes: `Notes of ${name}`,
    analysis: {
      ...emptyAnalysis,
      summary: `Summary of ${name}`,
      actions: [
        {
          title: `Ask for the ${name}`,
          reason: null,
          quote,
          ...place,
          locator: { kind: 'text', ...place },
          url: null,
          goalId: null,
        },
      ],
    },
  });
}

beforeAll(async () => {
  const environment: Record<string, string> = {};
  if (isOnPostgres) {
    database = await PostgresServer.start();
    environment['COMMONPLACE_DATABASE_URL'] = (await database.createDatabase()).url;
  }
  const settings = { embedder: 'none', apiV1: true, manageTools: true, highlightTools: true, analyseTools: true };
  testServer = await openHttpServer(settings, { mounts }, {}, environment);
  store = await testServer.app.stores.open(localAccountId);
  const maker = localCaller();
  ({ secret: held = '' } = await testServer.app.services.keys.create(maker, { name: 'held', permissions, heldTo }));
  work = {
    first: await item('boiler', { tags: ['work'], text: 'The weather and the boiler, says a zanzibarian forecast.' }),
    second: await item('budget', {
      tags: ['WORK', 'money'],
      text: 'The budget of the year, and weather of all kinds.',
    }),
    action: '',
  };
  work.action = (await store.listActions({ contentId: work.first, offset: 0 })).items[0]?.id ?? '';
  await store.addHighlight({ contentId: work.first, quote: 'The weather' });
  fresh.own = work.first;
  for (const [name, answer] of await everyRead(fresh)) before.set(name, answer);
  diary = await writeDiary();
});
afterAll(async () => {
  await testServer.close();
  await database?.stop();
});

async function writeDiary(): Promise<Ids> {
  const goal = await store.addGoal({ title: `Goal of ${markers.goal}`, category: 'Health' });
  const content = await item(markers.title, {
    tags: [markers.tag, 'private'],
    text: `A sentence about ${markers.text} and the weather, the weather, and the boiler.`,
    author: markers.author,
  });
  const deleted = await item(markers.deleted, { tags: [markers.tag], text: 'Was thrown away in bad weather.' });
  await item(`more-${markers.title}`, { tags: ['private'], text: 'Weather forecast: boiler, budget, weather.' });
  await store.updateContent(content, { notes: `Rain and ${markers.note}` });
  await store.deleteContent(deleted);
  const action = await store.addAction({ contentId: content, title: `Leave the ${markers.action}`, goalId: goal.id });
  // It serves a goal now, which the key does not see.
  await store.updateAction(work.action, { goalId: goal.id });
  const highlight = await store.addHighlight({ contentId: content, quote: 'the boiler', note: markers.highlight });
  const { id: list } = await store.addList({ name: `List of ${markers.list}` });
  // A list of the diary may have what the key knows.
  await store.addToList(list, [content, work.first]);
  await store.rememberQuery(`${markers.query} of the soul`);
  const answer = await testServer.ask('/api/v1/content', {
    method: 'POST',
    body: { title: 'Mine', text: 'A secret note.', tags: ['private'] },
  });
  const key = await testServer.app.services.keys.create(localCaller(), { name: 'diary', permissions });
  return {
    own: work.first,
    content,
    deleted,
    action: action?.id ?? '',
    goal: goal.id,
    highlight: highlight?.id ?? '',
    list,
    change: (answer.body as { undo: string }).undo,
    key: key.id,
    address: `https://diary.example/${markers.title}`,
  };
}

const routes: readonly Route[] = [...fixedRoutes(operations), ...apiV1Routes(operations), ...fileRoutes];

function askRoute({ http, inPath, hasBody }: Route, input: Record<string, unknown>): Promise<Answer> {
  const path = http.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const others = Object.entries(input).filter(([name]) => !inPath.includes(name));
  const method = http.method.toUpperCase();
  if (hasBody) return testServer.ask(path, { method, token: held, body: Object.fromEntries(others) });
  const query = new URLSearchParams(others.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return testServer.ask(query === '' ? path : `${path}?${query}`, { method, token: held });
}

const rpc = (method: string, params: Record<string, unknown> = {}): Promise<Answer> =>
  testServer.ask('/mcp', { ...mcpMessage(method, params), token: held });

function aimsOf(name: string, of: Ids): Inputs {
  const made = aims[name];
  if (made === undefined) throw new Error(`${name} is not aimed at what a held key does not know: add it to the table`);
  return made(of);
}

/** An answer in which the ids that were asked about, times and what changes with each request are left out. */
function comparable({ status, headers, text }: Answer, of: Ids): string {
  const kept = [...headers].filter(([name]) => !['x-request-id', 'date', 'etag', 'content-length'].includes(name));
  let shown = JSON.stringify({ status, kept, text });
  for (const [name, value] of Object.entries(of)) shown = shown.replaceAll(value, `<${name}>`);
  return shown.replaceAll(/[jk]_[a-z2-7]{16}|<\/?saved [0-9a-f]+>/g, '<id>');
}

/** Without what is new in each answer of a write. */
const withoutNew = (text: string): string =>
  text
    .replaceAll(/[a-z]_[a-z2-7]{16}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/cpl_\w+/g, '<secret>');

const isRead = (name: string): boolean => {
  const operation = [...operations, lookUpPage].find((one) => one.name === name);
  return operation?.effects.readOnly ?? name.startsWith('get_');
};

/** Asks everything that reads, everywhere. @returns the answers by what was asked */
async function everyRead(of: Ids): Promise<[string, string][]> {
  const answers: [string, string][] = [];
  const add = async (name: string, answer: Promise<Answer>) => void answers.push([name, comparable(await answer, of)]);
  for (const route of routes.filter(({ name }) => isRead(name)))
    for (const [at, input] of aimsOf(route.name, of).entries())
      await add(`${route.http.method} ${route.http.path} ${at}`, askRoute(route, input));
  for (const { name } of tools.filter((tool) => isRead(tool.name)))
    for (const [at, input] of aimsOf(name, of).entries())
      await add(`tool ${name} ${at}`, rpc('tools/call', { name, arguments: input }));
  for (const [at, input] of aimsOf('look_up_page', of).entries())
    await add(`look up ${at}`, testServer.ask('/capture/look-up', { method: 'POST', token: held, body: input }));
  for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])
    await add(method, rpc(method));
  for (const path of ['content/{content}', 'content/{content}/transcript', 'content/{deleted}', 'goals']) {
    const uri = `commonplace://${path.replace('{content}', of.content).replace('{deleted}', of.deleted)}`;
    await add(`resource ${path}`, rpc('resources/read', { uri }));
  }
  for (const [name, given] of [
    ['weekly_review', {}],
    ['what_do_i_know_about', { topic: markers.text }],
    ['plan_from_goal', { goal: of.goal }],
  ] as const)
    await add(`prompt ${name}`, rpc('prompts/get', { name, arguments: given }));
  for (const typed of ['', 'q', 'zan', 'c_', 'mau', 'Page'])
    for (const [ref, argument] of [
      [{ type: 'ref/resource', uri: 'commonplace://content/{id}' }, 'id'],
      [{ type: 'ref/prompt', name: 'what_do_i_know_about' }, 'topic'],
      [{ type: 'ref/prompt', name: 'plan_from_goal' }, 'goal'],
    ] as const)
      await add(
        `complete ${argument} ${typed}`,
        rpc('completion/complete', { ref, argument: { name: argument, value: typed } }),
      );
  for (const path of ['/metrics', '/app', '/app/api/list_titles', `/app/originals/${of.content}`, '/content?limit=1'])
    await add(path.replace(of.content, ''), testServer.ask(path, { token: held }));
  return answers;
}

/** Everything of the diary, as its owner sees it. */
async function dump(): Promise<string> {
  const [goals, queries, actions, highlights] = await Promise.all([
    store.listGoals({ offset: 0 }),
    store.listPastQueries(),
    store.listActions({ contentId: diary.content, offset: 0 }),
    store.listHighlights({ contentId: diary.content, offset: 0 }),
  ]);
  const item = await store.getContent(diary.content);
  const lists = await store.listListsToExport();
  const trash = await store.listContent({ limit: 50, offset: 0, deleted: true });
  const versions = await store.getContentVersion(diary.content);
  const key = await testServer.app.services.keys.get(localAccountId, diary.key);
  const change = await store.listHistory({ id: diary.change, scopes: ['content:write'], limit: 1, offset: 0 });
  return JSON.stringify([goals, queries, actions, highlights, lists, item, trash, versions, key, change]);
}

function expectNothingOfDiary(text: string, input: unknown, name: string): void {
  const asked = JSON.stringify(input);
  const unsaid = [...Object.values(markers), diary.content, diary.deleted, diary.action, diary.highlight];
  for (const marker of unsaid.filter((one) => !asked.includes(one)))
    expect(text.toLowerCase(), name).not.toContain(marker.toLowerCase());
}

it('every operation with an interface has an entry', () => {
  const refused = [...operations, ...routes].flatMap((operation) =>
    aimsOf(operation.name, fresh)
      .filter(
        (input) => ![operation.input, inputSchema(operation, 'mcp')].some((schema) => schema.safeParse(input).success),
      )
      .map((input) => [operation.name, input]),
  );
  expect(refused).toEqual([]);
});

it('it reads the same before there is a diary and afterwards', async () => {
  for (const [name, answer] of await everyRead(diary)) expect(answer, name).toBe(before.get(name));
  expect(await store.listPastQueries()).toMatchObject([{ text: `${markers.query} of the soul` }]);
});

it('it reads what it is restricted to', async () => {
  const { body } = await testServer.ask('/content', { token: held });
  expect(body).toMatchObject({ total: 2, items: [{ id: work.second }, { id: work.first }] });
  const found = await testServer.ask('/search', { method: 'POST', token: held, body: { query: 'weather' } });
  expect((found.body as { results: { id: string }[] }).results.map(({ id }) => id).toSorted()).toEqual(
    [work.first, work.second].toSorted(),
  );
  expect((await testServer.ask('/actions', { token: held })).body).toMatchObject({ total: 2 });
  const whole = await testServer.ask('/content', {});
  expect((whole.body as { total: number }).total).toBeGreaterThan(3);
});

it('it writes nothing of the diary and learns nothing of it', async () => {
  const state = await dump();
  const none = nowhere(work.first);
  const told = async (name: string, input: unknown, ofDiary: Promise<Answer>, ofNone: Promise<Answer>) => {
    const [there, absent] = [await ofDiary, await ofNone];
    expect(there.status, `${name}: ${there.text}`).toBe(absent.status);
    expect(there.status, name).toBeLessThan(500);
    expect(withoutNew(comparable(there, diary)), name).toBe(withoutNew(comparable(absent, none)));
    expectNothingOfDiary(there.text + JSON.stringify([...there.headers]), input, name);
    expect(await dump(), name).toBe(state);
  };
  for (const route of routes.filter(({ name }) => !isRead(name))) {
    const absent = aimsOf(route.name, none);
    for (const [at, input] of aimsOf(route.name, diary).entries())
      await told(`${route.http.path} ${at}`, input, askRoute(route, input), askRoute(route, absent[at] ?? {}));
  }
  for (const { name } of tools.filter((tool) => !isRead(tool.name))) {
    const absent = aimsOf(name, none);
    for (const [at, input] of aimsOf(name, diary).entries())
      await told(
        `tool ${name} ${at}`,
        input,
        rpc('tools/call', { name, arguments: input }),
        rpc('tools/call', { name, arguments: absent[at] ?? {} }),
      );
  }
  for (const [url, other] of [[diary.address, none.address]] as const) {
    const sent = (address: string): FormData => {
      const form = new FormData();
      form.set('url', address);
      form.set('text', 'What I have in front of me.');
      return form;
    };
    const post = async (address: string) => {
      const request = new Request('http://localhost/capture', {
        method: 'POST',
        headers: { authorization: `Bearer ${held}` },
        body: sent(address),
      });
      const response = await testServer.server.app.fetch(request);
      return { status: response.status, headers: response.headers, text: await response.text(), body: null as never };
    };
    await told(captureRoute.name, url, post(url), post(other));
    await told(
      'capture/highlights',
      diary.content,
      testServer.ask('/capture/highlights', {
        method: 'POST',
        token: held,
        body: { contentId: diary.content, quote: 'the boiler' },
      }),
      testServer.ask('/capture/highlights', {
        method: 'POST',
        token: held,
        body: { contentId: newId('c'), quote: 'the boiler' },
      }),
    );
  }
});

describe('an address that is saved outside', () => {
  it('is saved again as if it were new, and found again', async () => {
    const save = (notes: string) =>
      testServer.ask('/content', {
        method: 'POST',
        token: held,
        body: { url: `https://diary.example/more-${markers.title}`, notes },
      });
    const first = await save('one');
    expect([first.status, first.body]).toEqual([
      201,
      expect.objectContaining({
        tags: ['Work'],
        canonicalUrl: `https://diary.example/more-${markers.title}`,
        notes: 'one',
        duplicateOf: null,
      }),
    ]);
    const again = await save('two');
    expect([again.status, (again.body as { id: string }).id]).toEqual([200, (first.body as { id: string }).id]);
    const own = await testServer.ask('/content', {
      method: 'POST',
      body: { url: `https://diary.example/more-${markers.title}` },
    });
    expect((own.body as { id: string }).id).not.toBe((first.body as { id: string }).id);
  });
});

describe('the restriction', () => {
  const change = (id: string, body: object) =>
    testServer.ask(`/api/v1/content/${id}`, { method: 'PUT', token: held, body });

  it('stays on its items', async () => {
    const refused = await change(work.first, { tags: ['money'] });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('restricted to')]);
    expect((await change(work.first, { tags: ['money', 'work'] })).status).toBe(200);
    expect((await change(work.first, { notes: 'more' })).status).toBe(200);
    const many = await testServer.ask('/api/v1/content/changes', {
      method: 'POST',
      token: held,
      body: { ids: [work.second], removeTags: ['Work'] },
    });
    expect(many.body).toMatchObject({ items: [{ outcome: 'refused' }] });
  });

  it('is not widened by keys that it creates', async () => {
    const make = (body: object) =>
      testServer.ask('/api/v1/keys', {
        method: 'POST',
        token: held,
        body: { name: 'another', permissions: ['content:read'], ...body },
      });
    expect((await make({})).body).toMatchObject({ heldTo });
    expect((await make({ heldTo: { tags: ['work'] } })).status).toBe(201);
    expect((await make({ heldTo: { tags: ['money'] } })).status).toBe(403);
    expect((await make({ heldTo: { lists: [newId('l')] } })).status).toBe(403);
  });

  it('can be a list as well, manual or by a query', async () => {
    const byHand = await store.addList({ name: 'At work' });
    await store.addToList(byHand.id, [work.first]);
    const byQuery = await store.addList({ name: 'Money', query: 'tag:money is:inbox' });
    const byWord = await store.addList({ name: 'Words', query: 'weather' });
    const idsOf = async (held: HeldTo) => {
      const token = await testServer.createToken({ heldTo: held });
      const answers = [
        await testServer.ask('/content', { token }),
        await testServer.ask('/search', { method: 'POST', token, body: { query: 'weather' } }),
      ];
      const [listed, found] = answers.map(
        ({ body }) => body as { items?: { id: string }[]; results?: { id: string }[] },
      );
      expect(found?.results?.map(({ id }) => id).toSorted()).toEqual(listed?.items?.map(({ id }) => id).toSorted());
      return listed?.items?.map(({ id }) => id).toSorted();
    };
    expect(await idsOf({ lists: [byHand.id], tags: [] })).toEqual([work.first]);
    expect(await idsOf({ lists: [byQuery.id], tags: [] })).toEqual([work.first, work.second].toSorted());
    expect(await idsOf({ lists: [byHand.id, byQuery.id], tags: [] })).toHaveLength(2);
    const follower = await testServer.createToken({ heldTo: { lists: [byQuery.id], tags: [] } });
    const shown = { name: 'Money', query: null, items: 2 };
    expect((await testServer.ask('/api/v1/lists', { token: follower })).body).toMatchObject({ items: [shown] });
    expect((await testServer.ask('/api/v1/lists/money', { token: follower })).body).toMatchObject(shown);
    // The words of pages, which strangers write, hold nothing, nor does a list that is gone.
    const gone = await store.addList({ name: 'Gone' });
    const byGone = await store.addList({ name: 'Follows', query: 'list:gone' });
    await store.deleteList(gone.id);
    for (const { id } of [byWord, byGone]) {
      const made = testServer.createToken({ heldTo: { lists: [byHand.id, id], tags: [] } });
      await expect(made).rejects.toMatchObject({ code: 'invalid_input' });
      const key = testServer.app.services.keys.create(localCaller(), {
        name: 'follower',
        permissions: ['content:read'],
        heldTo: { lists: [id], tags: [] },
      });
      await expect(key).rejects.toMatchObject({ code: 'invalid_input' });
    }
    const byTag = await store.addList({ name: 'Weather', query: 'tag:money' });
    const later = await testServer.createToken({ heldTo: { lists: [byTag.id], tags: [] } });
    await store.updateList(byTag.id, { query: 'weather' });
    expect((await testServer.ask('/content', { token: later })).body).toMatchObject({ total: 0 });
    const token = await testServer.createToken({ heldTo: { lists: [byHand.id], tags: [] } });
    const save = (key: string) =>
      testServer.ask('/content', { method: 'POST', token: key, body: { url: 'https://example.com/in-a-list' } });
    const saved = await save(token);
    expect(saved.status).toBe(201);
    expect((await testServer.ask('/content', { token })).body).toMatchObject({ total: 2 });
    const follows = await testServer.createToken({ heldTo: { lists: [byQuery.id], tags: [] } });
    expect((await save(follows)).status).toBe(403);
    const out = { ids: [work.second], removeTags: ['money'] };
    const refused = await testServer.ask('/api/v1/content/changes', { method: 'POST', token: follows, body: out });
    expect(refused.body).toMatchObject({ items: [{ outcome: 'refused' }] });
    await store.deleteList(byHand.id);
    expect((await testServer.ask('/content', { token })).body).toMatchObject({ total: 0 });
  });

  it('shows nothing when its list is gone', async () => {
    const token = await testServer.createToken({ heldTo: { lists: [newId('l')], tags: ['never-was'] } });
    expect((await testServer.ask('/content', { token })).body).toMatchObject({
      total: 0,
      items: [],
    });
    const found = await testServer.ask('/search', { method: 'POST', token, body: { query: 'weather' } });
    expect(found.body).toMatchObject({
      results: [],
      coverage: { searchable: 0 },
      hint: 'Nothing that this token may see is saved yet.',
    });
  });
});
