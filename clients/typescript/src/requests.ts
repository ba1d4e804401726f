import { CommonplaceError, problemOf } from './problems.ts';

export interface ClientOptions {
  /** Where the server is, such as `https://library.example.org`; without `/api/v1`. */
  baseUrl: string;
  /** A token or a key, as `commonplace token create` shows it. */
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

type AnyOptions = WriteOptions & ChangeOptions;

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What a request carries. */
interface Content {
  query?: object;
  body?: object;
  /** Sent as it is, in place of `body`. A stream is sent once: such a request is not repeated. */
  file?: Blob | ReadableStream<Uint8Array>;
}

interface Request extends Content, CallOptions {
  method: Method;
  path: string;
  accept?: string;
  headers: Record<string, string>;
}

/** An answer with the ETag that `ifMatch` takes. */
export type Tagged<Answer> = Answer & { etag: string };

/** One page of a list. */
interface Page<Item> {
  items: Item[];
  total: number;
  nextCursor?: string | undefined;
}

/** A list that is read page by page while it is walked: `for await (const item of client.content.list())`. */
export interface List<Item> extends AsyncIterable<Item> {
  pages(): AsyncIterable<Page<Item>>;
}

/** A file that the server sends. */
export interface Download {
  /** Reading it may take as long as it takes; the signal of the call ends it. */
  body: ReadableStream<Uint8Array>;
  fileName: string;
  mediaType: string;
  /** Null where the server does not say. */
  bytes: number | null;
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
   * A POST carries a key, so that a try after a lost answer does nothing twice.
   * @throws {CommonplaceError} when the server refuses; `TypeError` when it cannot be reached; the signal's reason
   */
  answer<T>(method: Method, path: string, content: Content, options?: AnyOptions): Promise<T> {
    return this.#send({ method, path, ...content }, options, async ({ response }) => (await response.json()) as T);
  }

  /** An answer with its ETag. */
  tagged<T>(method: Method, path: string, content: Content, options?: AnyOptions): Promise<Tagged<T>> {
    return this.#send({ method, path, ...content }, options, async ({ response }) => ({
      ...((await response.json()) as T),
      etag: response.headers.get('etag') ?? '',
    }));
  }

  list<Item>(path: string, input: object, options?: CallOptions): List<Item> {
    const read = (cursor?: string) => this.answer<Page<Item>>('GET', path, { query: { ...input, cursor } }, options);
    const pages = async function* (): AsyncGenerator<Page<Item>> {
      let page = await read();
      yield page;
      while (page.nextCursor !== undefined) {
        page = await read(page.nextCursor);
        yield page;
      }
    };
    return {
      pages,
      async *[Symbol.asyncIterator]() {
        for await (const { items } of pages()) yield* items;
      },
    };
  }

  /** A file, whose bytes the caller reads: `timeoutMs` ends with the headers, the signal goes on. */
  download(path: string, options?: CallOptions): Promise<Download> {
    return this.#send({ method: 'GET', path, accept: '*/*' }, options, ({ response, letRun }) => {
      letRun();
      const { headers, body } = response;
      const length = headers.get('content-length');
      return Promise.resolve({
        // An empty file has no body.
        body: body ?? new Blob([]).stream(),
        fileName: /filename="([^"]*)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'download',
        mediaType: headers.get('content-type') ?? 'application/octet-stream',
        bytes: length === null || headers.has('content-encoding') ? null : Number(length),
      });
    });
  }

  async #send<T>(
    request: Omit<Request, 'headers' | 'signal'>,
    { signal, idempotencyKey, ifMatch }: AnyOptions = {},
    read: (tried: Try) => Promise<T>,
  ): Promise<T> {
    const headers = {
      ...(request.method === 'POST' && { 'Idempotency-Key': idempotencyKey ?? crypto.randomUUID() }),
      ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    };
    return this.#repeat({ ...request, headers, signal }, read);
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
    const { method, path, query = {}, body, file, accept = 'application/json', headers, signal } = request;
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
          Accept: accept,
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
