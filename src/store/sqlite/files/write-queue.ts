import { setImmediate as nextTurn } from 'node:timers/promises';
import { isBusy, whenFree } from './sqlite-errors.ts';
import type { SqliteFile } from './sqlite-file.ts';

/** Limit the length of a transaction: other processes cannot write during it, and this thread does nothing else. */
const maxTogether = 64;
const maxTogetherMs = 50;
/** Of arguments, which are sent to a thread again for each transaction. A larger write is alone. */
const maxTogetherBytes = 2 * 1024 * 1024;

interface WaitingWrite<Write> {
  write: Write;
  bytes: number;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  /** When it was asked for (`performance.now()`). */
  since: number;
}

/**
 * The only writer of a file in this process. Writes requested in the same turn of the event loop are committed in one
 * transaction, unless they take long, because a commit and the full-text index segment that it writes cost more than storing an item. Each
 * write is atomic and is acknowledged after the commit. When a write fails and is rolled back, every write of the transaction is run
 * again in its own transaction, so that the others succeed. (Savepoints would also isolate a failure, but the
 * full-text index writes a segment at each of them.)
 */
export class WriteQueue<Write> {
  readonly #run: (writes: readonly Write[], since: number) => Promise<readonly unknown[]>;
  readonly #onOutcome: (error: unknown) => void;
  readonly #bytesOf: (write: Write) => number;
  readonly #isRolledBack: (error: unknown) => boolean;
  #waiting: WaitingWrite<Write>[] = [];
  #committing: Promise<void> | null = null;

  /**
   * @param run commits the first of these writes, at least one, and returns their results; `since`: when the first one was
   * asked for. Called again for each write when one of them failed.
   * @param onOutcome called after each commit with null, or with the error when the commit failed
   * @param isRolledBack whether nothing is committed, and a single write failed; otherwise none is run again
   */
  constructor(
    run: (writes: readonly Write[], since: number) => Promise<readonly unknown[]>,
    onOutcome: (error: unknown) => void = () => {},
    { bytesOf = (_write: Write): number => 0, isRolledBack = (_error: unknown): boolean => true } = {},
  ) {
    this.#run = run;
    this.#bytesOf = bytesOf;
    this.#isRolledBack = isRolledBack;
    this.#onOutcome = onOutcome;
  }

  write<T>(write: Write): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        write,
        bytes: this.#bytesOf(write),
        resolve: resolve as (value: unknown) => void,
        reject,
        since: performance.now(),
      });
      this.#committing ??= this.#commitAll();
    });
  }

  async drained(): Promise<void> {
    while (this.#committing !== null) await this.#committing;
  }

  async #commitAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Yield, so that callers just committed can add their next write to this batch.
      await nextTurn();
      await this.#commit(this.#waiting.splice(0, this.#countTogether()));
    }
    this.#committing = null;
  }

  #countTogether(): number {
    let bytes = 0;
    const first = this.#waiting.slice(0, maxTogether);
    const tooMany = first.findIndex((one, index) => (bytes += one.bytes) > maxTogetherBytes && index > 0);
    return tooMany === -1 ? first.length : tooMany;
  }

  async #commit(together: readonly WaitingWrite<Write>[]): Promise<void> {
    try {
      // One that waited behind others for the same lock does not wait as long again.
      const results = await this.#run(
        together.map(({ write }) => write),
        together[0]?.since ?? performance.now(),
      );
      this.#onOutcome(null);
      for (const [index, result] of results.entries()) together[index]?.resolve(result);
      this.#waiting.unshift(...together.slice(results.length));
    } catch (error) {
      this.#onOutcome(error);
      if (together.length === 1 || isBusy(error) || !this.#isRolledBack(error))
        for (const { reject } of together) reject(error);
      else for (const one of together) await this.#commit([one]);
    }
  }
}

/** Writes to a file that is open in this thread. @param useFile called before each attempt, because the file may have been closed */
export class FileWrites {
  readonly #queue: WriteQueue<(file: SqliteFile) => unknown>;

  constructor(useFile: () => SqliteFile, onOutcome?: (error: unknown) => void) {
    this.#queue = new WriteQueue(
      (works, since) =>
        whenFree(
          () => {
            const file = useFile();
            return file.write(() => inTime(works.map((work) => () => work(file))));
          },
          undefined,
          since,
        ),
      onOutcome,
    );
  }

  /** @param work runs one write; runs again when the file was busy or when a write of the same transaction failed */
  write<T>(work: (file: SqliteFile) => T): Promise<T> {
    return this.#queue.write<T>(work);
  }

  drained(): Promise<void> {
    return this.#queue.drained();
  }
}

/** Runs the first write, and more as long as there is time. Returns the results of those that were run. */
export function inTime<T>(works: readonly (() => T)[]): T[] {
  const results: T[] = [];
  const end = performance.now() + maxTogetherMs;
  for (const work of works) {
    results.push(work());
    if (performance.now() >= end) break;
  }
  return results;
}
