import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addressOfUpload } from '../../../src/domain/links/shown-address.ts';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { sha256Hex } from '../../../src/domain/sha256.ts';
import { openTestServer } from '../../support/test-server.ts';
import { connectInMemory, type TestClient } from '../../support/mcp.ts';
import { column, makePdf } from '../../support/texts/pdf.ts';

/* A file that was uploaded has no address that anybody could open: every answer gives its name instead. */

const never = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), 'commonplace-uploaded-'));
let testServer: Awaited<ReturnType<typeof openTestServer>>;
let client: TestClient;
let id: string;
let hash: string;

const upload = async (name: string, bytes: Uint8Array) => {
  hash = await sha256Hex(bytes);
  const url = addressOfUpload(name, hash);
  const resource = { url, finalUrl: url, bytes, declaredType: null, fetchedAt: new Date(0).toISOString() };
  return testServer.app.services.library.saveResource(
    localAccountId,
    resource,
    { known: { title: name } },
    { signal: never },
  );
};

beforeAll(async () => {
  testServer = await openTestServer({ embedder: 'none' });
  client = await connectInMemory(testServer.app);
  const pages = [
    column(['The first page speaks of foxes', 'and of their habits in winter.'], 72, 720),
    column(['You should feed the hares at noon each day.', 'It does them a world of good.'], 72, 720),
  ];
  ({ id } = await upload('a 100% report.pdf', await makePdf(pages)));
  await testServer.app.worker.runUntilEmpty();
  await testServer.app.services.highlights.add(localAccountId, { contentId: id, quote: 'feed the hares' });
});
afterAll(async () => {
  await client.close();
  await testServer.close();
  rmSync(folder, { recursive: true, force: true });
});

it('an uploaded file has its name, and no file address', async () => {
  const item = await testServer.app.services.library.get(localAccountId, id);
  expect(item).toMatchObject({ url: null, canonicalUrl: null, fileName: 'a 100% report.pdf', contentType: 'pdf' });
  expect(item.highlights).toMatchObject([{ locator: { kind: 'page', page: 2 }, url: null }]);
  for (const { url } of [...item.keyInsights, ...item.actions]) expect(url).toBeNull();
});

it.each([
  ['list_content', {}],
  ['get_content', { id: 'id' }],
  ['get_content', { id: 'id', detail: 'full' }],
  ['search', { query: 'feed the hares' }],
  ['search', { query: 'feed the hares', detail: 'full' }],
  ['fetch', { id: 'id' }],
  ['list_highlights', {}],
  ['list_actions', {}],
  ['history', {}],
] as const)('%s %j shows an assistant no file address', async (tool, input) => {
  const answer = await client.call(tool, { ...input, ...('id' in input && { id }) });
  expect(answer.isError, answer.text).toBe(false);
  expect(answer.text).not.toContain('file:');
  expect(answer.text).not.toContain(hash.slice(0, 32));
});

it('an uploaded file shows an assistant the page of a passage and of a highlight', async () => {
  const found = JSON.parse((await client.call('search', { query: 'feed the hares' })).text) as {
    results: { url: string; passages: object[] }[];
  };
  expect(found.results[0]).toMatchObject({ url: `commonplace://content/${id}` });
  expect(found.results[0]?.passages[0]).toMatchObject({ locator: { kind: 'page' } });
  const item = JSON.parse((await client.call('get_content', { id })).text) as { highlights: object[] };
  expect(item).toMatchObject({ fileName: 'a 100% report.pdf' });
  expect(item.highlights[0]).toMatchObject({ locator: { kind: 'page', page: 2 } });
});

it('an uploaded file is not a note, whose text could be replaced', async () => {
  const { id: text } = await upload('plain.txt', new TextEncoder().encode('The boiler was serviced in May.'));
  await testServer.app.worker.runUntilEmpty();
  const before = await testServer.app.services.library.get(localAccountId, text);
  expect(before).toMatchObject({ url: null, fileName: 'plain.txt', contentType: 'text' });
  const refused = await client.call('update_content', { id: text, text: 'Other words' });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('uploaded') as string });
  expect((await testServer.app.services.library.get(localAccountId, text)).transcript).toBe(before.transcript);
});

it('an uploaded file is exported with its original and without an address, and imported unchanged', async () => {
  const place = join(folder, 'export');
  await testServer.app.exporting.exportFolder(localAccountId, { place, signal: never, onProgress: () => undefined });
  const shown = [
    'index.html',
    'actions.jsonl',
    'highlights.jsonl',
    ...readdirSync(join(place, 'items')).map((name) => `items/${name}`),
  ];
  for (const name of shown)
    expect([name, readFileSync(join(place, name), 'utf8')]).not.toEqual([name, expect.stringContaining('file:')]);
  const other = await openTestServer({ embedder: 'none' });
  const results: string[] = [];
  await other.app.importing.import(localAccountId, {
    place,
    tags: [],
    signal: never,
    onResults: async (some) => void results.push(...some.map(({ outcome, what }) => `${outcome} ${what}`)),
  });
  expect(results.every((result) => result.startsWith('taken ') && !result.includes('file:'))).toBe(true);
  expect(await other.app.services.library.get(localAccountId, id)).toEqual(
    await testServer.app.services.library.get(localAccountId, id),
  );
  const again = join(folder, 'again');
  await other.app.exporting.exportFolder(localAccountId, { place: again, signal: never, onProgress: () => undefined });
  const records = (of: string) => readFileSync(join(of, 'records/items.jsonl.gz'));
  expect(records(again).equals(records(place))).toBe(true);
  await other.close();
});
