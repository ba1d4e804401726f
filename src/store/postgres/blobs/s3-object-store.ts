import { AwsV4Signer } from 'aws4fetch';
import { type Clock, isoTime } from '../../../domain/clock.ts';
import {
  type ObjectKey,
  type ObjectStore,
  objectStoreBase,
  type ObjectStoreOptions,
  objectStoreRefused,
  objectStoreUnanswered,
} from './object-store.ts';

export interface S3Parts {
  /** Reaches the origin of `objectStoreBase` alone, and follows no redirects. */
  fetch: typeof globalThis.fetch;
  /** Of this machine: requests are signed with the time of day. */
  clock: Clock;
}

/** How often a request is sent while the store does not answer or reports an internal error. */
const maxAttempts = 4;
/** After the first failure; then four times as long each. */
const firstPauseMs = 200;
const maxPauseMs = 5_000;
/** An attempt may take this long, and as much longer as its bytes need on a slow line. */
const maxAnswerMs = 20_000;
const minBytesPerMs = 256;
/** Of a page of names, or of a failure in words. */
const maxAnswerBytes = 1_048_576;
const listedAtOnce = 1_000;

const sha256OfNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

interface S3Request {
  method: 'GET' | 'PUT' | 'DELETE';
  /** Null: the bucket itself. */
  path: string | null;
  query?: Readonly<Record<string, string>>;
  body?: { bytes: Uint8Array; sha256: string };
  maxBytes: number;
  /** Answers with information are not failures. */
  expected: readonly number[];
}

interface S3Answer {
  status: number;
  /** Null when there were more than `maxBytes`. */
  bytes: Uint8Array | null;
}

class UnexpectedStatusError extends Error {
  readonly status: number;
  readonly retryAfterMs: number;
  constructor(status: number, words: string, retryAfterMs: number) {
    super(`the object store answered ${status}: ${words}`);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

const isPassing = (status: number): boolean => status >= 500 || status === 429 || status === 408;

/** Objects in a bucket, under `<prefix><account>/`. */
export function openS3ObjectStore(options: ObjectStoreOptions, { fetch, clock }: S3Parts): ObjectStore {
  const base = objectStoreBase(options);
  // Some servers sign the bucket itself without a slash at its end.
  const bucket = base.slice(0, -1);
  const signingKeys = new Map<string, ArrayBuffer>();
  const closing = new AbortController();

  const folderOf = (account: string): string => `${options.prefix}${encodeURIComponent(account)}/`;
  const pathOf = ({ account, name }: ObjectKey): string => folderOf(account) + encodeURIComponent(name);

  async function sendOnce({ method, path, query, body, maxBytes, expected }: S3Request): Promise<S3Answer> {
    const address = path === null ? new URL(bucket) : new URL(path, base);
    for (const [name, value] of Object.entries(query ?? {})) address.searchParams.set(name, value);
    const signed = await new AwsV4Signer({
      method,
      url: address.href,
      // A signed part of the request; Amazon's and most other servers verify it.
      headers: { 'x-amz-content-sha256': body?.sha256 ?? sha256OfNothing },
      service: 's3',
      region: options.region,
      accessKeyId: options.accessKeyId,
      secretAccessKey: options.secretAccessKey,
      ...(options.sessionToken !== undefined && { sessionToken: options.sessionToken }),
      datetime: isoTime(clock.now()).replace(/[:-]|\.\d{3}/g, ''),
      cache: signingKeys,
    }).sign();
    const allowedMs = maxAnswerMs + Math.ceil(Math.max(maxBytes, body?.bytes.length ?? 0) / minBytesPerMs);
    const response = await fetch(signed.url, {
      method,
      headers: signed.headers,
      ...(body !== undefined && { body: body.bytes as Uint8Array<ArrayBuffer> }),
      signal: AbortSignal.any([closing.signal, AbortSignal.timeout(allowedMs)]),
    });
    const { status } = response;
    const isExpected = expected.includes(status);
    const bytes = await readAtMost(response, isExpected && status < 300 ? maxBytes : maxAnswerBytes);
    if (isExpected && status < 300) return { status, bytes };
    const words = Buffer.from(bytes ?? []).toString('utf8', 0, 500);
    // Without the bucket, nothing is known of the object.
    if (isExpected && !words.includes('NoSuchBucket')) return { status, bytes };
    throw new UnexpectedStatusError(status, words, Number(response.headers.get('retry-after') ?? 0) * 1_000);
  }

  async function send(asked: S3Request): Promise<S3Answer> {
    let pauseMs = firstPauseMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await sendOnce(asked);
      } catch (error) {
        const answered = error instanceof UnexpectedStatusError ? error : null;
        if (answered !== null && !isPassing(answered.status)) throw objectStoreRefused(error);
        if (attempt === maxAttempts || closing.signal.aborted) throw objectStoreUnanswered(error);
        const wantedMs = answered?.retryAfterMs ?? 0;
        const waitMs = Math.min(maxPauseMs, wantedMs > pauseMs ? wantedMs : pauseMs);
        await clock.sleep(waitMs, closing.signal).catch(() => undefined);
        pauseMs *= 4;
      }
    }
  }

  return {
    async put(key, bytes, sha256) {
      const body = { bytes, sha256: Buffer.from(sha256).toString('hex') };
      await send({ method: 'PUT', path: pathOf(key), body, maxBytes: maxAnswerBytes, expected: [200, 201, 204] });
    },

    async get(key, size) {
      const { status, bytes } = await send({ method: 'GET', path: pathOf(key), maxBytes: size, expected: [200, 404] });
      return status === 200 && bytes?.length === size ? bytes : null;
    },

    async delete(key) {
      await send({ method: 'DELETE', path: pathOf(key), maxBytes: maxAnswerBytes, expected: [200, 202, 204, 404] });
    },

    async list(account) {
      const prefix = folderOf(account);
      const query = { 'list-type': '2', prefix, 'max-keys': String(listedAtOnce) };
      const { bytes } = await send({ method: 'GET', path: null, query, maxBytes: maxAnswerBytes, expected: [200] });
      return keysIn(Buffer.from(bytes ?? []).toString()).map((key) => key.slice(prefix.length));

      function keysIn(page: string): string[] {
        return [...between(page, '<Key>', '</Key>')].filter((key) => key.startsWith(prefix));
      }
    },

    async close() {
      closing.abort(new Error('the object store was closed'));
    },
  };
}

/** Null when there are more. */
async function readAtMost(response: Response, maxBytes: number): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > maxBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The text between two tags. Object names are ours, and contain nothing that XML escapes. */
function* between(text: string, begin: string, end: string): Generator<string> {
  for (let at = text.indexOf(begin); at !== -1; at = text.indexOf(begin, at)) {
    const from = at + begin.length;
    const to = text.indexOf(end, from);
    if (to === -1) return;
    yield text.slice(from, to);
    at = to;
  }
}
