import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localAccountId, scopes } from '../../src/domain/records/account.ts';
import { listen, type Listening } from '../../src/http/listen.ts';
import { mountMcp } from '../../src/http/mcp.ts';
import type { Mount } from '../../src/http/mount.ts';
import { openHttpServer, type HttpTestServer } from '../support/http.ts';
import { clientKinds, connectOverHttp } from '../support/mcp.ts';

let testServer: HttpTestServer;
let listening: Listening;
/** The accounts whose sentence model was loaded ahead. */
const loaded: string[] = [];
/** What the saves that wait were told to stop by, in their order. */
const saving: AbortSignal[] = [];

/** MCP as it is, with an ear on the saves. */
const overheardMcp: Mount = (app, parts) => {
  const { library } = parts.services;
  const save: typeof library.save = (account, request, waiting) => {
    saving.push(waiting.signal);
    return library.save(account, request, waiting);
  };
  return mountMcp(app, { ...parts, services: { ...parts.services, library: { ...library, save } } });
};

// No worker runs: whoever waits for what it saved waits until it gives up.
beforeAll(async () => {
  const settings = { embedder: 'none', httpPort: 0, shutdownGraceSeconds: 0 };
  testServer = await openHttpServer(
    { ...settings, corsOrigins: ['https://app.example.org'] },
    {
      mounts: [overheardMcp],
      prepareSearch: (account) => {
        loaded.push(account);
        return Promise.reject(new Error('there is no room for it'));
      },
    },
  );
  listening = await listen(testServer.server, testServer.app.config, testServer.app.log);
});
afterAll(async () => {
  await listening.close(AbortSignal.abort());
  await testServer.close();
});

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const standard = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const ask = (headers: Record<string, string> = {}, token: string | null = testServer.token) =>
  testServer.ask('/mcp', { method: 'POST', token, headers: { ...standard, ...headers }, body: JSON.stringify(list) });

/** The status of a request with any headers at all, over a socket. */
function statusOver(headers: Record<string, string>): Promise<number> {
  const { hostname, port } = new URL(listening.url);
  return new Promise((resolve, reject) => {
    httpRequest(
      {
        hostname,
        port,
        path: '/mcp',
        method: 'POST',
        headers: { ...standard, authorization: `Bearer ${testServer.token}`, ...headers },
      },
      (response) => resolve(response.resume().statusCode ?? 0),
    )
      .once('error', reject)
      .end(JSON.stringify(list));
  });
}

test('an MCP client that may search loads the model before its first search, and a failure stays silent', async () => {
  const begin = async (token: string, method = 'initialize') => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return (await testServer.ask('/mcp', { method: 'POST', token, headers: standard, body })).status;
  };
  expect(await begin(testServer.token)).toBe(200);
  expect(loaded).toEqual([localAccountId]);
  expect(await begin(await testServer.createToken({ scopes: ['content:write'] }))).toBe(200);
  expect(await begin(testServer.token, 'tools/list')).toBe(200);
  expect(loaded).toEqual([localAccountId]);
});

describe('access to MCP', () => {
  test('is refused without a token, and the refusal says where to read more', async () => {
    const other = await testServer.createToken({ lifetimeMs: 60_000 });
    for (const token of [null, 'nonsense', `${other.slice(0, -1)}${other.endsWith('0') ? '1' : '0'}`]) {
      const refusal = await ask({}, token);
      expect(refusal.status).toBe(401);
      expect(refusal.headers.get('www-authenticate')).toContain(
        'resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp"',
      );
    }
    // Elsewhere a challenge does not speak of MCP.
    const rest = await testServer.ask('/goals', { token: null });
    expect(rest.headers.get('www-authenticate')).not.toContain('resource_metadata');
  });

  test('is the same with a trailing slash, with its own metadata', async () => {
    const { headers } = await testServer.ask('/mcp/', { method: 'POST', body: {}, token: null });
    const place = '/.well-known/oauth-protected-resource/mcp/';
    expect(headers.get('www-authenticate')).toContain(`resource_metadata="http://localhost${place}"`);
    expect((await testServer.ask(place, { token: null })).body).toMatchObject({ resource: 'http://localhost/mcp/' });
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const answer = await testServer.ask('/mcp/', {
      method: 'POST',
      body: list,
      token: await testServer.createToken({ lifetimeMs: 60_000 }),
      headers: { accept: 'application/json' },
    });
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"list_goals"')]);
  });

  test('the metadata of the resource names exactly the existing parts', async () => {
    const answer = await testServer.ask('/.well-known/oauth-protected-resource/mcp', { token: null });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      resource: 'http://localhost/mcp',
      resource_name: 'Commonplace',
      bearer_methods_supported: ['header'],
      scopes_supported: [...scopes],
    });
    expect((await testServer.ask('/.well-known/oauth-protected-resource', { token: null })).body).toMatchObject({
      resource: 'http://localhost',
    });
  });
});

describe('against DNS rebinding', () => {
  test('refuses a foreign Origin under each of our own Hosts', async () => {
    const { host } = new URL(listening.url);
    for (const origin of [
      'http://evil.example',
      `http://evil.example:${new URL(listening.url).port}`,
      'null',
      'http://127.0.0.1:1',
      `https://${host}`,
      `http://${host}.evil.example`,
    ]) {
      expect(`${origin} ${await statusOver({ origin })}`).toBe(`${origin} 403`);
    }
  });

  test("allows no Origin, the server's own and those in the settings", async () => {
    const { port } = new URL(listening.url);
    const allowed = [
      {},
      { origin: listening.url },
      { origin: `http://localhost:${port}`, host: `localhost:${port}` },
      { origin: 'https://app.example.org' },
    ];
    for (const headers of allowed) expect(await statusOver(headers as Record<string, string>)).toBe(200);
  });
});

test('MCP answers and refusals say how much of the limit is left', async () => {
  const limited = await openHttpServer({ embedder: 'none', rateLimitPerMinute: 2 }, { mounts: [mountMcp] });
  const asked = () => limited.ask('/mcp', { method: 'POST', headers: standard, body: JSON.stringify(list) });
  for (const left of [1, 0]) {
    const { status, headers } = await asked();
    expect([status, headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([
      200,
      expect.stringMatching(new RegExp(`^"token";r=${left};t=\\d+$`)),
      '"token";q=2;w=60',
    ]);
  }
  const { status, headers } = await asked();
  expect([status, headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  await limited.close();
});

describe('the address in metadata and challenges', () => {
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'kb.example.org' };
  const publicUrl = 'https://known.example.org/';

  async function addressesFor(settings: Record<string, unknown>, headers: Record<string, string>): Promise<string[]> {
    const behind = await openHttpServer({ embedder: 'none', httpPort: 0, ...settings }, { mounts: [mountMcp] });
    const server = await listen(behind.server, behind.app.config, behind.app.log);
    const metadata = await fetch(`${server.url}/.well-known/oauth-protected-resource/mcp`, { headers });
    const { resource } = (await metadata.json()) as { resource: string };
    const refused = await fetch(`${server.url}/mcp`, { method: 'POST', headers });
    const [, challenge = ''] = /resource_metadata="([^"]*)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
    await server.close(AbortSignal.abort());
    await behind.close();
    return [resource, challenge].map((address) => address.replace(server.url, 'OWN'));
  }
  const under = (base: string) => [`${base}/mcp`, `${base}/.well-known/oauth-protected-resource/mcp`];
  const trusting = { trustedProxies: ['127.0.0.1'] };
  const ours = { ...trusting, allowedHosts: ['kb.example.org'] };

  test.each<[string, Record<string, unknown>, Record<string, string>, string]>([
    ['is that of the settings, whatever a proxy says', { ...ours, publicUrl }, forwarded, 'https://known.example.org'],
    ['is what a trusted proxy was asked for', ours, forwarded, 'https://kb.example.org'],
    [
      'is what the nearest of several proxies wrote',
      ours,
      { ...forwarded, 'x-forwarded-host': 'evil.example, kb.example.org' },
      'https://kb.example.org',
    ],
    ['is the own one when a stranger forwards', { allowedHosts: ['kb.example.org'] }, forwarded, 'OWN'],
    ['never takes a name over that is not ours', trusting, { 'x-forwarded-host': 'evil.example' }, 'OWN'],
    [
      'never takes a form over that is not a name',
      { ...trusting, httpHost: '0.0.0.0' },
      { 'x-forwarded-host': 'a"b/c' },
      'OWN',
    ],
    ['never takes a scheme over that is none', ours, { 'x-forwarded-proto': 'javascript' }, 'OWN'],
  ])('%s', async (_, settings, headers, base) => {
    expect(await addressesFor(settings, headers)).toEqual(under(base));
  });
});

describe('without sessions', () => {
  test.each(['GET', 'DELETE', 'PUT', 'HEAD'])('%s is not allowed', async (method) => {
    const answer = await testServer.ask('/mcp', { method, headers: { accept: 'text/event-stream' } });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('a call that waits', () => {
  test.each(clientKinds)('reports progress to a %s and ends when the client disconnects', async (kind) => {
    const client = await connectOverHttp(kind, listening.url, testServer.token);
    const reported = Promise.withResolvers<void>();
    const giveUp = new AbortController();
    const before = saving.length;
    const call = client.call(
      'save_content',
      { url: `https://example.com/${kind.replaceAll(' ', '-')}`, wait: 45 },
      { onprogress: () => reported.resolve(), signal: giveUp.signal },
    );
    await reported.promise;
    const signal = saving[before];
    expect(signal?.aborted).toBe(false);
    const ended = new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
    giveUp.abort();
    await expect(call).rejects.toThrow(/abort/i);
    // A client of the older protocols says so by its own message, which nothing here connects with the call.
    if (kind !== 'v2 client, 2026-07-28') await client.close();
    await ended;
    await client.close();
  });
});
