import dns from 'node:dns';
import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { isLoopbackHost } from '../domain/links/configured-addresses.ts';
import { noProxies, type Proxies } from '../domain/links/proxies.ts';
import { guardedConnector } from './transport.ts';
import { Wire } from './wire.ts';

/** A provider of the settings: a model's API, or an object store. */
export interface ProviderFetch {
  fetch: typeof globalThis.fetch;
  close(): Promise<void>;
}

const maxModelBytes = 8 * 1024 * 1024;

const methods = new Set(['POST', 'PUT', 'DELETE']);

/**
 * A `fetch` that reaches only one origin: the provider named in the settings, which may be on this machine. It follows
 * no redirects, and no address in a saved text can direct it elsewhere. Answers are parsed in this thread, so a connection that
 * brings much more than content is closed.
 * @param maxBytes limit of an answer; -1 when the caller limits it itself
 * @param proxies not for a provider on this machine. They look its name up
 */
export function createProviderFetch(
  baseUrl: string,
  timeoutMs: number,
  maxBytes: number = maxModelBytes,
  proxies: Proxies = noProxies,
): ProviderFetch {
  const { origin, hostname } = new URL(baseUrl);
  const network = {
    allowed: () => true,
    lookup: dns.lookup,
    proxies: isLoopbackHost(hostname) ? noProxies : { ...proxies, resolves: true },
  };
  const wire = new Wire();
  const agent = new Agent({
    connect: guardedConnector(network, Math.min(timeoutMs, 30_000), wire),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: 4_000,
    maxResponseSize: maxBytes,
    allowH2: false,
  });
  return {
    async fetch(input, init = {}) {
      const url = new URL(input instanceof Request ? input.url : input);
      if (url.origin !== origin) throw new TypeError('the provider of the settings is at another address');
      wire.forgive();
      const { statusCode, headers, body } = await request(url, {
        dispatcher: agent,
        method: methods.has(init.method ?? '') ? (init.method as 'POST' | 'PUT' | 'DELETE') : 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        body: typeof init.body === 'string' || init.body instanceof Uint8Array ? init.body : null,
        signal: init.signal ?? undefined,
      });
      // An unread answer may break off.
      body.on('error', () => undefined);
      const answered = new Headers();
      for (const [name, value] of Object.entries(headers)) {
        for (const one of [value ?? []].flat()) answered.append(name, one);
      }
      // By the standard, such an answer has no body.
      if (statusCode === 204) await body.dump();
      return new Response(statusCode === 204 ? null : ReadableStream.from(contentOf(body, wire)), {
        status: statusCode,
        headers: answered,
      });
    },
    close: () => agent.destroy(),
  };
}

async function* contentOf(body: Readable, wire: Wire): AsyncGenerator<Uint8Array> {
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    wire.noteContent(chunk.byteLength);
    yield chunk;
  }
}
