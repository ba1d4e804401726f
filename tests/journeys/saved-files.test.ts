import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localAccountId } from '../../src/domain/records/account.ts';
import type { ContentItem } from '../../src/domain/records/content.ts';
import { openTestServer } from '../support/test-server.ts';
import { connectInMemory, type TestClient } from '../support/mcp.ts';
import { makeBook, makeDocx, paragraph, prose } from '../support/texts/office-files.ts';
import { column, lockedPdf, makePdf } from '../support/texts/pdf.ts';
import { startSite, type Route, type Site } from '../support/servers/site.ts';

type TestServer = Awaited<ReturnType<typeof openTestServer>>;

const waiting = { signal: new AbortController().signal, onProgress: () => undefined };
const filler = Array.from(
  { length: 50 },
  (_, i) => `In week ${i + 1} the colony on the roof was weighed, fed and left in peace again.`,
);
const bees = await makePdf(
  [
    [
      { text: 'Bees on the roof', x: 72, y: 80, size: 20 },
      ...column(['A full hive weighs as much as a person.'], 72, 120),
    ],
    column([...filler, 'Where a swarm settles it must be caught before the evening.'], 72, 60),
  ],
  { title: 'Bees on the roof' },
);

const send =
  (body: Uint8Array, headers: Record<string, string>): Route =>
  (_request, response) =>
    response.writeHead(200, headers).end(body);

describe('A PDF at a web address', () => {
  let testServer: TestServer;
  let site: Site;
  let client: TestClient;
  beforeAll(async () => {
    site = await startSite();
    testServer = await openTestServer({ embedder: 'none' });
    testServer.app.worker.start();
    client = await connectInMemory(testServer.app);
  });
  afterAll(async () => {
    await client.close();
    await testServer.close();
    await site.close();
  });

  it.each<[string, string, Route]>([
    ['called a page', '/report', send(bees, { 'content-type': 'text/html; charset=utf-8' })],
    [
      'called nothing in particular, for downloading',
      '/download?id=3',
      send(bees, { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="x.bin"' }),
    ],
    ['without a type', '/bare', send(bees, {})],
    ['that has moved', '/old', (_request, response) => response.writeHead(302, { location: '/report#page=1' }).end()],
  ])('%s is saved and found with its page', async (_name, path, route) => {
    site.routes.set(new URL(path, site.url).pathname, route);
    const url = site.url + path;
    const saved = await client.call('save_content', { url, tags: [path], wait: 45 });
    expect(saved.structured).toMatchObject({
      status: 'completed',
      contentType: 'pdf',
      title: 'Bees on the roof',
      pageCount: 2,
    });
    expect(saved.structured).not.toHaveProperty('warnings');
    const found = await client.call('search', { query: 'catch a swarm', filters: { tags: [path] } });
    const { results } = found.structured as { results: { url: string; passages: object[] }[] };
    expect(results.map((result) => result.url)).toEqual([url]);
    expect(results[0]?.passages[0]).toMatchObject({ at: '#page=2' });
  });
});

describe('Reprocessing stored files', () => {
  let testServer: TestServer;
  beforeAll(async () => {
    testServer = await openTestServer({ embedder: 'none' });
  });
  afterAll(() => testServer.close());

  const save = async (request: { url: string; text?: string; captions?: string; title?: string }) =>
    (await testServer.app.services.library.save(localAccountId, request, waiting)).id;
  const get = (id: string) => testServer.app.services.library.get(localAccountId, id);
  /** What the reading of an item gives; the rest is times. */
  const facts = ({ title, author, contentType, transcript, pageCount, durationSeconds, warnings }: ContentItem) => ({
    title,
    author,
    contentType,
    transcript,
    pageCount,
    durationSeconds,
    warnings,
  });

  it('gives the same for every kind of file without its source', async () => {
    const gone = await startSite();
    gone.routes.set('/bees', send(bees, {}));
    gone.routes.set('/ferry', send(makeBook(), {}));
    gone.routes.set('/minutes', send(makeDocx(`${paragraph('Decided', 'Heading1')}${paragraph(prose)}`), {}));
    const captions = `WEBVTT\n\n00:01.000 --> 00:04.000\n${prose}\n`;
    const ids = [
      ...(await Promise.all(['/bees', '/ferry', '/minutes'].map((path) => save({ url: gone.url + path })))),
      await save({ url: 'https://members.example.test/essay', text: prose, title: 'An essay' }),
      await save({ url: 'https://youtu.be/abcDEF12_-3', captions, title: 'A ferry' }),
    ];
    await testServer.app.worker.runUntilEmpty();
    await gone.close();
    const before = await Promise.all(ids.map(get));
    expect(before.map(({ status, contentType }) => [status, contentType])).toEqual(
      ['pdf', 'ebook', 'document', 'article', 'youtube'].map((type) => ['completed', type]),
    );
    for (const id of ids) {
      const again = await testServer.app.services.library.reprocess(localAccountId, 'extract', id);
      expect(again).toEqual({ queued: 1, lacking: 0 });
    }
    await testServer.app.worker.runUntilEmpty();
    const after = await Promise.all(ids.map(get));
    expect(after.map(facts)).toEqual(before.map(facts));
    after.forEach((item, i) => {
      expect(item.status).toBe('completed');
      expect(Date.parse(item.processedAt ?? '')).toBeGreaterThan(Date.parse(before[i]?.processedAt ?? ''));
    });
  });

  it('keeps the text of a locked document, and the item says that the file is not stored', async () => {
    const file = join(testServer.folder, 'letter.pdf');
    writeFileSync(file, lockedPdf('Meet me at the old mill on Friday.', 'sesame'));
    const url = pathToFileURL(file).href;
    const resource = await testServer.app.unlock(file, url, 'sesame', waiting.signal);
    const { id } = await testServer.app.services.library.saveResource(localAccountId, resource, {}, waiting);
    await testServer.app.worker.runUntilEmpty();
    rmSync(file);
    const before = await get(id);
    expect(facts(before)).toMatchObject({
      contentType: 'pdf',
      transcript: 'Meet me at the old mill on Friday.',
      pageCount: 1,
      warnings: [
        { code: 'file_not_kept', message: expect.stringContaining('save it again with the password') as string },
      ],
    });
    expect(await testServer.app.services.library.reprocess(localAccountId, 'extract', id)).toEqual({
      queued: 1,
      lacking: 0,
    });
    await testServer.app.worker.runUntilEmpty();
    expect(existsSync(file)).toBe(false);
    const after = await get(id);
    expect(after.status).toBe('completed');
    expect(facts(after)).toEqual(facts(before));
    expect(after.processedAt).not.toBe(before.processedAt);
  });
});
