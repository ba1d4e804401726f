import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type FetchProcess, type FetchSettings, startFetching } from '../../src/fetching/fetch-process.ts';
import { HostBusyError, HostTurns } from '../../src/fetching/host-turns.ts';
import { ManualClock } from '../support/clock.ts';
import { emptyBodies, endlessAnswers, slowAnswers } from '../support/servers/hostile-framing.ts';
import { startHostileSite } from '../support/servers/hostile-site.ts';
import { serveSite, type Site, failure } from './fetcher-here.ts';

const shared = startFetching();
afterAll(() => shared.close());

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

async function site(answer: RequestListener): Promise<Site> {
  const served = await serveSite(answer);
  opened.push(served);
  return served;
}

const clock = new ManualClock();
const never = new AbortController().signal;

function settings(more: Partial<FetchSettings> = {}): FetchSettings {
  return {
    allowPrivateAddresses: true,
    maxBytes: 50 * 1024 * 1024,
    timeoutMs: 60_000,
    maxRedirects: 5,
    userAgent: 'Commonplace/test',
    clock,
    hosts: new HostTurns(clock, { pauseMs: 0 }),
    ...more,
  };
}

const fetcher = (more: Partial<FetchSettings> = {}, process: FetchProcess = shared) =>
  process.createFetcher(settings(more));

it('ends a TLS handshake that never completes, however much the server sends', async () => {
  // A HelloRequest, which a client skips while it waits for the server's hello (RFC 5246, 7.4.1.1).
  const helloRequests = Buffer.from('160303000400000000'.repeat(5_000), 'hex');
  let sent = 0;
  const server = createServer((socket) => {
    const more = (): void => void socket.write(helloRequests, (error) => (error ?? null) === null && more());
    socket.once('data', more);
    socket.on('error', () => {}).on('close', () => (sent = Math.max(sent, socket.bytesWritten)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({ close: async () => void server.close() });
  const { port } = server.address() as AddressInfo;
  await failure(fetcher().fetch(`https://127.0.0.1:${port}/`, never));
  // The server may hear of the end later than the caller.
  await expect.poll(() => sent).toBeGreaterThan(0);
  // What is allowed around content, and what the system holds for both ends.
  expect(sent).toBeLessThan(20_000_000);
});

describe('the fetching process', () => {
  it('returns a large page whole, with the addresses and the time of fetching', async () => {
    const body = Buffer.alloc(5_000_000, 'The same words. ');
    const { url } = await site((request, response) => {
      if (request.url === '/a') response.writeHead(302, { location: '/b' }).end();
      else response.setHeader('content-type', 'text/plain').end(body);
    });
    const { bytes, ...rest } = await fetcher().fetch(url('/a'), never);
    expect(rest).toEqual({
      url: url('/a'),
      finalUrl: url('/b'),
      declaredType: 'text/plain',
      fetchedAt: new Date(clock.now()).toISOString(),
      isUnchanged: false,
      validators: { etag: null, lastModified: null },
      freshForMs: 0,
    });
    expect(Buffer.compare(bytes, body)).toBe(0);
  });

  it('waits for its turn at each host until the fetch has ended', async () => {
    const { url: elsewhere } = await site((_request, response) => response.end('arrived'));
    const waiting: (() => void)[] = [];
    const { url, server } = await site((request, response) => {
      if (request.url === '/leads') return void response.writeHead(302, { location: elsewhere('/') }).end();
      waiting.push(() => void response.end('done'));
    });
    const hosts = new HostTurns(clock, { pauseMs: 0, maxPerAccount: 1 });
    const one = fetcher({ hosts });
    const first = one.fetch(url('/'), never, {}, 'a');
    await once(server, 'request');
    await expect(one.fetch(url('/'), never, {}, 'a')).rejects.toBeInstanceOf(HostBusyError);
    for (const answer of waiting) answer();
    await first;
    expect((await one.fetch(url('/leads'), never, {}, 'a')).finalUrl).toBe(elsewhere('/'));
    await expect.poll(() => hosts.busyHosts('a')).toEqual([]);
  });

  it("respects a host's Retry-After, also for other accounts", async () => {
    const { url } = await site((_request, response) => response.writeHead(429, { 'retry-after': '60' }).end());
    const one = fetcher({ hosts: new HostTurns(clock, { pauseMs: 0 }) });
    expect(await failure(one.fetch(url('/'), never))).toMatchObject({ code: 'rate_limited', retryAfterMs: 60_000 });
    const second = await failure(one.fetch(url('/'), never, {}, 'other'));
    expect(second.name + second.message).toContain('asks for fewer requests. Nothing');
  });

  it('stops a fetch when its signal is aborted and closes its connection', async () => {
    const { url, server } = await site(() => undefined);
    const stop = new AbortController();
    const fetching = fetcher().fetch(url('/'), stop.signal);
    const [request] = (await once(server, 'request')) as [{ socket: NodeJS.EventEmitter }];
    const closed = once(request.socket, 'close');
    stop.abort(new Error('the user went away'));
    await expect(fetching).rejects.toThrow('the user went away');
    await closed;
  });

  it('fails running fetches as interrupted when it is closed', async () => {
    const { url, server } = await site(() => undefined);
    const own = startFetching();
    const fetching = failure(fetcher({}, own).fetch(url('/'), never));
    await once(server, 'request');
    await own.close();
    expect((await fetching).code).toBe('interrupted');
  });
});

describe('the address guard in the process', () => {
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://１２７.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fe80::1]/',
    'http://10.0.0.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://192.168.1.1/',
    'http://0.0.0.0/',
    'http://localhost/',
    'https://localhost/',
  ])('refuses %s', async (url) => {
    const refused = await failure(fetcher({ allowPrivateAddresses: false }).fetch(url, never));
    expect(refused).toMatchObject({ code: 'address_refused', retryable: false });
  });

  it.each(['ftp://example.com/', 'file:///etc/hosts', 'https://user:pass@example.com/', 'no address'])(
    'refuses %s',
    async (url) => {
      expect((await failure(fetcher().fetch(url, never))).code).toBe('url_not_allowed');
    },
  );

  it('checks a redirect to a forbidden origin', async () => {
    let asked = 0;
    const { url: elsewhere } = await site((_request, response) => {
      asked += 1;
      response.end('secret');
    });
    const { url } = await site((_request, response) => response.writeHead(302, { location: elsewhere('/') }).end());
    const bound = fetcher({ origins: [new URL(url('/')).origin] });
    expect((await failure(bound.fetch(url('/'), never))).code).toBe('url_not_allowed');
    expect(asked).toBe(0);
  });

  it.each([
    ['http://127.0.0.1/page', false],
    ['https://printer.local/page', false],
    ['http://localhost/', false],
    ['https://1.1.1.1/page', true],
  ])('reports whether %s is public: %s', async (url, isPublic) => {
    expect(await shared.isPublicPage(new URL(url), never)).toBe(isPublic);
  });
});

describe('a server that abuses HTTP', () => {
  /** With what the system of this machine keeps for its own connection: some 6 MB. */
  const maxSentBytes = 16 * 1024 * 1024;

  it.each([...endlessAnswers, ...emptyBodies])('costs only its own fetch: $name', async (answer) => {
    const hostile = await startHostileSite();
    opened.push(hostile);
    const { code, retryable } = await failure(fetcher().fetch(hostile.publish(answer), never));
    expect({ code, retryable }).toEqual({ code: 'http_error', retryable: false });
    expect(hostile.sentBytes()).toBeLessThan(maxSentBytes);
  });

  it('is not read further once its answer is complete', async () => {
    const hostile = await startHostileSite();
    opened.push(hostile);
    const [answer] = slowAnswers.filter(({ name }) => name === 'answers behind the answer');
    const { bytes } = await fetcher().fetch(hostile.publish(answer!), never);
    expect(Buffer.from(bytes).toString()).toBe('hi');
    expect(hostile.sentBytes()).toBeLessThan(maxSentBytes);
  });

  it('ends the process, and a waiting fetch starts over without a second request', async () => {
    const hostile = await startHostileSite();
    opened.push(hostile);
    const visits: string[] = [];
    const { url } = await site((request, response) => {
      visits.push(request.url ?? '');
      response.end('an honest page');
    });
    const own = startFetching({ processorMs: 400 });
    opened.push(own);
    const hosts = new HostTurns(clock, { pauseMs: 0, maxAtOnce: 1 });
    const turn = await hosts.take(new URL(url('/')).host, 'other', never);
    const honest = fetcher({ hosts }, own).fetch(url('/'), never, {}, 'honest');
    const [costly] = slowAnswers.filter(({ name }) => name === '50 MB in chunks of twelve bytes');
    expect((await failure(fetcher({}, own).fetch(hostile.publish(costly!), never, {}, 'attacker'))).retryable).toBe(
      false,
    );
    turn.end();
    expect(Buffer.from((await honest).bytes).toString()).toBe('an honest page');
    expect(visits).toEqual(['/']);
  });

  it('ends the process, and a running fetch is repeated and succeeds', async () => {
    const hostile = await startHostileSite();
    opened.push(hostile);
    let visits = 0;
    const { url } = await site((_request, response) => {
      visits += 1;
      // The first process is gone before it is answered.
      if (visits > 1) response.end('an honest page');
    });
    const own = startFetching({ processorMs: 400 });
    opened.push(own);
    const honest = fetcher({}, own).fetch(url('/'), never, {}, 'honest');
    const [costly] = slowAnswers.filter(({ name }) => name === '50 MB in chunks of twelve bytes');
    const attack = failure(fetcher({}, own).fetch(hostile.publish(costly!), never, {}, 'attacker'));
    expect(Buffer.from((await honest).bytes).toString()).toBe('an honest page');
    expect(visits).toBe(2);
    const { code, message } = await attack;
    expect(code).toBe('http_error');
    expect(message).toContain('more time or memory than any page needs');
  });
});
