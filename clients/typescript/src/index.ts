import { Calls, ContentCalls, ExportsCalls, ImportsCalls } from './calls.ts';
import { JobEndedError, ProcessingFailedError } from './problems.ts';
import { pause, Requests, type CallOptions, type ClientOptions, type Tagged } from './requests.ts';
import type * as api from './types.ts';

export { CommonplaceError, JobEndedError, ProcessingFailedError } from './problems.ts';
export type { CallOptions, ChangeOptions, ClientOptions, Download, List, Tagged, WriteOptions } from './requests.ts';
export type * from './types.ts';

export interface WaitOptions<State> extends CallOptions {
  /** Longest wait in milliseconds. Default 120,000; for imports and exports an hour. */
  timeoutMs?: number;
  /** Pause between two looks, in milliseconds. Default 1,000. */
  intervalMs?: number;
  /** Called with every state that was read. */
  onProgress?: (state: State) => void;
}

/** What was saved. */
export class Content extends ContentCalls {
  /**
   * Waits until the item can be found and has its summary.
   * @throws {ProcessingFailedError} when it could not be processed; `TimeoutError` when that takes too long
   */
  waitUntilProcessed(id: string, options: WaitOptions<Tagged<api.ContentItem>> = {}): Promise<Tagged<api.ContentItem>> {
    const isProcessed = ({ status, failure }: api.ContentItem): boolean => {
      if (status === 'failed' && failure) throw new ProcessingFailedError(id, failure);
      return status === 'completed';
    };
    return waitFor((signal) => this.get(id, { signal }), isProcessed, { timeoutMs: 120_000, ...options });
  }
}

/** Files of other programs that the server imports. */
export class Imports extends ImportsCalls {
  /** @throws {JobEndedError} when it failed, or was cancelled or interrupted; `TimeoutError` when it takes too long */
  waitUntilDone(id: string, options: WaitOptions<api.Import> = {}): Promise<api.Import> {
    return waitFor((signal) => this.get(id, { signal }), isDone, { timeoutMs: 3_600_000, ...options });
  }
}

/** The library as a file. */
export class Exports extends ExportsCalls {
  /** @throws {JobEndedError} when it failed, or was cancelled or interrupted; `TimeoutError` when it takes too long */
  waitUntilDone(id: string, options: WaitOptions<api.Export> = {}): Promise<api.Export> {
    return waitFor((signal) => this.get(id, { signal }), isDone, { timeoutMs: 3_600_000, ...options });
  }
}

/**
 * A client for `/api/v1` of a Commonplace server, which its setting `apiV1` switches on. Methods throw `CommonplaceError` when the
 * server refuses. A token that may write and not read gets only ids and states, whatever the types say.
 */
export class Commonplace extends Calls {
  readonly content = new Content(this.requests);
  readonly imports = new Imports(this.requests);
  readonly exports = new Exports(this.requests);

  /** @throws {TypeError} when `baseUrl` is no address */
  constructor(options: ClientOptions) {
    super(new Requests(options));
  }
}

function isDone(job: api.Import | api.Export): boolean {
  if (job.state === 'waiting' || job.state === 'running') return false;
  if (job.state === 'done') return true;
  throw new JobEndedError(job);
}

/** Looks until something is over. @throws what `isOver` throws; `TimeoutError`; the signal's reason */
async function waitFor<State>(
  look: (signal: AbortSignal) => Promise<State>,
  isOver: (state: State) => boolean,
  { timeoutMs, intervalMs = 1_000, onProgress, signal }: WaitOptions<State> & { timeoutMs: number },
): Promise<State> {
  const ending = AbortSignal.timeout(timeoutMs);
  const until = signal === undefined ? ending : AbortSignal.any([signal, ending]);
  for (;;) {
    const state = await look(until);
    onProgress?.(state);
    if (isOver(state)) return state;
    await pause(intervalMs, until);
  }
}
