import type { LookupFunction, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, buildConnector, request } from 'undici';
import { type AddressRule, AddressRefusedError, guardedLookup } from './address-guard.ts';
import { Wire } from './wire.ts';

/** A response whose body has not been read yet. */
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

/** The connections of one fetch. */
export interface Transport {
  readonly wire: Wire;
  /** Sends one request (GET by default) without following redirects. Rejects with the errors of undici and Node. */
  send(url: URL, request: TransportRequest, signal: AbortSignal): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/** Access to the network. Tests pass their own. */
export interface Network {
  allowed: AddressRule;
  lookup: LookupFunction;
  /** Whether this machine has a network at all; asks the operating system when absent. */
  isConnected?: () => boolean;
  /** Certificates to trust instead of the default ones, in PEM format. */
  ca?: string | undefined;
}

/** Maximum size of the response headers in bytes: twice what browsers and proxies commonly allow. */
const maxHeaderBytes = 32 * 1024;

export function createTransport(network: Network, timeoutMs: number): Transport {
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
    async send(url, { method = 'GET', headers, body }, signal) {
      const answer = await request(url, { dispatcher: agent, method, headers, body: body ?? null, signal });
      return { status: answer.statusCode, headers: answer.headers, body: answer.body };
    },
    close: () => agent.destroy(),
  };
}

/**
 * Opens every connection to a server that a page, an assistant or a setting names: first the TCP connection, then TLS
 * over it. Checking the lookup alone is not enough: IP literals skip it, and a resolver may lead elsewhere. So the address
 * that was really reached is checked again before a byte is sent.
 * @param wire counts what comes over the connections
 */
export function guardedConnector(
  { allowed, lookup, ca }: Network,
  timeoutMs: number,
  wire?: Wire,
): buildConnector.connector {
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
    connect({ ...plain, port, protocol: 'http:' }, (...reached) => {
      const [error, tcp] = reached;
      if (error !== null) return callback(error, null);
      if (!reachedAllowed(tcp, allowed)) {
        tcp.destroy();
        return callback(new AddressRefusedError(), null);
      }
      if (!isEncrypted) {
        wire?.watch(tcp, tcp);
        return callback(null, tcp);
      }
      connect({ ...options, port, httpSocket: tcp }, (...encrypted) => {
        const [failure, socket] = encrypted;
        if (failure !== null) {
          tcp.destroy();
          return callback(failure, null);
        }
        wire?.watch(tcp, socket);
        callback(null, socket);
      });
    });
  };
}

function reachedAllowed(socket: Socket, allowed: AddressRule): boolean {
  return socket.remoteAddress !== undefined && allowed(socket.remoteAddress);
}
