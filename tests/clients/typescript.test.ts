import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import {
  Commonplace,
  CommonplaceError,
  JobEndedError,
  ProcessingFailedError,
} from '../../clients/typescript/src/index.ts';
import { staleFiles } from '../../scripts/clients/write.ts';
import { localAccountId, scopes } from '../../src/domain/records/account.ts';
import { permissions } from '../../src/domain/access/permission.ts';
import type { Listening } from '../../src/http/listen.ts';
import { openTestServer } from '../support/test-server.ts';
import { makeKey } from '../support/access/keys.ts';
import { articlePage, serve, startSite, type Site } from '../support/servers/site.ts';

const run = promisify(execFile);
const folder = join(import.meta.dirname, '..', '..', 'clients', 'typescript');

let testServer: Awaited<ReturnType<typeof openTestServer>>;
let listening: Listening;
let site: Site;
let token: string;
let client: Commonplace;
const proxies: Server[] = [];

beforeAll(async () => {
  site = await startSite();
  site.routes.set(
    '/sleep',
    serve(articlePage('What helps to sleep', ['Go to bed at the same hour every day. '.repeat(9)])),
  );
  testServer = await openTestServer({
    httpPort: 0,
    shutdownGraceSeconds: 0,
    embedder: 'none',
    apiV1: true,
    rateLimitPerMinute: 0,
  });
  listening = await testServer.app.serve();
  testServer.app.worker.start();
  ({ token } = await testServer.app.access.createToken({ account: localAccountId, name: 'test', scopes }));
  client = new Commonplace({ baseUrl: `${listening.url}/`, token });
});
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await new Promise((closed) => proxy.close(closed).closeAllConnections());
});
afterAll(async () => {
  await listening.close(AbortSignal.abort());
  await testServer.close();
  await site.close();
});

/** A client that reaches the server through something that may answer in its place. */
async function behind(listener: RequestListener, options: object = {}): Promise<Commonplace> {
  const proxy = createServer(listener);
  proxies.push(proxy);
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready));
  return new Commonplace({ baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, token, ...options });
}

/** Asks the real server what the proxy was asked. */
async function forward(incoming: Parameters<RequestListener>[0]): Promise<Response> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return fetch(`${listening.url}${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers: Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
      ['host', 'connection', 'content-length'].includes(name) ? [] : [[name, String(value)]],
    ),
    ...(pieces.length > 0 && { body: Buffer.concat(pieces) }),
  });
}

async function answer(...[incoming, outgoing]: Parameters<RequestListener>): Promise<void> {
  const response = await forward(incoming);
  outgoing.writeHead(response.status, { 'content-type': 'application/json' }).end(await response.text());
}

test('the generated files match the server', () => {
  expect(staleFiles(), 'run npm run clients').toEqual([]);
});

describe('the client', () => {
  it('saves a page, waits for it, searches, changes, deletes and restores it', async () => {
    const saved = await client.content.save({ url: `${site.url}/sleep`, tags: ['a'] });
    expect(saved.outcome).toBe('created');
    const seen: string[] = [];
    const item = await client.content.waitUntilProcessed(saved.id, {
      intervalMs: 20,
      onProgress: ({ status }) => seen.push(status),
    });
    expect(item).toMatchObject({ id: saved.id, title: 'What helps to sleep', status: 'completed' });
    expect(seen.at(-1)).toBe('completed');
    expect((await client.search({ query: 'bed' })).results).toMatchObject([{ id: saved.id }]);
    expect(await client.suggest({ prefix: 'what' })).toMatchObject({ suggestions: [{ text: 'What helps to sleep' }] });
    expect(await client.content.related(saved.id)).toMatchObject({ items: [] });
    const changed = await client.content.update(saved.id, { notes: 'mine' }, { ifMatch: item.etag });
    expect(changed.notes).toBe('mine');
    await expect(client.content.update(saved.id, { notes: 'lost' }, { ifMatch: item.etag })).rejects.toMatchObject({
      status: 412,
      code: 'precondition_failed',
    });
    expect(await client.content.update(saved.id, { tags: [] }, { ifMatch: changed.etag })).toMatchObject({ tags: [] });
    expect(await client.content.delete(saved.id)).toMatchObject({ id: saved.id });
    await expect(client.content.get(saved.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await client.content.restore(saved.id)).toMatchObject({ id: saved.id });
  });

  it('saves several pages and undoes that', async () => {
    const urls = [`${site.url}/one-of-two`, 'not an address'];
    const { items, saved, undo } = await client.content.saveMany({ urls });
    expect([items.map(({ outcome }) => outcome), saved]).toEqual([['created', 'refused'], 1]);
    expect(await client.undo(undo ?? '')).toMatchObject({ outcome: 'undone' });
    await expect(client.content.get(items[0]?.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('walks lists page by page', async () => {
    for (let index = 0; index < 5; index += 1)
      await client.content.save({ title: `Note ${index}`, text: `Text ${index}.`, tags: ['walk', `t${index}`] });
    const titles: (string | null)[] = [];
    for await (const { title } of client.content.list({ tags: ['walk'], limit: 2 })) titles.push(title);
    expect(titles).toEqual(['Note 4', 'Note 3', 'Note 2', 'Note 1', 'Note 0']);
    const sizes: number[] = [];
    for await (const { items, total } of client.content.list({ tags: ['walk'], limit: 3 }).pages())
      sizes.push(items.length, total);
    expect(sizes).toEqual([3, 5, 2, 5]);
    const tags: string[] = [];
    for await (const { tag } of client.tags.list({ limit: 1 })) tags.push(tag);
    expect(tags).toHaveLength(6);
    expect(await client.tags.rename({ from: 't0', to: 'walk' })).toMatchObject({ merged: true });
  });

  it('marks words and undoes changes', async () => {
    const { id } = await client.content.save({ title: 'Marked', text: 'Cold rooms are good for sleep.' });
    const marked = await client.highlights.add({ contentId: id, quote: 'Cold rooms', note: 'Mine' });
    expect(await client.highlights.update(marked.id, { colour: 'blue' })).toMatchObject({ colour: 'blue' });
    const quotes: string[] = [];
    for await (const { quote } of client.highlights.list({ contentId: id })) quotes.push(quote);
    expect(quotes).toEqual(['Cold rooms']);
    const { undo } = await client.content.update(id, { notes: 'wrong' });
    expect(await client.undo(undo ?? '')).toMatchObject({ outcome: 'undone' });
    const operations: string[] = [];
    for await (const { operation } of client.history({ id })) operations.push(operation);
    expect(operations.slice(0, 2)).toEqual(['undo', 'update_content']);
    expect(await client.highlights.delete(marked.id)).toMatchObject({ id: marked.id });
  });

  it('makes, rotates and revokes keys', async () => {
    const { secret: owner } = await makeKey(testServer.app, permissions);
    const { keys } = new Commonplace({ baseUrl: listening.url, token: owner });
    const made = await keys.create({ name: 'reader', permissions: ['content:read'], expiresInDays: 1 });
    const reader = new Commonplace({ baseUrl: listening.url, token: made.secret ?? '' });
    expect((await reader.content.list({ limit: 1 }).pages()[Symbol.asyncIterator]().next()).done).toBe(false);
    await expect(reader.goals.add({ title: 'No', category: 'Health' })).rejects.toMatchObject({ status: 403 });
    const rotated = await keys.rotate(made.id);
    expect(rotated.secret).not.toBe(made.secret);
    expect(await keys.get(made.id)).toMatchObject({ name: 'reader', oldSecretUntil: rotated.oldSecretUntil });
    const names: string[] = [];
    for await (const { name } of keys.list({ limit: 1 })) names.push(name);
    expect(names).toContain('reader');
    expect((await keys.revoke(made.id)).revokedAt).not.toBeNull();
    await expect(reader.content.get('c_aaaaaaaaaaaaaaaa')).rejects.toMatchObject({ status: 401 });
  });

  it('sends a file to import and waits until it is done', async () => {
    const addresses = (of: string) =>
      Array.from({ length: 3 }, (_, at) => `https://example.org/${of}/${at}\n`).join('');
    const begun = await client.imports.start(new Blob([addresses('blob')]), { name: 'list.txt', tags: ['blob'] });
    const seen: string[] = [];
    const done = await client.imports.waitUntilDone(begun.id, {
      intervalMs: 20,
      onProgress: ({ state }) => seen.push(state),
    });
    expect(done).toMatchObject({ state: 'done', fileName: 'list.txt', counts: { taken: 3 } });
    expect(seen.at(-1)).toBe('done');
    const streamed = await client.imports.start(new Blob([addresses('stream')]).stream());
    expect(await client.imports.waitUntilDone(streamed.id, { intervalMs: 20 })).toMatchObject({ counts: { taken: 3 } });
    const report = await client.imports.report(begun.id);
    expect(report).toMatchObject({ fileName: 'report.csv', mediaType: 'text/csv; charset=utf-8' });
    expect((await new Response(report.body).text()).trimEnd().split('\n')).toHaveLength(4);
    const ids: string[] = [];
    for await (const { id } of client.imports.list({ limit: 1 })) ids.push(id);
    expect(ids).toEqual([streamed.id, begun.id]);
    expect(await client.imports.cancel(begun.id)).toMatchObject({ state: 'done' });
    await expect(client.imports.resume(begun.id)).rejects.toMatchObject({ code: 'conflict' });
    expect(await client.imports.delete(begun.id)).toMatchObject({ id: begun.id });
    await expect(client.imports.get(begun.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('says why an import ended early', async () => {
    const { id } = await client.imports.start(new Blob(['PK\u0003\u0004 and nothing more']));
    const waiting = client.imports.waitUntilDone(id, { intervalMs: 20 });
    await expect(waiting).rejects.toBeInstanceOf(JobEndedError);
    await expect(waiting).rejects.toMatchObject({ id, state: 'failed', message: expect.stringContaining('cannot be') });
    const ending = AbortSignal.abort(new Error('enough'));
    await expect(client.imports.waitUntilDone(id, { signal: ending })).rejects.toThrow('enough');
  });

  it('streams an export for longer than the timeout of one attempt', async () => {
    const { id } = await client.exports.start({ format: 'jsonl' });
    const done = await client.exports.waitUntilDone(id, { intervalMs: 20 });
    const file = await client.exports.download(id);
    expect(file).toMatchObject({ fileName: done.fileName, mediaType: 'application/jsonl', bytes: done.bytes });
    const lines = (await new Response(file.body).text()).trimEnd().split('\n');
    expect(lines).toHaveLength(done.items);
    // Its second half comes only when the time for a try is over.
    let finish = (): void => undefined;
    const halves = await behind(
      ({ method }, outgoing) => {
        if (method !== 'GET') return;
        outgoing.writeHead(200, { 'content-length': '2' }).write('1');
        finish = () => void outgoing.end('2');
      },
      { timeoutMs: 100, maxRetries: 0 },
    );
    const { body: both } = await halves.exports.download(id);
    await expect(halves.search({ query: 'x' })).rejects.toMatchObject({ name: 'TimeoutError' });
    finish();
    expect(await new Response(both).text()).toBe('12');
    const aborting = new AbortController();
    const hanging = await behind((_, outgoing) => outgoing.writeHead(200).write('1'));
    const { body } = await hanging.exports.download(id, { signal: aborting.signal });
    aborting.abort(new Error('enough'));
    await expect(new Response(body).text()).rejects.toThrow('enough');
    const ids: string[] = [];
    for await (const one of client.exports.list()) ids.push(one.id);
    expect(ids).toEqual([id]);
    expect(await client.exports.delete(id)).toMatchObject({ id });
    await expect(client.exports.get(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('sends a stream once, and a file again', async () => {
    let asked = 0;
    const shaky = await behind((incoming, outgoing) => {
      asked += 1;
      if (asked % 2 === 1) incoming.resume().once('end', () => outgoing.writeHead(503, { 'retry-after': '0' }).end());
      else void answer(incoming, outgoing);
    });
    const file = new Blob(['https://example.org/again\n']);
    await expect(shaky.imports.start(file.stream())).rejects.toMatchObject({ status: 503 });
    asked = 0;
    expect(await shaky.imports.start(file)).toMatchObject({ bytes: 26 });
    expect(asked).toBe(2);
  });

  it('lists and changes goals and actions', async () => {
    const goal = await client.goals.add({ title: 'Sleep better', category: 'Health' });
    expect(await client.goals.update(goal.id, { description: 'Early' })).toMatchObject({ description: 'Early' });
    const goals: string[] = [];
    for await (const { title } of client.goals.list()) goals.push(title);
    expect(goals).toEqual(['Sleep better']);
    for (const list of [
      client.goals.actions(goal.id),
      client.actions.list({ goalId: goal.id }),
      client.actions.pending(),
    ])
      for await (const action of list) expect(action.completed).toBe(false);
    await expect(client.actions.complete('a_aaaaaaaaaaaaaaaa')).rejects.toMatchObject({ status: 404 });
    expect(await client.forgetQueries()).toHaveProperty('forgotten');
  });

  it('reports a refusal and the invalid fields', async () => {
    const refused = client.content.save({ url: 'nonsense', extra: 1 } as never);
    await expect(refused).rejects.toBeInstanceOf(CommonplaceError);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_input', errors: [{ path: 'extra' }] });
    const stranger = new Commonplace({ baseUrl: listening.url, token: 'cpl_wrong' });
    await expect(stranger.content.get('c_1')).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
    const { requestId } = (await stranger.content.get('c_1').catch((error: unknown) => error)) as CommonplaceError;
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('says that an item could not be processed', async () => {
    const { id } = await client.content.save({ url: `${site.url}/missing` });
    await expect(client.content.waitUntilProcessed(id, { intervalMs: 20 })).rejects.toBeInstanceOf(
      ProcessingFailedError,
    );
  });

  it('retries and never saves twice', async () => {
    const asked: string[] = [];
    const shaky = await behind((incoming, outgoing) => {
      asked.push(`${incoming.method} ${String(incoming.headers['idempotency-key'])}`);
      if (asked.length === 1) outgoing.writeHead(503, { 'retry-after': '0' }).end('<p>restarting</p>');
      // The request arrives, and its answer is lost.
      else if (asked.length === 2) void forward(incoming).then(() => outgoing.destroy());
      else void answer(incoming, outgoing);
    });
    const { outcome } = await shaky.content.save({ title: 'Once', text: 'Only once.' });
    expect(outcome).toBe('created');
    expect(asked).toHaveLength(3);
    expect(new Set(asked).size).toBe(1);
  });

  it('gives up after the given number of attempts, or at once when the wait would be too long', async () => {
    let asked = 0;
    const down = await behind(
      (_, outgoing) => {
        asked += 1;
        outgoing.writeHead(502).end();
      },
      { maxRetries: 0 },
    );
    await expect(down.search({ query: 'x' })).rejects.toMatchObject({ status: 502, code: 'unknown' });
    const busy = await behind((_, outgoing) => {
      asked += 1;
      outgoing.writeHead(429, { 'retry-after': '3600' }).end();
    });
    await expect(busy.search({ query: 'x' })).rejects.toMatchObject({ status: 429, retryAfter: 3_600 });
    expect(asked).toBe(2);
  });

  it('ends when its signal is aborted', async () => {
    const aborting = new AbortController();
    const hanging = await behind(() => aborting.abort(new Error('enough')));
    await expect(hanging.search({ query: 'x' }, { signal: aborting.signal })).rejects.toThrow('enough');
    await expect(client.content.get('c_1', { signal: AbortSignal.abort(new Error('early')) })).rejects.toThrow('early');
    const slow = await behind(() => undefined, { timeoutMs: 20, maxRetries: 0 });
    await expect(slow.search({ query: 'x' })).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('the package', () => {
  it('is small, installs into an empty folder, and works there as its README says', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'commonplace-client-'));
    try {
      const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', empty], { cwd: folder });
      const code = await readdir(join(folder, 'dist'));
      const texts = await Promise.all(
        code.filter((name) => name.endsWith('.js')).map((name) => readFile(join(folder, 'dist', name))),
      );
      expect(gzipSync(Buffer.concat(texts)).length).toBeLessThan(10_000);
      await writeFile(join(empty, 'package.json'), '{"type":"module"}');
      await run('npm', ['install', '--offline', '--no-audit', '--no-fund', stdout.trim()], { cwd: empty });
      const readme = await readFile(join(folder, 'README.md'), 'utf8');
      const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, example = '']) => example);
      expect(examples).toHaveLength(4);
      const { secret: owner } = await makeKey(testServer.app, permissions);
      await writeFile(
        join(empty, 'bookmarks.html'),
        '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DT><A HREF="https://example.org/x">X</A>',
      );
      const script = examples.join('\n').replaceAll('https://example.com', site.url);
      await mkdir(join(empty, 'src'));
      await writeFile(join(empty, 'src', 'example.ts'), script);
      // Type errors of the examples would be the reader's.
      await writeFile(
        join(empty, 'tsconfig.json'),
        JSON.stringify({
          compilerOptions: {
            target: 'es2022',
            module: 'nodenext',
            strict: true,
            noEmit: true,
            types: ['node'],
            typeRoots: [join(folder, '..', '..', 'node_modules', '@types')],
          },
          include: ['src'],
        }),
      );
      const tsc = join(folder, '..', '..', 'node_modules', '.bin', 'tsc');
      await run(tsc, ['-p', empty]);
      const { stdout: printed } = await run(process.execPath, ['src/example.ts'], {
        cwd: empty,
        env: { ...process.env, COMMONPLACE_URL: listening.url, COMMONPLACE_TOKEN: owner },
      });
      expect(printed).toContain('What helps to sleep');
      expect(printed).toContain('1 taken');
      expect(await readdir(empty)).toContainEqual(expect.stringMatching(/^commonplace-.*\.zip$/));
    } finally {
      await rm(empty, { recursive: true, force: true });
    }
  });
});
