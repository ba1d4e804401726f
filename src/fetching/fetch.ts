import type { Clock } from '../domain/clock.ts';
import { hostOf } from '../domain/links/url.ts';
import type { Proxies } from '../domain/links/proxies.ts';
import {
  isValidator,
  type KnownPage,
  type Resource,
  type ResourceRequest,
  type Validators,
} from '../domain/records/resource.ts';
import type { HeldPlace, SharedPlaces } from '../domain/turns/shared-places.ts';
import { ProcessingError } from '../errors.ts';
import { isPublicAddress, literalAddress, lookupInTurn } from './address-guard.ts';
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
import { readBody } from './read-body.ts';
import { createTransport, type HttpAnswer, type Network, type Transport } from './transport.ts';

export interface FetchLimits {
  allowPrivateAddresses: boolean;
  /** Limit for one resource, both as sent and after decompression. */
  maxBytes: number;
  /** For one resource with all redirects, without the time spent waiting for other requests. */
  timeoutMs: number;
  maxRedirects: number;
  /** Origins that may be asked, redirects included; absent: all. */
  origins?: readonly string[] | undefined;
  /** Absent: every site is reached directly. */
  proxies?: Proxies | undefined;
  /** The User-Agent header that is sent to sites. */
  userAgent: string;
}

export interface FetchTask {
  url: string;
  request: ResourceRequest;
  known?: KnownPage | undefined;
  accountId: string;
  limits: FetchLimits;
}

export type FetchedResource = Omit<Resource, 'bytes' | 'fetchedAt'>;

interface FetchParts {
  clock: Clock;
  hosts: Pick<HostTurns, 'take' | 'hold'>;
  places: SharedPlaces;
  lookups: SharedPlaces;
  take(piece: Uint8Array): Promise<void>;
  network?: Network | undefined;
}

/** Number of large bodies that are read at once. One place is always left for another account. */
export const largeBodyPlaces = { total: 3, reserved: 1 };

/** Requests to a host pause this long after "too many requests" without a Retry-After header. */
const usualHoldMs = 30_000;

const accept = 'text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.9,application/pdf;q=0.9,*/*;q=0.8';

/**
 * Fetches a web address, and refuses addresses that must not be contacted.
 * @throws {ProcessingError} with the reason, written for the person who saved the address
 * @throws the errors of `hosts.take`. Aborting rejects with the signal's reason.
 */
export async function fetchResource(task: FetchTask, parts: FetchParts, signal: AbortSignal): Promise<FetchedResource> {
  const { timeoutMs, allowPrivateAddresses, proxies } = task.limits;
  signal.throwIfAborted();
  const start = URL.parse(task.url);
  if (start === null) throw notAllowed();
  const limit = new TimeLimit(parts.clock, timeoutMs, () => timedOut(timeoutMs));
  limit.run();
  const until = AbortSignal.any([signal, limit.signal]);
  const network = parts.network ?? {
    allowed: allowPrivateAddresses ? () => true : isPublicAddress,
    lookup: lookupInTurn(parts.lookups, task.accountId, until),
    proxies,
  };
  const transport = createTransport(network, timeoutMs);
  try {
    return await follow(start, { ...parts, task, network, transport, limit, signal: until });
  } catch (error) {
    signal.throwIfAborted();
    if (limit.signal.aborted) throw timedOut(timeoutMs);
    if (error instanceof HostBusyError) throw error;
    throw networkFailure(error, timeoutMs, parts.network?.isConnected ?? isConnected);
  } finally {
    limit.stop();
    await transport.close();
  }
}

interface Visit extends FetchParts {
  task: FetchTask;
  network: Network;
  transport: Transport;
  limit: TimeLimit;
  signal: AbortSignal;
}

async function follow(start: URL, visit: Visit): Promise<FetchedResource> {
  const { task, network, transport, limit, signal, hosts } = visit;
  const { accountId, request, limits } = task;
  const { method, body } = request;
  const cookies = createCookies();
  let turn = null as HostTurn | null;
  let url = start;
  /** The target of permanent redirects, counted from the first request. */
  let lasting = start;
  try {
    for (let hop = 0; hop <= limits.maxRedirects; hop += 1) {
      checkUrl(url, network, limits.origins);
      const host = hostOf(url) ?? url.host;
      if (turn?.host !== host) {
        turn?.end();
        turn = await limit.without(() => hosts.take(host, accountId, signal));
      }
      // Validators belong to the address that sent them.
      const conditions = url.href === task.known?.finalUrl ? conditionsOf(task.known) : {};
      const headers = {
        'user-agent': limits.userAgent,
        accept,
        'accept-language': 'en;q=0.9, *;q=0.5',
        'accept-encoding': 'gzip, deflate, br, zstd',
        ...conditions,
        // Headers given for one origin are not sent to another.
        ...(url.origin === start.origin ? withHeaders(request.headers, cookies.header(url)) : cookies.header(url)),
      };
      const answer = await transport.send(url, { method, headers, body }, signal);
      const next = redirectTarget(answer, url);
      if (next !== null && method === 'POST') {
        discard(answer);
        throw brokenAnswer();
      }
      if (next === null) {
        const isUnchanged = answer.status === 304 && Object.keys(conditions).length > 0;
        if (isUnchanged) discard(answer);
        else await readAnswer(answer, visit, host);
        const declaredType = single(answer.headers['content-type']) ?? null;
        return {
          url: start.href,
          finalUrl: url.href,
          declaredType,
          validators: validatorsOf(answer),
          isUnchanged,
          freshForMs: freshFor(answer),
          ...(lasting !== start && { movedTo: lasting.href }),
        };
      }
      cookies.keep(url, answer.headers['set-cookie']);
      discard(answer);
      if (lasting === url && (answer.status === 301 || answer.status === 308)) lasting = next;
      url = next;
    }
  } finally {
    turn?.end();
  }
  throw new ProcessingError(
    'too_many_redirects',
    `The address redirects more than ${limits.maxRedirects} times. Open it in your browser and save the address where you arrive.`,
  );
}

async function readAnswer(answer: HttpAnswer, visit: Visit, host: string): Promise<void> {
  const { task, transport, limit, signal, hosts, places, clock, take } = visit;
  const { maxBytes } = task.limits;
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
  const reading = new AbortController();
  const whileReading = AbortSignal.any([signal, reading.signal]);
  let taking = undefined as Promise<HeldPlace> | undefined;
  const beforeLarge = async (): Promise<void> => {
    // Many requests run at once, so only a few large bodies are taken at once. The others stay unread in the network.
    // The compressed and the decompressed body share one place.
    taking ??= limit.without(() => places.take(task.accountId, whileReading));
    await taking;
  };
  try {
    const encoding = allOf(answer.headers['content-encoding']);
    await readBody(answer.body, encoding, transport.wire, { maxBytes, beforeLarge, take });
  } finally {
    reading.abort('ended');
    await taking?.then(
      (place) => place.leave(),
      () => undefined,
    );
  }
}

function validatorsOf({ headers }: HttpAnswer): Validators {
  const kept = (name: string): string | null => {
    const value = single(headers[name]) ?? '';
    return isValidator(value) ? value : null;
  };
  return { etag: kept('etag'), lastModified: kept('last-modified') };
}

function freshFor({ headers }: HttpAnswer): number {
  const seconds = /(?:^|[\s,])max-age\s{0,9}=\s{0,9}"?(\d{1,9})/i.exec(allOf(headers['cache-control']))?.[1];
  return Number(seconds ?? 0) * 1_000;
}

function conditionsOf({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
  };
}

function notAllowed(): ProcessingError {
  return new ProcessingError(
    'url_not_allowed',
    'The address, or one that it leads to, is not a plain web address (http or https, without user name and password). ' +
      'Open it in your browser and save the address where you arrive.',
  );
}

/** Runs before every hop. Host names are checked again at DNS lookup and after connecting. */
function checkUrl(url: URL, network: Network, origins: FetchLimits['origins']): void {
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

class TimeLimit {
  readonly #clock: Clock;
  readonly #over = new AbortController();
  readonly #reason: () => Error;
  #leftMs: number;
  #running: { since: number; stop: AbortController } | null = null;

  /** @param reason creates the signal's reason when the time is over */
  constructor(clock: Clock, ms: number, reason: () => Error) {
    this.#clock = clock;
    this.#leftMs = ms;
    this.#reason = reason;
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  run(): void {
    if (this.#running !== null) return;
    const stop = new AbortController();
    this.#running = { since: this.#clock.elapsed(), stop };
    this.#clock.sleep(Math.max(0, this.#leftMs), stop.signal).then(
      () => this.#over.abort(this.#reason()),
      () => undefined, // the limit was stopped first
    );
  }

  stop(): void {
    if (this.#running === null) return;
    this.#leftMs -= this.#clock.elapsed() - this.#running.since;
    // A given reason: an error with its stack would be made for each page otherwise.
    this.#running.stop.abort('stopped');
    this.#running = null;
  }

  async without<T>(wait: () => Promise<T>): Promise<T> {
    this.stop();
    try {
      return await wait();
    } finally {
      this.run();
    }
  }
}

const maxCookies = 50;
const maxCookieLength = 4_096;

/**
 * Some sites redirect in a loop until their cookie is sent back. Cookies end with the fetch, and go back only to the exact
 * host that set them, unlike in browsers, so that nothing leaks between hosts.
 */
function createCookies() {
  const byHost = new Map<string, Map<string, string>>();
  return {
    keep(url: URL, setCookie: string | string[] | undefined): void {
      const jar = byHost.get(url.host) ?? new Map<string, string>();
      byHost.set(url.host, jar);
      for (const line of [setCookie ?? []].flat().slice(0, maxCookies)) {
        const [pair = ''] = line.split(';', 1);
        const separator = pair.indexOf('=');
        if (separator > 0 && pair.length <= maxCookieLength) jar.set(pair.slice(0, separator).trim(), pair.trim());
      }
    },
    header(url: URL): { cookie?: string } {
      const cookie = [...(byHost.get(url.host)?.values() ?? [])].join('; ');
      return cookie === '' || cookie.length > 2 * maxCookieLength ? {} : { cookie };
    },
  };
}
