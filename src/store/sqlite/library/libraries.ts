import type { Clock } from '../../../domain/clock.ts';
import type { Change } from '../../../domain/records/change.ts';
import type { AppError } from '../../../errors.ts';
import type { Log } from '../../../workers/log.ts';
import type { HistoryLimits } from '../../history.ts';
import { recordOf, type Undoing } from '../../history/recording.ts';
import type { IndexMethods } from '../../index-reader.ts';
import type { AccountFiles } from '../files/account-files.ts';
import { whenFree } from '../files/sqlite-errors.ts';
import type { Synchronous } from '../files/open-database.ts';
import { WriteQueue } from '../files/write-queue.ts';
import { type RowLimits, VectorMemories, type VectorMemory } from '../index/index.ts';
import { AccountThreads, type LibraryThreadSettings } from '../threads/account-threads.ts';
import { type AskedAt, createLibraryCalls, type LibraryCalls, type WriteCall, type Written } from './calls.ts';

export interface LibrariesOptions {
  folder: string;
  files: AccountFiles;
  clock: Clock;
  log?: Log | undefined;
  synchronous?: Synchronous | undefined;
  indexMethods: IndexMethods;
  /** Absent: libraries are in this thread. Otherwise they are in others, which are started when they are needed. */
  threads?: LibraryThreadSettings | undefined;
  /** Null: no history is kept, and nothing can be undone. */
  history: HistoryLimits | null;
  /** Limits of the in-memory vector cache: its size in bytes, and the number of vectors from which it is used. */
  vectors?: Partial<RowLimits> | undefined;
  /** Called after each commit with null, or with the error when the commit failed. */
  onOutcome?: (accountId: string, error: unknown) => void;
}

/** A million vectors of 384 dimensions take 400 MB. */
const defaultLimits: RowLimits = { maxBytes: 512 * 1024 * 1024, few: 500 };

interface Write {
  name: string;
  args: readonly unknown[];
  generation?: number | undefined;
  change: Change | undefined;
  undoing: Undoing | undefined;
}

/**
 * The libraries of a folder, in the one place where they are: in this thread, or in threads of libraries. Calls methods by
 * their names (`methods.ts`).
 */
export class Libraries {
  readonly history: HistoryLimits | null;
  readonly #files: AccountFiles;
  readonly #clock: Clock;
  /** Of libraries in this thread; null when they are in others. */
  readonly #calls: LibraryCalls | null;
  readonly #threads: AccountThreads | null;
  readonly #memories: VectorMemories;
  readonly #queues = new Map<string, WriteQueue<Write>>();
  readonly #migrating = new Map<string, Promise<unknown>>();
  readonly #onOutcome: LibrariesOptions['onOutcome'];

  constructor({
    folder,
    files,
    clock,
    log,
    synchronous,
    indexMethods,
    threads,
    vectors,
    ...options
  }: LibrariesOptions) {
    this.history = options.history;
    this.#files = files;
    this.#clock = clock;
    this.#onOutcome = options.onOutcome;
    const memories = new VectorMemories({ ...defaultLimits, ...vectors });
    this.#memories = memories;
    this.#calls = threads === undefined ? createLibraryCalls(indexMethods, options.history) : null;
    this.#threads =
      threads === undefined
        ? null
        : new AccountThreads(
            { accountsFolder: folder, synchronous, history: options.history },
            threads,
            () => this.#at,
            log,
            (id) => memories.threadEnded(id),
          );
  }

  get #at(): AskedAt {
    return { now: this.#clock.now(), uptime: this.#clock.uptime() };
  }

  /** @throws the signal's reason when it is aborted; in a thread, the read then ends at its next statement */
  async read(accountId: string, name: string, args: readonly unknown[], signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    return whenFree(() => {
      if (this.#calls !== null) return this.#calls.read(this.#files.use(accountId), this.#at, name, args);
      this.#files.prepare(accountId);
      return this.#threads?.call({ accountId, kind: 'read', name, args }, signal);
    });
  }

  /**
   * @param change that the write is recorded as a part of
   * @param generation of the work that it may leave; the result is then an `AnnouncedWrite`
   */
  async write(accountId: string, write: Write): Promise<unknown> {
    const { isRecorded, result } = await this.#queueOf(accountId).write<Written>(write);
    if (write.change !== undefined && isRecorded) write.change.isRecorded = true;
    return result;
  }

  #queueOf(accountId: string): WriteQueue<Write> {
    const known = this.#queues.get(accountId);
    if (known !== undefined) return known;
    const queue = new WriteQueue<Write>(
      (writes, since) => this.#commit(accountId, writes, since),
      (error) => this.#onOutcome?.(accountId, error),
      { bytesOf: ({ args }) => bytesOf(args), isRolledBack: (error) => this.#threads?.hasReported(error) ?? true },
    );
    this.#queues.set(accountId, queue);
    return queue;
  }

  #commit(accountId: string, writes: readonly Write[], since: number): Promise<unknown[]> {
    const commit = async (): Promise<unknown[]> => {
      const calls = writes.map(({ name, args, generation, change, undoing }): WriteCall => ({
        name,
        args,
        generation,
        change: this.history === null ? undefined : change && recordOf(change, undoing),
      }));
      const here = this.#calls;
      if (here !== null) {
        const file = this.#files.use(accountId);
        return file.write(() => here.write(file, this.#at, calls));
      }
      this.#files.prepare(accountId);
      return (await this.#threads?.call({ accountId, kind: 'write', calls })) as Written[];
    };
    return whenFree(commit, undefined, since);
  }

  /** Migrates a library of an older version, in its place. */
  async migrate(accountId: string): Promise<void> {
    let migrating = this.#migrating.get(accountId);
    const threads = this.#threads;
    if (migrating === undefined && threads !== null && this.#files.needsMigration(accountId)) {
      const call = whenFree(() => threads.call({ accountId, kind: 'write', calls: [] }));
      migrating = call.finally(() => this.#migrating.delete(accountId));
      this.#migrating.set(accountId, migrating);
    }
    await migrating;
  }

  /** The memory that searches of an account scan; null without one. */
  memory(accountId: string, embedderId: string, dimensions: number): VectorMemory | null {
    return this.#memories.get(accountId, embedderId, dimensions);
  }

  /** Closes an account's file in every thread but this one. @param reason the error of its calls; absent: it was removed */
  async release(accountId: string, reason?: AppError): Promise<void> {
    await this.#threads?.release(accountId, reason);
  }

  /** Closes an account's file here, and gives up its vectors in memory. */
  close(accountId: string): void {
    this.#memories.forget(accountId);
    this.#files.close(accountId);
  }

  closeOthers(accountIds: ReadonlySet<string>): void {
    this.#files.closeOthers(accountIds);
    void this.#threads?.releaseOthers(accountIds);
  }

  /** Closes every file permanently, once everything is written. */
  async end(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.drained()));
    await this.#threads?.close();
    this.#memories.clear();
    this.#files.closeAll();
  }
}

/** About how many bytes a value takes in a message. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.values(value).reduce<number>((sum, one) => sum + bytesOf(one), 0);
}
