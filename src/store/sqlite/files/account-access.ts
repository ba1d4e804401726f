import type { Change } from '../../../domain/records/change.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { Control } from '../../control.ts';
import type { AccountFiles } from './account-files.ts';
import { noteTime } from './account-time.ts';
import { type ChangeRecord, recordOf, type Undoing } from '../../history/change-record.ts';
import { isRecorded, recorded } from '../history/recording.ts';
import type { HistoryLimits } from '../../history.ts';
import { type AnnouncedWrite, writeAnnounced } from '../queue/announced-work.ts';
import { whenFree } from './busy.ts';
import {
  type ReadAnswer,
  type ReadArguments,
  type ReadName,
  runRead,
  type SearchReads,
  type SmallLibraries,
  type VectorMemories,
} from '../index/index.ts';
import { hasShortLists, type ListAnswer, type ListArguments, type ListName, readList } from '../list-reads.ts';
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
  control: Pick<Control, 'announceWork'>;
  clock: Clock;
  /** The worker threads for searches; null: searches run in this thread. */
  threads: AccountThreads | null;
  /** The worker threads for large writes; null: they run in this thread. */
  writeThreads: AccountThreads | null;
  largeSizes: LargeWriteSizes;
  memories: VectorMemories;
  /** Null: no history is kept. */
  historyLimits: HistoryLimits | null;
  /** The libraries that are searched in this thread all the same; null: none. */
  small: SmallLibraries | null;
  /** The reads of searches that run in this thread. */
  reads: SearchReads;
}

/** Reads from and writes to one account's file, for the parts of its store. */
export class AccountAccess {
  readonly accountId: string;
  readonly #parts: AccountParts;
  readonly #signal: AbortSignal | undefined;
  /** That every write is recorded as a part of; undefined when they are not recorded. */
  readonly #change: Change | undefined;
  readonly #undoing: Undoing | undefined;

  /**
   * @param by the change that every write is recorded as a part of, and the signal of the search that the store is opened
   * for
   */
  constructor(
    accountId: string,
    parts: AccountParts,
    by: { change?: Change | undefined; undoing?: Undoing; signal?: AbortSignal | undefined } = {},
  ) {
    this.accountId = accountId;
    this.#parts = parts;
    this.#signal = by.signal;
    this.#change = parts.historyLimits === null ? undefined : by.change;
    this.#undoing = by.undoing;
  }

  /** The same access, whose change undoes another one. */
  undoing(undoing: Undoing): AccountAccess {
    return new AccountAccess(this.accountId, this.#parts, { change: this.#change, undoing });
  }

  get recordedChange(): Change | undefined {
    return this.#change;
  }

  /** How a write is recorded that begins now. */
  get #record(): ChangeRecord | undefined {
    return this.#change && recordOf(this.#change, this.#undoing);
  }

  get historyLimits(): HistoryLimits | null {
    return this.#parts.historyLimits;
  }

  /** Gets the file anew for each attempt: it may have been closed since the last one. */
  use<T>(work: (file: SqliteFile, now: number, clock: Clock) => T): Promise<T> {
    const { files, clock } = this.#parts;
    return whenFree(() => work(files.use(this.accountId), clock.now(), clock));
  }

  write<T>(work: (file: SqliteFile, now: number, clock: Clock) => T): Promise<T> {
    const { writes, clock } = this.#parts;
    return this.#noting(() =>
      writes.of(this.accountId).write((file) => {
        noteTime(file, clock);
        return recorded(file, this.#record, clock, () => work(file, clock.now(), clock));
      }),
    );
  }

  /** Tells the change when the write has recorded something. */
  async #noting<T>(write: () => Promise<T>): Promise<T> {
    const result = await write();
    const change = this.#change;
    if (change !== undefined && !change.isRecorded)
      change.isRecorded = await this.use((file) => isRecorded(file, change.id));
    return result;
  }

  /** Runs a named write. A large one runs in a worker thread, so that it does not block the event loop. */
  async writeNamed<N extends WriteName>(
    isLarge: boolean,
    name: N,
    ...args: WriteArguments<N>
  ): Promise<WriteAnswer<N>> {
    const { clock, files, writes, writeThreads } = this.#parts;
    const timed = (): TimedArguments<N> => [
      { now: clock.now(), uptime: clock.uptime(), change: this.#record },
      ...args,
    ];
    const queue = writes.of(this.accountId);
    return this.#noting(() =>
      isLarge && writeThreads !== null
        ? queue.writeElsewhere(() =>
            whenFree(async () => {
              // Opening the file here creates and migrates it, or throws when it cannot be used.
              files.use(this.accountId);
              return (await writeThreads.call(this.accountId, name, timed())) as WriteAnswer<N>;
            }),
          )
        : queue.write((file) => runWrite(name, file, timed())),
    );
  }

  /** The sizes from which a write counts as large. */
  get largeSizes(): LargeWriteSizes {
    return this.#parts.largeSizes;
  }

  /**
   * Runs a named read, of a search or one that may take long. When the file was not opened here before, it is opened
   * first, which creates and migrates it, or throws when it cannot be used.
   */
  async read<N extends ReadName>(name: N, ...args: ReadArguments<N>): Promise<ReadAnswer<N>> {
    const { clock, threads, reads, small } = this.#parts;
    const { accountId } = this;
    this.#signal?.throwIfAborted();
    if (threads === null) return this.use((file) => runRead(reads, file, name, args));
    const read =
      small === null
        ? null
        : await this.use((file) => small.read(accountId, file, clock, () => runRead(reads, file, name, args)));
    if (read !== null) return read.answer;
    return (await this.#readElsewhere(threads, name, args)) as ReadAnswer<N>;
  }

  /**
   * Reads a list. A long one is read in a thread of searches, so that others need not wait for it, except while one person is
   * served.
   */
  async list<N extends ListName>(name: N, ...args: ListArguments<N>): Promise<ListAnswer<N>> {
    const { clock, threads, small } = this.#parts;
    this.#signal?.throwIfAborted();
    const at = { now: clock.now(), uptime: clock.uptime() };
    if (threads === null || small !== null) return this.use((file) => readList(name, file, at, args));
    const read = await this.use((file) =>
      file.read(() => (hasShortLists(file) ? { answer: readList(name, file, at, args) } : null)),
    );
    return read === null ? ((await this.#readElsewhere(threads, name, [at, ...args])) as ListAnswer<N>) : read.answer;
  }

  #readElsewhere(threads: AccountThreads, name: string, args: unknown[]): Promise<unknown> {
    return whenFree(async () => {
      this.#parts.files.prepare(this.accountId);
      return threads.call(this.accountId, name, args, this.#signal);
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
