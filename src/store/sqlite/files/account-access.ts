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
} from '../index/searching/reads.ts';
import type { AccountThreads } from '../threads/account-threads.ts';
import type { SqliteFile } from './sqlite-file.ts';
import type { VectorMemories } from '../index/vector-cache/vector-memories.ts';
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

/** What all stores of a data folder share. */
export interface AccountParts {
  files: AccountFiles;
  writes: WriteQueues;
  control: Control;
  clock: Clock;
  /** Where searches run; null: in this thread. */
  threads: AccountThreads | null;
  /** Where large writes are done; null: in this thread. */
  writeThreads: AccountThreads | null;
  largeSizes: LargeWriteSizes;
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

  /** A write that may be large, by name. A large one is done in a thread, so that it holds up nobody else. */
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
        // Opening the file here first creates and migrates it, and refuses what cannot be used.
        files.use(this.accountId);
        return (await writeThreads.call(this.accountId, name, timed())) as WriteAnswer<N>;
      }),
    );
  }

  /** What counts as large. */
  get largeSizes(): LargeWriteSizes {
    return this.#parts.largeSizes;
  }

  /** One of the reads of a search. Opening the file here first creates and migrates it, and refuses what cannot be used. */
  async read<N extends ReadName>(name: N, ...args: ReadArguments<N>): Promise<ReadAnswer<N>> {
    const { files, threads, reads } = this.#parts;
    this.#signal?.throwIfAborted();
    if (threads === null) return this.use((file) => runRead(reads, file, name, args));
    return whenFree(async () => {
      files.use(this.accountId);
      return (await threads.call(this.accountId, name, args, this.#signal)) as ReadAnswer<N>;
    });
  }

  /** A write that may leave work for a worker: a job, or chores. */
  writeWork<T>(work: (file: SqliteFile, now: number, clock: Clock) => T): Promise<T> {
    return this.announcing((generation) =>
      this.write((file, now, clock) => writeAnnounced(file, generation, () => work(file, now, clock))),
    );
  }

  /**
   * Announces work before it is written. Where a worker has settled the announcement meanwhile, nothing is written and it is
   * announced anew.
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
