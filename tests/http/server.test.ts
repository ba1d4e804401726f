import { afterEach, describe, expect, it, test } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { createAddressReader, createHostCheck } from '../../src/http/addresses.ts';
import { okOperation } from '../support/api/operations.ts';
import { openHttpServer, type HttpTestServer } from '../support/http.ts';
import { rememberingLog } from '../support/store/stores.ts';

let testServer: HttpTestServer | undefined;

async function open(...given: Parameters<typeof openHttpServer>): Promise<HttpTestServer> {
  testServer = await openHttpServer({ embedder: 'none', ...given[0] }, ...given.slice(1));
  return testServer;
}
afterEach(async () => {
  await testServer?.close();
  testServer = undefined;
});

/** An operation that does what a test wants. */
const failing = (run: () => Promise<unknown>) => okOperation('fail', run);

describe('an internal failure', () => {
  const secret = 'SELECT * FROM accounts at /home/somebody/store.ts';

  it.each([
    ['an error', () => Promise.reject(new Error(secret))],
    ['an answer in another shape', () => Promise.resolve({ secret })],
    [
      'a trouble with the disk',
      () => Promise.reject(new AppError('unavailable', 'The disk is full.', { cause: new Error(secret) })),
    ],
  ])('%s is a 500 without details, which are in the log under the request id', async (_, run) => {
    const log = rememberingLog();
    const { ask } = await open({}, { operations: [failing(run)], log });
    const answer = await ask('/fail', { headers: { 'x-request-id': 'abc-123' } });
    expect(answer.status).toBe(500);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    for (const word of ['SELECT', 'somebody', 'shape']) expect(answer.text).not.toContain(word);
    expect(answer.headers.get('x-request-id')).toBe('abc-123');
    expect(log.entries.find(({ level }) => level === 'error')?.fields).toMatchObject({ requestId: 'abc-123' });
  });

  it('names the request id in its message', async () => {
    const { ask } = await open({}, { operations: [failing(() => Promise.reject(new Error(secret)))] });
    const answer = await ask('/fail');
    expect(answer.body).toMatchObject({ code: 'internal', status: 500 });
    expect((answer.body as { detail: string }).detail).toContain(answer.headers.get('x-request-id'));
  });
});

describe('every request', () => {
  it('has one line in the log, without tokens or query content', async () => {
    const log = rememberingLog();
    const { ask, token } = await open({}, { log });
    await ask('/content?tags=private-matter', { headers: { 'x-request-id': 'r-1' } });
    await ask('/content/c_aaaaaaaaaaaaaaaa');
    await ask('/private-path', { token: null });
    const lines = log.entries.filter(({ message }) => message === 'request');
    expect(lines.map(({ fields }) => fields)).toEqual([
      { requestId: 'r-1', method: 'GET', route: '/content', status: 200, ms: expect.any(Number), account: 'local' },
      expect.objectContaining({ route: '/content/:id', status: 404 }),
      expect.objectContaining({ status: 401, account: undefined }),
    ]);
    const all = JSON.stringify(log.entries);
    for (const word of [token, token.slice(4, 20), 'private', 'c_aaaaaaaaaaaaaaaa']) expect(all).not.toContain(word);
  });

  it.each(['', 'a b', 'a"b', 'é', 'x'.repeat(65), '{}', 'a\tb'])('does not adopt the id %j', async (id) => {
    const { ask } = await open();
    const answer = await ask('/health', {
      token: null,
      headers: { 'x-request-id': encodeURI(id) === id ? id : 'a b' },
    });
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  });

  it('is answered with headers against sniffing, framing and referrers', async () => {
    const { ask } = await open();
    for (const path of ['/goals', '/nothing', '/health', '/content?limit=x']) {
      const { headers } = await ask(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('is refused when it names another host, as a DNS-rebinding page does', async () => {
    const { ask } = await open();
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:7878', '10.0.0.1', '']) {
      const answer = await ask('/health', { headers: { host } });
      expect(answer.status, host).toBe(400);
    }
    for (const host of ['localhost:7878', 'LOCALHOST', '127.0.0.1', '[::1]:7878']) {
      expect((await ask('/health', { headers: { host } })).status, host).toBe(200);
    }
  });
});

test("the server's names come from its settings; one open to the network without names accepts all", () => {
  const passes = (host: string, settings: Partial<Parameters<typeof createHostCheck>[0]>) => {
    try {
      createHostCheck({ httpHost: '127.0.0.1', publicUrl: '', allowedHosts: [], ...settings })(host);
      return true;
    } catch {
      return false;
    }
  };
  expect(passes('library.example.org', { publicUrl: 'https://library.example.org/notes' })).toBe(true);
  expect(passes('library.example.org:443', { allowedHosts: ['library.example.org'] })).toBe(true);
  expect(passes('other.example.org', { allowedHosts: ['library.example.org'] })).toBe(false);
  expect(passes('[fd00::7]:7878', { httpHost: 'FD00::7', publicUrl: 'https://library.example.org' })).toBe(true);
  expect(passes('[fd00::7]', { allowedHosts: ['fd00::7'] })).toBe(true);
  expect(passes('[fd00::8]', { allowedHosts: ['fd00::7'] })).toBe(false);
  expect(passes('other.example.org', { httpHost: '0.0.0.0' })).toBe(true);
  expect(passes('other.example.org', { httpHost: '0.0.0.0', publicUrl: 'https://library.example.org' })).toBe(false);
});

describe('pages of other origins', () => {
  it('are allowed when the settings name them', async () => {
    const { ask } = await open({ corsOrigins: 'https://app.example.org' });
    const origin = 'https://app.example.org';
    const preflight = await ask('/content', {
      method: 'OPTIONS',
      token: null,
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization');
    const answer = await ask('/goals', { headers: { origin } });
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    expect(answer.headers.get('vary')).toContain('Origin');
    expect(answer.headers.get('etag')).not.toBeNull();
    const other = await ask('/goals', { headers: { origin: 'https://evil.example' } });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    const refused = await ask('/goals', { token: null, headers: { origin } });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('access-control-allow-origin')).toBe(origin);
  });
});

describe('a client address', () => {
  const read = createAddressReader(['10.0.0.0/8', '::1', '192.0.2.7']);

  it.each([
    ['203.0.113.5', '198.51.100.1', '203.0.113.5'],
    ['10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['10.1.2.3', '1.2.3.4, 198.51.100.1', '198.51.100.1'],
    ['10.1.2.3', '1.2.3.4, 198.51.100.1, 192.0.2.7, 10.9.9.9', '198.51.100.1'],
    ['10.1.2.3', '1.2.3.4, nonsense', '10.1.2.3'],
    ['10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
    ['10.1.2.3', undefined, '10.1.2.3'],
    ['10.1.2.3', '', '10.1.2.3'],
    ['::1', '[2001:db8::1]:80', read('2001:db8::2', undefined).counted],
    [undefined, '198.51.100.1', 'unknown'],
  ])('%s that forwards for %s counts as %s', (remote, forwarded, client) => {
    expect(read(remote, forwarded).counted).toBe(client);
  });

  it('of IPv6 counts as its whole network', () => {
    expect(read('2001:db8:1:2::1', undefined).counted).toBe(read('2001:db8:1:2:ffff::9', undefined).counted);
    expect(read('2001:db8:1:2::1', undefined).counted).not.toBe(read('2001:db8:1:3::1', undefined).counted);
  });

  it.each([
    ['203.0.113.5', undefined, '203.0.113.0/24'],
    ['10.1.2.3', '198.51.100.77', '198.51.100.0/24'],
    ['::ffff:203.0.113.5', undefined, '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1::/48'],
    [undefined, '198.51.100.77', null],
  ])('%s that forwards for %s belongs to the network %s', (remote, forwarded, network) => {
    expect(read(remote, forwarded).network).toBe(network);
  });

  it('must be valid in the setting for proxies', () => {
    expect(() => createAddressReader(['proxy.example.org'])).toThrow(/trustedProxies/);
  });
});

describe('monitoring', () => {
  it('says whether the parts are available', async () => {
    const { ask, server } = await open({}, { checkReadiness: () => Promise.resolve({ store: 'ok', queue: 'off' }) });
    const ready = await ask('/ready', { token: null });
    expect(ready.status).toBe(200);
    expect(ready.body).toEqual({ status: 'ready', checks: { store: 'ok', queue: 'off' } });
    server.stop();
    const stopping = await ask('/ready', { token: null });
    expect(stopping.status).toBe(503);
    expect((await ask('/health', { token: null })).status).toBe(200);
  });

  it('is not ready when a part fails, and says no more', async () => {
    const { ask } = await open({}, { checkReadiness: () => Promise.reject(new Error('/secret/path')) });
    const answer = await ask('/ready', { token: null });
    expect(answer.status).toBe(503);
    expect(answer.text).not.toContain('secret');
  });

  it('has metrics when they are switched on, for holders of a token', async () => {
    const off = await open();
    expect((await off.ask('/metrics')).status).toBe(404);
    await off.close();
    const { ask } = await open({ metrics: true });
    await ask('/content');
    await ask('/content/c_aaaaaaaaaaaaaaaa');
    expect((await ask('/metrics', { token: null })).status).toBe(401);
    const answer = await ask('/metrics');
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(/_count\{method="GET",route="\/content",status="200"\} 1/);
    expect(answer.text).toMatch(/route="\/content\/:id",status="404"/);
    expect(answer.text).not.toContain('local');
    expect(answer.text).toContain('commonplace_jobs{state="waiting"} 0');
    expect(answer.text).toContain('commonplace_accounts_uncounted 0');
  });

  it('hides metrics from other accounts', async () => {
    const { ask, app, createToken } = await open({ metrics: true });
    const { id } = await app.access.addAccount('Ada', 'pro');
    const answer = await ask('/metrics', { token: await createToken({ account: id }) });
    expect(answer.status).toBe(403);
    expect(answer.text).not.toContain('commonplace_');
  });
});
