import { CommonplaceError, problemOf } from './problems.ts';

export interface ClientOptions {
  /** Where the server is, such as `https://library.example.org`; without `/api/v1`. */
  baseUrl: string;
  /** A token or a key, as `commonplace key create` shows it. */
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
  /** Sent as it is, in place of `body`. A stream is sent once: such a request is not repeated. */
  file?: Blob | ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
}

/** A request under way. */
interface Try {
  response: Response;
  /** From now on the try may take as long as it likes. */
  letRun(): void;
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
  send<T>(request: Request): Promise<{ data: T; etag: string | null }> {
    return this.#repeat(request, async ({ response }) => ({
      data: (await response.json()) as T,
      etag: response.headers.get('etag'),
    }));
  }

  /** The answer, whose body the caller reads: `timeoutMs` ends with its headers, the signal goes on. */
  open(request: Request): Promise<Response> {
    return this.#repeat(request, ({ response, letRun }) => {
      letRun();
      return Promise.resolve(response);
    });
  }

  async get<T>(path: string, query: object = {}, options: CallOptions = {}): Promise<T> {
    return (await this.send<T>({ method: 'GET', path, query, ...options })).data;
  }

  /** Sends a write with a key, so that a try after a lost answer does nothing twice. */
  async post<T>(
    path: string,
    content: Pick<Request, 'body' | 'file' | 'query'>,
    { signal, idempotencyKey }: WriteOptions = {},
  ): Promise<T> {
    const headers = { 'Idempotency-Key': idempotencyKey ?? crypto.randomUUID() };
    return (await this.send<T>({ method: 'POST', path, ...content, headers, signal })).data;
  }

  async delete<T>(path: string, { signal }: CallOptions = {}): Promise<T> {
    return (await this.send<T>({ method: 'DELETE', path, signal })).data;
  }

  async #repeat<T>(request: Request, read: (tried: Try) => Promise<T>): Promise<T> {
    const maxRetries = request.file instanceof ReadableStream ? 0 : this.#options.maxRetries;
    for (let tried = 0; ; tried += 1) {
      let refusal: unknown;
      let wait: number | null = null;
      try {
        return await this.#once(request, read);
      } catch (error) {
        request.signal?.throwIfAborted();
        // Otherwise no answer, or half of one. Every request may be repeated: writes carry a key, or set what they set.
        if (error instanceof CommonplaceError) {
          if (!passing.has(error.status)) throw error;
          wait = error.retryAfter === null ? null : error.retryAfter * 1_000;
        }
        refusal = error;
      }
      if (tried >= maxRetries || (wait !== null && wait > maxPauseMs)) throw refusal;
      await pause(wait ?? backoff(tried), request.signal);
    }
  }

  async #once<T>(request: Request, read: (tried: Try) => Promise<T>): Promise<T> {
    const { method, path, query = {}, body, file, headers, signal } = request;
    const { baseUrl, token, timeoutMs, fetch } = this.#options;
    const parameters = Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [[name, String(value)]],
    );
    const search = parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`;
    const ending = new AbortController();
    const timer = setTimeout(
      () => ending.abort(new DOMException(`The server did not answer within ${timeoutMs} ms.`, 'TimeoutError')),
      timeoutMs,
    );
    const letRun = (): void => clearTimeout(timer);
    // A file takes as long as it takes.
    if (file !== undefined) letRun();
    try {
      const response = await fetch(`${baseUrl}${path}${search}`, {
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          Accept: 'application/json',
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(file !== undefined && { 'Content-Type': 'application/octet-stream' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(file !== undefined && { body: file, duplex: 'half' }),
        signal: signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]),
      } as RequestInit);
      if (!response.ok) throw new CommonplaceError(response, await problemOf(response));
      return await read({ response, letRun });
    } finally {
      letRun();
    }
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
