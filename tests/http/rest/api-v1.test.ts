import { gunzipSync } from 'node:zlib';
import { join } from 'node:path';
import { openRaw } from '../../support/store/raw-database.ts';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import type { ContentItem } from '../../../src/domain/records/content.ts';
import type { OpenApiDocument } from '../../../src/http/rest/openapi/document.ts';
import { createOpenApiDocument } from '../../../src/http/rest/openapi/openapi.ts';
import { mounts } from '../../../src/http/listen.ts';
import { operations } from '../../../src/operations/index.ts';
import { addFinishedItem, paragraphs } from '../../support/content.ts';
import { openHttpServer, type Answer, type HttpTestServer } from '../../support/http.ts';
import { createValidators, documentedResponse, placedOperations } from '../../support/api/openapi.ts';

const announced = [
  'get /content',
  'post /content',
  'get /content/{id}',
  'put /content/{id}',
  'delete /content/{id}',
  'post /search',
  'get /search/suggestions',
  'get /related/{id}',
  'get /actions',
  'post /actions/{id}/complete',
  'get /actions/pending',
  'get /goals',
  'get /goals/{id}/actions',
];

const document = createOpenApiDocument(operations, {
  version: '1.2.3',
  baseUrl: '/',
  isApiV1: true,
});

let testServer: HttpTestServer;
const ids: string[] = [];

beforeAll(async () => {
  testServer = await openHttpServer({ embedder: 'none', apiV1: true }, { mounts });
  const store = await testServer.app.stores.open(localAccountId);
  for (let index = 0; index < 7; index += 1)
    ids.unshift(
      await addFinishedItem(store, {
        url: `https://example.com/${index}`,
        blocks: paragraphs(`Text ${index} about sleep and bread.`),
        about: { contentType: 'article', title: `Item ${index}` },
        tags: ['all'],
      }),
    );
});
afterAll(() => testServer.close());

const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  testServer.ask(`/api/v1${path}`, { method: 'POST', body, headers });
const read = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  testServer.ask(`/api/v1${path}`, { headers });
const change = (id: string, body: unknown, headers: Record<string, string> = {}, token = testServer.token) =>
  testServer.ask(`/api/v1/content/${id}`, { method: 'PUT', body, headers, token });
const item = ({ body }: Answer): ContentItem => body;
const newItem = async (name: string): Promise<string> =>
  item(await post('/content', { url: `https://example.com/${name}` })).id;

describe('without the setting', () => {
  test('nothing reveals it, and every path is not found, with or without a token', async () => {
    const plain = await openHttpServer({ embedder: 'none' }, { mounts });
    try {
      for (const path of ['', '/', '/content', '/content/c_aaaaaaaaaaaaaaaa', '/openapi.json', '/docs', '/nothing'])
        for (const token of [plain.token, null])
          for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'])
            expect((await plain.ask(`/api/v1${path}`, { method, token })).status, `${method} ${path}`).toBe(404);
      for (const path of ['/openapi.json', '/docs', '/']) {
        const { text } = await plain.ask(path, { token: null });
        expect(text).not.toMatch(/api\/v1|If-Match|precondition_failed/);
        // The switch leaves the fixed interface as it is, byte for byte.
        expect(text).toBe((await testServer.ask(path, { token: null })).text);
      }
      // Of the fixed paths, only the one for extensions and phones takes a key: they send again what was not answered.
      const { paths } = JSON.parse((await plain.ask('/openapi.json', { token: null })).text) as OpenApiDocument;
      const withKey = Object.keys(paths).filter((path) => JSON.stringify(paths[path]).includes('Idempotency-Key'));
      expect(withKey).toEqual(['/capture']);
    } finally {
      await plain.close();
    }
  });
});

describe('its document', () => {
  it('has every announced route', () => {
    const routes = placedOperations(document).map(({ method, path }) => `${method} ${path}`);
    for (const route of announced) expect(routes).toContain(route.replace(' /', ' /api/v1/'));
    expect(document.tags.filter(({ name, description }) => name === description)).toEqual([]);
  });

  it('has examples that are valid by its schemas', () => {
    const validatorOf = createValidators(document);
    for (const { operation } of placedOperations(document)) {
      const answers = Object.keys(operation.responses).flatMap((status) =>
        Object.values(documentedResponse(document, operation, Number(status))?.content ?? {}),
      );
      for (const { schema, example } of answers) {
        const validate = validatorOf(schema);
        expect(example === undefined || validate(example), operation.operationId).toBe(true);
      }
    }
  });

  it('links each answer to calls that take its ids', () => {
    const places = placedOperations(document);
    const targets = new Map<string, string[]>();
    for (const { operation } of places)
      for (const response of Object.values(operation.responses))
        for (const { operationId, parameters } of Object.values(('links' in response && response.links) || {})) {
          const target = places.find((place) => place.operation.operationId === operationId);
          const taken = target?.operation.parameters?.map(({ name }) => name) ?? [];
          expect(taken).toEqual(expect.arrayContaining(Object.keys(parameters)));
          targets.set(operationId, [...(targets.get(operationId) ?? []), operation.operationId]);
        }
    expect(targets.get('restoreContent')).toEqual(['deleteContent']);
    expect(targets.get('undo')).toContain('deleteHighlight');
    // What takes an id in its path is reached from another call.
    const unreached = places.filter(({ path, operation }) => path.endsWith('}') && !targets.has(operation.operationId));
    expect(unreached).toEqual([]);
  });

  it('says that null clears a field', async () => {
    const schema = placedOperations(document).find(({ operation }) => operation.operationId === 'updateContent')
      ?.operation.requestBody?.content['application/json']?.schema;
    const validate = createValidators(document)(schema ?? {});
    expect(validate({ notes: null, tags: null })).toBe(true);
    expect(validate({})).toBe(false);
    const id = await newItem('cleared');
    await change(id, { notes: 'Words.' });
    expect(item(await change(id, { notes: null })).notes).toBe(null);
    expect((await change(id, {})).status).toBe(400);
  });

  it('is served', async () => {
    expect((await read('/openapi.json')).body).toMatchObject({ paths: { '/api/v1/actions/pending': {} } });
    expect((await testServer.ask('/api/v1/docs', { token: null })).text).toContain('/api/v1/related/');
  });
});

describe('routes', () => {
  it('do not read one of their own paths as an id', async () => {
    for (const [path, method, allow] of [
      ['/content/changes', 'GET', 'POST, OPTIONS'],
      ['/content/changes', 'DELETE', 'POST, OPTIONS'],
      ['/actions/pending', 'PUT', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const answer = await testServer.ask(`/api/v1${path}`, { method, ...(method === 'PUT' && { body: {} }) });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
    }
    expect((await testServer.ask('/api/v1/content/changes', { token: null })).status).toBe(401);
  });

  it('include goals and their actions', async () => {
    const goal = (await post('/goals', { title: 'Sleep better', category: 'health' })).body as { id: string };
    expect((await read(`/goals/${goal.id}/actions`)).body).toMatchObject({ items: [], total: 0 });
    expect((await read('/goals/g_aaaaaaaaaaaaaaaa/actions')).status).toBe(404);
    expect((await read('/goals/nonsense/actions')).status).toBe(404);
    expect((await read('/actions/pending')).body).toMatchObject({ items: [] });
    const add = async (title: string, more: object) =>
      (await post('/actions', { title, contentId: ids[0], goalId: goal.id, ...more })).body as { id: string };
    const late = await add('Late', { due: '2099-04-02', priority: 'low' });
    const soon = await add('Soon', { due: '2099-04-01', snoozedUntil: '2099-03-01' });
    const titles = async (query: string) =>
      ((await read(`/goals/${goal.id}/actions?${query}`)).body as { items: { title: string }[] }).items.map(
        ({ title }) => title,
      );
    expect(await titles('order=day')).toEqual(['Soon', 'Late']);
    expect(await titles('order=priority&limit=1')).toEqual(['Soon']);
    expect(await titles('completed=false')).toEqual(['Late']);
    expect(await titles('completed=false&snoozed=true')).toEqual(['Soon']);
    expect((await read('/actions/pending')).body).toMatchObject({ items: [{ id: late.id, priority: 'low' }] });
    // On the fixed path, what is snoozed is not completed.
    const fixed = await testServer.ask(`/actions?completed=false&goalId=${goal.id}`);
    expect(fixed.body).toMatchObject({ total: 2 });
    expect((await testServer.ask(`/actions?completed=false&snoozed=false&goalId=${goal.id}`)).body).toMatchObject({
      total: 1,
    });
    const changed = async (body: object) =>
      (await testServer.ask(`/api/v1/actions/${soon.id}`, { method: 'PUT', body })).body;
    expect(await changed({ snoozedUntil: null, priority: 'high' })).toMatchObject({
      snoozedUntil: null,
      priority: 'high',
    });
    expect(await changed({ snoozedUntil: 'May' })).toMatchObject({ errors: [{ path: 'snoozedUntil' }] });
    expect(await changed({ priority: 'urgent' })).toMatchObject({ errors: [{ path: 'priority' }] });
    expect(await titles('completed=false&order=priority')).toEqual(['Soon', 'Late']);
    for (const { id } of [late, soon]) await post(`/actions/${id}/complete`, undefined);
    const put = { method: 'PUT', body: { archived: true } };
    expect((await testServer.ask(`/api/v1/goals/${goal.id}`, put)).body).toHaveProperty('archivedAt');
  });
});

describe('cursors', () => {
  it('walk the whole list, whatever is saved and deleted meanwhile', async () => {
    const shown: string[] = [];
    let cursor = '';
    do {
      const page = await read(`/content?limit=2&tags=all${cursor}`);
      const { items, nextCursor, total } = page.body as { items: { id: string }[]; nextCursor?: string; total: number };
      shown.push(...items.map(({ id }) => id));
      expect(total).toBeGreaterThanOrEqual(7);
      cursor = nextCursor === undefined ? '' : `&cursor=${nextCursor}`;
      const saved = item(await post('/content', { url: `https://example.com/new/${shown.length}`, tags: ['all'] }));
      expect(shown).not.toContain(saved.id);
    } while (cursor !== '');
    expect(shown).toEqual(ids);
    for (const { id } of ((await read('/content?limit=100&status=pending')).body as { items: { id: string }[] }).items)
      await testServer.ask(`/api/v1/content/${id}`, { method: 'DELETE' });
  });

  it('walk a list in pages of one, from an offset', async () => {
    for (const path of ['/tags?limit=1', '/content?limit=1&offset=1']) {
      const first = (await read(path)).body as { items: object[]; total: number; nextCursor?: string };
      const seen: object[] = [...first.items];
      let { nextCursor } = first;
      while (nextCursor !== undefined) {
        const page: typeof first = (await read(`${path}&cursor=${nextCursor}`)).body;
        seen.push(...page.items);
        ({ nextCursor } = page);
      }
      expect(seen).toHaveLength(first.total - (path.includes('offset') ? 1 : 0));
      expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(seen.length);
    }
  });

  it('of another query are refused', async () => {
    const { nextCursor } = (await read('/content?limit=2')).body as { nextCursor: string };
    expect((await read(`/content?limit=3&cursor=${nextCursor}`)).status).toBe(400);
    expect((await read('/content?cursor=nonsense')).status).toBe(400);
  });
});

describe('If-Match', () => {
  it('allows only one of two concurrent changes', async () => {
    const id = await newItem('both');
    const etag = (await read(`/content/${id}`)).headers.get('etag')!;
    const first = await change(id, { notes: 'mine' }, { 'if-match': etag });
    expect(first.status).toBe(200);
    expect(item(first).notes).toBe('mine');
    expect(first.headers.get('etag')).toBe((await read(`/content/${id}`)).headers.get('etag'));
    const second = await change(id, { notes: 'theirs' }, { 'if-match': etag });
    expect(second.status).toBe(412);
    expect(second.body).toMatchObject({ code: 'precondition_failed' });
    expect(item(await read(`/content/${id}`)).notes).toBe('mine');
    expect((await change(id, { notes: 'last' }, { 'if-match': first.headers.get('etag')! })).status).toBe(200);
    expect((await change(id, { notes: 'any' }, { 'if-match': '*' })).status).toBe(200);
    expect((await change('c_aaaaaaaaaaaaaaaa', { notes: 'any' }, { 'if-match': '*' })).status).toBe(404);
    const old = { method: 'DELETE', headers: { 'if-match': etag } };
    expect((await testServer.ask(`/api/v1/content/${id}`, old)).status).toBe(412);
    expect((await testServer.ask(`/api/v1/content/${id}`, { method: 'DELETE' })).status).toBe(200);
  });

  it('prevents a change that comes between the comparison and the write', async () => {
    const id = await newItem('between');
    const etag = (await read(`/content/${id}`)).headers.get('etag')!;
    const { library } = testServer.app.services;
    const { update } = library;
    library.update = async (account, changed, changes, since) => {
      library.update = update;
      await update(account, changed, { notes: 'between' });
      return update(account, changed, changes, since);
    };
    expect((await change(id, { notes: 'lost' }, { 'if-match': etag })).status).toBe(412);
    expect(item(await read(`/content/${id}`)).notes).toBe('between');
    await testServer.ask(`/api/v1/content/${id}`, { method: 'DELETE' });
  });

  it('reveals to a token that may not read only whether the tag matched', async () => {
    const id = await newItem('blind');
    const token = await testServer.createToken({ scopes: ['content:write'] });
    const etag = (await read(`/content/${id}`)).headers.get('etag')!;
    const changed = await change(id, { notes: 'blind' }, { 'if-match': etag }, token);
    expect(changed.body).toEqual({ id, status: 'pending' });
    expect(changed.headers.get('etag')).toBeNull();
    await testServer.ask(`/api/v1/content/${id}`, { method: 'DELETE' });
  });
});

describe('Idempotency-Key', () => {
  const key = { 'idempotency-key': '8e03978e-40d5-43e8-bc93-6894a57f9324' };

  it('repeats the first answer and does nothing', async () => {
    const first = await post('/content', { url: 'https://example.com/once' }, key);
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const { id } = item(first);
    await testServer.ask(`/api/v1/content/${id}`, { method: 'DELETE' });
    const again = await post('/content', { url: 'https://example.com/once' }, key);
    expect(again.text).toBe(first.text);
    expect(again.status).toBe(201);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await read(`/content/${id}`)).status).toBe(404);
  });

  it('belongs to one request and one token', async () => {
    const other = await post('/content', { url: 'https://example.com/twice' }, key);
    expect(other.status).toBe(409);
    expect(other.body).toMatchObject({ code: 'conflict' });
    const token = await testServer.createToken();
    const mine = { method: 'POST', body: { url: 'https://example.com/twice' }, headers: key, token };
    expect((await testServer.ask('/api/v1/content', mine)).status).toBe(201);
  });

  it('is refused while its first request is under way, and free again if that failed', async () => {
    const { library } = testServer.app.services;
    const { save } = library;
    const own = { 'idempotency-key': 'slow' };
    let go: () => void = () => undefined;
    library.save = async () => {
      await new Promise<void>((resolve) => {
        go = resolve;
      });
      throw new Error('broken');
    };
    const slow = post('/content', { url: 'https://example.com/slow' }, own);
    await expect.poll(async () => (await post('/content', { url: 'https://example.com/slow' }, own)).status).toBe(409);
    go();
    expect((await slow).status).toBe(500);
    library.save = save;
    expect((await post('/content', { url: 'https://example.com/slow' }, own)).status).toBe(201);
  });

  it('is not run again when its process was killed, because it may have succeeded', async () => {
    const own = { 'idempotency-key': 'cut' };
    const note = { title: 'Once', text: 'Once and no more.' };
    expect((await post('/content', note, own)).status).toBe(201);
    const db = openRaw(join(testServer.folder, 'accounts', 'local.db'));
    db.exec(
      `UPDATE requests_answered SET answer = NULL, began_at = began_at - 600000 WHERE began_at = (SELECT max(began_at) FROM requests_answered)`,
    );
    db.close();
    const again = await post('/content', note, own);
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ detail: expect.stringContaining('was cut off') as string });
  });

  it.each(['', 'with space', 'é'.normalize('NFC'), 'x'.repeat(256)])('refuses the key %j', async (bad) => {
    const answer = await post('/content', { url: 'https://example.com/bad' }, { 'idempotency-key': bad });
    expect(answer.body).toMatchObject({ code: 'invalid_input', errors: [{ path: 'Idempotency-Key' }] });
  });
});

describe('compression', () => {
  const readRaw = async (path: string, headers: Record<string, string>): Promise<Response> =>
    testServer.server.app.request(`/api/v1${path}`, {
      headers: { authorization: `Bearer ${testServer.token}`, ...headers },
    });

  it('is used for clients that accept it, with its own entity tag', async () => {
    const plain = await read('/content');
    const etag = plain.headers.get('etag')!;
    expect(plain.headers.get('content-encoding')).toBeNull();
    const response = await readRaw('/content', { 'accept-encoding': 'br, gzip;q=0.5' });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(response.headers.get('vary')).toBe('Authorization, Accept-Encoding');
    expect(gunzipSync(await response.arrayBuffer()).toString()).toBe(plain.text);
    const tag = response.headers.get('etag')!;
    expect(tag).toBe(etag.replace(/"$/, '-gzip"'));
    for (const [accepted, known, status] of [
      ['gzip', tag, 304],
      ['identity', etag, 304],
      ['gzip', etag, 200],
      ['gzip;q=0', tag, 200],
    ] as const)
      expect((await readRaw('/content', { 'accept-encoding': accepted, 'if-none-match': known })).status).toBe(status);
  });

  it('allows a change with the tag of a compressed answer', async () => {
    const id = ids[0]!;
    const tag = (await read(`/content/${id}`)).headers.get('etag')!.replace(/"$/, '-gzip"');
    const changed = await change(id, { notes: 'x' }, { 'if-match': `"other", ${tag}` });
    expect(changed.status).toBe(200);
  });
});
