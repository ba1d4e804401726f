import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localAccountId, localCaller, scopes, type Caller, type Scope } from '../../src/domain/records/account.ts';
import { permissionsOfScopes, scopeOf } from '../../src/domain/access/permission.ts';
import { createMcpEndpoint } from '../../src/mcp/http.ts';
import { createMcpServer } from '../../src/mcp/server.ts';
import { toolSets, type Operation, type Services } from '../../src/operations/operation.ts';
import { JsonBytes } from '../../src/requests/json-bytes.ts';
import { openTestServer } from '../support/test-server.ts';
import { forAllAsync } from '../support/for-all.ts';
import { tools } from '../support/api/operations.ts';
import { runs } from '../support/vitest/thorough.ts';

const origin = 'https://assistant.example.org';
const eras = ['2025-11-25', '2026-07-28'] as const;
type Era = (typeof eras)[number];

let testServer: Awaited<ReturnType<typeof openTestServer>>;
let endpoint: ReturnType<typeof endpointOver>;

/** The accounts whose clients have begun. */
const greeted: string[] = [];

/** The endpoint, given the bodies of requests as its server gives them. */
function endpointOver(services: Services) {
  const { log, version, requests } = testServer.app;
  const mcp = createMcpEndpoint({
    buildServer: (caller) =>
      createMcpServer({ services: () => Promise.resolve(services), caller, sets: new Set(toolSets), log, version }),
    isAllowedOrigin: (one, host) => one === origin || one === `http://${host}`,
    requests,
    greeted: ({ accountId }) => greeted.push(accountId),
    log,
  });
  return {
    close: () => mcp.close(),
    handle: (request: Request, caller: Caller) =>
      mcp.handle(request, caller, async (limits) => {
        const json = new JsonBytes(limits);
        for await (const piece of request.body ?? []) json.add(piece);
        return json;
      }),
  };
}

beforeAll(async () => {
  testServer = await openTestServer({ embedder: 'none' });
  endpoint = endpointOver(testServer.app.services);
});
afterAll(async () => {
  await endpoint.close();
  await testServer.close();
});

const standardHeaders = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

function post(body: unknown, headers: Record<string, string> = {}): Request {
  return new Request('http://127.0.0.1:7878/mcp', {
    method: 'POST',
    headers: { ...standardHeaders, host: '127.0.0.1:7878', ...headers },
    body: typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body),
  });
}

/** One request as a client of that era sends it. */
function message(era: Era, method: string, params: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
  const said = { jsonrpc: '2.0', id: 7, method, params };
  if (era === '2025-11-25') return post(said, { 'mcp-protocol-version': era, ...headers });
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': era,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return post(
    { ...said, params: { ...params, _meta: envelope } },
    {
      'mcp-protocol-version': era,
      'mcp-method': method,
      ...(typeof params['name'] === 'string' && { 'mcp-name': params['name'] }),
      ...headers,
    },
  );
}

interface Answer {
  id: unknown;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

/** The JSON-RPC answer, whether it came as a body or as the last event of a stream. */
async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const events = text.split('\n').filter((line) => line.startsWith('data: '));
  return JSON.parse(events.at(-1)?.slice('data: '.length) ?? text) as Answer;
}

const callerWith = (granted: readonly Scope[]): Caller => ({
  accountId: localAccountId,
  permissions: permissionsOfScopes(granted),
});

const scopesFor = ({ permission, alsoPermissions = [] }: Operation) => [permission, ...alsoPermissions].map(scopeOf);

async function namesOf(era: Era, caller: Caller): Promise<string[]> {
  const { result } = await answerOf(await endpoint.handle(message(era, 'tools/list'), caller));
  return ((result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name);
}

describe.each(eras)('protocol %s', (era) => {
  test('a caller sees exactly the tools that its scopes allow, in the order of the operations', async () => {
    await forAllAsync(runs(40), fc.subarray([...scopes]), async (granted) => {
      const expected = tools
        .filter((operation) => scopesFor(operation).every((one) => one !== null && granted.includes(one)))
        .map(({ name }) => name);
      expect(await namesOf(era, callerWith(granted))).toEqual(expected);
    });
    expect(await namesOf(era, callerWith([]))).toEqual([]);
  });

  test('a new client is noticed once, and its later requests are not', async () => {
    greeted.length = 0;
    const client = { protocolVersion: era, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const begin = era === '2025-11-25' ? message(era, 'initialize', client) : message(era, 'server/discover');
    expect((await endpoint.handle(begin, callerWith(scopes))).status).toBe(200);
    expect((await endpoint.handle(message(era, 'tools/list'), callerWith(scopes))).status).toBe(200);
    expect(greeted).toEqual([localAccountId]);
  });

  test("a tool outside a caller's scopes looks like one that does not exist", async () => {
    const reader = callerWith(scopes.filter((scope) => scope !== 'actions:write'));
    const refusals = await Promise.all(
      ['complete_action', 'no_such_tool', 'constructor', '__proto__', 'toString'].map(async (name) => {
        const response = await endpoint.handle(message(era, 'tools/call', { name, arguments: {} }), reader);
        const { error } = await answerOf(response);
        return [response.status, error?.code];
      }),
    );
    expect(new Set(refusals.map(String))).toEqual(new Set(['200,-32602']));
  });

  test('concurrent calls of several callers are kept apart', async () => {
    const names = await Promise.all(
      scopes.map(async (scope) => [scope, await namesOf(era, callerWith([scope]))] as const),
    );
    for (const [scope, seen] of names) {
      expect(seen).toEqual(
        tools.filter((operation) => scopesFor(operation).every((one) => one === scope)).map(({ name }) => name),
      );
    }
  });

  test('internal errors are not revealed', async () => {
    const broken = endpointOver({
      ...testServer.app.services,
      goals: { ...testServer.app.services.goals, list: () => Promise.reject(new Error('SQLITE_IOERR at /var/lib/x')) },
    });
    const call = message(era, 'tools/call', { name: 'list_goals', arguments: {} });
    const { result } = await answerOf(await broken.handle(call, localCaller()));
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).not.toMatch(/SQLITE|var/);
    await broken.close();
  });

  test('an unknown method is reported', async () => {
    const { id, error } = await answerOf(await endpoint.handle(message(era, 'no/such'), localCaller()));
    expect({ id, code: error?.code }).toEqual({ id: 7, code: -32_601 });
  });

  test('a response without a request is accepted and dropped', async () => {
    const said = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    const headers: Record<string, string> = era === '2025-11-25' ? {} : { 'mcp-method': said.method };
    const response = await endpoint.handle(post(said, { 'mcp-protocol-version': era, ...headers }), localCaller());
    expect([response.status, await response.text()]).toEqual([202, '']);
  });
});

test('2025-11-25 and older begin with initialize, and their session is never required', async () => {
  for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const response = await endpoint.handle(
      post({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
      localCaller(),
    );
    expect(response.headers.get('mcp-session-id')).toMatch(/^[\x21-\x7e]{16,}$/);
    expect((await answerOf(response)).result).toMatchObject({
      protocolVersion: version,
      serverInfo: { name: 'commonplace' },
      instructions: expect.stringContaining('`search`'),
      capabilities: { tools: { listChanged: false } },
    });
  }
});

test.each(['a session of another server', '', undefined])('a call in session %j is served', async (session) => {
  const headers: Record<string, string> = session === undefined ? {} : { 'mcp-session-id': session };
  const response = await endpoint.handle(message('2025-11-25', 'tools/list', {}, headers), localCaller());
  expect([response.status, response.headers.get('mcp-session-id')]).toEqual([200, null]);
});

test('2026-07-28 can be discovered', async () => {
  const { result } = await answerOf(await endpoint.handle(message('2026-07-28', 'server/discover'), localCaller()));
  expect(result).toMatchObject({
    supportedVersions: ['2026-07-28'],
    instructions: expect.stringContaining('`search`'),
    capabilities: { tools: { listChanged: false } },
  });
});

test('a subscription ends at once, because nothing changes while it runs', async () => {
  const listen = message('2026-07-28', 'subscriptions/listen', { notifications: { toolsListChanged: true } });
  const response = await endpoint.handle(listen, localCaller());
  expect(await response.text()).toContain('"resultType":"complete"');
});

describe('an unusual request', () => {
  const said = (method: string, params?: unknown) => ({ jsonrpc: '2.0', id: 7, method, params });
  const client = { capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const answered: Record<string, Request> = {
    'JSON alone': post(said('tools/list'), { accept: 'application/json' }),
    'no streams': post(said('tools/list'), { accept: 'application/json, text/event-stream;q=0' }),
    'null for the parameters': post(said('tools/list', null)),
    'null for the cursor': post(said('tools/list', { cursor: null, _meta: null })),
    'an empty cursor': post(said('resources/list', { cursor: '' })),
    'null for the arguments': post(said('tools/call', { name: 'list_goals', arguments: null })),
    'JSON in a text for the arguments': post(said('tools/call', { name: 'list_goals', arguments: '{"limit": "5"}' })),
    'a number for a prompt': post(said('prompts/get', { name: 'analyse_saved_items', arguments: { items: 5 } })),
    'null for an argument of a prompt': post(
      said('prompts/get', { name: 'analyse_saved_items', arguments: { items: null } }),
    ),
    'null for the arguments of a prompt': post(said('prompts/get', { name: 'weekly_review', arguments: null })),
    'a version of the future': post(said('initialize', { protocolVersion: '2099-01-01', ...client }), {
      'mcp-protocol-version': '2099-01-01',
    }),
    'null for the capabilities': post(
      said('initialize', { protocolVersion: '2025-11-25', ...client, capabilities: null }),
    ),
  };
  test.each(Object.keys(answered))('%s is answered', async (name) => {
    const response = await endpoint.handle(answered[name]!, localCaller());
    const { id, result, error } = await answerOf(response);
    expect([response.status, id, error, result?.['isError'] ?? false]).toEqual([200, 7, undefined, false]);
  });

  test('a client that accepts only JSON gets a result without progress', async () => {
    const params = { name: 'save_content', arguments: { text: 'A note.', wait: 0 }, _meta: { progressToken: 1 } };
    const request = message('2025-11-25', 'tools/call', params, { accept: 'application/json' });
    const response = await endpoint.handle(request, localCaller());
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ id: 7, result: { content: [{ type: 'text' }] } });
    const greeting = post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { accept: 'application/json' });
    expect((await endpoint.handle(greeting, localCaller())).status).toBe(202);
  });

  const wrong: [what: string, Request, words: string][] = [
    ['tools/list', post(said('tools/list', { cursor: 5 })), 'params.cursor: must be a text'],
    ['tools/call', post(said('tools/call', { name: 5 })), 'params.name: must be a text'],
    ['tools/call', post(said('tools/call', { name: 'list_goals', arguments: 5 })), 'params.arguments: must be'],
    [
      'prompts/get',
      post(said('prompts/get', { name: 'x', arguments: { items: [] } })),
      'arguments.items: must be a text',
    ],
    ['resources/read', post(said('resources/read', {})), 'params.uri: is missing'],
    ['initialize', post(said('initialize', { protocolVersion: null, ...client })), 'protocolVersion: must be a text'],
  ];
  test.each(wrong)('an error in %s is explained', async (_, request, words) => {
    const { id, error } = await answerOf(await endpoint.handle(request, localCaller()));
    expect([id, error?.code]).toEqual([7, -32_602]);
    expect(error?.message).toContain(words);
    expect(error?.message).not.toMatch(/[{}[\]]/);
  });
});

describe('a request that is not MCP is refused in JSON with the right status', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const refused: Record<string, [Request, status: number, code: number]> = {
    'GET, which would open a stream of a session': [
      new Request('http://h/mcp', { headers: standardHeaders }),
      405,
      -32_000,
    ],
    'DELETE, which would end a session': [new Request('http://h/mcp', { method: 'DELETE' }), 405, -32_000],
    PUT: [new Request('http://h/mcp', { method: 'PUT', body: '{}' }), 405, -32_000],
    'another Content-Type': [post(list, { 'content-type': 'text/plain' }), 415, -32_000],
    'a form': [post('a=b', { 'content-type': 'application/x-www-form-urlencoded' }), 415, -32_000],
    'an Accept without JSON': [post(list, { accept: 'text/event-stream' }), 406, -32_000],
    'an Accept of pages': [post(list, { accept: 'text/html' }), 406, -32_000],
    'a body that is no JSON': [post('{"jsonrpc":'), 400, -32_700],
    'no body': [post(''), 400, -32_700],
    'a body that is no UTF-8': [
      post(Buffer.from(JSON.stringify({ ...list, params: { x: 'é' } }), 'latin1')),
      400,
      -32_700,
    ],
    'a body that is compressed': [post(list, { 'content-encoding': 'gzip' }), 415, -32_000],
    'a batch': [post([list, list]), 400, -32_600],
    'an empty batch': [post([]), 400, -32_600],
    'a body over the limit': [post({ ...list, pad: 'x'.repeat(20 << 20) }), 413, -32_000],
    'a version that there is not': [post(list, { 'mcp-protocol-version': '1999-01-01' }), 400, -32_000],
    'a header that contradicts the body': [
      message('2026-07-28', 'tools/list', {}, { 'mcp-method': 'tools/call' }),
      400,
      -32_020,
    ],
    'a page of another origin': [post(list, { origin: 'https://evil.example' }), 403, -32_000],
    'a page of no origin': [post(list, { origin: 'null' }), 403, -32_000],
    'a rebound name': [post(list, { origin: 'http://evil.example:7878', host: '127.0.0.1:7878' }), 403, -32_000],
  };
  test.each(Object.keys(refused))('%s', async (name) => {
    const [request, status, code] = refused[name] ?? [];
    const response = await endpoint.handle(request!, localCaller());
    expect(response.headers.get('content-type')).toContain('application/json');
    const { id, error } = await answerOf(response);
    expect({ status: response.status, code: error?.code }).toEqual({ status, code });
    expect([null, 7]).toContain(id);
    expect(error?.message).not.toMatch(/Error:|\bat \//);
    expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : null);
  });

  test.each([
    'null',
    '7',
    '"text"',
    '{}',
    '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":{}}',
  ])('the JSON %s, which is not a message', async (body) => {
    const response = await endpoint.handle(post(body), localCaller());
    expect(response.status).toBe(400);
    expect((await answerOf(response)).error?.code).toBeLessThan(-32_000);
  });

  test('an endless body without a declared length', async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1 << 16;
        controller.enqueue(new Uint8Array(1 << 16).fill(32));
      },
    });
    const request = new Request('http://h/mcp', {
      method: 'POST',
      headers: standardHeaders,
      body: endless,
      duplex: 'half',
    });
    expect((await endpoint.handle(request, localCaller())).status).toBe(413);
    expect(sent).toBeLessThan(22 << 20);
  });

  test('an input nested a hundred thousand levels deep does no harm', async () => {
    const nested = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}`;
    const response = await endpoint.handle(post(nested, { 'mcp-protocol-version': '2025-11-25' }), localCaller());
    expect(response.status).toBe(400);
    expect(JSON.stringify(await answerOf(response))).not.toMatch(/RangeError|stack/i);
    expect(await namesOf('2026-07-28', localCaller())).toContain('search');
  });
});

describe.each(eras)('requests of general HTTP clients are served, protocol %s', (era) => {
  test.each(['*/*', 'text/html, */*;q=0.1', 'application/*, text/*', 'APPLICATION/JSON, Text/Event-Stream;q=0.5'])(
    'Accept: %s',
    async (accept) => {
      const response = await endpoint.handle(message(era, 'tools/list', {}, { accept }), localCaller());
      expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([
        200,
        era === '2025-11-25' ? 'text/event-stream' : 'application/json',
      ]);
      expect((await answerOf(response)).result).toHaveProperty('tools');
    },
  );

  test('no Accept header, and a disconnecting client is still noticed', async () => {
    const begun = Promise.withResolvers<AbortSignal>();
    const waiting = endpointOver({
      ...testServer.app.services,
      library: {
        ...testServer.app.services.library,
        save: (_account, _request, { signal }) => {
          begun.resolve(signal);
          return new Promise(() => undefined);
        },
      },
    });
    const away = new AbortController();
    const said = message(era, 'tools/call', { name: 'save_content', arguments: { url: 'https://example.com/' } });
    said.headers.delete('accept');
    const answer = waiting.handle(new Request(said, { signal: away.signal }), localCaller());
    const signal = await begun.promise;
    away.abort();
    expect(signal.aborted).toBe(true);
    await waiting.close();
    await (await answer).body?.cancel();
  });
});

describe('text from a client', () => {
  const call = (argument: object) =>
    message('2025-11-25', 'tools/call', {
      name: 'save_content',
      arguments: { url: 'https://example.com/long', ...argument },
    });

  test('may have 10 MB, however it is encoded as JSON', async () => {
    const lines = '"\n'.repeat(5_000_000);
    const { result } = await answerOf(await endpoint.handle(call({ text: lines }), localCaller()));
    const { content } = result as { content: { text: string }[] };
    expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({ outcome: 'created', status: 'pending' });
  });

  test('may not be larger, and the refusal gives the limit', async () => {
    const { result } = await answerOf(await endpoint.handle(call({ text: 'x'.repeat(10_000_001) }), localCaller()));
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).toContain('10000000');
    const { error } = await answerOf(await endpoint.handle(call({ text: '"'.repeat(11 << 20) }), localCaller()));
    expect(error?.message).toContain('at most 10 MB');
  });

  test('is read only for callers that may save', async () => {
    const reader = callerWith(scopes.filter((scope) => scope !== 'content:write'));
    const refusal = await endpoint.handle(call({ text: 'x'.repeat(5 << 20) }), reader);
    expect(refusal.status).toBe(413);
    expect((await answerOf(refusal)).error?.message).toBe('A message may have at most 1 MB with this token.');
  });
});

test('closing ends waiting calls', async () => {
  const closing = endpointOver({
    ...testServer.app.services,
    goals: {
      list: (_account, _query) => new Promise(() => undefined),
    } as Services['goals'],
  });
  const waiting = closing.handle(
    message('2026-07-28', 'tools/call', { name: 'list_goals', arguments: {} }),
    localCaller(),
  );
  await new Promise((resolve) => setImmediate(resolve));
  await closing.close();
  expect((await waiting).status).toBe(499);
});
