import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, buildConnector, request } from 'undici';
import { bareHost, noProxies, type Proxies, ProxyError, proxyFor } from '../domain/links/proxies.ts';
import { type AddressRule, AddressRefusedError, guardedLookup, isPrivateName } from './address-guard.ts';
import { openTunnel } from './tunnel.ts';
import { Wire } from './wire.ts';

export interface HttpAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Readable;
}

interface TransportRequest {
  method?: 'GET' | 'POST' | undefined;
  headers: Record<string, string>;
  body?: string | undefined;
}

export type Transport = ReturnType<typeof createTransport>;

export interface Network {
  allowed: AddressRule;
  lookup: LookupFunction;
  /** Tells if this machine has a network at all; absent, the operating system is asked. */
  isConnected?: () => boolean;
  proxies?: Proxies | undefined;
  /** Instead of the default ones, in PEM format. */
  ca?: string | undefined;
}

/** Maximum size of the response headers in bytes: twice what browsers and proxies commonly allow. */
const maxHeaderBytes = 32 * 1024;

export function createTransport(network: Network, timeoutMs: number) {
  const wire = new Wire();
  const agent = new Agent({
    connect: guardedConnector(network, timeoutMs, wire),
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: 2_000,
    keepAliveMaxTimeout: 5_000,
    // HTTP/1.1 only: then there is just one parser, whose limits are tested.
    allowH2: false,
  });
  return {
    wire,
    /** Follows no redirects. Rejects with the errors of undici and Node. */
    async send(
      url: URL,
      { method = 'GET', headers, body }: TransportRequest,
      signal: AbortSignal,
    ): Promise<HttpAnswer> {
      const answer = await request(url, { dispatcher: agent, method, headers, body: body ?? null, signal });
      return { status: answer.statusCode, headers: answer.headers, body: answer.body };
    },
    async close(): Promise<void> {
      await agent.destroy();
      // Those in a TLS handshake, which the agent does not know yet.
      wire.close();
    },
  };
}

/**
 * Opens every connection to a server that a page, an assistant or a setting names: first the TCP connection, then TLS
 * over it. Checking the lookup alone is not enough: IP literals skip it, and a resolver may lead elsewhere. So the address
 * that was really reached is checked again before a byte is sent.
 * @param wire counts what comes over the connections
 */
export function guardedConnector(network: Network, timeoutMs: number, wire?: Wire): buildConnector.connector {
  const { allowed, lookup, ca, proxies = noProxies } = network;
  const connect = buildConnector({
    lookup: guardedLookup(allowed, lookup),
    timeout: timeoutMs,
    allowH2: false,
    ...(ca !== undefined && { ca }),
  });
  return (options, callback) => {
    const isEncrypted = options.protocol === 'https:';
    const port = options.port || (isEncrypted ? '443' : '80');
    const { servername: _, ...plain } = options;
    const speakOver = (tcp: Socket): void => {
      let hasFailed = false;
      wire?.count(tcp, (error) => {
        hasFailed = true;
        tcp.destroy();
        callback(error, null);
      });
      if (!isEncrypted) {
        wire?.watch(tcp, tcp);
        return callback(null, tcp);
      }
      connect({ ...options, port, httpSocket: tcp }, (...encrypted) => {
        const [failure, socket] = encrypted;
        if (hasFailed) return;
        if (failure !== null) {
          tcp.destroy();
          return callback(failure, null);
        }
        wire?.watch(tcp, socket);
        callback(null, socket);
      });
    };
    const proxy = proxyFor(proxies, new URL(`${options.protocol}//${options.host ?? options.hostname}`));
    if (proxy !== null) {
      const place = { host: bareHost(options.hostname), port };
      const fail = (error: Error): void => callback(error, null);
      connectThrough(proxy, place, network, timeoutMs).then(speakOver, fail);
      return;
    }
    connect({ ...plain, port, protocol: 'http:' }, (...reached) => {
      const [error, tcp] = reached;
      if (error !== null) return callback(error, null);
      if (!reachedAllowed(tcp, allowed)) {
        tcp.destroy();
        return callback(new AddressRefusedError(), null);
      }
      speakOver(tcp);
    });
  };
}

function reachedAllowed(socket: Socket, allowed: AddressRule): boolean {
  return socket.remoteAddress !== undefined && allowed(socket.remoteAddress);
}

/** A proxy gets at most this share of the time, so that its failure is reported as its own and not the page's. */
const proxyShare = 1 / 3;

/**
 * Connects to a server through a proxy. The name is looked up and checked here, and the proxy is asked for the address:
 * what it makes of the name does not matter.
 */
async function connectThrough(
  proxy: URL,
  { host, port }: { host: string; port: string },
  { allowed, lookup, proxies }: Network,
  timeoutMs: number,
): Promise<Socket> {
  const target = await targetOf(host, allowed, proxies?.resolves === true ? null : lookup).catch((error: unknown) => {
    throw error instanceof AddressRefusedError ? error : new ProxyError(proxy, 'unresolved', { cause: error });
  });
  return openTunnel(proxy, `${isIP(target) === 6 ? `[${target}]` : target}:${port}`, timeoutMs * proxyShare);
}

/** The address, or without a look-up the name, for which a proxy is asked. */
async function targetOf(host: string, allowed: AddressRule, lookup: LookupFunction | null): Promise<string> {
  if (isIP(host) !== 0) {
    if (!allowed(host)) throw new AddressRefusedError();
    return host;
  }
  if (lookup === null) {
    if (isPrivateName(host) && !allowed('127.0.0.1')) throw new AddressRefusedError();
    return host;
  }
  return new Promise((resolve, reject) => {
    guardedLookup(allowed, lookup)(host, { all: true }, (error, found) => {
      if (error !== null) return reject(error);
      const addresses = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found;
      // Many proxies reach IPv4 alone.
      resolve((addresses.find(({ family }) => family === 4) ?? addresses[0])?.address ?? host);
    });
  });
}
