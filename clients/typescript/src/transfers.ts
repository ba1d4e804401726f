import { listOf, type Filters, type List } from './lists.ts';
import { JobEndedError } from './problems.ts';
import type { CallOptions, Requests, WriteOptions } from './requests.ts';
import type * as api from './types.ts';
import { waitFor, type WaitOptions } from './waiting.ts';

/** A file that the server sends. */
export interface Download {
  /** Reading it may take as long as it takes; the signal of the call ends it. */
  body: ReadableStream<Uint8Array>;
  fileName: string;
  mediaType: string;
  /** Null where the server does not say. */
  bytes: number | null;
}

const segment = encodeURIComponent;
const maxJobMs = 3_600_000;

/** Files of other programs that the server imports. */
export class Imports {
  readonly #requests: Requests;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** Sends a file. Browsers take a `Blob` or a `File`. A stream is sent once: when that fails, nothing is tried again. */
  start(
    file: Blob | ReadableStream<Uint8Array>,
    input: api.StartImportInput = {},
    options?: WriteOptions,
  ): Promise<api.Import> {
    return this.#requests.post('/imports', { file, query: input }, options);
  }

  /** Those of the last 30 days, newest first. */
  list(input: Filters<api.ListImportsInput> = {}, options?: CallOptions): List<api.Import> {
    return listOf(this.#requests, '/imports', input, options);
  }

  get(id: string, options?: CallOptions): Promise<api.Import> {
    return this.#requests.get(`/imports/${segment(id)}`, {}, options);
  }

  /** @throws {JobEndedError} when it failed, or was cancelled or interrupted; `TimeoutError` when it takes too long */
  waitUntilDone(id: string, options: WaitOptions<api.Import> = {}): Promise<api.Import> {
    return waitUntilDone((signal) => this.get(id, { signal }), options);
  }

  /** What it took stays; its `undo` takes that back. */
  cancel(id: string, options?: WriteOptions): Promise<api.Import> {
    return this.#requests.post(`/imports/${segment(id)}/cancel`, {}, options);
  }

  /** Takes up an import that was interrupted. */
  resume(id: string, options?: WriteOptions): Promise<api.Import> {
    return this.#requests.post(`/imports/${segment(id)}/resume`, {}, options);
  }

  /** Cancels and forgets it. What it took stays. */
  delete(id: string, options?: CallOptions): Promise<api.Import> {
    return this.#requests.delete(`/imports/${segment(id)}`, options);
  }

  /** A table (CSV) of what became of each entry. */
  report(id: string, options?: CallOptions): Promise<Download> {
    return download(this.#requests, `/imports/${segment(id)}/report`, options);
  }
}

/** The library as a file. */
export class Exports {
  readonly #requests: Requests;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  start(input: api.StartExportInput = {}, options?: WriteOptions): Promise<api.Export> {
    return this.#requests.post('/exports', { body: input }, options);
  }

  /** Those of the last day, newest first. */
  list(input: Filters<api.ListExportsInput> = {}, options?: CallOptions): List<api.Export> {
    return listOf(this.#requests, '/exports', input, options);
  }

  get(id: string, options?: CallOptions): Promise<api.Export> {
    return this.#requests.get(`/exports/${segment(id)}`, {}, options);
  }

  /** @throws {JobEndedError} when it failed, or was cancelled or interrupted; `TimeoutError` when it takes too long */
  waitUntilDone(id: string, options: WaitOptions<api.Export> = {}): Promise<api.Export> {
    return waitUntilDone((signal) => this.get(id, { signal }), options);
  }

  /** The file of an export that is done. It is kept for a day. */
  download(id: string, options?: CallOptions): Promise<Download> {
    return download(this.#requests, `/exports/${segment(id)}/file`, options);
  }

  /** Cancels it, and removes its file. */
  delete(id: string, options?: CallOptions): Promise<api.Export> {
    return this.#requests.delete(`/exports/${segment(id)}`, options);
  }
}

function waitUntilDone<Job extends api.Import | api.Export>(
  look: (signal: AbortSignal) => Promise<Job>,
  options: WaitOptions<Job>,
): Promise<Job> {
  const isDone = (job: Job): boolean => {
    if (job.state === 'waiting' || job.state === 'running') return false;
    if (job.state === 'done') return true;
    throw new JobEndedError(job);
  };
  return waitFor(look, isDone, { timeoutMs: maxJobMs, ...options });
}

async function download(requests: Requests, path: string, options: CallOptions = {}): Promise<Download> {
  const { headers, body } = await requests.open({ method: 'GET', path, headers: { Accept: '*/*' }, ...options });
  const length = headers.get('content-length');
  return {
    // An empty file has no body.
    body: body ?? new Blob([]).stream(),
    fileName: /filename="([^"]*)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'download',
    mediaType: headers.get('content-type') ?? 'application/octet-stream',
    bytes: length === null || headers.has('content-encoding') ? null : Number(length),
  };
}
