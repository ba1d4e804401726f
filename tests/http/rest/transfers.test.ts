import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localAccountId, type Scope } from '../../../src/domain/records/account.ts';
import type { Source } from '../../../src/domain/records/sources/source.ts';
import type { ExportJob, ImportJob } from '../../../src/domain/records/transfers/library-job.ts';
import { mounts } from '../../../src/http/listen.ts';
import { addFinishedItem, paragraphs } from '../../support/content.ts';
import { openHttpServer, type Answer, type HttpTestServer } from '../../support/http.ts';

let testServer: HttpTestServer;

beforeAll(async () => {
  testServer = await openHttpServer(
    { embedder: 'none', apiV1: true, httpPort: 0, shutdownGraceSeconds: 0 },
    { mounts },
  );
  const store = await testServer.app.stores.open(localAccountId);
  for (let index = 0; index < 5; index += 1)
    await addFinishedItem(store, {
      url: `https://example.com/${index}`,
      blocks: paragraphs(`Text ${index} about sleep and bread.`),
      about: { contentType: 'article', title: `Item ${index}` },
    });
});
afterAll(() => testServer.close());

const bookmarks = (count: number, from = 0): string =>
  [
    '<!DOCTYPE NETSCAPE-Bookmark-file-1>',
    ...Array.from(
      { length: count },
      (_, index) => `<DT><A HREF="https://example.org/page/${from + index}" ADD_DATE="1700000000">Page ${index}</A>`,
    ),
  ].join('\n');

interface Asked {
  token?: string;
  headers?: Record<string, string>;
}

const send = (file: string, query = '', { token = testServer.token, headers = {} }: Asked = {}): Promise<Answer> =>
  testServer.ask(`/api/v1/imports${query}`, {
    method: 'POST',
    token,
    body: file,
    headers: { 'content-type': 'application/octet-stream', ...headers },
  });
const ask = (path: string, method = 'GET', { token = testServer.token, headers = {} }: Asked = {}, body?: unknown) =>
  testServer.ask(`/api/v1${path}`, { method, token, headers, ...(body !== undefined && { body }) });

/** Asks until the job has ended. Each question lets the server's work go on. */
async function ended<Job extends ImportJob | ExportJob>(path: string, token = testServer.token): Promise<Job> {
  for (;;) {
    const { body, status, text } = await ask(path, 'GET', { token });
    if (status !== 200) throw new Error(text);
    const job = body as Job;
    if (job.state !== 'waiting' && job.state !== 'running') return job;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const imported = async (answer: Answer): Promise<ImportJob> => ended(`/imports/${(answer.body as ImportJob).id}`);

describe('an import', () => {
  it('follows the feeds of an OPML file on request, otherwise says how, and exports them as OPML', async () => {
    const outline = (address: string, text = address) => `<outline type="rss" text="${text}" xmlUrl="${address}"/>`;
    const opml = `<opml version="2.0"><body><outline text="News">${outline('https://feeds.example/a', 'A &amp; B')}</outline>
      ${outline('https://feeds.example/b')}${outline('javascript:x')}${outline('https://feeds.example/b')}
      <outline type="link" text="Page" url="https://feeds.example/page"/></body></opml>`;
    const saved = await imported(await send(opml, '?tags=opml'));
    expect(saved).toMatchObject({ follow: false, formats: ['feeds (OPML)'], counts: { taken: 3, merged: 0 } });
    const reportOf = async ({ id }: ImportJob) => (await ask(`/imports/${id}/report`)).text;
    expect(await reportOf(saved)).toMatch(/,taken,"it is a feed, [^"]+commonplace import --follow/);
    const before = (await ask('/content')).body;
    const done = await imported(await send(opml, '?tags=opml&follow=true'));
    expect(done).toMatchObject({ follow: true, counts: { taken: 2, merged: 0, skipped: 3, failed: 0 } });
    expect((await ask('/content')).body).toEqual(before);
    const sources = async () => ((await ask('/sources')).body as { items: Source[] }).items;
    expect(await sources()).toMatchObject([
      { kind: 'feed', name: 'A & B', address: 'https://feeds.example/a', options: { tags: ['opml', 'News'] } },
      { name: 'https://feeds.example/b', options: { tags: ['opml'] } },
    ]);
    expect(await reportOf(done)).toContain('it is followed already');
    const { id } = (await ask('/exports', 'POST', {}, { format: 'opml' })).body as ExportJob;
    await ended<ExportJob>(`/exports/${id}`);
    const lines = (await ask(`/exports/${id}/file`)).text.split('\n').filter((one) => one.includes('feeds.example/a'));
    expect(lines).toEqual([
      '<outline text="A &amp; B" title="A &amp; B" type="rss" xmlUrl="https://feeds.example/a" category="opml,News"/>',
    ]);
    await ask(`/exports/${id}`, 'DELETE');
    for (const { undo } of [done, saved]) expect((await ask(`/history/${undo}/undo`, 'POST', {}, {})).status).toBe(200);
    expect(await sources()).toEqual([]);
  });

  it('takes a file, reports progress, and can be undone', async () => {
    const sent = await send(bookmarks(1_200), '?name=my%20bookmarks.html&tags=from-browser');
    expect([sent.status, sent.body]).toMatchObject([201, { state: 'waiting', fileName: 'my bookmarks.html' }]);
    const { id } = sent.body as ImportJob;
    expect(sent.headers.get('location')).toBe(`/api/v1/imports/${id}`);
    const done = await imported(sent);
    expect(done).toMatchObject({
      state: 'done',
      counts: { taken: 1_200, merged: 0, skipped: 0, failed: 0 },
      formats: ['bookmarks (HTML)'],
      tags: ['from-browser'],
      failure: null,
    });
    expect(done.progress.done).toBe(done.progress.total);
    const list = await ask('/content?tags=from-browser');
    expect(list.body).toMatchObject({ total: 1_200 });
    const report = await ask(`/imports/${id}/report`);
    expect(report.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(report.text.split('\r\n')).toHaveLength(1_202);
    expect(report.text).toContain('my bookmarks.html,1,taken,,https://example.org/page/0,Page 0,c_');
    const undone = await ask(`/history/${done.undo}/undo`, 'POST', {}, {});
    expect(undone.body).toMatchObject({ outcome: 'undone' });
    expect((await ask('/content?tags=from-browser')).body).toMatchObject({ total: 0 });
  });

  it('recognises the file by its content, and reports what it cannot import', async () => {
    const list = await imported(await send('https://example.org/one\nhttps://example.org/two\n'));
    expect(list).toMatchObject({ counts: { taken: 2 }, fileName: 'upload' });
    const mails = [1, 2].map((n) => `From - Thu Jun  6 10:46:09 2024\nSubject: Mail ${n}\n\nText ${n}.\n\n`);
    const mailbox = await imported(await send(mails.join('')));
    expect(mailbox).toMatchObject({ counts: { taken: 2 }, formats: ['mailbox (mbox)'] });
    const note = await imported(await send('# A note\n\nhttps://example.org/', '?name=../../note.md'));
    expect(note).toMatchObject({ state: 'done', fileName: '.._.._note.md', counts: { failed: 1 }, undo: null });
    const { text } = await ask(`/imports/${note.id}/report`);
    expect(text).toContain('it is a single note or PDF, and no export');
    expect(text).not.toContain(testServer.folder);
    expect(await imported(await send('just words'))).toMatchObject({ state: 'done', counts: { taken: 0, failed: 1 } });
    const zip = await imported(await send('PK\u0003\u0004 and nothing more'));
    expect(zip).toMatchObject({ state: 'failed', undo: null });
    expect(zip.failure).toContain('cannot be imported');
  });

  it('of a whole library is refused with a hint to the command line', async () => {
    const { id } = (await ask('/exports', 'POST', {}, {})).body as ExportJob;
    await ended(`/exports/${id}`);
    const archive = await testServer.server.app.fetch(
      new Request(`http://localhost/api/v1/exports/${id}/file`, {
        headers: { authorization: `Bearer ${testServer.token}` },
      }),
    );
    const sent = await testServer.server.app.fetch(
      new Request('http://localhost/api/v1/imports', {
        method: 'POST',
        headers: { authorization: `Bearer ${testServer.token}` },
        body: await archive.arrayBuffer(),
      }),
    );
    const job = await ended<ImportJob>(`/imports/${((await sent.json()) as ImportJob).id}`);
    expect(job).toMatchObject({ state: 'failed', counts: { taken: 0, failed: 0 }, undo: null });
    expect(job.failure).toContain('Unpack it');
    await ask(`/exports/${id}`, 'DELETE');
  });

  it('is refused when the request is invalid', async () => {
    const codes = async (...answers: Promise<Answer>[]) =>
      Promise.all(
        answers.map(async (answer) => [(await answer).status, ((await answer).body as { code: string }).code]),
      );
    expect(
      await codes(
        send(''),
        send('x', '?colour=red'),
        send('x', '?tags=a,,b'),
        send('x', '', { headers: { 'content-type': 'multipart/form-data; boundary=x' } }),
        send('x', '', { headers: { 'content-encoding': 'gzip' } }),
        send('x', '', { headers: { 'content-length': String(2 ** 40) } }),
        ask('/imports/j_aaaaaaaaaaaaaaaa'),
        ask('/imports/..%2f..%2fcontrol.db'),
        ask('/imports/j_aaaaaaaaaaaaaaaa/report'),
        ask('/imports/j_aaaaaaaaaaaaaaaa/cancel', 'POST'),
        ask('/imports/j_aaaaaaaaaaaaaaaa', 'DELETE'),
      ),
    ).toEqual([
      [400, 'invalid_input'],
      [400, 'invalid_input'],
      [400, 'invalid_input'],
      [415, 'unsupported_media_type'],
      [415, 'unsupported_media_type'],
      [413, 'payload_too_large'],
      ...Array.from({ length: 5 }, () => [404, 'not_found']),
    ]);
  });

  it('is done once for each idempotency key', async () => {
    const headers = { 'idempotency-key': 'import-once' };
    const first = await send(bookmarks(3, 5_000), '', { headers });
    const again = await send(bookmarks(3, 5_000), '', { headers });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((again.body as ImportJob).id).toBe((first.body as ImportJob).id);
    expect((await send(bookmarks(4, 5_000), '', { headers })).status).toBe(409);
    await imported(first);
  });

  it('arrives over a connection, and can be refused before it is complete', async () => {
    const listening = await testServer.app.serve();
    const upload = (body: string | ReadableStream<Uint8Array>, headers: Record<string, string> = {}) =>
      fetch(`${listening.url}/api/v1/imports?name=list.txt`, {
        method: 'POST',
        headers: { authorization: `Bearer ${testServer.token}`, 'content-type': 'text/plain', ...headers },
        body,
        duplex: 'half',
      } as RequestInit);
    try {
      const sent = await upload('https://example.org/over-a-connection\n'.repeat(30_000));
      const job = (await sent.json()) as ImportJob;
      expect([sent.status, job.bytes]).toEqual([201, 1_140_000]);
      let pieces = 0;
      const endless = new ReadableStream<Uint8Array>({
        pull(controller) {
          pieces += 1;
          controller.enqueue(new Uint8Array(2 ** 20));
        },
      });
      const refused = await upload(endless, { 'content-encoding': 'gzip' });
      expect([refused.status, refused.headers.get('connection')]).toEqual([415, 'close']);
      expect(pieces).toBeLessThan(100);
    } finally {
      await listening.close(AbortSignal.abort());
    }
  });

  it('can be cancelled and forgotten; imported items stay until it is undone', async () => {
    const sent = await send(bookmarks(20_000, 10_000));
    const { id } = sent.body as ImportJob;
    const second = await send(bookmarks(1, 50_000));
    expect(second.body).toMatchObject({ state: 'waiting' });
    const cancelled = (await ask(`/imports/${id}/cancel`, 'POST')).body as ImportJob;
    expect(cancelled.state).toBe('cancelled');
    expect(await imported(second)).toMatchObject({ state: 'done', counts: { taken: 1 } });
    expect((await ask(`/imports/${id}/cancel`, 'POST')).body).toEqual(cancelled);
    expect((await ask(`/imports/${id}/resume`, 'POST')).status).toBe(409);
    expect((await ask(`/imports/${id}`, 'DELETE')).body).toEqual(cancelled);
    expect((await ask(`/imports/${id}`)).status).toBe(404);
    const { items } = (await ask('/imports')).body as { items: ImportJob[] };
    expect(items.map((job) => job.id)).not.toContain(id);
  });

  it('belongs to its account and requires the write scope', async () => {
    const sent = await send(bookmarks(1, 60_000));
    const { id } = sent.body as ImportJob;
    const other = await testServer.app.access.addAccount('Other', 'pro');
    const token = await testServer.createToken({ account: other.id });
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/report'],
      ['POST', '/cancel'],
      ['POST', '/resume'],
      ['DELETE', ''],
    ] as const)
      expect((await ask(`/imports/${id}${path}`, method, { token })).status).toBe(404);
    expect((await ask('/imports', 'GET', { token })).body).toMatchObject({ total: 0 });
    const reader = await testServer.createToken({ scopes: ['content:read'] });
    expect((await send('x', '', { token: reader })).status).toBe(403);
    expect((await ask(`/imports/${id}`, 'GET', { token: reader })).status).toBe(403);
    const writer = await testServer.createToken({ scopes: ['content:write'] });
    const written = await send(bookmarks(1, 60_001), '?name=secret.html', { token: writer });
    expect(Object.keys(written.body).toSorted()).toEqual(['counts', 'failure', 'id', 'progress', 'state']);
    expect((await ask(`/imports/${id}/report`, 'GET', { token: writer })).status).toBe(403);
    expect((await ask('/imports', 'GET', { token: writer })).status).toBe(403);
    await imported(written);
  });
});

describe('an export', () => {
  const begin = (body: unknown, asked?: Asked) => ask('/exports', 'POST', asked, body);

  it.each([
    ['jsonl', 'application/jsonl', /"url":"https:\/\/example\.com\/0"/],
    ['csv', 'text/csv; charset=utf-8', /https:\/\/example\.com\/0/],
    ['netscape', 'text/html; charset=utf-8', /HREF="https:\/\/example\.com\/0"/],
    ['opml', 'text/x-opml; charset=utf-8', /https:\/\/example\.com\/0/],
    ['ics', 'text/calendar; charset=utf-8', /^BEGIN:VCALENDAR\r\nVERSION:2.0\r\n/],
    ['todoist', 'text/csv; charset=utf-8', /^TYPE,CONTENT,DESCRIPTION,PRIORITY,/],
    ['archive', 'application/zip', /^PK/],
  ])('writes %s as a file that can be fetched whole or in parts', async (format, mediaType, holds) => {
    const begun = await begin({ format });
    const { id } = begun.body as ExportJob;
    expect([begun.status, begun.headers.get('location')]).toEqual([201, `/api/v1/exports/${id}`]);
    const done = await ended<ExportJob>(`/exports/${id}`);
    expect(done).toMatchObject({ state: 'done', failure: null, format });
    expect(done.items).toBeGreaterThanOrEqual(format === 'ics' || format === 'todoist' ? 0 : 5);
    const file = await ask(`/exports/${id}/file`);
    expect(file.status).toBe(200);
    expect(file.text).toMatch(holds);
    const [type, length, name] = ['type', 'length', 'disposition'].map((what) => file.headers.get(`content-${what}`));
    expect([type, Number(length), name]).toEqual([mediaType, done.bytes, `attachment; filename="${done.fileName}"`]);
    const tag = file.headers.get('etag') ?? '';
    const part = await ask(`/exports/${id}/file`, 'GET', { headers: { range: 'bytes=0-1', 'if-range': tag } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 0-1/${length}`]);
    expect((await ask(`/exports/${id}/file`, 'GET', { headers: { 'if-none-match': tag } })).status).toBe(304);
    const head = await ask(`/exports/${id}/file`, 'HEAD');
    expect([head.status, head.headers.get('content-length'), head.text]).toEqual([200, length, '']);
    expect((await ask(`/exports/${id}`, 'DELETE')).body).toEqual(done);
    expect((await ask(`/exports/${id}/file`)).status).toBe(404);
  });

  it('returns the requested range', async () => {
    const { id } = (await begin({ format: 'csv' })).body as ExportJob;
    await ended(`/exports/${id}`);
    const { text, headers } = await ask(`/exports/${id}/file`);
    const bytes = Buffer.from(text);
    const range = async (value: string, more: Record<string, string> = {}) => {
      const answer = await ask(`/exports/${id}/file`, 'GET', { headers: { range: value, ...more } });
      return [answer.status, answer.status === 416 ? answer.headers.get('content-range') : answer.text];
    };
    const size = bytes.length;
    expect(Number(headers.get('content-length'))).toBe(size);
    expect(await range('bytes=4-9')).toEqual([206, bytes.subarray(4, 10).toString()]);
    expect(await range(`bytes=${size - 3}-`)).toEqual([206, bytes.subarray(-3).toString()]);
    expect(await range('bytes=-5')).toEqual([206, bytes.subarray(-5).toString()]);
    expect(await range(`bytes=4-${size * 2}`)).toEqual([206, bytes.subarray(4).toString()]);
    expect(await range(`bytes=${size}-`)).toEqual([416, `bytes */${size}`]);
    expect(await range('bytes=-0')).toEqual([416, `bytes */${size}`]);
    for (const whole of ['bytes=0-1,3-4', 'lines=1-2', 'bytes=9-4', 'bytes=a-b', 'bytes=-'])
      expect(await range(whole)).toEqual([200, text]);
    expect(await range('bytes=0-1', { 'if-range': '"another"' })).toEqual([200, text]);
  });

  it('has only the changes since a date', async () => {
    const { id } = (await begin({ format: 'jsonl', since: '2999' })).body as ExportJob;
    const done = await ended<ExportJob>(`/exports/${id}`);
    expect(done).toMatchObject({ state: 'done', items: 0, since: '2999-01-01T00:00:00.000Z', bytes: 0 });
    expect(await ask(`/exports/${id}/file`)).toMatchObject({ status: 200, text: '' });
    expect((await begin({ since: 'yesterday' })).status).toBe(400);
    expect((await begin({ format: 'pdf' })).status).toBe(400);
  });

  it('belongs to its account and requires the read scopes', async () => {
    const { id } = (await begin({ format: 'csv' })).body as ExportJob;
    await ended(`/exports/${id}`);
    const other = await testServer.app.access.addAccount('Another', 'pro');
    const token = await testServer.createToken({ account: other.id });
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/file'],
      ['DELETE', ''],
    ] as const)
      expect((await ask(`/exports/${id}${path}`, method, { token })).status).toBe(404);
    const scopes: Scope[] = ['content:read', 'actions:read'];
    const reader = await testServer.createToken({ scopes });
    expect((await begin({ format: 'csv' }, { token: reader })).status).toBe(403);
    expect((await ask(`/exports/${id}/file`, 'GET', { token: reader })).status).toBe(403);
  });
});
