import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, LookupFunction, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { noProxies, type Proxies, proxyFor } from '../../src/domain/links/proxies.ts';
import { isPublicAddress } from '../../src/fetching/address-guard.ts';
import { HostTurns } from '../../src/fetching/host-turns.ts';
import { createProviderFetch } from '../../src/fetching/provider-fetch.ts';
import { ManualClock } from '../support/clock.ts';
import { type ConnectProxy, startProxy } from '../support/servers/connect-proxy.ts';
import { certificate, privateKey } from './certificate.ts';
import { fetcherHere, serveSite, type Site, failure } from './fetcher-here.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

const publicAddress = '93.184.215.14';
const secret = 'not:to be%seen';

async function site(answer?: (request: IncomingMessage, response: ServerResponse) => void): Promise<Site> {
  const served = await serveSite(
    answer ?? ((request, response) => void response.end(`You asked ${request.headers.host}`)),
  );
  opened.push(served);
  return served;
}

async function proxyTo(target: Site): Promise<ConnectProxy> {
  const proxy = await startProxy({ port: (target.server.address() as AddressInfo).port });
  opened.push(proxy);
  return proxy;
}

/** Every name has these addresses, in turn. */
function names(...answers: string[][]): LookupFunction & { count: number } {
  const lookup: LookupFunction & { count: number } = Object.assign(
    ((_name, _options, callback) => {
      const addresses = answers[Math.min(lookup.count, answers.length - 1)] ?? [];
      lookup.count += 1;
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    }) as LookupFunction,
    { count: 0 },
  );
  return lookup;
}

const throughProxy = (proxy: { host: string }, more: Partial<Proxies> = {}): Proxies => {
  const address = `http://reader:${encodeURIComponent(secret)}@${proxy.host}`;
  return { ...noProxies, proxy: address, ...more };
};

/** Fetches as from a machine on which names are looked up so. */
async function fetchText(
  url: string,
  proxies: Proxies,
  {
    lookup = names([publicAddress]),
    ca,
    timeoutMs = 20_000,
  }: { lookup?: LookupFunction; ca?: string; timeoutMs?: number } = {},
): Promise<string> {
  const clock = new ManualClock();
  const fetcher = fetcherHere(
    {
      allowPrivateAddresses: false,
      maxBytes: 100_000,
      timeoutMs,
      maxRedirects: 5,
      userAgent: 'Commonplace/test',
      clock,
      hosts: new HostTurns(clock, { pauseMs: 0 }),
    },
    { allowed: isPublicAddress, lookup, proxies, ca },
  );
  const { bytes } = await fetcher.fetch(url, new AbortController().signal);
  return Buffer.from(bytes).toString();
}

describe('a page behind a proxy', () => {
  it('is requested from the address that was resolved and checked here, by its name', async () => {
    const proxy = await proxyTo(await site());
    expect(await fetchText('http://example.test/page', throughProxy(proxy))).toBe('You asked example.test');
    expect(await fetchText('http://example.test:8080/', throughProxy(proxy))).toBe('You asked example.test:8080');
    expect(proxy.asked()).toEqual([`${publicAddress}:80`, `${publicAddress}:8080`]);
    const credentials = Buffer.from(`reader:${secret}`).toString('base64');
    for (const head of proxy.heads) expect(head).toContain(`\r\nProxy-Authorization: Basic ${credentials}\r\n`);
  });

  it('is encrypted to the site itself, whose certificate must match the name', async () => {
    const server = createTlsServer({ cert: certificate, key: privateKey }, (request, response) =>
      response.end(
        `You asked ${request.headers.host}, and ${(request.socket as unknown as { servername: string }).servername}`,
      ),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const served: Site = {
      server,
      url: () => '',
      close: () => new Promise((resolve) => void server.close(() => resolve())),
    };
    opened.push(served);
    const proxy = await proxyTo(served);
    expect(await fetchText('https://secure.test/', throughProxy(proxy), { ca: certificate })).toBe(
      'You asked secure.test, and secure.test',
    );
    expect(proxy.asked()).toEqual([`${publicAddress}:443`]);
    expect(await failure(fetchText('https://other.test/', throughProxy(proxy), { ca: certificate }))).toMatchObject({
      code: 'tls_failed',
    });
  });

  it('is requested by an IPv4 address where it has one', async () => {
    const proxy = await proxyTo(await site());
    await fetchText('http://a.test/', throughProxy(proxy), { lookup: names(['2606:2800:21f::1', publicAddress]) });
    await fetchText('http://b.test/', throughProxy(proxy), { lookup: names(['2606:2800:21f::1']) });
    expect(proxy.asked()).toEqual([`${publicAddress}:80`, '[2606:2800:21f::1]:80']);
  });

  it('is refused without contacting the proxy where it leads into a private network', async () => {
    const proxy = await proxyTo(await site());
    const proxies = throughProxy(proxy);
    for (const [url, addresses] of [
      ['http://intern.test/', ['10.0.0.1']],
      ['http://mixed.test/', [publicAddress, '127.0.0.1']],
      ['http://mapped.test/', ['::ffff:10.0.0.1']],
      ['http://127.0.0.1:9/', []],
      ['http://[::1]/', []],
      ['https://169.254.169.254/', []],
    ] as const)
      expect(await failure(fetchText(url, proxies, { lookup: names([...addresses]) })), url).toMatchObject({
        code: 'address_refused',
      });
    expect(proxy.heads).toEqual([]);
  });

  it('is refused after a redirect into a private network, and when its name changes after the check', async () => {
    const redirecting = await proxyTo(
      await site((_, response) => void response.writeHead(302, { location: 'http://10.0.0.1/admin' }).end()),
    );
    expect(await failure(fetchText('http://a.test/', throughProxy(redirecting)))).toMatchObject({
      code: 'address_refused',
    });
    expect(redirecting.asked()).toEqual([`${publicAddress}:80`]);

    const proxy = await proxyTo(await site());
    const lookup = names([publicAddress], ['10.0.0.1']);
    await fetchText('http://rebinding.test/', throughProxy(proxy), { lookup });
    expect(proxy.asked()).toEqual([`${publicAddress}:80`]);
    expect(lookup.count).toBe(1);
  });

  it('is requested by name where the proxy resolves names, except for private addresses and names', async () => {
    const proxy = await proxyTo(await site());
    const proxies = throughProxy(proxy, { resolves: true });
    const lookup = names([]);
    expect(await fetchText('http://www.example.org/', proxies, { lookup })).toBe('You asked www.example.org');
    for (const url of [
      'http://localhost/',
      'http://printer/',
      'http://nas.local/',
      'http://10.0.0.1/',
      'http://[::1]/',
    ])
      expect(await failure(fetchText(url, proxies, { lookup })), url).toMatchObject({ code: 'address_refused' });
    expect(proxy.asked()).toEqual(['www.example.org:80']);
    expect(lookup.count).toBe(0);
  });

  it('is fetched directly where the settings say so', async () => {
    const served = await site();
    const proxy = await proxyTo(served);
    const direct = { allowed: () => true, lookup: names(['127.0.0.1']) };
    const clock = new ManualClock();
    const fetcher = fetcherHere(
      {
        allowPrivateAddresses: true,
        maxBytes: 1_000,
        timeoutMs: 20_000,
        maxRedirects: 0,
        userAgent: 'x',
        clock,
        hosts: new HostTurns(clock, { pauseMs: 0 }),
      },
      { ...direct, proxies: throughProxy(proxy, { exceptions: ['127.0.0.0/8'] }) },
    );
    await fetcher.fetch(served.url('/'), new AbortController().signal);
    expect(proxy.heads).toEqual([]);
  });
});

describe('a proxy that fails', () => {
  const answering = (answer: (socket: Socket) => void) => async () => {
    const proxy = await startProxy({ answer });
    opened.push(proxy);
    return proxy.host;
  };
  const endless = (socket: Socket) => {
    const more = () => {
      while (socket.writable && socket.write(`X-Padding: ${'x'.repeat(1_000)}\r\n`));
    };
    socket.write('HTTP/1.1 200 OK\r\n');
    socket.on('drain', more);
    more();
  };
  const closed = async () => {
    const proxy = await startProxy({});
    await proxy.close();
    return proxy.host;
  };

  it.each([
    ['that nobody listens at', closed, 'offline', 'cannot be reached'],
    ['that never answers', answering(() => undefined), 'offline', 'did not answer in time'],
    [
      'that sends garbage',
      answering((socket) => socket.write('\0\u0001SSH-2.0\r\n\r\n')),
      'offline',
      'as an HTTP proxy',
    ],
    ['that sends headers without end', answering(endless), 'offline', 'as an HTTP proxy'],
    [
      'that sends one line without end',
      answering((socket) => socket.write('x'.repeat(100_000))),
      'offline',
      'as an HTTP',
    ],
    ['that hangs up', answering((socket) => socket.end()), 'offline', 'as an HTTP proxy'],
    [
      'that wants a password',
      answering((socket) => socket.write('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')),
      'offline',
      'wants a user name and a password',
    ],
    [
      'that refuses',
      answering((socket) => socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\n\r\nNo!!')),
      'connection_failed',
      '(HTTP 403)',
    ],
  ] as const)('%s is named without its password, and the page is retried', async (_, start, code, words) => {
    const host = await start();
    const error = await failure(fetchText('http://a.test/', throughProxy({ host }), { timeoutMs: 1_500 }));
    expect(error).toMatchObject({ code, retryable: true });
    expect(error.message).toContain(`The proxy ${host} `);
    expect(error.message).toContain(words);
    const cause = error.cause as Error;
    for (const text of [error.message, error.stack, cause.message, JSON.stringify(cause)])
      expect(text).not.toMatch(/not:to|not%3A|bm90/);
  });

  it('of another kind is refused', async () => {
    const proxies = { ...noProxies, proxy: 'socks5://127.0.0.1:1080' };
    const error = await failure(fetchText('http://a.test/', proxies));
    expect(error.message).toContain('The proxy 127.0.0.1:1080 is of a kind that is not supported');
  });

  it('may be needed to resolve names: the error for an unknown name says so', async () => {
    for (const [reason, code] of [
      ['EAI_AGAIN', 'offline'],
      ['ENOTFOUND', 'dns_failed'],
    ] as const) {
      const lookup: LookupFunction = (_name, _options, callback) =>
        callback(Object.assign(new Error('no name'), { code: reason }), '', 0);
      const error = await failure(fetchText('http://a.test/', throughProxy({ host: '127.0.0.1:9' }), { lookup }));
      expect(error).toMatchObject({ code, retryable: code === 'offline' });
      expect(error.message).toContain('set proxyResolves');
    }
  });
});

describe('a model server', () => {
  it('is reached through the proxy by its name, and one on this machine directly', async () => {
    const served = await site((_, response) => void response.end('{"ok":true}'));
    const proxy = await proxyTo(served);
    const ask = async (base: string) => {
      const provider = createProviderFetch(base, 20_000, undefined, throughProxy(proxy));
      opened.push(provider);
      return (await provider.fetch(`${base}/v1`, { method: 'POST', body: '{}' })).json();
    };
    expect(await ask('http://model.example.internal')).toEqual({ ok: true });
    expect(proxy.asked()).toEqual(['model.example.internal:80']);
    expect(await ask(served.url(''))).toEqual({ ok: true });
    expect(proxy.heads).toHaveLength(1);
  });
});

describe('NO_PROXY', () => {
  const isExcepted = (entry: string, url: string) =>
    proxyFor({ ...noProxies, proxy: 'proxy:1', exceptions: [entry] }, new URL(url)) === null;

  it.each([
    ['*', 'http://a.example/', true],
    ['example.org', 'http://example.org/', true],
    ['example.org', 'https://www.EXAMPLE.org./', true],
    ['.example.org', 'http://example.org/', true],
    ['*.example.org', 'http://a.b.example.org/', true],
    ['example.org', 'http://notexample.org/', false],
    ['example.org', 'http://example.org.evil.test/', false],
    ['EXAMPLE.org:8080', 'http://example.org:8080/', true],
    ['example.org:8080', 'http://example.org/', false],
    ['example.org:443', 'https://example.org/', true],
    ['bücher.example', 'http://www.bücher.example/', true],
    ['192.0.2.7', 'http://192.0.2.7/', true],
    ['192.0.2.7', 'http://192.0.2.70/', false],
    ['192.0.2.7:81', 'http://192.0.2.7:81/', true],
    ['192.0.2.0/24', 'http://192.0.2.70/', true],
    ['192.0.2.0/24', 'http://192.0.3.1/', false],
    ['10.0.0.0/8', 'http://ten.example/', false],
    ['2001:db8::/32', 'http://[2001:db8::1]/', true],
    ['2001:db8::1', 'http://[2001:DB8:0::1]/', true],
    ['[2001:db8::1]:8080', 'http://[2001:db8::1]:8080/', true],
    ['[2001:db8::1]:8080', 'http://[2001:db8::1]/', false],
    ['localhost', 'http://localhost:11434/', true],
    ['', 'http://a.example/', false],
    ['.', 'http://a.example/', false],
    ['/8', 'http://10.0.0.1/', false],
    ['10.0.0.0/99', 'http://10.0.0.1/', false],
  ])('%j excludes %s: %s', (entry, url, expected) => {
    expect(isExcepted(entry, url)).toBe(expected);
  });
});
