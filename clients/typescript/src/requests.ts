import { CommonplaceError, problemOf } from './problems.ts';

export interface ClientOptions {
  /** Where the server is, such as `https://library.example.org`; without `/api/v1`. */
  baseUrl: string;
  /** A token, as `commonplace token create` shows it. */
  token: string;
  /** Further tries of a request that may succeed later. Default 3. */
  maxRetries?: number;
  /** Longest time for one try, in milliseconds. Default 60,000. */
  timeoutMs?: number;
  /** In place of the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  signal?: AbortSignal;
}

export interface WriteOptions extends CallOptions {
  /** A key of your own for this request. Default: a new one for each call, so that tries after a lost answer do nothing twice. */
  idempotencyKey?: string;
}

export interface ChangeOptions extends CallOptions {
  /** The `etag` of the item as you read it: the change is refused with status 412 when the item has changed since. */
  ifMatch?: string;
}

export interface Request extends CallOptions {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  query?: object;
  body?: object;
  headers?: Record<string, string>;
}

const firstPauseMs = 500;
const maxPauseMs = 30_000;
/** Answers of an overloaded or restarting server, and of a proxy before it. */
const passing = new Set([429, 502, 503, 504]);

/** Sends requests, and sends them again when that may help. */
export class Requests {
  readonly #options: Required<ClientOptions>;

  /** @throws {TypeError} when `baseUrl` is no address */
  constructor(options: ClientOptions) {
    const { href } = new URL('api/v1', `${options.baseUrl.replace(/\/+$/, '')}/`);
    this.#options = {
      maxRetries: 3,
      timeoutMs: 60_000,
      fetch: (input, init) => globalThis.fetch(input, init),
      ...options,
      baseUrl: href,
    };
  }

  /**
   * @returns the answer, and its ETag where it has one
   * @throws {CommonplaceError} when the server refuses; `TypeError` when it cannot be reached; the signal's reason
   */
  async send<T>(request: Request): Promise<{ data: T; etag: string | null }> {
    const { maxRetries } = this.#options;
    for (let tried = 0; ; tried += 1) {
      let refusal: unknown;
      let wait: number | null = null;
      try {
        const response = await this.#once(request);
        if (response.ok) return { data: (await response.json()) as T, etag: response.headers.get('etag') };
        const error = new CommonplaceError(response, await problemOf(response));
        if (!passing.has(error.status)) throw error;
        refusal = error;
        wait = error.retryAfter === null ? null : error.retryAfter * 1_000;
      } catch (error) {
        request.signal?.throwIfAborted();
        if (error instanceof CommonplaceError) throw error;
        // No answer, or half of one. Every request may be repeated: writes carry a key, or set what they set.
        refusal = error;
      }
      if (tried >= maxRetries || (wait !== null && wait > maxPauseMs)) throw refusal;
      await pause(wait ?? backoff(tried), request.signal);
    }
  }

  #once({ method, path, query = {}, body, headers, signal }: Request): Promise<Response> {
    const { baseUrl, token, timeoutMs, fetch } = this.#options;
    const parameters = Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [[name, String(value)]],
    );
    const search = parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`;
    const timeout = AbortSignal.timeout(timeoutMs);
    return fetch(`${baseUrl}${path}${search}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: 'application/json',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
  }
}

/** The pause before another try, in milliseconds: doubled each time, and not the same for all clients. */
function backoff(tried: number): number {
  return Math.min(maxPauseMs, firstPauseMs * 2 ** tried) * (0.5 + Math.random() / 2);
}

/** @throws the signal's reason, when it is aborted */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}
