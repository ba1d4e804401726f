import type { Worker } from 'node:worker_threads';
import { AppError } from '../../../errors.ts';
import { startThread } from '../../../workers/start.ts';
import { LeaseLostError } from '../../records.ts';
import type { AskedAt } from '../library/calls.ts';
import { busyError, explained, FileChangedError } from '../files/sqlite-errors.ts';
import type { FromThread, LibraryCall, SharedThreadData, ThreadData, ToThread } from './serve-calls.ts';

/** A call and the promise of its result. Settling it again does nothing. */
export interface ThreadCall {
  readonly accountId: string;
  /** Calls of one line run in their order. */
  readonly line: string;
  /** Whether it has waited so long that a thread may be started for it. */
  hasWaited: boolean;
  readonly request: LibraryCall;
  at(): AskedAt;
  /** Called when a thread starts on the call. */
  begin(): void;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
  /** Rejects with an error that the thread reported: nothing of the call was committed. */
  fail(error: Error): void;
}

/** Events that a thread reports to the pool. */
export interface ThreadEvents {
  /** The current call is slow: it has run for `slowMs`. */
  slow(call: ThreadCall): void;
  /** The call is done; `wasSlow`: it took at least `slowMs`. */
  done(call: ThreadCall, wasSlow: boolean): void;
  /** The thread can take a call. */
  free(): void;
  /** The thread failed; `ending` comes next. Returns the error that its current call fails with. */
  lost(cause: unknown): AppError;
  /** The thread accepts no more calls, and has none now. */
  ending(): void;
  /** The thread has exited. */
  gone(): void;
}

export interface ThreadTimes {
  /** An idle thread is ended after this time, which frees its memory. */
  idleMs: number;
  /** How long a thread may continue an abandoned call before it is ended, so that another thread can take its place. */
  graceMs: number;
  /** A thread that has not ended this long after the request is terminated, once it has loaded. */
  forceMs: number;
  /** A call that takes this long counts as slow. */
  slowMs: number;
}

export type StartWorker = (data: ThreadData) => Worker;

/** Limit of a thread's heap. Without it, a thread that runs out of memory ends the whole process. */
const heapMegabytes = 512;
/** Limit of the young generation, whose objects mostly die at once. V8 lets it grow to 48 MB before collecting. */
const youngMegabytes = 8;

export function startWorkerOf(file: URL): StartWorker {
  const limits = { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: youngMegabytes };
  return (data) => startThread(file, limits, data);
}

/**
 * One worker thread and its current call. It keeps the process alive only while it has a call. It is not run by the
 * common supervisor: docs/decisions/threads-and-processes.md says why.
 */
export class AccountThread {
  readonly id: number;
  readonly #worker: Worker;
  readonly #events: ThreadEvents;
  readonly #times: ThreadTimes;
  readonly #accounts = new Set<string>();
  readonly #released = new Map<string, PromiseWithResolvers<void>>();
  readonly #letGo = sharedNumber();
  readonly #loaded = sharedNumber();
  readonly #exited = Promise.withResolvers<void>();
  #call: ThreadCall | null = null;
  /** Fires when the current call becomes slow, or when the thread has been idle for too long. */
  #timer: NodeJS.Timeout | undefined;
  #grace: NodeJS.Timeout | undefined;
  #isSlow = false;
  #ready = false;
  #ending: Promise<void> | null = null;

  constructor(startWorker: StartWorker, data: SharedThreadData, events: ThreadEvents, times: ThreadTimes) {
    const worker = startWorker({ ...data, letGo: this.#letGo, loaded: this.#loaded });
    this.#worker = worker;
    // Read it now: a worker that has exited has no thread id.
    this.id = worker.threadId;
    this.#events = events;
    this.#times = times;
    worker.on('message', (message: FromThread) => this.#receive(message));
    worker.on('error', (error) => this.#lost(error));
    worker.on('exit', (code) => {
      this.#exited.resolve();
      this.#lost(new Error(`the thread ended with ${code}`));
    });
  }

  get call(): ThreadCall | null {
    return this.#call;
  }

  get isReady(): boolean {
    return this.#ready;
  }

  get isFree(): boolean {
    return this.#call === null && this.#ending === null;
  }

  /** The accounts whose files this thread may have open. */
  accounts(): string[] {
    return [...this.#accounts];
  }

  get accountCount(): number {
    return this.#accounts.size;
  }

  knows(accountId: string): boolean {
    return this.#accounts.has(accountId);
  }

  run(call: ThreadCall): void {
    clearTimeout(this.#timer);
    this.#call = call;
    call.begin();
    this.#accounts.add(call.accountId);
    this.#worker.ref();
    if (this.#ready) this.#send(call);
  }

  /**
   * Call when the current call was abandoned. A running statement cannot be interrupted, so the thread is ended if the statement
   * does not end within `graceMs`.
   */
  abandon(): void {
    if (this.#call === null) return;
    // The call was not sent yet, so drop it. The thread goes on loading: the next call may need it.
    if (!this.#ready) return this.#finish();
    Atomics.store(this.#letGo, 0, 1);
    this.#grace ??= setTimeout(() => void this.end(), this.#times.graceMs);
  }

  /** Closes the account's file; resolves when it is closed. A call that uses the file here fails with `reason`. */
  async release(accountId: string, reason: unknown): Promise<void> {
    if (this.#ending !== null) return this.#accounts.has(accountId) ? this.#ending : undefined;
    const asked = this.#released.get(accountId);
    if (asked !== undefined) return asked.promise;
    if (!this.#accounts.delete(accountId)) return;
    const released = Promise.withResolvers<void>();
    this.#released.set(accountId, released);
    if (this.#call?.accountId === accountId) {
      this.#call.reject(reason);
      this.abandon();
    }
    this.#post({ kind: 'release', accountId });
    await released.promise;
  }

  /** Ends the thread when its current statement is done. The current call fails with `reason`, unless it is settled. */
  end(reason?: unknown): Promise<void> {
    if (this.#ending !== null) return this.#ending;
    this.#ending = this.#stop();
    clearTimeout(this.#timer);
    clearTimeout(this.#grace);
    this.#call?.reject(reason);
    this.#call = null;
    this.#events.ending();
    return this.#ending;
  }

  /**
   * Blocks the caller until the thread has loaded, at most `forceMs`. Loading needs nothing from the calling thread.
   */
  waitUntilLoaded(): void {
    Atomics.wait(this.#loaded, 0, 0, this.#times.forceMs);
  }

  /** Does not terminate a thread while it loads native code: that would end the whole process. */
  async #stop(): Promise<void> {
    Atomics.store(this.#letGo, 0, 1);
    this.#post({ kind: 'end' });
    this.#worker.ref();
    const force = setInterval(() => {
      if (Atomics.load(this.#loaded, 0) === 0) return;
      clearInterval(force);
      void this.#worker.terminate();
    }, this.#times.forceMs);
    await this.#exited.promise;
    clearInterval(force);
    for (const released of this.#released.values()) released.resolve();
    this.#events.gone();
  }

  #lost(cause: unknown): void {
    if (this.#ending !== null) return;
    void this.end(this.#events.lost(cause));
  }

  #send(call: ThreadCall): void {
    this.#isSlow = false;
    Atomics.store(this.#letGo, 0, 0);
    this.#timer = setTimeout(() => {
      this.#isSlow = true;
      this.#events.slow(call);
    }, this.#times.slowMs);
    this.#post({ kind: 'call', request: { ...call.request, at: call.at() } });
  }

  #post(message: ToThread): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    this.#worker.postMessage(message);
  }

  #receive(message: FromThread): void {
    if (this.#ending !== null) return;
    if (message.kind === 'ready') {
      this.#ready = true;
      if (this.#call !== null) this.#send(this.#call);
    } else if (message.kind === 'released') {
      this.#released.get(message.accountId)?.resolve();
      this.#released.delete(message.accountId);
    } else {
      if (message.kind === 'answer') this.#call?.resolve(message.value);
      else this.#call?.fail(errorOf(message));
      // The duration of an abandoned call is not known.
      if (this.#call !== null && this.#grace === undefined) this.#events.done(this.#call, this.#isSlow);
      this.#finish();
    }
  }

  #finish(): void {
    this.#call = null;
    clearTimeout(this.#timer);
    clearTimeout(this.#grace);
    this.#grace = undefined;
    this.#worker.unref();
    this.#timer = setTimeout(() => void this.end(), this.#times.idleMs).unref();
    this.#events.free();
  }
}

function sharedNumber(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

function errorOf(message: Exclude<FromThread, { kind: 'ready' | 'released' | 'answer' }>): Error {
  if (message.kind === 'refused') return new AppError(message.code, message.message, { fields: message.fields });
  if (message.kind === 'busy') return explained(busyError('the library is locked', message.code)) as Error;
  if (message.kind === 'lease_lost') return new LeaseLostError();
  if (message.kind === 'file_changed') return new FileChangedError();
  const error = new Error(message.message);
  if (message.stack !== undefined) error.stack = message.stack;
  return error;
}
