import { Worker } from 'node:worker_threads';
import { AppError } from '../../../errors.ts';
import { LeaseLostError } from '../../store.ts';
import { FileChangedError } from '../files/sqlite-errors.ts';
import type { CallRequest, FromThread, ThreadData, ToThread } from './protocol.ts';

/** A call and who waits for its answer. Settling it again does nothing. */
export interface Call {
  readonly accountId: string;
  readonly request: CallRequest;
  /** It has its turn. */
  begin(): void;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

/** What a thread tells the pool. */
export interface ThreadEvents {
  /** The call in hand takes long. */
  slow(call: Call): void;
  /** The call is done; `wasSlow` when that took long. */
  done(call: Call, wasSlow: boolean): void;
  /** It can take a call. */
  free(): void;
  /** It broke by itself; `ending` comes next. Answers what its call fails with. */
  lost(cause: unknown): AppError;
  /** It takes no call any more, and has none in hand. */
  ending(): void;
  /** It is no more. */
  gone(): void;
}

export interface ThreadTimes {
  /** A thread without work is ended after this time, and its memory with it. */
  idleMs: number;
  /** How long a thread may go on with a call that nobody waits for any more, before another may take its place. */
  graceMs: number;
  /** A thread that has not ended so long after it was told to is ended by force, once it has loaded. */
  forceMs: number;
  /** A call that takes this long is a slow one. */
  slowMs: number;
}

export type StartWorker = (data: ThreadData) => Worker;

/** Of the thread's heap. Without it, what is too much for the thread is too much for the process. */
const heapMegabytes = 512;
/** Of what was made last, most of which is forgotten at once: V8 would let it grow to 48 MB before it looks. */
const youngMegabytes = 16;

/** @param file of the worker: the same runs from the sources and, compiled, from dist */
export function startWorkerOf(file: URL): StartWorker {
  return (data) =>
    new Worker(file, {
      workerData: data,
      // What is printed there must not reach our stdout, which belongs to the protocol. The thread drops it; reading it here
      // would hold the process for as long as the thread lives, `unref` or not.
      stdout: true,
      stderr: true,
      // Flags of the host, such as a loader of its tests, are not the worker's.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: youngMegabytes },
    });
}

/** One worker thread and the one call that it has in hand. It holds the process only while it has one. */
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
  #call: Call | null = null;
  /** Of the call in hand, or of the idle thread. */
  #timer: NodeJS.Timeout | undefined;
  #grace: NodeJS.Timeout | undefined;
  #isSlow = false;
  #ready = false;
  #ending: Promise<void> | null = null;

  constructor(
    startWorker: StartWorker,
    data: Pick<ThreadData, 'accountsFolder' | 'synchronous'>,
    events: ThreadEvents,
    times: ThreadTimes,
  ) {
    const worker = startWorker({ ...data, letGo: this.#letGo, loaded: this.#loaded });
    this.#worker = worker;
    // It has none when it has ended.
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

  get call(): Call | null {
    return this.#call;
  }

  get isFree(): boolean {
    return this.#call === null && this.#ending === null;
  }

  /** Whose files may be open here. */
  accounts(): string[] {
    return [...this.#accounts];
  }

  knows(accountId: string): boolean {
    return this.#accounts.has(accountId);
  }

  run(call: Call): void {
    clearTimeout(this.#timer);
    this.#call = call;
    call.begin();
    this.#accounts.add(call.accountId);
    this.#worker.ref();
    if (this.#ready) this.#send(call);
  }

  /** Nobody waits for the call in hand any more. A statement cannot be interrupted: unless it ends soon, the thread is given up. */
  abandon(): void {
    if (this.#call === null) return;
    // What was not sent yet is dropped. Loading goes on: somebody may search next.
    if (!this.#ready) return this.#finish();
    Atomics.store(this.#letGo, 0, 1);
    this.#grace ??= setTimeout(() => void this.end(), this.#times.graceMs);
  }

  /** Closes the account's file; when it comes back, it is closed. A call that uses it here fails with `reason`. */
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

  /** Ends the thread as soon as what runs in it lets go. The call in hand fails with `reason`, unless it has failed before. */
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

  /** Holds up everything here until the thread has loaded, which needs nothing of the thread that calls this. */
  waitUntilLoaded(): void {
    Atomics.wait(this.#loaded, 0, 0, this.#times.forceMs);
  }

  /** Ended by force while native code is being loaded, a thread takes the process along. */
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

  #send(call: Call): void {
    this.#isSlow = false;
    Atomics.store(this.#letGo, 0, 0);
    this.#timer = setTimeout(() => {
      this.#isSlow = true;
      this.#events.slow(call);
    }, this.#times.slowMs);
    this.#post({ kind: 'call', request: call.request });
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
      else this.#call?.reject(errorOf(message));
      // How long one takes that was given up is not known.
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
  if (message.kind === 'refused') return new AppError(message.code, message.message);
  if (message.kind === 'lease_lost') return new LeaseLostError();
  if (message.kind === 'file_changed') return new FileChangedError();
  const error = new Error(message.message);
  if (message.stack !== undefined) error.stack = message.stack;
  return error;
}
