import { FairQueue } from '../domain/turns/fair-queue.ts';
import { mayTakePlace, type PlaceCounts } from '../domain/turns/shared-places.ts';
import { Supervisor } from './supervisor.ts';
import type { Task, WorkerUse } from './worker-use.ts';

export interface PoolSettings {
  /** Maximum number of workers. The reserved ones are for accounts that have none. */
  places: PlaceCounts;
  /**
   * An account is given one more worker when all that it has have used so much processor time for their jobs while others
   * waited, in milliseconds (or up to half as much again, because it is measured four times in this time). The clock would give
   * a busy machine more workers than it needs. The start of a worker does not count. Absent or 0: an account is given one at once.
   */
  growMs?: number;
  /** The error of jobs that are waiting or running when the pool is closed, and of later ones. */
  closing(): unknown;
  /** The error of a job for which the system starts no worker. Absent: the error of the system. */
  refused?(error: unknown): unknown;
}

/**
 * A queue of jobs and the workers that run them. Accounts take turns. A worker is started when a job may run and no
 * worker is idle. A worker that ends (because of its job, a limit or idleness) gives its place to the next job.
 */
export class WorkerPool<Job, Result, Message> {
  readonly #use: WorkerUse<Job, Result, Message>;
  readonly #settings: PoolSettings;
  readonly #waiting = new FairQueue<Task<Job, Result>>();
  readonly #workers = new Set<Supervisor<Job, Result, Message>>();
  /** The account whose job each worker runs. */
  readonly #taken = new Map<Supervisor<Job, Result, Message>, string>();
  /** Set while jobs wait. */
  #growth: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(use: WorkerUse<Job, Result, Message>, settings: PoolSettings) {
    this.#use = use;
    this.#settings = settings;
  }

  /** Rejects as the conversation says, with `closing` after a close, or with the reason of the abort. */
  run(job: Job, signal: AbortSignal | undefined, accountId: string): Promise<Result> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.#isClosed) throw this.#settings.closing();
      const task: Task<Job, Result> = {
        job,
        signal,
        accountId,
        resolve(result) {
          signal?.removeEventListener('abort', leave);
          resolve(result);
        },
        reject(error) {
          signal?.removeEventListener('abort', leave);
          reject(error);
        },
      };
      const leave = (): void => {
        // Only a waiting task is rejected here. A running task has a worker, whose supervisor listens to the signal.
        if (this.#waiting.remove(task)) task.reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.add(task);
      this.#assign();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#growth);
    const reason = this.#settings.closing();
    for (const task of this.#waiting.clear()) task.reject(reason);
    await Promise.all([...this.#workers].map((worker) => worker.end(reason)));
  }

  #assign(): void {
    for (;;) {
      const task = this.#waiting.next(({ accountId }) => this.#mayRun(accountId));
      if (task === undefined) return this.#lookAgain();
      let worker: Supervisor<Job, Result, Message>;
      try {
        worker = [...this.#workers].find(({ isIdle }) => isIdle) ?? this.#start();
      } catch (error) {
        // The machine cannot start another worker. The task waits for an existing one, or fails if there is none.
        if (this.#workers.size > 0) return this.#waiting.addFirst(task);
        task.reject(this.#settings.refused?.(error) ?? error);
        continue;
      }
      this.#taken.set(worker, task.accountId);
      worker.run(task);
    }
  }

  #mayRun(accountId: string): boolean {
    // A worker that is ending still counts, because it still holds its memory.
    const taken = [...this.#workers].filter(({ isIdle }) => !isIdle).length;
    const own = [...this.#taken].filter(([, owner]) => owner === accountId).map(([worker]) => worker);
    if (!mayTakePlace(this.#settings.places, taken, own.length)) return false;
    if ([...this.#workers].some(({ isIdle }) => isIdle)) return true;
    const { growMs = 0 } = this.#settings;
    if (growMs === 0) return true;
    return own.every(({ usedMs }) => usedMs >= growMs);
  }

  /** Jobs that wait may be given another worker later, although no worker is idle by then. */
  #lookAgain(): void {
    const { growMs = 0 } = this.#settings;
    if (growMs === 0 || this.#waiting.isEmpty) return;
    this.#growth ??= setTimeout(() => void this.#measureUse(), growMs / 4).unref();
  }

  async #measureUse(): Promise<void> {
    await Promise.all([...this.#taken.keys()].map((worker) => worker.measureUse()));
    this.#growth = undefined;
    this.#assign();
  }

  #start(): Supervisor<Job, Result, Message> {
    const worker: Supervisor<Job, Result, Message> = new Supervisor(this.#use, {
      idle: () => {
        this.#taken.delete(worker);
        this.#assign();
      },
      ended: () => {
        this.#taken.delete(worker);
        this.#workers.delete(worker);
        this.#assign();
      },
    });
    this.#workers.add(worker);
    return worker;
  }
}
