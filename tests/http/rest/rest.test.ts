import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { localAccountId, scopes } from '../../../src/domain/records/account.ts';
import { addFinishedItem, emptyAnalysis, paragraphs } from '../../support/content.ts';
import { openHttpServer, type HttpTestServer } from '../../support/http.ts';

let testServer: HttpTestServer;
let goalId: string;
const ids: string[] = [];

beforeAll(async () => {
  testServer = await openHttpServer({ embedder: 'none' });
  const store = await testServer.app.stores.open(localAccountId);
  goalId = (await store.addGoal({ title: 'Sleep eight hours', category: 'Health' })).id;
  for (let index = 0; index < 25; index += 1) {
    ids.unshift(
      await addFinishedItem(store, {
        url: `https://example.com/${index}`,
        blocks: paragraphs(`Text ${index} about sleep and bread.`),
        about: { contentType: index % 5 === 0 ? 'pdf' : 'article', title: `Item ${index}` },
        tags: index % 2 === 0 ? ['even', 'all'] : ['all'],
        analysis: {
          ...emptyAnalysis,
          actions: [
            {
              title: `Do ${index}`,
              reason: null,
              quote: `Text ${index}`,
              start: 0,
              end: 6,
              locator: { kind: 'text', start: 0, end: 6 },
              url: null,
              goalId,
            },
          ],
        },
      }),
    );
  }
});
afterAll(() => testServer.close());

type List = { items: { id: string }[]; total: number; limit: number; offset: number };
const list = async (path: string): Promise<List> => {
  const answer = await testServer.ask(path);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

describe('GET /content', () => {
  it.each([
    ['limit=100', 25],
    ['limit=1', 1],
    ['offset=20', 5],
    ['offset=1000', 0],
    ['contentType=pdf', 5],
    ['contentType=youtube', 0],
    ['status=completed', 20],
    ['status=pending', 0],
    ['tags=even', 13],
    ['tags=even,all', 13],
    ['tags=even&tags=all', 13],
    ['tags=even,other', 0],
    ['tags=ev*', 0],
    ['tags=even%2Call&limit=3', 3],
    ['limit=5&', 5],
    ['savedAfter=2001&limit=100', 25],
    ['savedAfter=2001&savedBefore=2001-02', 0],
    ['savedBefore=2001-01-01T00:00:00Z', 0],
  ])('accepts %s', async (query, count) => {
    expect((await list(`/content?${query}`)).items).toHaveLength(count);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=abc', 'limit'],
    ['limit=', 'limit'],
    ['limit', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=0x10', 'limit'],
    ['limit=+5', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['limit=%zz', 'limit'],
    ['limit=%ff', 'limit'],
    ['limit=1000', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=99999999999999999999', 'offset'],
    ['contentType=', 'contentType'],
    ['contentType=movie', 'contentType'],
    ['contentType=PDF', 'contentType'],
    ['status=done', 'status'],
    ['tags=', 'tags.0'],
    ['tags=a,', 'tags.1'],
    ['savedAfter=yesterday', 'savedAfter'],
    ['savedBefore=2026-02-30', 'savedBefore'],
    ['cursor=x', 'cursor'],
    ['Limit=5', 'Limit'],
    ['__proto__=1', '__proto__'],
    ['constructor=1', 'constructor'],
    ['%zz=1', ''],
  ])('refuses %s by name', async (query, path) => {
    const answer = await testServer.ask(`/content?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.body).toMatchObject({ status: 400, code: 'invalid_input', title: 'Bad Request' });
    expect((answer.body as { errors: { path: string }[] }).errors.map((error) => error.path)).toEqual([path]);
  });
});

describe('GET /content/:id', () => {
  it.each(['c_aaaaaaaaaaaaaaaa', 'x', '%00', '%zz', '..%2f..%2fcontrol.db', 'c_'.repeat(200), "'%20OR%201=1"])(
    'finds nothing at %s',
    async (id) => {
      const answer = await testServer.ask(`/content/${id}`);
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ code: 'not_found', status: 404 });
    },
  );
});

describe('POST /content', () => {
  const save = (body: unknown, headers: Record<string, string> = {}) =>
    testServer.ask('/content', { method: 'POST', body, headers });

  it('answers 201 with the address of the new item, then 200 with the same one and the tags of both', async () => {
    const created = await save({ url: 'https://example.org/new', tags: ['one'], notes: 'why' });
    expect(created.status).toBe(201);
    const item = created.body as { id: string };
    expect(item).toMatchObject({ status: 'pending', tags: ['one'], notes: 'why', outcome: 'created' });
    expect(created.headers.get('location')).toBe(`/content/${item.id}`);
    expect((await testServer.ask(`/content/${item.id}`)).status).toBe(200);

    const again = await save(
      { url: 'https://example.org/new', tags: ['two'] },
      { 'content-type': 'application/json; charset=utf-8' },
    );
    expect(again.status).toBe(200);
    expect(again.headers.get('location')).toBeNull();
    expect(again.body).toMatchObject({ id: item.id, tags: ['one', 'two'], notes: 'why', outcome: 'existed' });
  });

  it.each(['', '[]', '"text"', 'null', '7', '{', '{"url": "https://example.org/"', '\u0000'])(
    'refuses the body %j',
    async (body) => {
      expect((await save(body, { 'content-type': 'application/json' })).status).toBe(400);
    },
  );

  it('refuses text that is not UTF-8', async () => {
    const body = Buffer.from('{"url": "https://example.org/\xff"}', 'latin1');
    expect((await save(body, { 'content-type': 'application/json' })).status).toBe(400);
  });

  it.each([
    [{}],
    [{ 'content-type': 'text/plain' }],
    [{ 'content-type': 'application/x-www-form-urlencoded' }],
    [{ 'content-type': 'application/json; charset=latin1' }],
    [{ 'content-type': `application/json; charset=${'\t'.repeat(6_000)}=${'\t'.repeat(6_000)}"=` }],
    [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }],
    [{ 'content-type': 'application/jsonp' }],
  ])('does not read a body with %j', async (headers) => {
    const answer = await save(Buffer.from('{"url": "https://example.org/"}'), headers as Record<string, string>);
    expect(answer.status).toBe(415);
    expect(answer.body).toMatchObject({ code: 'unsupported_media_type' });
  });

  it('accepts up to 10 MB of content that a client provides with an address', async () => {
    const url = 'https://members.example.org/essay';
    const post = (text: string) => testServer.ask('/content', { method: 'POST', body: { url, title: 'Essay', text } });
    const taken = await post('A line of the essay.\n'.repeat(10_000));
    expect(taken.status).toBe(201);
    expect(taken.body).toMatchObject({ url, status: 'pending' });
    expect((await post('x'.repeat(10 * 2 ** 20))).status).toBe(413);
    const both = await testServer.ask('/content', { method: 'POST', body: { url, text: 'a', html: 'b' } });
    expect(both).toMatchObject({ status: 400, body: { errors: [{ path: 'html' }] } });
    const captions = [
      { start: 1, text: 'A line.' },
      { start: -1, text: 'b' },
    ];
    const bad = await testServer.ask('/content', { method: 'POST', body: { url, captions } });
    expect(bad).toMatchObject({ status: 400, body: { errors: [{ path: 'captions.1.start' }] } });
  });

  it('has no query parameters', async () => {
    const answer = await testServer.ask('/content?limit=3', { method: 'POST', body: { url: 'https://example.org/' } });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ errors: [{ path: 'limit' }] });
  });
});

describe('POST /search', () => {
  it.each([
    [{ savedAfter: '2001', savedBefore: '2100' }, 2],
    [{ savedBefore: '2001' }, 0],
  ])('narrows to a period of saving: %j', async (filters, count) => {
    const answer = await testServer.ask('/search', { method: 'POST', body: { query: 'sleep', limit: 2, filters } });
    expect(answer.status).toBe(200);
    expect((answer.body as { results: object[] }).results).toHaveLength(count);
  });

  it.each([
    [{}, 'query'],
    [{ query: ' ' }, 'query'],
    [{ query: 'x', limit: 51 }, 'limit'],
    [{ query: 'x', limit: '5' }, 'limit'],
    [{ query: 'x', filters: { tag: 'y' } }, 'filters.tag'],
    [{ query: 'x', filters: { savedAfter: 'monday' } }, 'filters.savedAfter'],
    [{ query: 'x', contentType: 'pdf' }, 'contentType'],
  ])('refuses %j', async (body, path) => {
    const answer = await testServer.ask('/search', { method: 'POST', body });
    expect(answer.status).toBe(400);
    expect((answer.body as { errors: { path: string }[] }).errors.map((error) => error.path)).toEqual([path]);
  });
});

describe('actions and goals', () => {
  it.each(['completed=TRUE', 'completed=1', 'completed=', 'contentId=x', 'goalId=g_x', 'limit=0'])(
    'are not listed with %s',
    async (query) => expect((await testServer.ask(`/actions?${query}`)).status).toBe(400),
  );

  it('can be completed repeatedly, with or without a body', async () => {
    const { items } = await list(`/actions?contentId=${ids[3]}`);
    const path = `/actions/${items[0]?.id}/complete`;
    for (const options of [{}, { body: {} }, { headers: { 'content-type': 'application/json' } }]) {
      const answer = await testServer.ask(path, { method: 'POST', ...options });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body).toMatchObject({ id: items[0]?.id, completed: true, state: 'done' });
    }
    expect((await list('/actions?completed=true')).total).toBe(1);
    expect((await list('/actions?completed=false')).total).toBe(24);
    expect((await testServer.ask(path, { method: 'POST', body: { id: ids[0] } })).status).toBe(400);
    expect((await testServer.ask('/actions/a_aaaaaaaaaaaaaaaa/complete', { method: 'POST' })).status).toBe(404);
  });
});

describe('an answer', () => {
  it('has an entity tag for conditional requests', async () => {
    const first = await testServer.ask('/goals');
    const tag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    expect(first.headers.get('vary')).toBe('Authorization');
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await testServer.ask('/goals', { headers: { 'if-none-match': known } });
      expect(again.status).toBe(304);
      expect(again.text).toBe('');
      expect(again.headers.get('etag')).toBe(tag);
    }
    expect((await testServer.ask('/goals', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    expect((await testServer.ask('/goals?offset=1', { headers: { 'if-none-match': tag } })).status).toBe(200);
  });

  it('to HEAD is that to GET without the body', async () => {
    const [get, head] = await Promise.all([testServer.ask('/goals'), testServer.ask('/goals', { method: 'HEAD' })]);
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
    expect((await testServer.ask('/search', { method: 'HEAD' })).status).toBe(405);
  });

  it.each([
    ['PUT', '/content', 'GET, HEAD, POST, OPTIONS'],
    ['DELETE', '/content/c_aaaaaaaaaaaaaaaa', 'GET, HEAD, OPTIONS'],
    ['GET', '/search', 'POST, OPTIONS'],
    ['PATCH', '/actions/a_aaaaaaaaaaaaaaaa/complete', 'POST, OPTIONS'],
    ['POST', '/health', 'GET, HEAD, OPTIONS'],
  ])('to %s %s lists the allowed methods', async (method, path, allow) => {
    const answer = await testServer.ask(path, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allow);
    const options = await testServer.ask(path, { method: 'OPTIONS' });
    expect(options.status).toBe(204);
    expect(options.headers.get('allow')).toBe(allow);
  });

  test.each(['/', '/nothing', '/content/', '/content/x/y', '//content', '/api/v1', '/api/v1/content', '/api/v1/x/y'])(
    'from %s is 404',
    async (path) => {
      const answer = await testServer.ask(path);
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ type: 'about:blank', title: 'Not Found', status: 404, code: 'not_found' });
    },
  );
});

test('a missing scope is a 403 that names it, before anything is read', async () => {
  for (const [path, method, scope] of [
    ['/content', 'GET', 'content:read'],
    ['/content', 'POST', 'content:write'],
    ['/search', 'POST', 'search:read'],
    ['/actions/a_aaaaaaaaaaaaaaaa/complete', 'POST', 'actions:write'],
  ] as const) {
    const token = await testServer.createToken({ scopes: scopes.filter((one) => one !== scope) });
    const answer = await testServer.ask(path, { method, token, ...(method === 'POST' && { body: 'no JSON' }) });
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer realm="commonplace", error="insufficient_scope", scope="${scope}"`,
    );
  }
});
