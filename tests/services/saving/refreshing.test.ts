import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newChange } from '../../../src/domain/records/change.ts';
import { localAccountId as account, localCaller } from '../../../src/domain/records/account.ts';
import type { App } from '../../../src/app/app.ts';
import type { ContentItem } from '../../../src/domain/records/content.ts';
import { articlePage, serve, startSite, type Route, type Site } from '../../support/servers/site.ts';
import { until } from '../../support/vitest/workers.ts';
import { createSystemClock } from '../../../src/workers/system-clock.ts';
import { openTestServer } from '../../support/test-server.ts';

let server: Awaited<ReturnType<typeof openTestServer>>;
let app: App;
let site: Site;
let pages = 0;
/** By how much the clock is advanced. */
let laterMs = 0;
let path = '';

beforeAll(async () => {
  site = await startSite();
  const clock = createSystemClock();
  const later = { ...clock, now: () => clock.now() + laterMs };
  server = await openTestServer({ embedder: 'none', webArchive: 'off' }, { clock: later });
  ({ app } = server);
});
afterAll(async () => {
  await server.close();
  await site.close();
});
beforeEach(() => {
  pages += 1;
  path = `/page-${pages}`;
});

const library = () => app.services.library;
const signal = new AbortController().signal;
const writer = (operation = 'refresh_content') => ({
  account,
  change: newChange({ face: 'rest', by: 'x', operation, scopes: ['content:write'] }),
});

/** Twenty paragraphs, of which one says the price. */
const article = (price: number, more: readonly string[] = []): string =>
  articlePage('A hotel by the sea', [
    `The room costs ${price} in the week of the ${pages}th fair, breakfast included.`,
    ...Array.from(
      { length: 20 },
      (_, at) =>
        `Paragraph ${at} tells how the house number ${pages} stands above the bay, with a garden and old trees.`,
    ),
    ...more,
  ]);

async function saved(route: Route): Promise<string> {
  site.routes.set(path, route);
  const { id } = await library().save(account, { url: site.url + path }, { signal });
  await app.worker.runUntilEmpty();
  expect(await library().get(account, id)).toMatchObject({ status: 'completed' });
  return id;
}

async function refreshed(id: string, route?: Route): Promise<ContentItem> {
  if (route !== undefined) site.routes.set(path, route);
  expect(await library().refresh(writer(), { ids: [id] })).toMatchObject({ queued: 1 });
  await app.worker.runUntilEmpty();
  return library().get(account, id);
}

const textOf = async (id: string) => (await library().get(account, id)).transcript ?? '';
const history = async (id: string) =>
  (await app.services.history.list(account, { id, limit: 50, offset: 0, permissions: localCaller().permissions }))
    .items;

it.each([
  ['etag', { etag: '"a"' }, 'if-none-match', '"a"'],
  [
    'last-modified',
    { 'last-modified': 'Mon, 02 Mar 2026 06:30:42 GMT' },
    'if-modified-since',
    'Mon, 02 Mar 2026 06:30:42 GMT',
  ],
])('requests a page by its %s, and a 304 changes nothing', async (_, headers, asked, value) => {
  const id = await saved((_request, response) =>
    response.writeHead(200, { ...headers, 'content-type': 'text/html' }).end(article(900)),
  );
  const before = await library().get(account, id);
  const conditions: unknown[] = [];
  const item = await refreshed(id, (request, response) => {
    conditions.push(request.headers[asked]);
    response.writeHead(304).end();
  });
  expect(conditions).toEqual([value]);
  expect(item).toEqual({ ...before, pageCheck: { checkedAt: expect.any(String), changedAt: null } });
  expect(await library().listVersions(account, id)).toHaveLength(1);
});

it('stores no version for the same bytes, or for other bytes with the same text', async () => {
  const id = await saved(serve(article(900)));
  const { processedAt } = await refreshed(id);
  const clock = await refreshed(
    id,
    serve(article(900).replace('</head>', `<script>now = ${Date.now()}</script></head>`)),
  );
  expect(clock).toMatchObject({ status: 'completed', processedAt, pageCheck: { changedAt: null } });
  expect(await library().listVersions(account, id)).toHaveLength(1);
});

it('stores a changed text, keeps the previous one, and undoes it as one change', async () => {
  const id = await saved(serve(article(900)));
  const item = await refreshed(id, serve(article(1_200, ['A new pool was built.'])));
  expect(item.transcript).toContain('costs 1200');
  expect(item).toMatchObject({ status: 'completed', pageCheck: { changedAt: expect.any(String) }, warnings: [] });
  const [now, before] = await library().listVersions(account, id);
  expect([now, before]).toMatchObject([{ isShown: true }, { isShown: false }]);
  const compared = await library().readVersion(account, id, before!.version);
  expect(compared.text).toContain('costs 900');
  expect(compared).toMatchObject({ against: now!.version, added: 2, removed: 1 });
  expect(compared.changes.map(({ change, text }) => [change, text.slice(0, 14)])).toEqual([
    ['removed', 'The room costs'],
    ['added', 'The room costs'],
    ['added', 'A new pool was'],
  ]);
  const [entry] = await history(id);
  expect(entry).toMatchObject({ face: 'pages', operation: 'refresh_content', changes: [{ field: 'text' }] });
  // Searches find the newest text alone.
  const found = async (query: string) =>
    (await app.services.search.search(account, { query, limit: 5 }, signal)).results.map((result) => result.id);
  expect(await found('"pool was built"')).toContain(id);
  await app.services.history.undo(writer('undo'), entry!.id, { force: false, caller: localCaller() });
  await app.worker.runUntilEmpty();
  expect(await textOf(id)).toContain('costs 900');
  // The page is as it was fetched last: that it was taken back stays.
  await refreshed(id);
  expect(await textOf(id)).toContain('costs 900');
});

it('keeps five of seven versions, and shows one of them again', async () => {
  const id = await saved(serve(article(1)));
  for (let price = 2; price <= 7; price += 1) await refreshed(id, serve(article(price)));
  const versions = await library().listVersions(account, id);
  expect(versions).toHaveLength(5);
  const oldest = versions.at(-1)!;
  expect((await library().readVersion(account, id, oldest.version)).text).toContain('costs 3 ');
  const asked = writer('restore_version');
  await library().restoreVersion(asked, id, oldest.version);
  await app.worker.runUntilEmpty();
  expect(await textOf(id)).toContain('costs 3 ');
  expect(await library().listVersions(account, id)).toHaveLength(5);
  // What is read again from what is stored replaces the visible text, and the others stay.
  await library().reprocess(account, 'analyse', id);
  await app.worker.runUntilEmpty();
  expect(await textOf(id)).toContain('costs 3 ');
  await app.services.history.undo(writer('undo'), asked.change.id, { force: false, caller: localCaller() });
  await app.worker.runUntilEmpty();
  expect(await textOf(id)).toContain('costs 7 ');
});

it.each([
  [404, 'not_found'],
  [410, 'not_found'],
  [401, 'forbidden'],
])('keeps the text when the page answers %i, and says so', async (status, code) => {
  const id = await saved(serve(article(900)));
  const item = await refreshed(id, (_request, response) => response.writeHead(status).end('no'));
  expect(item).toMatchObject({
    status: 'completed',
    warnings: [{ code, message: expect.stringContaining('from before') }],
  });
  expect(item.failure).toBeUndefined();
  expect(item.transcript).toContain('costs 900');
  const again = await refreshed(id, serve(article(900)));
  expect(again.warnings).toEqual([]);
});

it('keeps the text when the page now has a login or a bot check', async () => {
  const id = await saved(serve(article(900)));
  const login = '<title>Log in</title><form><p>Please log in to continue.</p><input type="password"></form>';
  const item = await refreshed(id, serve(`<!doctype html><html><body>${login}</body></html>`));
  expect(item).toMatchObject({ status: 'completed', warnings: [{ message: expect.stringContaining('from before') }] });
  expect(item.transcript).toContain('costs 900');
});

it('sets a text aside that lost most of its words, until it is requested', async () => {
  const id = await saved(serve(article(900)));
  const short = articlePage('A hotel by the sea', [
    'We have closed this house for the winter and come back to you in spring.',
  ]);
  const item = await refreshed(id, serve(short));
  expect(item.transcript).toContain('costs 900');
  const [warning] = item.warnings;
  expect(warning).toMatchObject({ code: 'page_shrunk' });
  await refreshed(id);
  const versions = await library().listVersions(account, id);
  expect(versions).toHaveLength(2);
  const version = Number(/version (\d+)/.exec(warning!.message)?.[1]);
  await library().restoreVersion(writer('restore_version'), id, version);
  await app.worker.runUntilEmpty();
  expect(await library().get(account, id)).toMatchObject({
    transcript: expect.stringContaining('closed this house'),
    warnings: [],
  });
});

it('replaces a provided text only on request', async () => {
  site.routes.set(path, serve(article(900)));
  const { id } = await library().save(account, { url: site.url + path, text: 'My own copy of it.' }, { signal });
  await app.worker.runUntilEmpty();
  const note = await library().saveNote(account, { text: 'A note.' }, { signal });
  const { items, queued } = await library().refresh(writer(), { ids: [id, note.id, 'c_none'] });
  expect(queued).toBe(0);
  expect(items).toMatchObject([
    { outcome: 'refused', message: expect.stringContaining('replaceGiven') },
    { outcome: 'refused', message: expect.stringContaining('no web address') },
    { outcome: 'not_found' },
  ]);
  await library().refresh(writer(), { ids: [id], replaceGiven: true });
  await app.worker.runUntilEmpty();
  expect(await textOf(id)).toContain('costs 900');
});

it('follows a page that has moved permanently', async () => {
  const id = await saved(serve(article(900)));
  site.routes.set(`${path}-new`, serve(article(1_000)));
  const item = await refreshed(id, (_request, response) => response.writeHead(301, { location: `${path}-new` }).end());
  expect(item.transcript).toContain('costs 1000');
});

it('says which words of highlights are gone', async () => {
  const id = await saved(serve(article(900)));
  for (const quote of ['The room costs 900', 'with a garden and old trees'])
    await app.services.highlights.add(account, { contentId: id, quote });
  await app.worker.runUntilEmpty();
  const item = await refreshed(id, serve(article(1_200)));
  expect(item.highlights?.map(({ quote, place }) => [quote, place])).toEqual([
    ['with a garden and old trees', 'found'],
    ['The room costs 900', 'missing'],
  ]);
});

it('refetches a known address when the save asks for it, and all items that a query finds', async () => {
  const id = await saved(serve(article(900)));
  site.routes.set(path, serve(article(950)));
  const again = await library().save(account, { url: site.url + path, refresh: true, tags: [`q${pages}`] }, { signal });
  expect(again).toMatchObject({ id, outcome: 'requeued' });
  await app.worker.runUntilEmpty();
  expect(await textOf(id)).toContain('costs 950');
  site.routes.set(path, serve(article(990)));
  expect(await library().refresh(writer(), { query: `tag:q${pages}` })).toMatchObject({ queued: 1, left: 0 });
  await app.worker.runUntilEmpty();
  expect(await textOf(id)).toContain('costs 990');
});

it('withstands hostile answers', async () => {
  const hostile: Route = (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html', etag: `"${'x'.repeat(9_000)}"` }).end(article(900));
  const id = await saved(hostile);
  // No condition was sent, so a 304 is a failure.
  const item = await refreshed(id, (request, response) => {
    expect(request.headers['if-none-match']).toBeUndefined();
    response.writeHead(304).end();
  });
  expect(item).toMatchObject({ status: 'completed', warnings: [{ code: 'http_error' }] });
  // An answer whose headers are too long, or have a line break in one, is not taken at all.
  for (const etag of [`"${'x'.repeat(100_000)}"`, '"a\r\n b"', '"a\n b"']) {
    const answer = `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\netag: ${etag}\r\n\r\n${article(1_200)}`;
    const kept = await refreshed(id, (_request, response) => response.socket?.end(answer));
    expect(kept).toMatchObject({ status: 'completed', warnings: [{ code: 'http_error' }] });
    expect(kept.transcript).toContain('costs 900');
  }
  const next = await refreshed(id, (request, response) => {
    expect(request.headers['if-none-match']).toBeUndefined();
    serve(article(900))(request, response);
  });
  expect(next.warnings).toEqual([]);
});

it("refetches pages every week, by a query or by ids, until the query's list is gone", async () => {
  const id = await saved(serve(article(900)));
  await library().update(account, id, { tags: [`week${pages}`] });
  const given = await library().save(
    account,
    { url: `${site.url}/given`, text: 'Mine.', tags: [`week${pages}`] },
    { signal },
  );
  const query = `tag:week${pages}`;
  const week = 7 * 24 * 60;
  const { source } = await library().refresh(writer(), { query, everyMinutes: week });
  expect(source).toMatchObject({ kind: 'pages', address: query, name: query, everyMinutes: week, state: 'active' });
  const byId = await library().refresh(writer(), { ids: [id, given.id], everyMinutes: 60 * 24 });
  expect(byId.source).toMatchObject({ address: `id:${id}`, name: 'A hotel by the sea' });
  expect((await library().refresh(writer(), { ids: [given.id], everyMinutes: week })).source).toBeUndefined();
  await expect(
    library().refresh(writer(), { ids: Array.from({ length: 21 }, (_, at) => `c_${at}`), everyMinutes: week }),
  ).rejects.toMatchObject({ code: 'invalid_input' });
  await app.services.sources.delete(writer('delete_source'), byId.source!.id);
  await library()
    .refresh(writer(), { query: 'list:none', everyMinutes: week })
    .catch(() => undefined);
  const list = await app.services.lists.add(writer('add_list'), { name: 'Weekly' });
  const ofList = await library().refresh(writer(), { query: 'list:Weekly', everyMinutes: week });
  await app.services.lists.delete(writer('delete_list'), list.id);
  await app.worker.runUntilEmpty();
  const asked = (await library().get(account, id)).pageCheck!.checkedAt;
  site.routes.set(path, serve(article(1_300)));
  app.worker.start();
  const sources = app.services.sources;
  const checkedAgain = async (before: string | null | undefined) =>
    until(async () => ![null, before].includes((await sources.get(account, source!.id)).checkedAt));
  await checkedAgain(null);
  // It was fetched moments ago.
  expect((await library().get(account, id)).pageCheck!.checkedAt).toBe(asked);
  const { checkedAt } = await sources.get(account, source!.id);
  laterMs = week * 60_000;
  await sources.check(writer('check_source'), source!.id);
  await checkedAgain(checkedAt);
  await until(async () => (await textOf(id)).includes('costs 1300'));
  expect(await textOf(given.id)).toContain('Mine.');
  expect(await sources.get(account, ofList.source!.id)).toMatchObject({
    state: 'paused',
    problem: { message: expect.stringContaining('Then resume it') },
  });
});
