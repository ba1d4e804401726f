import type { Clock } from '../../../domain/clock.ts';
import type { Control } from '../../control.ts';
import type { AccountFiles } from './account-files.ts';
import { noteTime } from './account-time.ts';
import { type AnnouncedWrite, writeAnnounced } from '../queue/announced-work.ts';
import { whenFree } from './busy.ts';
import {
  type ReadAnswer,
  type ReadArguments,
  type ReadName,
  runRead,
  type SearchReads,
  type VectorMemories,
} from '../index/index.ts';
import type { AccountThreads } from '../threads/account-threads.ts';
import type { SqliteFile } from './sqlite-file.ts';
import type { WriteQueues } from './write-queue.ts';
import type { LargeWriteSizes } from '../writing/write-threads.ts';
import {
  runWrite,
  type TimedArguments,
  type WriteAnswer,
  type WriteArguments,
  type WriteName,
} from '../writing/writes.ts';

type Tail<List extends unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

/** Objects that all stores of a data folder share. */
export interface AccountParts {
  files: AccountFiles;
  writes: WriteQueues;
  control: Control;
  clock: Clock;
  /** The worker threads for searches; null: searches run in this thread. */
  threads: AccountThreads | null;
  /** The worker threads for large writes; null: they run in this thread. */
  writeThreads: AccountThreads | null;
  largeSizes: LargeWriteSizes;
  memories: VectorMemories;
  /** The reads of searches that run in this thread. */
  reads: SearchReads;
}

/** Reads from and writes to one account's file, for the parts of its store. */
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

  /** Gets the file anew for each attempt: it may have been closed since the last one. */
  use<T>(work: (file: SqliteFile, now: number, clock: Clock) => T): Promise<T> {
    const { files, clock } = this.#parts;
    return whenFree(() => work(files.use(this.accountId), clock.now(), clock));
  }

  write<T>(work: (file: SqliteFile, now: number, clock: Clock) => T): Promise<T> {
    const { writes, clock } = this.#parts;
    return writes.of(this.accountId).write((file) => {
      noteTime(file, clock);
      return work(file, clock.now(), clock);
    });
  }

  /** Runs a named write. A large one runs in a worker thread, so that it does not block the event loop. */
  async writeNamed<N extends WriteName>(
    isLarge: boolean,
    name: N,
    ...args: WriteArguments<N>
  ): Promise<WriteAnswer<N>> {
    const { clock, files, writes, writeThreads } = this.#parts;
    const timed = (): TimedArguments<N> => [{ now: clock.now(), uptime: clock.uptime() }, ...args];
    if (!isLarge || writeThreads === null) return this.write((file) => runWrite(name, file, timed()));
    return writes.of(this.accountId).writeElsewhere(() =>
      whenFree(async () => {
        // Opening the file here creates and migrates it, or throws when it cannot be used.
        files.use(this.accountId);
        return (await writeThreads.call(this.accountId, name, timed())) as WriteAnswer<N>;
      }),
    );
  }

  /** The sizes from which a write counts as large. */
  get largeSizes(): LargeWriteSizes {
    return this.#parts.largeSizes;
  }

  /**
   * Runs a named read of a search. The file is opened here first, which creates and migrates it, or throws when it
   * cannot be used.
   */
  async read<N extends ReadName>(name: N, ...args: ReadArguments<N>): Promise<ReadAnswer<N>> {
    const { files, threads, reads } = this.#parts;
    this.#signal?.throwIfAborted();
    if (threads === null) return this.use((file) => runRead(reads, file, name, args));
    return whenFree(async () => {
      files.use(this.accountId);
      return (await threads.call(this.accountId, name, args, this.#signal)) as ReadAnswer<N>;
    });
  }

  /** A write that may leave work for a worker: a job or maintenance. */
  writeWork<T>(work: (file: SqliteFile, now: number, clock: Clock) => T): Promise<T> {
    return this.announcing((generation) =>
      this.write((file, now, clock) => writeAnnounced(file, generation, () => work(file, now, clock))),
    );
  }

  /**
   * Announces work before it is written. If a worker has settled the announcement in between, nothing is written and
   * the work is announced again.
   */
  async announcing<T>(write: (generation: number) => Promise<AnnouncedWrite<T>>): Promise<T> {
    let above = 0;
    for (;;) {
      const generation = await this.#parts.control.announceWork(this.accountId, above);
      const written = await write(generation);
      if (written.isWritten) return written.result;
      above = written.settled;
    }
  }

  vectorMemory(...of: Tail<Parameters<VectorMemories['get']>>): ReturnType<VectorMemories['get']> {
    return this.#parts.memories.get(this.accountId, ...of);
  }

  close(): void {
    this.#parts.memories.forget(this.accountId);
    this.#parts.files.close(this.accountId);
  }
}
