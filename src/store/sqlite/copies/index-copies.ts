import Database from 'better-sqlite3';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Clock } from '../../../domain/clock.ts';
import { AppError, unavailable } from '../../../errors.ts';
import type { Log } from '../../../workers/log.ts';
import type { IndexMethods } from '../../index-reader.ts';
import type { Store } from '../../store.ts';
import { createSqliteStore } from '../account-store.ts';
import { isAccountId } from '../../../domain/access/account-names.ts';
import { AccountFiles, MissingLibraryError } from '../files/account-files.ts';
import { explained, folderNotWritable, mayBeDamage } from '../files/sqlite-errors.ts';
import type { RowLimits } from '../index/index.ts';
import { Libraries } from '../library/libraries.ts';
import type { partialWrites } from '../library/methods.ts';
import { presentVersion } from '../files/migrate.ts';
import { accountSchema } from '../schema.ts';
import { createPrivately, readSchemaVersion } from '../files/open-database.ts';
import type { LibraryThreadSettings } from '../threads/account-threads.ts';
import type { CopyState, IndexPage } from './index-page.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

export interface IndexCopiesOptions {
  /** Contains only replicas. It may be deleted while nothing runs. Another process gets a separate folder in it. */
  folder: string;
  /** Disk space for replicas, exceeded only for accounts that are being searched. */
  maxBytes: number;
  clock: Clock;
  log?: Log | undefined;
  /** Run beside the indexes of libraries in the calling thread. */
  indexMethods: IndexMethods;
  /** Copies are in these threads. Absent: they are in the calling thread. */
  libraryThreads?: LibraryThreadSettings | undefined;
  vectors?: Partial<RowLimits> | undefined;
}

/**
 * Replicas of accounts' search indexes, as SQLite libraries with only the data that searches read. The records are elsewhere, so a
 * damaged or unneeded replica is thrown away.
 */
export class IndexCopies {
  readonly #own: OwnFolder;
  readonly #copyFiles: CopyFiles;
  readonly #maxBytes: number;
  readonly #libraries: Libraries;
  /** Copies that are known to be there, the least recently used first, with their states. */
  readonly #known = new Map<string, CopyState>();
  readonly #bytes = new Map<string, number>();
  readonly #inUse = new Map<string, number>();
  readonly #reading = new Map<string, Promise<CopyState | null>>();
  readonly #beginning = new Set<string>();
  readonly #discarded = new Map<string, number>();
  readonly #discarding = new Map<string, Promise<void>>();

  constructor(options: IndexCopiesOptions) {
    const { clock, log, indexMethods, libraryThreads, vectors } = options;
    this.#own = takeOwnFolder(options.folder);
    const folder = this.#own.path;
    this.#copyFiles = new CopyFiles(folder);
    this.#maxBytes = options.maxBytes;
    const files = new AccountFiles({
      folder,
      readOnly: false,
      // A copy that was thrown away must not be replaced by an empty one in silence: `begin` makes them.
      recordOf: () => 'made',
      releaseElsewhere: (id) => this.#libraries.release(id, copyGone()),
    });
    this.#libraries = new Libraries({
      folder,
      files,
      clock,
      log,
      indexMethods,
      threads: libraryThreads,
      history: null,
      vectors,
    });
    for (const id of this.#copyFiles.accounts()) this.#bytes.set(id, this.#copyFiles.bytesOf(id));
  }

  accounts(): string[] {
    return [...this.#bytes.keys()];
  }

  /** Null when there is no usable copy. One of another version, or a damaged one, is thrown away. */
  async state(accountId: string): Promise<CopyState | null> {
    await this.#discarding.get(accountId);
    const known = this.#known.get(accountId);
    if (known !== undefined || this.#beginning.has(accountId)) return known ?? null;
    const reading = this.#reading.get(accountId) ?? this.#readState(accountId);
    this.#reading.set(accountId, reading);
    return reading.finally(() => this.#reading.delete(accountId));
  }

  async #readState(accountId: string): Promise<CopyState | null> {
    if (!this.#bytes.has(accountId) && this.#copyFiles.bytesOf(accountId) === 0) return null;
    try {
      if (readSchemaVersion(this.#copyFiles.pathOf(accountId)) === presentVersion(accountSchema)) {
        const state = (await this.#libraries.read(accountId, 'readCopyState', [])) as CopyState | null;
        if (state !== null) return this.#note(accountId, state);
      }
    } catch (error) {
      if (!isFaultOfCopy(error, accountId)) throw error;
    }
    await this.discard(accountId);
    return null;
  }

  /** Creates an empty replica. @returns its state, or that of one that another process has created meanwhile */
  async begin(accountId: string, source: string): Promise<CopyState> {
    this.#beginning.add(accountId);
    try {
      await this.#discarding.get(accountId);
      this.#copyFiles.makeEmpty(accountId);
      const state = await this.#write(accountId, 'beginCopy', source);
      return this.#note(accountId, state);
    } finally {
      this.#beginning.delete(accountId);
    }
  }

  async apply(accountId: string, page: IndexPage): Promise<CopyState> {
    const state = await this.#write(accountId, 'applyIndexPage', page);
    return this.#note(accountId, state);
  }

  /** Keeps the copy from being evicted while `work` runs. */
  async using<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    this.#inUse.set(accountId, (this.#inUse.get(accountId) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.#inUse.get(accountId) ?? 1) - 1;
      if (left === 0) this.#inUse.delete(accountId);
      else this.#inUse.set(accountId, left);
    }
  }

  /** For reads of searches. A copy that is read must be known: `state` or `begin` came before. */
  store(accountId: string, signal: AbortSignal | undefined): Store {
    const known = this.#known.get(accountId);
    if (known !== undefined) {
      this.#known.delete(accountId);
      this.#known.set(accountId, known);
    }
    return this.#store(accountId, signal);
  }

  /** Changes when the copy is thrown away: what was read across a change may come from an unfinished copy. */
  generation(accountId: string): number {
    return this.#discarded.get(accountId) ?? 0;
  }

  /** Deletes the copy. Reads that are under way fail with an error that says so, and can be repeated. */
  discard(accountId: string): Promise<void> {
    this.#discarded.set(accountId, this.generation(accountId) + 1);
    const running = this.#discarding.get(accountId);
    if (running !== undefined) return running;
    const discarding = this.#remove(accountId).finally(() => this.#discarding.delete(accountId));
    this.#discarding.set(accountId, discarding);
    return discarding;
  }

  async close(): Promise<void> {
    await this.#libraries.end();
    this.#own.release();
  }

  async #remove(accountId: string): Promise<void> {
    this.#known.delete(accountId);
    this.#bytes.delete(accountId);
    this.#libraries.close(accountId);
    await this.#libraries.release(accountId, copyGone());
    this.#libraries.close(accountId);
    this.#copyFiles.remove(accountId);
  }

  #store(accountId: string, signal?: AbortSignal): Store {
    const noWork = { announceWork: () => Promise.reject(new Error('a copy of an index has no work')) };
    return createSqliteStore(accountId, this.#libraries, noWork, { signal });
  }

  #write(accountId: string, name: keyof typeof partialWrites, argument: unknown): Promise<CopyState> {
    const write = { name, args: [argument], change: undefined, undoing: undefined };
    return this.#libraries.write(accountId, write) as Promise<CopyState>;
  }

  #note(accountId: string, state: CopyState): CopyState {
    this.#known.delete(accountId);
    this.#known.set(accountId, state);
    if (!this.#bytes.has(accountId)) this.#bytes.set(accountId, 0);
    return state;
  }

  /** Call when a replica has grown. The least recently used ones are removed first; those unused since the start before all others. */
  async makeRoom(grown: string): Promise<void> {
    if (this.#bytes.has(grown)) this.#bytes.set(grown, this.#copyFiles.bytesOf(grown));
    let bytes = [...this.#bytes.values()].reduce((sum, one) => sum + one, 0);
    const unused = [...this.#bytes.keys()].filter((id) => !this.#known.has(id));
    for (const id of [...unused, ...this.#known.keys()]) {
      if (bytes <= this.#maxBytes) return;
      if (this.#inUse.has(id)) continue;
      bytes -= this.#bytes.get(id) ?? 0;
      await this.discard(id);
    }
  }
}

/** Whether the replica may cause a failure, so that rebuilding it may help. Errors of threads arrive with their messages alone. */
export function isFaultOfCopy(error: unknown, accountId: string): boolean {
  return (
    mayBeDamage(error) || (error instanceof AppError && error.message === new MissingLibraryError(accountId).message)
  );
}

/** Whether the copy was thrown away while it was used. */
export function isCopyGone(error: unknown): boolean {
  return error instanceof AppError && error.message === copyGone().message;
}

function copyGone(): AppError {
  return unavailable('The search index of this account is being made again. Ask again in a moment.');
}

interface OwnFolder {
  readonly path: string;
  release(): void;
}

/** More processes than anybody starts beside each other on one data folder. */
const maxProcesses = 64;

/**
 * Takes a folder for copies that no other process uses, until it is released or this process ends, in whatever way:
 * `folder`, or a numbered one in it while another process has that.
 *
 * Two processes must not share copies: one that throws a file away takes it from under the other, which would go on with
 * its journal.
 */
function takeOwnFolder(folder: string): OwnFolder {
  for (let number = 1; number <= maxProcesses; number += 1) {
    const path = number === 1 ? folder : join(folder, String(number));
    const release = tryToTake(path);
    if (release === null) continue;
    removeLeftovers(path);
    return { path, release };
  }
  throw unavailable(`More than ${maxProcesses} processes search on this data folder.`);
}

/** The lock of an always empty database: the system releases it when a process is killed. */
function tryToTake(path: string): (() => void) | null {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw folderNotWritable(error);
  }
  const lockPath = join(path, 'in-use');
  createPrivately(lockPath);
  const lock = new Database(lockPath, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return () => lock.close();
  } catch (error) {
    lock.close();
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY') return null;
    throw explained(error);
  }
}

/** Remains of a killed process's unfinished replicas. */
function removeLeftovers(path: string): void {
  for (const name of readdirSync(path))
    if (name.endsWith('.part') || name.startsWith('new-')) rmSync(join(path, name), { recursive: true, force: true });
}

const suffixes = ['', '-wal', '-shm'];

/** The files of copies in one folder: a database for each account, beside SQLite's files of an open one. */
export class CopyFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Makes an empty copy, unless there is one. It is made once and then copied for each account, because making the
   * tables takes longer.
   */
  makeEmpty(accountId: string): void {
    const path = this.pathOf(accountId);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
    const empty = join(this.#folder, `empty-copy-${presentVersion(accountSchema)}`);
    if (!existsSync(empty)) {
      const folder = mkdtempSync(join(this.#folder, 'new-'));
      const files = new AccountFiles({ folder, readOnly: false, recordOf: () => 'unmade' });
      try {
        const file = files.use(accountId);
        file.write(() => dropUnreadTables(file));
        file.compact();
        files.closeAll();
        renameSync(join(folder, `${accountId}.db`), empty);
      } finally {
        files.closeAll();
        rmSync(folder, { recursive: true, force: true });
      }
    }
    const part = join(this.#folder, `${accountId}.${process.pid}.part`);
    copyFileSync(empty, part);
    renameSync(part, path);
  }

  /** The replica's size on disk; 0 when there is none. */
  bytesOf(accountId: string): number {
    const sizes = suffixes.map((suffix) => statSync(this.pathOf(accountId) + suffix, { throwIfNoEntry: false })?.size);
    return sizes.reduce((sum: number, size) => sum + (size ?? 0), 0);
  }

  pathOf(accountId: string): string {
    return join(this.#folder, `${accountId}.db`);
  }

  remove(accountId: string): void {
    for (const suffix of suffixes)
      rmSync(this.pathOf(accountId) + suffix, { force: true, maxRetries: 3, retryDelay: 100 });
  }

  /** Accounts of which there is a copy, the one that was written longest ago first. */
  accounts(): string[] {
    const ids = readdirSync(this.#folder)
      .filter((name) => name.endsWith('.db'))
      .map((name) => basename(name, '.db'))
      .filter(isAccountId);
    const written = (id: string) => statSync(this.pathOf(id), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return ids.toSorted((a, b) => written(a) - written(b));
  }
}

/** Tables of a library that no search reads, each before those that it refers to. Their triggers go with them. */
const unread = (
  'restored_changes requests_answered action_words insights actions goals highlights list_items lists ' +
  'tag_proposals llm_analyses fingerprint_bands fingerprints addresses originals history_originals ' +
  'history_changes history'
).split(' ');

/**
 * Takes away from a new library what a copy of an index does not need. A connection parses all tables and triggers when
 * it opens a file. Without the triggers alone, opening took .85 ms
 * instead of 1.55.
 */
function dropUnreadTables(file: SqliteFile): void {
  const recording = file.all<{ name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE '%\\_history' ESCAPE '\\'`,
  );
  for (const { name } of recording) file.run(`DROP TRIGGER "${name}"`);
  file.run('DROP VIEW noted_changes');
  for (const name of unread) file.run(`DROP TABLE ${name}`);
}
