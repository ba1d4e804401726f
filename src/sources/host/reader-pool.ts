import { FairQueue } from '../../domain/turns/fair-queue.ts';
import { mayTakePlace } from '../../domain/turns/shared-places.ts';
import { interrupted } from './reading-failures.ts';

/** A job, with the callbacks of the caller who waits for its result. */
export interface PoolTask<Job, Result> {
  readonly job: Job;
  readonly signal: AbortSignal;
  readonly accountId: string;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Events that a reader reports to its pool: it has become idle, or it has ended. */
export interface ReaderEvents {
  idle(): void;
  ended(): void;
}

/** A thread or process that runs one job at a time. While it runs one, it listens to the task's signal itself. */
export interface Reader<Job, Result> {
  readonly isIdle: boolean;
  run(task: PoolTask<Job, Result>): void;
  /** Ends the reader. The job that it was running fails with `reason`. */
  end(reason: unknown): Promise<void>;
}

/**
 * One reader more than a single account may use. It is kept free for another account, which then never waits for the
 * first.
 */
const reserved = 1;

/**
 * The queue of waiting jobs and the readers that run them. Accounts take turns. One account alone has at most
 * `maxPerAccount` readers, and there is always one for others. A reader is started when a job may run and no reader is
 * idle. A reader that ends (because of a hostile page, a limit or idleness) gives its place to the next job.
 */
export class ReaderPool<Job, Result> {
  readonly #places: { total: number; reserved: number };
  readonly #startReader: (events: ReaderEvents) => Reader<Job, Result>;
  readonly #waiting = new FairQueue<PoolTask<Job, Result>>();
  readonly #readers = new Set<Reader<Job, Result>>();
  /** The account whose job each reader runs. */
  readonly #accounts = new Map<Reader<Job, Result>, string>();
  #closed = false;

  constructor(maxPerAccount: number, startReader: (events: ReaderEvents) => Reader<Job, Result>) {
    this.#places = { total: maxPerAccount + reserved, reserved };
    this.#startReader = startReader;
  }

  /**
   * @throws {ProcessingError} as the reader does, or `interrupted` when the pool is closed. Aborting rejects with the
   * signal's reason.
   */
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
        // Only a waiting task is rejected here. A running task has a reader, which listens to the signal itself.
        if (this.#waiting.remove(task)) task.reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.add(task);
      this.#assign();
    });
  }

  /** Ends the readers. Waiting and running jobs fail with `interrupted`. */
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
        // The machine cannot start another reader. The task waits for an existing reader, or fails if there is none.
        if (this.#readers.size > 0) return this.#waiting.addFirst(task);
        task.reject(error);
        continue;
      }
      this.#accounts.set(reader, task.accountId);
      reader.run(task);
    }
  }

  #mayBeRead(accountId: string): boolean {
    // A reader that is ending still counts, because it still holds its memory.
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
