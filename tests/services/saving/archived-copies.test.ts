import dns from 'node:dns';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { App } from '../../../src/app/app.ts';
import { openTestServer } from '../../support/test-server.ts';
import { articlePage, serve, startSite, type Site } from '../../support/servers/site.ts';

/* The outside world: a name that no longer exists, and an archive of two servers as the Wayback Machine has them. */

const page = 'http://gone.example/essay?part=1';
const folder = mkdtempSync(join(tmpdir(), 'commonplace-archived-'));
let lookup: Site;
let copies: Site;
const closing: (() => Promise<void>)[] = [];

beforeEach(async () => {
  [lookup, copies] = await Promise.all([startSite(), startSite()]);
  vi.spyOn(dns, 'lookup').mockImplementation(((name: string, _options: unknown, callback: (error: Error) => void) =>
    callback(Object.assign(new Error(name), { code: 'ENOTFOUND' }))) as never);
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  vi.restoreAllMocks();
  await Promise.all([lookup.close(), copies.close()]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function open(settings: Record<string, unknown> = { webArchive: 'on' }): Promise<App> {
  const webArchive = { lookupUrl: `${lookup.url}/wayback/available`, copiesUrl: `${copies.url}/web/` };
  const { app, close } = await openTestServer({ embedder: 'none', ...settings }, { webArchive });
  closing.push(close);
  return app;
}

/** What the archive was asked about, with the date that it was asked for. */
const askedFor: (string | null)[][] = [];
beforeEach(() => void askedFor.splice(0));

function keepCopy(
  timestamp: string | null,
  copy = serve(articlePage('How to bake and to save', [essay, advice])),
): void {
  lookup.routes.set('/wayback/available', (request, response) => {
    const { searchParams } = new URL(request.url ?? '', lookup.url);
    askedFor.push([searchParams.get('url'), searchParams.get('timestamp')]);
    const closest = { available: true, status: '200', timestamp, url: `${copies.url}/web/${timestamp}/${page}` };
    response.end(JSON.stringify({ archived_snapshots: timestamp === null ? {} : { closest } }));
  });
  if (timestamp !== null) copies.routes.set(`/web/${timestamp}id_/${page.split('?')[0]}`, copy);
}

const essay =
  'Sourdough needs patience and a warm place, as <a href="/starter">the starter</a> of this essay shows at some length, day after day.';
const advice = 'Set aside ten percent of each paycheck before you pay anything else.';

/** A bookmark of another program, with its title and note. */
async function importBookmark(app: App, address = page): Promise<void> {
  const file = join(folder, 'raindrop.csv');
  writeFileSync(
    file,
    `title,note,excerpt,url,folder,tags,created\nMy title,why I kept it,,${address},,,2019-03-01T10:00:00Z\n`,
  );
  await app.importing.import('local', {
    place: file,
    tags: [],
    signal: new AbortController().signal,
    onResults: async () => {},
  });
  await app.worker.runUntilEmpty();
}

async function onlyItem(app: App) {
  const { items } = await app.services.library.list('local', { limit: 9, offset: 0 });
  expect(items).toHaveLength(1);
  return app.services.library.get('local', items[0]!.id);
}

test('a dead bookmark is read from the archive as of its date, under its own address, and says so', async () => {
  keepCopy('20190304050607');
  const app = await open();
  await importBookmark(app);
  const item = await onlyItem(app);
  expect(item).toMatchObject({ status: 'completed', url: page, title: 'My title', notes: 'why I kept it' });
  expect(item.failure ?? null).toBeNull();
  const { host } = new URL(copies.url);
  expect(item.warnings).toEqual([
    {
      code: 'archived_copy',
      message: `The page is gone from its address. This is a copy that the web archive ${host} made on 2019-03-04: ${copies.url}/web/20190304050607/${page}`,
    },
  ]);
  expect(item.transcript).toContain('[the starter](http://gone.example/starter)');
  expect(askedFor).toEqual([[page, '20190301100000']]);

  const { results } = await app.services.search.search(
    'local',
    { query: 'sourdough', limit: 3 },
    new AbortController().signal,
  );
  const copy = { url: `${copies.url}/web/20190304050607/${page}`, date: '2019-03-04' };
  expect(item.archivedCopy).toEqual(copy);
  expect(results[0]).toMatchObject({ url: page, archivedCopy: copy });
  expect(results[0]?.passages[0]?.url).toBe(`${copy.url}#:~:text=Sourdough%20needs%20patience%20and,anything%20else`);
  expect(item.actions.map(({ url }) => url?.startsWith(`${copy.url}#:~:text=`))).toEqual([true]);
  await app.services.highlights.add('local', { contentId: item.id, quote: 'a warm place' });
  await app.worker.runUntilEmpty();
  const [highlight] = (await app.services.highlights.list('local', { limit: 9, offset: 0 })).items;
  expect(highlight?.url).toContain(`${copy.url}#:~:text=`);

  // Nothing is asked again when the text is rebuilt.
  await app.services.library.reprocess('local', 'extract', item.id);
  await app.worker.runUntilEmpty();
  expect((await onlyItem(app)).warnings).toEqual(item.warnings);
  expect(askedFor).toHaveLength(1);
});

test('without a copy it keeps title, note and reason, which names the archive, and a retry asks again', async () => {
  keepCopy(null);
  const app = await open();
  await importBookmark(app);
  const item = await onlyItem(app);
  expect(item).toMatchObject({
    status: 'failed',
    title: 'My title',
    notes: 'why I kept it',
    failure: { code: 'dns_failed', retryable: false },
  });
  expect(item.failure?.message).toContain(`The web archive ${new URL(copies.url).host} names no copy of it, either.`);
  keepCopy('20190304050607');
  await app.services.library.retry('local', item.id);
  await app.worker.runUntilEmpty();
  expect(await onlyItem(app)).toMatchObject({ status: 'completed', warnings: [{ code: 'archived_copy' }] });
});

test('an unreadable copy says that it is one', async () => {
  keepCopy('20190304050607', serve(new Uint8Array([0xff, 0, 1, 2, 3, 0xfe]), 'application/x-unknown'));
  const app = await open();
  await importBookmark(app);
  const item = await onlyItem(app);
  expect(item).toMatchObject({ status: 'failed', title: 'My title', failure: { code: 'unsupported_type' } });
  expect(item.failure?.message).toContain('has a copy of 2019-03-04');
});

test('no archive is asked by default, or about a private address', async () => {
  keepCopy('20190304050607');
  const quiet = await open({});
  await importBookmark(quiet);
  expect(await onlyItem(quiet)).toMatchObject({ status: 'failed', title: 'My title', failure: { code: 'dns_failed' } });

  const asking = await open();
  await importBookmark(asking, `${copies.url}/private`);
  const { failure } = await onlyItem(asking);
  expect(failure).toMatchObject({ code: 'not_found' });
  expect(failure?.message).not.toContain('archive');
  expect(lookup.requests).toEqual([]);
});
