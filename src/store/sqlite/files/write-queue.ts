import { setImmediate as nextTurn } from 'node:timers/promises';
import { isBusy, whenFree } from './busy.ts';
import type { SqliteFile } from './sqlite-file.ts';

/** Other processes that want to write wait as long as a transaction lasts. */
const maxTogether = 64;

interface Waiting {
  write: { work: (file: SqliteFile) => unknown } | { elsewhere: () => Promise<unknown> };
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

type Work = (file: SqliteFile) => unknown;

/**
 * The one writer of a file in this process. What is asked for in the same turn of the event loop is committed in one
 * transaction: a commit, and the segment of the full-text index that it writes, costs more than what an item stores. Each
 * write stays whole or is not done, and is acknowledged after the commit. One that fails fails alone: the others are done anew, each
 * by itself. (Savepoints would do that, too, but the full-text index writes a segment at each of them.)
 */
export class WriteQueue {
  readonly #useFile: () => SqliteFile;
  readonly #onOutcome: (error: unknown) => void;
  #waiting: Waiting[] = [];
  #committing: Promise<void> | null = null;

  /**
   * @param useFile asked before each attempt: the file may have been closed meanwhile
   * @param onOutcome told of each commit: null, or why it failed
   */
  constructor(useFile: () => SqliteFile, onOutcome: (error: unknown) => void = () => {}) {
    this.#useFile = useFile;
    this.#onOutcome = onOutcome;
  }

  /** @param work the statements of one write; run again when the file was busy, or another write of the transaction failed */
  write<T>(work: (file: SqliteFile) => T): Promise<T> {
    return this.#add<T>({ work });
  }

  /** One that another thread does. It has its turn here, because two writers of a file would hold up each other, and this thread. */
  writeElsewhere<T>(elsewhere: () => Promise<T>): Promise<T> {
    return this.#add<T>({ elsewhere });
  }

  #add<T>(write: Waiting['write']): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ write, resolve: resolve as Waiting['resolve'], reject });
      this.#committing ??= this.#commitAll();
    });
  }

  /** Resolves when nothing waits any more. */
  async drained(): Promise<void> {
    while (this.#committing !== null) await this.#committing;
  }

  async #commitAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Who was told of the last commit may go on first, and bring the next write along.
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

  async #commit(together: readonly Waiting[]): Promise<void> {
    const works = together.map(({ write }) => (write as { work: Work }).work);
    await this.#settle(together, () =>
      whenFree(() => {
        const file = this.#useFile();
        return file.write(() => works.map((work) => work(file)));
      }),
    );
  }

  async #settle(together: readonly Waiting[], commit: () => Promise<unknown[]>): Promise<void> {
    try {
      const results = await commit();
      this.#onOutcome(null);
      for (const [index, { resolve }] of together.entries()) resolve(results[index]);
    } catch (error) {
      this.#onOutcome(error);
      if (together.length === 1 || isBusy(error)) for (const { reject } of together) reject(error);
      else for (const one of together) await this.#commit([one]);
    }
  }
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
