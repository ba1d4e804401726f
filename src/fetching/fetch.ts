import dns from 'node:dns';
import type { Clock } from '../domain/clock.ts';
import { isoTime } from '../domain/clock.ts';
import type { Resource, ResourceRequest } from '../domain/resource.ts';
import { ProcessingError } from '../errors.ts';
import { isPublicAddress, literalAddress } from './address-guard.ts';
import { createCookies } from './cookies.ts';
import { decompress } from './decompress.ts';
import {
  brokenAnswer,
  networkFailure,
  refusedAddress,
  retryAfter,
  statusFailure,
  timedOut,
  tooLarge,
} from './failures.ts';
import type { Answer, Network, Transport } from './transport.ts';

export interface FetchSettings {
  /** Whether addresses of private networks and of this computer may be read. */
  allowPrivateAddresses: boolean;
  /** Of one resource, both as sent and after decompression. */
  maxBytes: number;
  /** For one resource with all its redirects, to the last byte. */
  timeoutMs: number;
  maxRedirects: number;
  /** How the fetcher names itself to sites. */
  userAgent: string;
  clock: Clock;
}

/** Gets what stands at web addresses, and nothing that it should not touch. */
export interface Fetcher {
  /**
   * @throws {ProcessingError} with the reason, written for the person who saved the address.
   * Aborting rejects with the signal's reason.
   */
  fetch(url: string, signal: AbortSignal, request?: ResourceRequest): Promise<Resource>;
  close(): Promise<void>;
}

const accept = 'text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.9,application/pdf;q=0.9,*/*;q=0.8';

export function createFetcher(settings: FetchSettings, network: Network = publicNetwork(settings)): Fetcher {
  const { maxBytes, timeoutMs, maxRedirects, userAgent, clock } = settings;
  let transport: Promise<Transport> | undefined;
  // The HTTP client is loaded with the first fetch, not with the program.
  const open = (): Promise<Transport> =>
    (transport ??= import('./transport.ts').then(({ createTransport }) => createTransport(network, timeoutMs)));

  const follow = async (start: URL, request: ResourceRequest, signal: AbortSignal): Promise<Resource> => {
    const { send } = await open();
    const { method, body } = request;
    const cookies = createCookies();
    let url = start;
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      checkUrl(url, network);
      const headers = {
        'user-agent': userAgent,
        accept,
        'accept-language': 'en;q=0.9, *;q=0.5',
        'accept-encoding': 'gzip, deflate, br, zstd',
        // What was meant for one host is not handed on to another.
        ...(url.origin === start.origin ? withHeaders(request.headers, cookies.header(url)) : cookies.header(url)),
      };
      const answer = await send(url, { method, headers, body }, signal);
      const next = redirectTarget(answer, url);
      if (next !== null && method === 'POST') {
        discard(answer);
        throw brokenAnswer();
      }
      if (next === null) return await toResource(answer, start, url);
      cookies.keep(url, answer.headers['set-cookie']);
      discard(answer);
      url = next;
    }
    throw new ProcessingError(
      'too_many_redirects',
      `The address leads on and on, more than ${maxRedirects} times. Open it in your browser and save the address where you arrive.`,
    );
  };

  const toResource = async (answer: Answer, start: URL, url: URL): Promise<Resource> => {
    if (answer.status < 200 || answer.status > 299) {
      discard(answer);
      throw statusFailure(answer.status, retryAfter(single(answer.headers['retry-after']), clock.now()));
    }
    const declaredLength = Number(single(answer.headers['content-length']) ?? 0);
    if (declaredLength > maxBytes) {
      discard(answer);
      throw tooLarge(maxBytes);
    }
    const sent = await readBody(answer, maxBytes);
    const bytes = await decompress(sent, allOf(answer.headers['content-encoding']), maxBytes);
    const declaredType = single(answer.headers['content-type']) ?? null;
    return { url: start.href, finalUrl: url.href, bytes, declaredType, fetchedAt: isoTime(clock.now()) };
  };

  return {
    async fetch(address, signal, request = {}) {
      signal.throwIfAborted();
      const url = URL.parse(address);
      if (url === null) throw notAllowed();
      const done = new AbortController();
      const deadline = new AbortController();
      clock.sleep(timeoutMs, done.signal).then(
        () => deadline.abort(timedOut(timeoutMs)),
        () => undefined, // the fetch ended first
      );
      try {
        return await follow(url, request, AbortSignal.any([signal, deadline.signal]));
      } catch (error) {
        signal.throwIfAborted();
        if (deadline.signal.aborted) throw timedOut(timeoutMs);
        throw networkFailure(error, timeoutMs);
      } finally {
        done.abort();
      }
    },
    async close() {
      await (await transport)?.close();
    },
  };
}

function publicNetwork({ allowPrivateAddresses }: FetchSettings): Network {
  return { allowed: allowPrivateAddresses ? () => true : isPublicAddress, lookup: dns.lookup };
}

function notAllowed(): ProcessingError {
  return new ProcessingError(
    'url_not_allowed',
    'The address, or one that it leads to, is not a plain web address (http or https, without user name and password). ' +
      'Open it in your browser and save the address where you arrive.',
  );
}

/** Asked before every hop. Names are checked once more when they are looked up and when the connection stands. */
function checkUrl(url: URL, network: Network): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw notAllowed();
  if (url.username !== '' || url.password !== '') throw notAllowed();
  const address = literalAddress(url);
  if (address !== null && !network.allowed(address)) throw refusedAddress();
}

function withHeaders(given: ResourceRequest['headers'] = {}, jar: { cookie?: string }): Record<string, string> {
  const cookie = [given['cookie'], jar.cookie].filter((part) => part !== undefined).join('; ');
  return { ...given, ...(cookie !== '' && { cookie }) };
}

const redirects = new Set([301, 302, 303, 307, 308]);

function redirectTarget(answer: Answer, url: URL): URL | null {
  if (!redirects.has(answer.status)) return null;
  const location = single(answer.headers['location']);
  const target = location === undefined ? null : URL.parse(location, url.href);
  if (target === null) {
    discard(answer);
    throw brokenAnswer();
  }
  return target;
}

async function readBody(answer: Answer, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body) {
    length += chunk.byteLength;
    // Leaving the loop destroys the body and with it the connection.
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Ends an answer unread. The stream reports its own ending as an error, which nobody waits for. */
function discard(answer: Answer): void {
  answer.body.on('error', () => undefined);
  answer.body.destroy();
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function allOf(header: string | string[] | undefined): string {
  return Array.isArray(header) ? header.join(',') : (header ?? '');
}
