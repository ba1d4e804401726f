import { availableParallelism } from 'node:os';
import { AppError, noSuchAccount, unavailable } from '../../../errors.ts';
import type { Log } from '../../../workers/log.ts';
import { AccountThread, type ThreadCall, type StartWorker, type ThreadTimes } from './account-thread.ts';
import { FairQueue } from '../../../domain/turns/fair-queue.ts';
import type { AskedAt } from '../library/calls.ts';
import type { LibraryCall, SharedThreadData } from './serve-calls.ts';

export interface AccountThreadSettings extends ThreadTimes {
  /** Maximum number of threads; at least two, because no account may occupy all of them. */
  maxThreads: number;
  /**
   * Another thread is started when this process has used this much processor time while a call waited for the existing ones: by the
   * clock, a busy machine would start threads that it needs no more than others. On a slow disk the call waits `patience` times as
   * long. Most calls take less than the start of a thread, which takes some 100 ms and 20 MB. In milliseconds.
   */
  growMs: number;
  /** A read fails when it waits this long for a thread, or when it then runs this long. In milliseconds. */
  deadlineMs: number;
  /** The same for writes. */
  writeDeadlineMs: number;
  startWorker: StartWorker;
}

/** The program starts the worker: what it runs beside the index is no part of this engine. */
export type LibraryThreadSettings = Partial<AccountThreadSettings> & Pick<AccountThreadSettings, 'startWorker'>;

const patience = 10;

const usual: Omit<AccountThreadSettings, 'startWorker'> = {
  maxThreads: maxLibraryThreads(),
  idleMs: 60_000,
  graceMs: 250,
  forceMs: 10_000,
  slowMs: 100,
  growMs: 100,
  deadlineMs: 30_000,
  // The job's worker renews its lease during the write. A write that takes longer means that the disk does not respond.
  writeDeadlineMs: 10 * 60_000,
};

/**
 * One core is for the main thread, which handles the protocols and has little to do for a search. On two cores, one
 * account may keep both busy, so there is a third thread for others.
 */
export function maxLibraryThreads(cores = availableParallelism()): number {
  return cores === 1 ? 2 : Math.max(3, cores - 1);
}

/** Messages for a call that did not get a thread in time, for one that took too long, and for one whose thread failed. */
const messages = {
  read: {
    noTurn: (seconds: number) =>
      `So much is being read that this did not get its turn within ${seconds} seconds. Ask again in a moment.`,
    tooLong: (seconds: number) =>
      `This took longer than ${seconds} seconds and was given up. Ask again; search with fewer words or with a filter.`,
    broken: 'A fault inside Commonplace ended this. Ask again.',
  },
  write: {
    noTurn: (seconds: number) =>
      `So much is being written that this did not get its turn within ${seconds} seconds. Try again.`,
    tooLong: (seconds: number) =>
      `Writing took longer than ${seconds} seconds and was given up. Check the disk, then try again.`,
    broken: 'A fault inside Commonplace ended this write. Try again.',
  },
};

/**
 * A pool of threads that work on accounts' files. Threads are started on demand and ended when idle. Accounts take
 * turns. Neither one account nor slow calls together ever occupy all threads, so a quick call of one account never
 * waits for slow calls of others.
 */
export class AccountThreads {
  readonly #data: SharedThreadData;
  readonly #settings: AccountThreadSettings;
  readonly #at: () => AskedAt;
  readonly #reported = new WeakSet<Error>();
  readonly #log: Log | undefined;
  readonly #ended: (threadId: number) => void;
  /** An account's writes have a separate queue: its searches go to other threads meanwhile. */
  readonly #queue = new FairQueue<ThreadCall>(({ line }) => line);
  readonly #threads = new Set<AccountThread>();
  /** The thread that an account's file is open in: its writes stay there. */
  readonly #homes = new Map<string, AccountThread>();
  /** Threads that were asked to end and have not exited yet. */
  readonly #ending = new Set<AccountThread>();
  /** Kinds of calls (account and name) that are slow now, or were slow the last time. */
  readonly #slow = new Set<string>();
  #closed = false;

  /** @param ended called with the id of each thread that has exited, to free the shared memory that it held */
  constructor(
    data: SharedThreadData,
    settings: LibraryThreadSettings,
    at: () => AskedAt,
    log?: Log,
    ended: (threadId: number) => void = () => {},
  ) {
    this.#data = data;
    this.#settings = { ...usual, ...settings, maxThreads: Math.max(2, settings.maxThreads ?? usual.maxThreads) };
    this.#at = at;
    this.#ended = ended;
    this.#log = log;
  }

  /**
   * Runs a call in a thread. Open the account's file for writing before: threads never create it.
   * @throws {AppError} like using the file; `rate_limited` when too many calls were before it; `unavailable` when it took too long or its
   * thread failed. It can be retried. Aborting rejects with the signal's reason, and frees the thread.
   */
  async call(request: LibraryCall, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#closed) throw stopping();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    let waits = true;
    let growth: NodeJS.Timeout | undefined;
    const call: ThreadCall = {
      accountId: request.accountId,
      line: lineOf(request),
      hasWaited: this.#settings.growMs === 0,
      request,
      begin: () => {
        waits = false;
        clearTimeout(growth);
        deadline.refresh();
      },
      at: this.#at,
      resolve,
      reject,
      fail: (error) => {
        this.#reported.add(error);
        reject(error);
      },
    };
    const abort = (): void => {
      reject(signal?.reason as Error);
      if (!this.#queue.remove(call)) this.#threadOf(call)?.abandon();
    };
    const deadline = setTimeout(() => this.#giveUp(call), this.#deadlineOf(call));
    signal?.addEventListener('abort', abort, { once: true });
    this.#queue.add(call);
    this.#assign();
    // A call that found a free thread has begun: asking for the processor time takes longer than most of them.
    if (waits) growth = this.#growFor(call);
    try {
      return await promise;
    } finally {
      clearTimeout(deadline);
      clearTimeout(growth);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** @returns the timer that starts another thread for a call that waits, see {@link AccountThreadSettings.growMs} */
  #growFor(call: ThreadCall): NodeJS.Timeout {
    const { growMs } = this.#settings;
    const [queuedAt, usedBefore] = [performance.now(), process.cpuUsage()];
    const growth = setTimeout(() => {
      const { user, system } = process.cpuUsage(usedBefore);
      const isSoon = (user + system) / 1_000 < growMs && performance.now() - queuedAt < growMs * patience;
      // A call that waits for a loading thread would wait as long for another.
      if (isSoon || this.#isLoading) return void growth.refresh();
      call.hasWaited = true;
      this.#assign();
    }, growMs);
    return growth;
  }

  /** Whether a thread reported the error: then nothing of the call was committed. Otherwise it may be. */
  hasReported(error: unknown): boolean {
    return error instanceof Error && this.#reported.has(error);
  }

  /**
   * Ends all calls of an account and closes its file in every thread. Resolves when all are closed.
   * @param reason the error of the calls; absent: the account was removed
   */
  async release(accountId: string, reason = noSuchAccount()): Promise<void> {
    for (const kind of ['read', 'write'] as const)
      for (const call of this.#queue.clear(lineOf({ kind, accountId }))) call.reject(reason);
    this.#homes.delete(accountId);
    for (const key of this.#slow) if (key.startsWith(`${accountId} `)) this.#slow.delete(key);
    await Promise.all([...this.#threads, ...this.#ending].map((thread) => thread.release(accountId, reason)));
  }

  async releaseOthers(accountIds: ReadonlySet<string>): Promise<void> {
    const known = new Set([...this.#threads].flatMap((thread) => thread.accounts()));
    await Promise.all([...known].filter((id) => !accountIds.has(id)).map((id) => this.release(id)));
  }

  /** Ends the threads. Waiting and running calls fail. Resolves when no thread is left. */
  async close(): Promise<void> {
    this.#closed = true;
    const reason = stopping();
    for (const call of this.#queue.clear()) call.reject(reason);
    await Promise.all([...this.#threads, ...this.#ending].map((thread) => thread.end(reason)));
  }

  #threadOf(call: ThreadCall): AccountThread | undefined {
    return [...this.#threads].find((thread) => thread.call === call);
  }

  #deadlineOf({ request }: ThreadCall): number {
    return request.kind === 'read' ? this.#settings.deadlineMs : this.#settings.writeDeadlineMs;
  }

  #giveUp(call: ThreadCall): void {
    const seconds = this.#deadlineOf(call) / 1_000;
    const { noTurn, tooLong } = messages[call.request.kind];
    if (this.#queue.remove(call)) return call.reject(new AppError('rate_limited', noTurn(seconds)));
    void this.#threadOf(call)?.end(unavailable(tooLong(seconds)));
  }

  get #isLoading(): boolean {
    return [...this.#threads].some(({ isReady }) => !isReady);
  }

  #assign(): void {
    if (this.#closed) return;
    for (;;) {
      const free = [...this.#threads].filter(({ isFree }) => isFree);
      const mayStart = this.#mayStart();
      if (free.length === 0 && !mayStart) return;
      const call = this.#queue.next((waiting) => this.#mayRun(waiting) && this.#hasPlace(waiting, free, mayStart));
      if (call === undefined) return;
      const home = this.#homes.get(call.accountId);
      let thread: AccountThread;
      try {
        thread =
          free.find((one) => one === home) ??
          free.find((one) => one.knows(call.accountId)) ??
          withFewestAccounts(free) ??
          this.#start();
      } catch (error) {
        // The machine cannot start another thread: the call waits for an existing one, or fails without any.
        if (this.#threads.size > 0) return this.#queue.addFirst(call);
        call.reject(unavailable(messages[call.request.kind].broken, { cause: error }));
        continue;
      }
      if (home === undefined || call.request.kind === 'write') this.#homes.set(call.accountId, thread);
      thread.run(call);
    }
  }

  /**
   * A write waits for its account's thread, unless that has been busy for long: then the account moves to another. A read
   * takes any thread that is free.
   */
  #hasPlace({ accountId, hasWaited, request }: ThreadCall, free: readonly AccountThread[], mayStart: boolean): boolean {
    const home = this.#homes.get(accountId);
    if (home?.isFree === true) return true;
    if (hasWaited) return free.length > 0 || mayStart;
    if (free.length === 0) return this.#threads.size === 0;
    return home === undefined || request.kind === 'read';
  }

  /** Threads that are stuck in a call while ending still use a core and memory, so their number is limited too. */
  #mayStart(): boolean {
    const { maxThreads } = this.#settings;
    return this.#threads.size < maxThreads && this.#threads.size + this.#ending.size < 2 * maxThreads;
  }

  /** One account gets at most all threads but one, and so do slow calls together. */
  #mayRun(call: ThreadCall): boolean {
    const running = [...this.#threads].flatMap((thread) => thread.call ?? []);
    const allowed = this.#settings.maxThreads - 1;
    if (running.filter(({ accountId }) => accountId === call.accountId).length >= allowed) return false;
    if (!this.#slow.has(kindOf(call))) return true;
    return running.filter((other) => this.#slow.has(kindOf(other))).length < allowed;
  }

  #start(): AccountThread {
    const thread: AccountThread = new AccountThread(
      this.#settings.startWorker,
      this.#data,
      {
        slow: (call) => this.#slow.add(kindOf(call)),
        done: (call, wasSlow) => {
          if (!wasSlow) this.#slow.delete(kindOf(call));
        },
        free: () => this.#assign(),
        lost: (cause) => {
          this.#log?.warn({ err: cause }, 'a thread of the store ended unexpectedly');
          return unavailable(messages[thread.call?.request.kind ?? 'read'].broken, { cause });
        },
        ending: () => {
          this.#threads.delete(thread);
          for (const [accountId, home] of this.#homes) if (home === thread) this.#homes.delete(accountId);
          this.#ending.add(thread);
          this.#assign();
        },
        gone: () => {
          this.#ended(thread.id);
          this.#ending.delete(thread);
          if (this.#threads.size + this.#ending.size === 0) process.off('exit', this.#onExit);
          this.#assign();
        },
      },
      this.#settings,
    );
    this.#threads.add(thread);
    if (this.#threads.size + this.#ending.size === 1) process.on('exit', this.#onExit);
    return thread;
  }

  /** The process is about to exit and to terminate every thread. Terminating one while it loads would crash. */
  readonly #onExit = (): void => {
    for (const thread of [...this.#threads, ...this.#ending]) thread.waitUntilLoaded();
  };
}

/** Accounts are spread over the threads, because each thread keeps only some files open. */
function withFewestAccounts(threads: readonly AccountThread[]): AccountThread | undefined {
  return threads.toSorted((a, b) => a.accountCount - b.accountCount)[0];
}

function lineOf({ kind, accountId }: Pick<LibraryCall, 'kind' | 'accountId'>): string {
  return `${accountId} ${kind}`;
}

/** Slowness is tracked by account and call name: counting items may be quick while ranking words is slow. */
function kindOf({ request }: ThreadCall): string {
  return `${request.accountId} ${request.kind === 'read' ? request.name : 'write'}`;
}

function stopping(): AppError {
  return unavailable('The data folder was closed because Commonplace is stopping.');
}
