import { AppError } from '../../../errors.ts';
import type { Log } from '../../../log.ts';
import { AccountThread, type Call, type StartWorker, type ThreadTimes } from './account-thread.ts';
import { FairQueue } from '../../../domain/turns/fair-queue.ts';
import type { ThreadData } from './protocol.ts';

export interface AccountThreadSettings extends ThreadTimes {
  /** How many threads there are at most; at least two, because no account may hold them all. */
  most: number;
  /** A call that does not get its turn by then, or has no answer so long after, has failed. */
  deadlineMs: number;
  startWorker: StartWorker;
}

/** What threads are for. */
export interface ThreadUse extends Pick<AccountThreadSettings, 'most' | 'deadlineMs' | 'startWorker'> {
  /** What to say of a call that did not get its turn, or took too long. */
  noTurn(seconds: number): string;
  tooLong(seconds: number): string;
  /** Of one whose thread broke. */
  broken: string;
}

const times: ThreadTimes = { idleMs: 60_000, graceMs: 250, forceMs: 10_000, slowMs: 100 };

/**
 * Work on accounts' files in threads that are started when they are needed and ended when they are not. Accounts take
 * turns, one never holds all threads, and neither do slow calls together, so a quick call of one account never waits
 * for slow ones of others.
 */
export class AccountThreads {
  readonly #data: Pick<ThreadData, 'accountsFolder' | 'synchronous'>;
  readonly #use: ThreadUse;
  readonly #settings: AccountThreadSettings;
  readonly #log: Log | undefined;
  readonly #ended: (threadId: number) => void;
  readonly #queue = new FairQueue<Call>();
  readonly #threads = new Set<AccountThread>();
  /** Told to end, and not gone before what runs in them lets go. */
  readonly #ending = new Set<AccountThread>();
  /** The kinds of calls, by account, that were slow when they were last done or are being it now. */
  readonly #slow = new Set<string>();
  #closed = false;

  /** @param ended told of each thread that is no more, by its id: what it held of shared memory is to be freed */
  constructor(
    data: Pick<ThreadData, 'accountsFolder' | 'synchronous'>,
    use: ThreadUse,
    settings: Partial<AccountThreadSettings>,
    log?: Log,
    ended: (threadId: number) => void = () => {},
  ) {
    this.#data = data;
    this.#use = use;
    this.#settings = { ...times, ...use, ...settings, most: Math.max(2, settings.most ?? use.most) };
    this.#ended = ended;
    this.#log = log;
  }

  /**
   * The account's file must have been opened for writing before: threads create and migrate nothing.
   * @param name of what is done, with arguments that are plain data or memory that threads share; so is the answer
   * @throws {AppError} as using the file does, and `unavailable` when the call took too long or its thread broke; it
   * can be asked for again. Aborting rejects with the signal's reason, and frees the thread.
   */
  async call(accountId: string, name: string, args: readonly unknown[], signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#closed) throw stopping();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const call: Call = {
      accountId,
      request: { accountId, name, args },
      begin: () => deadline.refresh(),
      resolve,
      reject,
    };
    const abort = (): void => {
      reject(signal?.reason as Error);
      if (!this.#queue.remove(call)) this.#threadOf(call)?.abandon();
    };
    const deadline = setTimeout(() => this.#giveUp(call), this.#settings.deadlineMs);
    signal?.addEventListener('abort', abort, { once: true });
    this.#queue.add(call);
    this.#assign();
    try {
      return await promise;
    } finally {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', abort);
    }
  }

  /**
   * Ends all calls of an account and closes its file in every thread: when it comes back, all are closed.
   * @param reason what they fail with; absent: the account was removed
   */
  async release(accountId: string, reason = new AppError('not_found', 'There is no such account.')): Promise<void> {
    for (const call of this.#queue.clear(accountId)) call.reject(reason);
    for (const key of this.#slow) if (key.startsWith(`${accountId} `)) this.#slow.delete(key);
    await Promise.all([...this.#threads, ...this.#ending].map((thread) => thread.release(accountId, reason)));
  }

  /** Does the same to all accounts but these. */
  async releaseOthers(accountIds: ReadonlySet<string>): Promise<void> {
    const known = new Set([...this.#threads].flatMap((thread) => thread.accounts()));
    await Promise.all([...known].filter((id) => !accountIds.has(id)).map((id) => this.release(id)));
  }

  /** Ends the threads. What waits and what runs fails; when it comes back, no thread is left. */
  async close(): Promise<void> {
    this.#closed = true;
    const reason = stopping();
    for (const call of this.#queue.clear()) call.reject(reason);
    await Promise.all([...this.#threads, ...this.#ending].map((thread) => thread.end(reason)));
  }

  #threadOf(call: Call): AccountThread | undefined {
    return [...this.#threads].find((thread) => thread.call === call);
  }

  #giveUp(call: Call): void {
    const seconds = this.#settings.deadlineMs / 1_000;
    if (this.#queue.remove(call)) {
      return call.reject(new AppError('unavailable', this.#use.noTurn(seconds)));
    }
    void this.#threadOf(call)?.end(new AppError('unavailable', this.#use.tooLong(seconds)));
  }

  #assign(): void {
    if (this.#closed) return;
    for (;;) {
      const hasRoom = this.#mayStart();
      if (!hasRoom && ![...this.#threads].some(({ isFree }) => isFree)) return;
      const call = this.#queue.next((waiting) => this.#mayRun(waiting));
      if (call === undefined) return;
      const free = [...this.#threads].filter(({ isFree }) => isFree);
      let thread: AccountThread;
      try {
        thread = free.find((one) => one.knows(call.accountId)) ?? free[0] ?? this.#start();
      } catch (error) {
        // The machine has no room for one more: what waits goes to the threads that there are, or fails with that.
        if (this.#threads.size > 0) return this.#queue.addFirst(call);
        call.reject(new AppError('unavailable', this.#use.broken, { cause: error }));
        continue;
      }
      thread.run(call);
    }
  }

  /** A thread that does not let go of a slow call still takes a core and memory: there are not many of them either. */
  #mayStart(): boolean {
    const { most } = this.#settings;
    return this.#threads.size < most && this.#threads.size + this.#ending.size < 2 * most;
  }

  /** One thread is always left to other accounts, and to calls that are not slow. */
  #mayRun(call: Call): boolean {
    const running = [...this.#threads].flatMap((thread) => thread.call ?? []);
    const allowed = this.#settings.most - 1;
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
          return new AppError('unavailable', this.#use.broken, { cause });
        },
        ending: () => {
          this.#threads.delete(thread);
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

  /** The process is about to end, and every thread with it, by force. */
  readonly #onExit = (): void => {
    for (const thread of [...this.#threads, ...this.#ending]) thread.waitUntilLoaded();
  };
}

/** Some calls of an account are quick while others are slow: counting items, ranking words. */
function kindOf({ request }: Call): string {
  return `${request.accountId} ${request.name}`;
}

function stopping(): AppError {
  return new AppError('unavailable', 'The data folder was closed because Commonplace is stopping.');
}
