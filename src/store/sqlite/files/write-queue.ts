import { setImmediate as nextTurn } from 'node:timers/promises';
import { isBusy, whenFree } from './busy.ts';
import type { SqliteFile } from './sqlite-file.ts';

/** Limit the length of a transaction: other processes cannot write during it, and this thread does nothing else. */
const maxTogether = 64;
const maxTogetherMs = 50;

interface WaitingWrite {
  write: { work: (file: SqliteFile) => unknown } | { elsewhere: () => Promise<unknown> };
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  /** When it was asked for (`performance.now()`). */
  since: number;
}

type WriteWork = (file: SqliteFile) => unknown;

/**
 * The only writer of a file in this process. Writes requested in the same turn of the event loop are committed in one
 * transaction, unless they take long, because a commit and the full-text index segment that it writes cost more than storing an item. Each
 * write is atomic and is acknowledged after the commit. When one write fails, every write of the transaction is run
 * again in a transaction of its own, so that the others succeed. (Savepoints would also isolate a failure, but the
 * full-text index writes a segment at each of them.)
 */
export class WriteQueue {
  readonly #useFile: () => SqliteFile;
  readonly #onOutcome: (error: unknown) => void;
  #waiting: WaitingWrite[] = [];
  #committing: Promise<void> | null = null;

  /**
   * @param useFile called before each attempt, because the file may have been closed since the last one
   * @param onOutcome called after each commit with null, or with the error when the commit failed
   */
  constructor(useFile: () => SqliteFile, onOutcome: (error: unknown) => void = () => {}) {
    this.#useFile = useFile;
    this.#onOutcome = onOutcome;
  }

  /** @param work runs one write; runs again when the file was busy or when a write of the same transaction failed */
  write<T>(work: (file: SqliteFile) => T): Promise<T> {
    return this.#add<T>({ work });
  }

  /**
   * Queues a write that runs in another thread. It waits for its turn here, because two writers of a file would block
   * each other, and this thread.
   */
  writeElsewhere<T>(elsewhere: () => Promise<T>): Promise<T> {
    return this.#add<T>({ elsewhere });
  }

  #add<T>(write: WaitingWrite['write']): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ write, resolve: resolve as WaitingWrite['resolve'], reject, since: performance.now() });
      this.#committing ??= this.#commitAll();
    });
  }

  /** Resolves when the queue is empty. */
  async drained(): Promise<void> {
    while (this.#committing !== null) await this.#committing;
  }

  async #commitAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Yield, so that callers just committed can add their next write to this batch.
      await nextTurn();
      await this.#commitNext();
    }
    this.#committing = null;
  }

  async #commitNext(): Promise<void> {
    const [first] = this.#waiting;
    if (first !== undefined && 'elsewhere' in first.write) {
      const { elsewhere } = first.write;
      this.#waiting.shift();
      return this.#settle([first], async () => [await elsewhere()]);
    }
    const end = this.#waiting.findIndex(({ write }) => 'elsewhere' in write);
    await this.#commit(this.#waiting.splice(0, Math.min(maxTogether, end === -1 ? maxTogether : end)));
  }

  async #commit(together: readonly WaitingWrite[]): Promise<void> {
    const works = together.map(({ write }) => (write as { work: WriteWork }).work);
    await this.#settle(together, () =>
      whenFree(
        () => {
          const file = this.#useFile();
          return file.write(() => inTime(file, works));
        },
        undefined,
        // One that waited behind others for the same lock does not wait as long again.
        together[0]?.since,
      ),
    );
  }

  async #settle(together: readonly WaitingWrite[], commit: () => Promise<unknown[]>): Promise<void> {
    try {
      const results = await commit();
      this.#onOutcome(null);
      for (const [index, result] of results.entries()) together[index]?.resolve(result);
      this.#waiting.unshift(...together.slice(results.length));
    } catch (error) {
      this.#onOutcome(error);
      if (together.length === 1 || isBusy(error)) for (const { reject } of together) reject(error);
      else for (const one of together) await this.#commit([one]);
    }
  }
}

/** Runs the first write, and more as long as there is time. Returns the results of those that were run. */
function inTime(file: SqliteFile, works: readonly WriteWork[]): unknown[] {
  const results: unknown[] = [];
  const end = performance.now() + maxTogetherMs;
  for (const work of works) {
    results.push(work(file));
    if (performance.now() >= end) break;
  }
  return results;
}

/** A queue for each account that is written to. */
export class WriteQueues {
  readonly #useFile: (accountId: string) => SqliteFile;
  readonly #onOutcome: (accountId: string, error: unknown) => void;
  readonly #queues = new Map<string, WriteQueue>();

  constructor(useFile: (accountId: string) => SqliteFile, onOutcome: (accountId: string, error: unknown) => void) {
    this.#useFile = useFile;
    this.#onOutcome = onOutcome;
  }

  /** The one queue of an account. */
  of(accountId: string): WriteQueue {
    const queue = this.#queues.get(accountId) ?? this.#makeQueue(accountId);
    this.#queues.set(accountId, queue);
    return queue;
  }

  async drained(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.drained()));
  }

  #makeQueue(accountId: string): WriteQueue {
    return new WriteQueue(
      () => this.#useFile(accountId),
      (error) => this.#onOutcome(accountId, error),
    );
  }
}
