import { existsSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { load as loadVectorFunctions } from 'sqlite-vec';
import { isAccountId } from '../../../domain/access/account-names.ts';
import { AppError, noSuchAccount, notFound } from '../../../errors.ts';
import { closedFolder, whenFree } from './sqlite-errors.ts';
import { indexChangedItems } from '../items/item-titles.ts';
import { accountSchema } from '../schema.ts';
import { copyBeforeMigration, removeCopiesOf } from './copies-before-migration.ts';
import { firstVersion, presentVersion } from './migrate.ts';
import { fileAt, type Identity, isSame } from './file-state.ts';
import { readSchemaVersion, type Synchronous } from './open-database.ts';
import { SqliteFile } from './sqlite-file.ts';
import { type OnChange, WatchedFile } from './watched-file.ts';

/**
 * How many files stay open. An open file keeps some of its pages and computed data in memory: some .35 MB for a small library, and
 * more for a larger one.
 */
export interface OpenFileLimits {
  maxFiles: number;
  /** Limit of the sizes of all open files together, each as it was when the file was opened. Absent: no limit. */
  maxBytes?: number;
  /** This many files stay open, however large they are. Absent: one. */
  minFiles?: number;
}

const limitsOfProcess: OpenFileLimits = { maxFiles: 64 };

/** The record of an account's file in `control.db`: `unmade` when it never had one. Null: there is no such account. */
export type FileRecord = 'made' | 'unmade' | null;

export interface AccountFilesOptions {
  folder: string;
  readOnly: boolean;
  /** Called before a file is opened: a file that was removed must not be created again. */
  recordOf: (accountId: string) => FileRecord;
  /** Called when a file was created, before anything is written to it. */
  onMade?: (accountId: string) => void;
  /** See `WatchedFile`. */
  releaseElsewhere?: (accountId: string) => Promise<void>;
  /** See `WatchedFile`; absent: `recover`. */
  onChange?: OnChange;
  synchronous?: Synchronous | undefined;
  limits?: OpenFileLimits;
  /** Runs before every statement of any file; throwing cancels the statement. */
  beforeStatement?: () => void;
}

/** The open files of accounts. When there are too many, the least recently used one is closed. */
export class AccountFiles {
  readonly #options: AccountFilesOptions;
  readonly #open = new Map<string, WatchedFile>();
  readonly #openBytes = new Map<string, number>();
  /** The files that this process has created, migrated or found up to date, whether they are open or not. */
  readonly #prepared = new Map<string, Identity>();
  #closed = false;

  constructor(options: AccountFilesOptions) {
    this.#options = options;
  }

  /** The account's file, opened if necessary. Use it at once and never keep it across an `await`. */
  use(accountId: string): SqliteFile {
    if (this.#closed) throw closedFolder();
    const watched = this.#open.get(accountId) ?? this.#watch(accountId);
    const file = watched.use();
    this.#open.delete(accountId);
    this.#open.set(accountId, watched);
    for (const [id] of this.#open) {
      if (!this.#isFull()) break;
      this.#closeOpen(id);
    }
    return file;
  }

  #isFull(): boolean {
    const { maxFiles, maxBytes = Infinity, minFiles = 1 } = this.#options.limits ?? limitsOfProcess;
    if (this.#open.size > maxFiles) return true;
    if (this.#open.size <= minFiles || maxBytes === Infinity) return false;
    return this.#openBytes.values().reduce((sum, one) => sum + one, 0) > maxBytes;
  }

  /**
   * For a file that another thread is about to open: creates, migrates and checks it. One that this process has opened
   * before is not opened again, which takes longer than searching a small library.
   */
  prepare(accountId: string): void {
    const prepared = this.#prepared.get(accountId);
    const isPrepared = prepared !== undefined && isSame(fileAt(this.#pathOf(accountId)), prepared);
    if (this.#closed || this.#open.has(accountId) || !isPrepared) this.use(accountId);
  }

  close(accountId: string): void {
    this.#prepared.delete(accountId);
    this.#closeOpen(accountId);
  }

  #closeOpen(accountId: string): void {
    this.#open.get(accountId)?.close();
    this.#open.delete(accountId);
    this.#openBytes.delete(accountId);
  }

  /** Closes every file permanently. */
  closeAll(): void {
    this.#closed = true;
    for (const id of this.#open.keys()) this.close(id);
  }

  /** Closes the files of all other accounts: another process has removed those accounts. */
  closeOthers(accountIds: ReadonlySet<string>): void {
    for (const id of this.#prepared.keys()) if (!accountIds.has(id)) this.close(id);
    for (const id of this.#open.keys()) if (!accountIds.has(id)) this.close(id);
  }

  /** Whether the account's file has its tables. Another process may have created the file and not finished. */
  isMade(accountId: string): boolean {
    const path = this.#pathOf(accountId);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return false;
    try {
      return readSchemaVersion(path) > 0;
    } catch {
      // Not a database, or one that cannot be read now. Opening it reports the error.
      return false;
    }
  }

  /** Whether opening the account's file would migrate it, which takes long when it is large. */
  needsMigration(accountId: string): boolean {
    const path = this.#pathOf(accountId);
    if (this.#open.has(accountId) || (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return false;
    const version = readSchemaVersion(path);
    return version >= firstVersion && version < presentVersion(accountSchema);
  }

  /**
   * Removes the file of an account that is marked as removed in `control.db`. Other processes that have it open can
   * still read it but no longer write to it. They close it when they next list the accounts.
   */
  async remove(accountId: string): Promise<void> {
    const path = this.#pathOf(accountId);
    this.close(accountId);
    if (existsSync(path)) await whenFree(() => markRemoved(path));
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true, maxRetries: 3, retryDelay: 100 });
    removeCopiesOf(dirname(this.#options.folder), accountId);
  }

  /** Lets no process write to the file of an account that is hidden, or lets them again. */
  async setAside(accountId: string, isAside: boolean): Promise<void> {
    const path = this.#pathOf(accountId);
    this.close(accountId);
    if (existsSync(path)) await whenFree(() => markRemoved(path, isAside ? 1 : null));
  }

  #pathOf(accountId: string): string {
    return join(this.#options.folder, `${accountId}.db`);
  }

  #watch(accountId: string): WatchedFile {
    const { onChange, releaseElsewhere } = this.#options;
    return new WatchedFile(
      this.#pathOf(accountId),
      () => this.#openFile(accountId),
      onChange,
      () => releaseElsewhere?.(accountId) ?? Promise.resolve(),
    );
  }

  #openFile(accountId: string): SqliteFile {
    const { readOnly, recordOf, onMade, synchronous, beforeStatement } = this.#options;
    const record = isAccountId(accountId) ? recordOf(accountId) : null;
    if (record === null) throw noSuchAccount();
    const file = SqliteFile.open({
      path: this.#pathOf(accountId),
      schema: accountSchema,
      readOnly,
      missing: record === 'made' ? () => new MissingLibraryError(accountId) : undefined,
      synchronous,
      beforeStatement,
      extend: loadVectorFunctions,
      beforeMigration: (db, version) => copyBeforeMigration(db, version, dirname(this.#options.folder)),
      beforeWrite: refuseRemovedAccount,
      afterWrite: indexChangedItems,
    });
    try {
      if (record === 'unmade' && !readOnly) onMade?.(accountId);
      const opened = fileAt(this.#pathOf(accountId));
      this.#openBytes.set(accountId, opened?.size ?? 0);
      if (opened !== undefined && !readOnly) this.#prepared.set(accountId, opened);
      return file;
    } catch (error) {
      file.close();
      throw error;
    }
  }
}

/**
 * An account's file is missing or empty. It is never created again: an empty file would be mistaken for the library.
 */
export class MissingLibraryError extends AppError {
  constructor(accountId: string) {
    super(
      'unavailable',
      `The library of the account ${accountId} is missing: its file is gone from the data folder, or empty. Nothing was made in its place. ` +
        'Put the file back, or take over a backup with `commonplace account adopt <file>`. ' +
        `To begin again with an empty library: \`commonplace account start-empty ${accountId}\`.`,
    );
  }
}

function markRemoved(path: string, mark: 1 | null = 1): void {
  const file = SqliteFile.open({ path, schema: accountSchema, readOnly: false, extend: loadVectorFunctions });
  try {
    file.write(() => file.run('UPDATE libraries SET removed_at = ?', mark));
  } finally {
    file.close();
  }
}

/**
 * Throws when the account is marked as removed. Removing an account first sets this mark, so that no other process
 * writes into a file that is about to be deleted.
 */
export function refuseRemovedAccount(file: SqliteFile): void {
  const state = file.get<{ removedAt: number | null }>('SELECT removed_at AS removedAt FROM libraries');
  if (state?.removedAt !== null) throw notFound('This account was removed.');
}
