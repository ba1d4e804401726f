import type { LookupFunction, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, buildConnector, request } from 'undici';
import { type AddressRule, AddressRefusedError, guardedLookup } from './address-guard.ts';

/** One answer, its body not yet read. */
export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Readable;
}

interface TransportRequest {
  method?: 'GET' | 'POST' | undefined;
  headers: Record<string, string>;
  body?: string | undefined;
}

export interface Transport {
  /** One request (a GET unless it says otherwise), redirects not followed. Rejects with undici's and Node's own errors. */
  send(url: URL, request: TransportRequest, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

/** The network as the fetcher reaches it; tests put their own in its place. */
export interface Network {
  allowed: AddressRule;
  lookup: LookupFunction;
  /** Certificates to trust instead of the usual ones, PEM. */
  ca?: string | undefined;
}

/** Largest response header section, in bytes: twice what browsers and proxies commonly allow a page to need. */
const maxHeaderBytes = 32 * 1024;

export function createTransport(network: Network, timeoutMs: number): Transport {
  const agent = new Agent({
    connect: guardedConnector(network, timeoutMs),
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: 2_000,
    keepAliveMaxTimeout: 5_000,
    // HTTP/1.1 only: one parser, whose limits are the tested ones.
    allowH2: false,
  });
  return {
    async send(url, { method = 'GET', headers, body }, signal) {
      const answer = await request(url, { dispatcher: agent, method, headers, body: body ?? null, signal });
      return { status: answer.statusCode, headers: answer.headers, body: answer.body };
    },
    close: () => agent.destroy(),
  };
}

/**
 * Connects for undici. The lookup alone would let literals through, and anything that a resolver or a proxying
 * socket does behind it; so the address that was really reached is looked at once more before a byte is sent.
 */
export function guardedConnector({ allowed, lookup, ca }: Network, timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({
    lookup: guardedLookup(allowed, lookup),
    timeout: timeoutMs,
    allowH2: false,
    ...(ca !== undefined && { ca }),
  });
  return (options, callback) => {
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error !== null) return callback(error, null);
      if (!reachedAllowed(socket, allowed)) {
        socket.destroy();
        return callback(new AddressRefusedError(), null);
      }
      callback(null, socket);
    });
  };
}

function reachedAllowed(socket: Socket, allowed: AddressRule): boolean {
  return socket.remoteAddress !== undefined && allowed(socket.remoteAddress);
}
