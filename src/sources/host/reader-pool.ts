import { FairQueue } from '../../domain/turns/fair-queue.ts';
import { mayTakePlace } from '../../domain/turns/shared-places.ts';
import { interrupted } from './reading-failures.ts';

/** A job and who waits for what comes of it. */
export interface PoolTask<Job, Result> {
  readonly job: Job;
  readonly signal: AbortSignal;
  readonly accountId: string;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** What a reader tells its pool: that it has nothing to read, and that it is gone. */
export interface ReaderEvents {
  idle(): void;
  ended(): void;
}

/** A thread or process that reads one thing at a time. While it does, it listens to the task's signal itself. */
export interface Reader<Job, Result> {
  readonly isIdle: boolean;
  run(task: PoolTask<Job, Result>): void;
  /** Ends it; what it was reading fails with `reason`. */
  end(reason: unknown): Promise<void>;
}

/** One more reader than an account may have, for another account: it waits for none of the first one's. */
const reserved = 1;

/**
 * The jobs that wait and the readers that take them. Accounts take turns; one account alone has at most `maxPerAccount` readers, and
 * there is always one for others. A reader is started when a job may be read and none is idle; one that ends (a hostile page,
 * a limit, idleness) gives its place to the next.
 */
export class ReaderPool<Job, Result> {
  readonly #places: { total: number; reserved: number };
  readonly #startReader: (events: ReaderEvents) => Reader<Job, Result>;
  readonly #waiting = new FairQueue<PoolTask<Job, Result>>();
  readonly #readers = new Set<Reader<Job, Result>>();
  /** Whose job each reader has. */
  readonly #accounts = new Map<Reader<Job, Result>, string>();
  #closed = false;

  constructor(maxPerAccount: number, startReader: (events: ReaderEvents) => Reader<Job, Result>) {
    this.#places = { total: maxPerAccount + reserved, reserved };
    this.#startReader = startReader;
  }

  /** @throws {ProcessingError} as the reader does, or `interrupted` when the pool is closed. Aborting rejects with the signal's reason. */
  read(job: Job, signal: AbortSignal, accountId: string): Promise<Result> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      if (this.#closed) throw interrupted();
      const task: PoolTask<Job, Result> = {
        job,
        signal,
        accountId,
        resolve(result) {
          signal.removeEventListener('abort', leave);
          resolve(result);
        },
        reject(error) {
          signal.removeEventListener('abort', leave);
          reject(error);
        },
      };
      const leave = (): void => {
        // One that is being read has a reader, which listens to the signal.
        if (this.#waiting.remove(task)) task.reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.add(task);
      this.#assign();
    });
  }

  /** Ends the readers; what waits and what is being read fails as interrupted. */
  async close(): Promise<void> {
    this.#closed = true;
    const reason = interrupted();
    for (const task of this.#waiting.clear()) task.reject(reason);
    await Promise.all([...this.#readers].map((reader) => reader.end(reason)));
  }

  #assign(): void {
    for (;;) {
      const task = this.#waiting.next(({ accountId }) => this.#mayBeRead(accountId));
      if (task === undefined) return;
      let reader: Reader<Job, Result>;
      try {
        reader = [...this.#readers].find(({ isIdle }) => isIdle) ?? this.#start();
      } catch (error) {
        // The machine has no room for one more: what waits goes to the readers that there are, or fails with that.
        if (this.#readers.size > 0) return this.#waiting.addFirst(task);
        task.reject(error);
        continue;
      }
      this.#accounts.set(reader, task.accountId);
      reader.run(task);
    }
  }

  #mayBeRead(accountId: string): boolean {
    // One that is about to end counts until it is gone, with its memory.
    const taken = [...this.#readers].filter(({ isIdle }) => !isIdle).length;
    const own = [...this.#accounts.values()].filter((other) => other === accountId).length;
    return mayTakePlace(this.#places, taken, own);
  }

  #start(): Reader<Job, Result> {
    const reader = this.#startReader({
      idle: () => {
        this.#accounts.delete(reader);
        this.#assign();
      },
      ended: () => {
        this.#accounts.delete(reader);
        this.#readers.delete(reader);
        this.#assign();
      },
    });
    this.#readers.add(reader);
    return reader;
  }
}
