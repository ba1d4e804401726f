import type { Clock } from '../../domain/clock.ts';
import type { Control } from '../control.ts';
import type { AccountFiles } from './account-files.ts';
import { whenFree } from './busy.ts';
import { type ReadAnswer, type ReadArguments, type ReadName, runRead, type SearchReads } from './searching/reads.ts';
import type { SearchThreads } from './searching/search-threads.ts';
import type { SqliteFile } from './sqlite-file.ts';
import type { VectorMemories } from './vector-cache/vector-memories.ts';
import type { WriteQueues } from './write-queue.ts';

type Tail<List extends unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

/** What all stores of a data folder share. */
export interface AccountParts {
  files: AccountFiles;
  writes: WriteQueues;
  control: Control;
  clock: Clock;
  /** Where searches run; null: in this thread. */
  threads: SearchThreads | null;
  memories: VectorMemories;
  /** What searches run when they run here. */
  reads: SearchReads;
}

/** One account's file, as the parts of its store use it. */
export class AccountAccess {
  readonly accountId: string;
  readonly #parts: AccountParts;
  readonly #signal: AbortSignal | undefined;

  /** @param signal of the search that the store is opened for */
  constructor(accountId: string, parts: AccountParts, signal?: AbortSignal) {
    this.accountId = accountId;
    this.#parts = parts;
    this.#signal = signal;
  }

  /** The file is asked for at each attempt: it may have been closed meanwhile. */
  use<T>(work: (file: SqliteFile, now: number) => T): Promise<T> {
    const { files, clock } = this.#parts;
    return whenFree(() => work(files.use(this.accountId), clock.now()));
  }

  write<T>(work: (file: SqliteFile, now: number) => T): Promise<T> {
    const { writes, clock } = this.#parts;
    return writes.write(this.accountId, (file) => work(file, clock.now()));
  }

  /** One of the reads of a search. Opening the file here first creates and migrates it, and refuses what cannot be used. */
  async read<N extends ReadName>(name: N, ...args: ReadArguments<N>): Promise<ReadAnswer<N>> {
    const { threads, reads } = this.#parts;
    this.#signal?.throwIfAborted();
    if (threads === null) return this.use((file) => runRead(reads, file, name, args));
    await this.use(() => {});
    return threads.read(this.accountId, name, args, this.#signal);
  }

  /** Before a write that queues a job. */
  announceWork(): Promise<void> {
    return this.#parts.control.announceWork(this.accountId);
  }

  vectorMemory(...of: Tail<Parameters<VectorMemories['get']>>): ReturnType<VectorMemories['get']> {
    return this.#parts.memories.get(this.accountId, ...of);
  }

  close(): void {
    this.#parts.memories.forget(this.accountId);
    this.#parts.files.close(this.accountId);
  }
}
