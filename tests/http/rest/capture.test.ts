import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { listen, type Listening, mounts } from '../../../src/http/listen.ts';
import { createHttpServer } from '../../../src/http/server.ts';
import { httpParts, openHttpServer, type HttpTestServer } from '../../support/http.ts';
import { column, makePdf } from '../../support/texts/pdf.ts';

let testServer: HttpTestServer;
let listening: Listening;

beforeAll(async () => {
  testServer = await openHttpServer({ embedder: 'none', apiV1: false, httpPort: 0 });
  const { app } = testServer;
  listening = await listen(await createHttpServer({ ...httpParts(app), mounts }), app.config, app.log);
});
afterAll(async () => {
  await listening.close(AbortSignal.abort());
  await testServer.close();
});

type Body = FormData | string;
type Fields = readonly (readonly [name: string, value: string | File])[];

function formOf(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

interface Sent {
  path?: string;
  token?: string | null;
  headers?: Record<string, string>;
}

async function send(body: Fields | Body, { path = '/capture', token = testServer.token, headers = {} }: Sent = {}) {
  const response = await fetch(listening.url + path, {
    method: 'POST',
    headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
    body: Array.isArray(body) ? formOf(body as Fields) : (body as Body),
  });
  const answer = (await response.json()) as Record<string, unknown> & { id: string };
  return { status: response.status, headers: response.headers, body: answer };
}

const read = async (id: string) => {
  await testServer.app.worker.runUntilEmpty();
  return testServer.app.services.library.get(localAccountId, id);
};
const sentence = 'Bread needs time more than it needs kneading, and a cold night does most of the work.';
const page = (more = '') =>
  `<!doctype html><html><head><title>Slow bread</title>${more}</head><body><article><h1>Slow bread</h1>${`<p>${sentence} The crumb opens while the dough sleeps in the cold.</p>`.repeat(4)}</article></body></html>`;
const file = (content: string | Uint8Array<ArrayBuffer>, name: string, type = '') =>
  new File([content], name, { type });
const uploads = async () => (await readdir(testServer.folder)).filter((name) => name.startsWith('uploads-'));
const leftovers = async () =>
  (await Promise.all((await uploads()).map((folder) => readdir(join(testServer.folder, folder))))).flat();

describe('a form', () => {
  it('with the HTML of a page saves that page, and its selection as a highlight', async () => {
    const sent = await send([
      ['url', 'https://members.example/bread'],
      ['html', page()],
      ['title', 'What the tab said'],
      ['selection', 'a cold night does most of the work'],
      ['tags', 'bread, slow'],
      ['tags', 'baking'],
      ['notes', 'For Sunday'],
      ['shelf', 'later'],
    ]);
    expect([sent.status, sent.body]).toMatchObject([
      201,
      { status: 'pending', outcome: 'created', url: 'https://members.example/bread', title: 'What the tab said' },
    ]);
    expect(sent.headers.get('location')).toContain(`/content/${sent.body.id}`);
    const item = await read(sent.body.id);
    expect(item).toMatchObject({ status: 'completed', title: 'Slow bread', notes: 'For Sunday', shelf: 'later' });
    expect(item.tags.toSorted()).toEqual(['baking', 'bread', 'slow']);
    expect(item.transcript).toContain(sentence);
    const marked = await testServer.app.services.highlights.list(localAccountId, {
      contentId: sent.body.id,
      limit: 10,
      offset: 0,
    });
    expect(marked.items).toMatchObject([{ quote: 'a cold night does most of the work', place: 'found' }]);
    const original = await testServer.app.services.library.getOriginal(localAccountId, sent.body.id);
    expect(original.declaredType).toBe('text/html; charset=utf-8');
    // The undo takes all of it back.
    const undone = await (
      await testServer.app.stores.open(localAccountId)
    ).undo(String(sent.body['undo']), { force: false });
    expect(undone).toMatchObject({ outcome: 'undone' });
    expect((await testServer.ask(`/content/${sent.body.id}`)).status).toBe(404);
  });

  it('with a SingleFile page saves the original address and date, without pictures in the text', async () => {
    const picture = `data:image/png;base64,${'iVBORw0KGgo'.repeat(2_000)}`;
    const saved = (url: string) =>
      page(`<meta charset=utf-8><link rel=canonical href="${url}"><meta name="description" content="x">`)
        .replace(
          '<html>',
          `<html lang=en><!--\n Page saved with SingleFile \n url: ${url}?utm_source=mail \n saved date: Tue Mar 03 2026 08:15:00 GMT+0100 (Mitteleuropäische Normalzeit)\n-->`,
        )
        .replace('<p>', `<img alt="A loaf" src="${picture}"><p>`);
    const sent = await send([['file', file(saved('https://blog.example/bread'), 'SingleFile.html', 'text/html')]]);
    expect([sent.status, sent.body]).toMatchObject([201, { url: 'https://blog.example/bread?utm_source=mail' }]);
    const item = await read(sent.body.id);
    expect(item).toMatchObject({
      status: 'completed',
      title: 'Slow bread',
      contentType: 'article',
      canonicalUrl: 'https://blog.example/bread',
    });
    expect(item.transcript).not.toContain('base64');
    // The address that the client gives has precedence.
    const named = await send([
      ['file', file(saved('https://blog.example/other'), 'SingleFile.html', 'text/html')],
      ['url', 'https://blog.example/named'],
    ]);
    expect(named.body).toMatchObject({ url: 'https://blog.example/named' });
  });

  it('with a PDF saves the document at its address, or a file with a name', async () => {
    const pdf = new Uint8Array(
      await makePdf([column(['Bread rises in the night.', 'The oven is hot in the morning.'], 72, 72)]),
    );
    const at = await send([
      ['file', file(pdf, 'paper.pdf', 'application/pdf')],
      ['url', 'https://journal.example/paper.pdf'],
    ]);
    const named = await send([['file', file(pdf, 'C:\\papers\\päper.pdf', 'application/pdf')]]);
    expect(await read(at.body.id)).toMatchObject({
      contentType: 'pdf',
      url: 'https://journal.example/paper.pdf',
      pageCount: 1,
    });
    expect(await read(named.body.id)).toMatchObject({ contentType: 'pdf', url: null, fileName: 'päper.pdf' });
    expect((await send([['file', file(pdf, 'päper.pdf')]])).body).toMatchObject({
      id: named.body.id,
      outcome: 'existed',
    });
  });

  it('with a text saves a note, and with only an address fetches the page', async () => {
    const note = await send([
      ['text', 'Call the plumber “today” 🛠'],
      ['title', 'House'],
      // Fields that were left empty.
      ['notes', ''],
      ['url', ' '],
      ['file', file('', '')],
    ]);
    expect([note.status, note.body]).toMatchObject([201, { url: null, contentType: null }]);
    expect(await read(note.body.id)).toMatchObject({ contentType: 'text', title: 'House' });
    const link = await send([
      ['url', 'http://127.0.0.1:9/away'],
      ['title', 'Shown meanwhile'],
    ]);
    expect([link.status, link.body]).toMatchObject([201, { title: 'Shown meanwhile', status: 'pending' }]);
  });

  it('is acknowledged to a write-only token, and refused to a read-only one', async () => {
    const writer = await testServer.createToken({ scopes: ['content:write'] });
    const sent = await send([['text', 'A secret note']], { token: writer });
    expect(Object.keys(sent.body).toSorted()).toEqual(['id', 'outcome', 'status']);
    const reader = await testServer.createToken({ scopes: ['content:read'] });
    expect(await send([['text', 'No']], { token: reader })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
    const missing = await send([['text', 'No']], { token: null });
    expect([missing.status, missing.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="commonplace"']);
  });
});

describe('a refusal', () => {
  const multipart = (body: string, boundary = 'x') =>
    send(body, { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } });
  const part = (name: string, value: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

  it('names the invalid field', async () => {
    const wrong = async (fields: Fields) => {
      const { status, body } = await send(fields);
      expect(status).toBe(400);
      return (body['errors'] as { path: string; message: string }[]).map(({ path, message }) => `${path} ${message}`);
    };
    expect(await wrong([['notes', 'only this']])).toEqual(['url is missing: give url, file, html or text']);
    expect(await wrong([['html', page()]])).toEqual(['url is missing: html belongs to a page']);
    expect(
      await wrong([
        ['adress', 'https://example.org/'],
        ['text', 'x'],
      ]),
    ).toEqual(['adress does not exist here']);
    expect(
      await wrong([
        ['picture', file('x', 'a.png')],
        ['text', 'x'],
      ]),
    ).toEqual(['picture does not exist here']);
    expect(await wrong([['url', 'example.org/page']])).toEqual(['url has no scheme: put https:// in front of it']);
    expect(
      await wrong([
        ['url', 'https://a.example/'],
        ['url', 'https://b.example/'],
      ]),
    ).toEqual(['url was given more than once']);
    expect(
      await wrong([
        ['file', file('x', 'a.txt')],
        ['text', 'x'],
      ]),
    ).toEqual(['file only 1 of file, html and text may be given']);
    expect(
      await wrong([
        ['url', 'https://a.example/'],
        ['notes', 'x'.repeat(70_000)],
      ]),
    ).toEqual(['notes must have at most 65536 characters']);
    expect(
      await wrong([
        ['url', 'https://a.example/'],
        ['title', 'x'.repeat(1_001)],
      ]),
    ).toEqual(['title must have at most 1000 characters']);
    const nothing = await send([['url', 'https://a.example/']], { path: '/capture?tags=x' });
    expect([nothing.status, nothing.body['code']]).toEqual([400, 'invalid_input']);
  });

  it('limits the length of the fields and the header', async () => {
    const codes = async (answer: ReturnType<typeof send>) => {
      const { status, body } = await answer;
      return [status, String(body['detail'])] as const;
    };
    // As many tags as fit into the form, and into the fields of one.
    const many = Array.from({ length: 118 }, () => ['tags', 'a,'.repeat(32_000)] as const);
    expect(await codes(send([['text', 'x'], ...many]))).toEqual([
      400,
      'The form is not valid. The fields beside the content have more than 262144 bytes together.',
    ]);
    const most = await codes(send([['text', 'x'], ...many.slice(0, 4)]));
    expect(most).toEqual([400, expect.stringContaining('tags: must have at most 50 entries')]);
    const typed = (type: string, body = `${part('text', 'A note')}--x--\r\n`) =>
      codes(send(body, { headers: { 'content-type': type } }));
    const strict = [400, expect.stringContaining('one boundary, and no other parameters')];
    expect(await typed('Multipart/Form-Data; Boundary="x"')).toEqual([201, 'undefined']);
    for (const type of [
      'multipart/form-data; charset="; boundary=none"; boundary=x',
      'multipart/form-data; boundary=none; boundary=x',
      'multipart/form-data; boundary=x; charset=utf-8',
      'multipart/form-data; boundary=',
      'multipart/form-data',
    ])
      expect(await typed(type)).toEqual(strict);
    const { body } = await send(Array.from({ length: 100 }, (_, at) => [`field${at}`, 'x'] as const));
    expect(body['errors']).toHaveLength(20);
  });

  it('covers the type, the form and its size', async () => {
    const codeOf = async (answer: ReturnType<typeof send>) => {
      const { status, body } = await answer;
      return [status, body['code']];
    };
    expect(
      await codeOf(send('{"url":"https://a.example/"}', { headers: { 'content-type': 'application/json' } })),
    ).toEqual([415, 'unsupported_media_type']);
    expect(await codeOf(send('x', { headers: { 'content-type': 'multipart/form-data' } }))).toEqual([
      400,
      'invalid_input',
    ]);
    expect(await codeOf(multipart(`${part('text', 'not ended')}`))).toEqual([400, 'invalid_input']);
    expect(await codeOf(multipart('no form at all'))).toEqual([400, 'invalid_input']);
    expect(await codeOf(multipart(`${part('tags', 'x').repeat(5_000)}--x--\r\n`))).toEqual([400, 'invalid_input']);
    expect(await codeOf(send(formOf([['text', 'x']]), { headers: { 'content-encoding': 'gzip' } }))).toEqual([
      415,
      'unsupported_media_type',
    ]);
    expect(
      (await fetch(`${listening.url}/capture`, { headers: { authorization: `Bearer ${testServer.token}` } })).status,
    ).toBe(405);
    expect(await leftovers()).toEqual([]);
  });

  it('without `apiV1` the fixed path is unchanged, and with it /api/v1/content takes the form', async () => {
    const fields: Fields = [
      ['url', 'https://members.example/v1'],
      ['html', page()],
    ];
    expect((await send(fields, { path: '/content' })).status).toBe(415);
    expect((await send(fields, { path: '/api/v1/content' })).status).toBe(404);
    const { app } = testServer;
    const withV1 = await createHttpServer({ ...httpParts(app), config: { ...app.config, apiV1: true } });
    const sendV1 = async (body: Fields) => {
      const headers = { authorization: `Bearer ${testServer.token}`, 'idempotency-key': 'one' };
      const request = new Request('http://localhost/api/v1/content', { method: 'POST', headers, body: formOf(body) });
      const answer = await withV1.app.fetch(request);
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as object };
    };
    const first = await sendV1(fields);
    expect([first.status, first.body]).toMatchObject([201, { url: 'https://members.example/v1' }]);
    const again = await sendV1(fields);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await sendV1([['text', 'Another']])).status).toBe(409);
    await withV1.close();
  });
});

describe('a large form', () => {
  /** A request that is written by hand, so that it can stop in the middle. */
  const begin = (length: number) => {
    const { hostname, port } = new URL(listening.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(
      `POST /capture HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${testServer.token}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${length}\r\n\r\n`,
    );
    return socket;
  };
  const until = async (is: () => Promise<boolean>) => {
    while (!(await is())) await new Promise((resolve) => setImmediate(resolve));
  };

  it('is accepted up to the limit, and refused above it before it has arrived', async () => {
    const sent = await send([['file', file(new Uint8Array(31 * 2 ** 20).fill(97), 'long.txt')]]);
    expect(sent.status).toBe(201);
    const { hostname, port } = new URL(listening.url);
    const socket = begin(40 * 2 ** 20);
    const answer = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
    expect(answer).toContain('413 Payload Too Large');
    expect(answer).toContain('commonplace save <file>');
    socket.destroy();
    // Without a length, what arrives is counted.
    const endless = connect(Number(port), hostname);
    endless.on('error', () => undefined);
    endless.write(
      `POST /capture HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${testServer.token}\r\nContent-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const chunk = Buffer.alloc(2 ** 20, 97);
    const refused = new Promise<string>((resolve) => endless.once('data', (data) => resolve(String(data))));
    for (let sent = 0; sent < 34 && !endless.destroyed; sent += 1) {
      endless.write(`${chunk.length.toString(16)}\r\n`);
      endless.write(chunk);
      if (!endless.write('\r\n'))
        await Promise.race([new Promise((resolve) => endless.once('drain', resolve)), refused]);
    }
    expect(await refused).toContain('413 Payload Too Large');
    endless.destroy();
    await until(async () => (await leftovers()).length === 0);
  });

  it('is refused halfway when the account sends too much at once, and the connection closes', async () => {
    const sockets: ReturnType<typeof begin>[] = [];
    const answers: Promise<string>[] = [];
    // Nine of these are more than an account may have on the disk.
    for (let at = 0; at < 9; at += 1) {
      const socket = begin(32 * 2 ** 20);
      answers.push(
        new Promise((resolve) => {
          let text = '';
          socket.on('data', (data) => (text += String(data)));
          socket.once('close', () => resolve(text));
        }),
      );
      sockets.push(socket);
      for (let sent = 0; sent < 31; sent += 1) socket.write(Buffer.alloc(2 ** 20, 97));
    }
    const refused = await Promise.race(answers);
    expect(refused).toContain('429 Too Many Requests');
    expect(refused.toLowerCase()).toContain('connection: close');
    for (const socket of sockets) socket.destroy();
    await until(async () => (await leftovers()).length === 0);
  });

  it('that breaks off leaves nothing and blocks no one', async () => {
    const before = await testServer.app.services.library.state(localAccountId);
    const socket = begin(20 * 2 ** 20);
    socket.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n');
    socket.write(Buffer.alloc(2 ** 20, 97));
    await until(async () => (await leftovers()).length === 1);
    // The account's other form, and another account's, do not wait for it.
    expect((await send([['text', 'Meanwhile']])).status).toBe(201);
    const { id: account } = await testServer.app.access.addAccount('Other', 'pro');
    const other = await testServer.createToken({ account });
    expect((await send([['text', 'Elsewhere']], { token: other })).status).toBe(201);
    socket.destroy();
    await until(async () => (await leftovers()).length === 0);
    const after = await testServer.app.services.library.state(localAccountId);
    expect(after.pending + after.searchable + after.failed).toBe(
      before.pending + before.searchable + before.failed + 1,
    );
  });
});
