import { interrupted } from './reading-failures.ts';

/** A job and who waits for what comes of it. */
export interface PoolTask<Job, Result> {
  readonly job: Job;
  readonly signal: AbortSignal;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** What a reader tells its pool: that it has nothing to read, and that it is gone. */
export interface ReaderEvents {
  idle(): void;
  ended(): void;
}

/** A process that reads one thing at a time. While it does, it listens to the task's signal itself. */
export interface Reader<Job, Result> {
  readonly isIdle: boolean;
  run(task: PoolTask<Job, Result>): void;
  /** Ends it; what it was reading fails with `reason`. */
  end(reason: unknown): Promise<void>;
}

/**
 * The jobs that wait and the readers that take them, `maxReaders` at once. A reader is started when a job waits and none is
 * idle; one that ends (a hostile page, a limit, idleness) gives its place to the next.
 */
export class ReaderPool<Job, Result> {
  readonly #maxReaders: number;
  readonly #startReader: (events: ReaderEvents) => Reader<Job, Result>;
  readonly #waiting: PoolTask<Job, Result>[] = [];
  readonly #readers = new Set<Reader<Job, Result>>();
  #closed = false;

  constructor(maxReaders: number, startReader: (events: ReaderEvents) => Reader<Job, Result>) {
    this.#maxReaders = maxReaders;
    this.#startReader = startReader;
  }

  /** @throws {ProcessingError} as the reader does, or `interrupted` when the pool is closed. Aborting rejects with the signal's reason. */
  read(job: Job, signal: AbortSignal): Promise<Result> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      if (this.#closed) throw interrupted();
      const task: PoolTask<Job, Result> = {
        job,
        signal,
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
        const at = this.#waiting.indexOf(task);
        if (at === -1) return; // it is being read: its reader listens to the signal
        this.#waiting.splice(at, 1);
        task.reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(task);
      this.#assign();
    });
  }

  /** Ends the readers; what waits and what is being read fails as interrupted. */
  async close(): Promise<void> {
    this.#closed = true;
    const reason = interrupted();
    for (const task of this.#waiting.splice(0)) task.reject(reason);
    await Promise.all([...this.#readers].map((reader) => reader.end(reason)));
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      let idle: Reader<Job, Result> | null;
      try {
        idle = [...this.#readers].find(({ isIdle }) => isIdle) ?? this.#start();
      } catch (error) {
        // The machine has no room for one more: what waits goes to the readers that there are, or fails with that.
        if (this.#readers.size === 0) this.#waiting.shift()?.reject(error);
        else return;
        continue;
      }
      const task = idle === null ? undefined : this.#waiting.shift();
      if (task === undefined) return;
      idle?.run(task);
    }
  }

  #start(): Reader<Job, Result> | null {
    if (this.#readers.size >= this.#maxReaders) return null;
    const reader = this.#startReader({
      idle: () => this.#assign(),
      ended: () => {
        this.#readers.delete(reader);
        this.#assign();
      },
    });
    this.#readers.add(reader);
    return reader;
  }
}
