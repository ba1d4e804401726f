import type { Document } from '../../domain/document.ts';
import { ProcessingError } from '../../errors.ts';

/** A job and who waits for its document. */
export interface ReadingTask<Job> {
  readonly job: Job;
  readonly signal: AbortSignal;
  resolve(document: Document): void;
  reject(error: unknown): void;
}

/** What a reader tells its pool: that it has nothing to read, and that it is gone. */
export interface ReaderEvents {
  idle(): void;
  ended(): void;
}

/** A thread or process that reads one thing at a time. While it does, it listens to the task's signal itself. */
export interface Reader<Job> {
  readonly isIdle: boolean;
  run(task: ReadingTask<Job>): void;
  /** Ends it; what it was reading fails with `reason`. */
  end(reason: unknown): Promise<void>;
}

/**
 * The jobs that wait and the readers that take them, `most` at once. A reader is started when a job waits and none is
 * idle; one that ends (a hostile page, a limit, idleness) gives its place to the next.
 */
export class ReaderPool<Job> {
  readonly #most: number;
  readonly #startReader: (events: ReaderEvents) => Reader<Job>;
  readonly #waiting: ReadingTask<Job>[] = [];
  readonly #readers = new Set<Reader<Job>>();
  #closed = false;

  constructor(most: number, startReader: (events: ReaderEvents) => Reader<Job>) {
    this.#most = most;
    this.#startReader = startReader;
  }

  /** @throws {ProcessingError} as the reader does, or `interrupted` when the pool is closed. Aborting rejects with the signal's reason. */
  read(job: Job, signal: AbortSignal): Promise<Document> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      if (this.#closed) throw interrupted();
      const task: ReadingTask<Job> = {
        job,
        signal,
        resolve(document) {
          signal.removeEventListener('abort', leave);
          resolve(document);
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
      const idle = [...this.#readers].find(({ isIdle }) => isIdle) ?? this.#start();
      const task = idle === null ? undefined : this.#waiting.shift();
      if (task === undefined) return;
      idle?.run(task);
    }
  }

  #start(): Reader<Job> | null {
    if (this.#readers.size >= this.#most) return null;
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

function interrupted(): ProcessingError {
  return new ProcessingError('interrupted', 'Reading was interrupted. It goes on with the next start.', {
    retryable: true,
  });
}
