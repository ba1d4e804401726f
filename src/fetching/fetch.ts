import dns from 'node:dns';
import { localAccountId } from '../domain/records/account.ts';
import type { Clock } from '../domain/clock.ts';
import { isoTime } from '../domain/clock.ts';
import { hostOf } from '../domain/links/host.ts';
import type { Resource, ResourceRequest } from '../domain/records/resource.ts';
import { ProcessingError } from '../errors.ts';
import { isPublicAddress, literalAddress } from './address-guard.ts';
import { createCookies } from './cookies.ts';
import {
  brokenAnswer,
  isConnected,
  networkFailure,
  refusedAddress,
  retryAfter,
  statusFailure,
  timedOut,
  tooLarge,
} from './fetch-failures.ts';
import { HostBusyError, type HostTurn, type HostTurns } from './host-turns.ts';
import { LargeBodies } from './large-bodies.ts';
import { TimeLimit } from './time-limit.ts';
import type { HttpAnswer, Network, Transport } from './transport.ts';

export interface FetchSettings {
  /** Whether addresses of private networks and of this computer may be read. */
  allowPrivateAddresses: boolean;
  /** Limit for one resource, both as sent and after decompression. */
  maxBytes: number;
  /**
   * For one resource including all redirects, until the last byte. Time spent waiting for other requests does not
   * count.
   */
  timeoutMs: number;
  maxRedirects: number;
  /** Origins that may be asked, redirects included; absent: all. */
  origins?: readonly string[] | undefined;
  /** The User-Agent header that is sent to sites. */
  userAgent: string;
  clock: Clock;
  /** Shared with the code that decides what is fetched next. */
  hosts: HostTurns;
}

/** Fetches web addresses, and refuses addresses that must not be contacted. */
export interface Fetcher {
  /**
   * @param accountId the account that takes turns with others; the local account when omitted
   * @throws {ProcessingError} with the reason, written for the person who saved the address
   * @throws {HostBusyError} when the account has too many requests at a host, either this one or one that it redirects
   * to, and has to try again later
   * Aborting rejects with the signal's reason.
   */
  fetch(url: string, signal: AbortSignal, request?: ResourceRequest, accountId?: string): Promise<Resource>;
  close(): Promise<void>;
}

/** How long requests to a host pause after "too many requests" without a Retry-After header. */
const usualHoldMs = 30_000;

const accept = 'text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.9,application/pdf;q=0.9,*/*;q=0.8';

/** One fetch in progress. */
interface RunningFetch {
  start: URL;
  request: ResourceRequest;
  accountId: string;
  limit: TimeLimit;
  /** Also aborted by the time limit. */
  signal: AbortSignal;
}

export function createFetcher(settings: FetchSettings, network: Network = publicNetwork(settings)): Fetcher {
  const { maxBytes, timeoutMs, maxRedirects, origins, userAgent, clock, hosts } = settings;
  const largeBodies = new LargeBodies(maxBytes);
  let transport: Promise<Transport> | undefined;
  // Load the HTTP client with the first fetch instead of at program start.
  const open = (): Promise<Transport> =>
    (transport ??= import('./transport.ts').then(({ createTransport }) => createTransport(network, timeoutMs)));

  const follow = async (visit: RunningFetch): Promise<Resource> => {
    const { start, request, signal, limit, accountId } = visit;
    const { send } = await open();
    const { method, body } = request;
    const cookies = createCookies();
    let turn = null as HostTurn | null;
    let url = start;
    try {
      for (let hop = 0; hop <= maxRedirects; hop += 1) {
        checkUrl(url, network, origins);
        const host = hostOf(url) ?? url.host;
        if (turn?.host !== host) {
          turn?.end();
          turn = await limit.without(() => hosts.take(host, accountId, signal));
        }
        const headers = {
          'user-agent': userAgent,
          accept,
          'accept-language': 'en;q=0.9, *;q=0.5',
          'accept-encoding': 'gzip, deflate, br, zstd',
          // Headers given for one origin are not sent to another.
          ...(url.origin === start.origin ? withHeaders(request.headers, cookies.header(url)) : cookies.header(url)),
        };
        const answer = await send(url, { method, headers, body }, signal);
        const next = redirectTarget(answer, url);
        if (next !== null && method === 'POST') {
          discard(answer);
          throw brokenAnswer();
        }
        if (next === null) return await toResource(answer, visit, url, host);
        cookies.keep(url, answer.headers['set-cookie']);
        discard(answer);
        url = next;
      }
    } finally {
      turn?.end();
    }
    throw new ProcessingError(
      'too_many_redirects',
      `The address redirects more than ${maxRedirects} times. Open it in your browser and save the address where you arrive.`,
    );
  };

  const toResource = async (answer: HttpAnswer, visit: RunningFetch, url: URL, host: string): Promise<Resource> => {
    if (answer.status < 200 || answer.status > 299) {
      discard(answer);
      const askedMs = retryAfter(single(answer.headers['retry-after']), clock.now());
      if (answer.status === 429) hosts.hold(host, askedMs ?? usualHoldMs);
      else if (answer.status === 503 && askedMs !== undefined) hosts.hold(host, askedMs);
      throw statusFailure(answer.status, askedMs);
    }
    const declaredLength = Number(single(answer.headers['content-length']) ?? 0);
    if (declaredLength > maxBytes) {
      discard(answer);
      throw tooLarge(maxBytes);
    }
    const bytes = await largeBodies.read(answer.body, allOf(answer.headers['content-encoding']), visit);
    const declaredType = single(answer.headers['content-type']) ?? null;
    return { url: visit.start.href, finalUrl: url.href, bytes, declaredType, fetchedAt: isoTime(clock.now()) };
  };

  return {
    async fetch(address, signal, request = {}, accountId = localAccountId) {
      signal.throwIfAborted();
      const start = URL.parse(address);
      if (start === null) throw notAllowed();
      const limit = new TimeLimit(clock, timeoutMs, () => timedOut(timeoutMs));
      limit.run();
      try {
        return await follow({ start, request, accountId, limit, signal: AbortSignal.any([signal, limit.signal]) });
      } catch (error) {
        signal.throwIfAborted();
        if (limit.signal.aborted) throw timedOut(timeoutMs);
        if (error instanceof HostBusyError) throw error;
        throw networkFailure(error, timeoutMs, network.isConnected ?? isConnected);
      } finally {
        limit.stop();
      }
    },
    async close() {
      hosts.close();
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

/** Runs before every hop. Host names are checked again at DNS lookup and after connecting. */
function checkUrl(url: URL, network: Network, origins: FetchSettings['origins']): void {
  if (origins?.includes(url.origin) === false) throw notAllowed();
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

function redirectTarget(answer: HttpAnswer, url: URL): URL | null {
  if (!redirects.has(answer.status)) return null;
  const location = single(answer.headers['location']);
  const target = location === undefined ? null : URL.parse(location, url.href);
  if (target === null) {
    discard(answer);
    throw brokenAnswer();
  }
  return target;
}

/** Closes a response without reading its body. Destroying the stream emits an error, which nobody else handles. */
function discard(answer: HttpAnswer): void {
  answer.body.on('error', () => undefined);
  answer.body.destroy();
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function allOf(header: string | string[] | undefined): string {
  return Array.isArray(header) ? header.join(',') : (header ?? '');
}
