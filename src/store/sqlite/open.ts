import { mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Account, localAccountId } from '../../domain/records/account.ts';
import { accountIdOf, heldToOf, isAccountId } from '../../domain/access/account-names.ts';
import { accountOf, type Writer } from '../../domain/records/change.ts';
import type { Clock } from '../../domain/clock.ts';
import type { AppError } from '../../errors.ts';
import { noSuchAccount, invalidInput, unavailable } from '../../errors.ts';
import type { Log } from '../../workers/log.ts';
import { createHeldStore } from '../held-store.ts';
import type { IndexMethods } from '../index-reader.ts';
import type { Store, Stores } from '../store.ts';
import { AccountFiles } from './files/account-files.ts';
import { createSqliteStore } from './account-store.ts';
import { createSqliteControl, ensureFirstAccount } from './control/control.ts';
import { whenFree } from './files/sqlite-errors.ts';
import { usualHistory } from '../history/recording.ts';
import type { HistoryLimits } from '../history.ts';
import { foldersPutAside, removeFiles, removeForGood } from './files/removed-accounts.ts';
import { copyBeforeMigration, removeOldCopies } from './files/copies-before-migration.ts';
import { checkLibrary, LibraryFolder } from './files/library-folder.ts';
import type { Synchronous } from './files/open-database.ts';
import type { RowLimits } from './index/index.ts';
import { Libraries } from './library/libraries.ts';
import type { LibraryThreadSettings } from './threads/account-threads.ts';
import { controlSchema } from './schema.ts';
import { SqliteFile } from './files/sqlite-file.ts';
import { WatchedFile } from './files/watched-file.ts';
import { checkWritable, DiskTrouble } from './files/writable.ts';
import { FileWrites } from './files/write-queue.ts';

export interface SqliteStoresOptions {
  /** Run beside the indexes of libraries in the calling thread. */
  indexMethods: IndexMethods;
  /** The data folder. When it is missing, it is created with access for its owner only. */
  folder: string;
  clock: Clock;
  log?: Log;
  /** Creates, migrates and writes nothing; opening fails when there is no data folder yet. */
  readOnly?: boolean;
  /**
   * The library file that is about to be adopted. With it, a missing `control.db` is created even beside account files.
   */
  adopting?: string | undefined;
  /** Absent: `normal`. */
  synchronous?: Synchronous | undefined;
  /** Libraries are in these threads, which are started on demand. Absent, or when `readOnly`: they are in the calling thread. */
  libraryThreads?: LibraryThreadSettings | undefined;
  /** Absent: the usual limits. Null: no history is kept, and nothing can be undone. */
  history?: HistoryLimits | null | undefined;
  /** Limits of the in-memory vector cache: its size in bytes, and the number of vectors from which it is used. */
  vectors?: Partial<RowLimits> | undefined;
}

const maxPlain = 64;

/**
 * Opens a data folder: `control.db`, and one file per account under `accounts/`.
 * @throws {AppError} `newer_data` when a newer program has migrated it, `unavailable` when it cannot be used.
 */
export async function openSqliteStores(options: SqliteStoresOptions): Promise<Stores> {
  const { folder, clock, log, readOnly = false, adopting, synchronous } = options;
  const accountsFolder = join(folder, 'accounts');
  const controlPath = join(folder, 'control.db');
  if (adopting !== undefined) checkLibrary(adopting);
  if (!readOnly) createFolder(accountsFolder);
  const libraries = new LibraryFolder(accountsFolder);
  if (adopting === undefined) libraries.refuseWithoutControl(controlPath);
  let isOpening = true;
  const controlFile = new WatchedFile(controlPath, () =>
    SqliteFile.open({
      path: controlPath,
      schema: controlSchema,
      readOnly,
      synchronous,
      missing: isOpening ? undefined : missingFolder,
      beforeMigration: (db, version) => copyBeforeMigration(db, version, folder),
      // Nothing of a removed account stays in freed parts of pages.
      extend: (db) => void db.pragma('secure_delete = ON'),
    }),
  );
  const useControl = () => controlFile.use();
  try {
    useControl();
    isOpening = false;
    if (!readOnly) {
      await ensureFirstAccount(useControl, clock.now(), () => {
        if (adopting === undefined) libraries.refuseAny();
      });
    }
  } catch (error) {
    controlFile.close();
    throw error;
  }
  const trouble = new DiskTrouble();
  const controlWrites = new FileWrites(useControl, (error) => trouble.note('', error));
  const control = createSqliteControl(useControl, controlWrites, clock, (ids) => opened.closeOthers(ids));
  const files: AccountFiles = new AccountFiles({
    folder: accountsFolder,
    readOnly,
    synchronous,
    recordOf: (id) => control.fileRecord(id),
    onMade: (id) => control.noteFileMade(id),
    releaseElsewhere: (id) => opened.release(id, filesChanged()),
  });
  const opened: Libraries = new Libraries({
    folder: accountsFolder,
    files,
    clock,
    log,
    synchronous,
    indexMethods: options.indexMethods,
    threads: readOnly ? undefined : options.libraryThreads,
    history: options.history === undefined ? usualHistory : options.history,
    vectors: options.vectors,
    onOutcome: (accountId, error) => trouble.note(accountId, error),
  });
  if (!readOnly) {
    removeOldCopies(folder, clock.now());
    await removeForGood({ dataFolder: folder, control, files, log });
    // A file can exist without being recorded: after a crash between the two steps.
    for (const id of await control.listUnmade()) if (files.isMade(id)) control.noteFileMade(id);
  }
  /** A removed account's file is not opened again, so no new search can start. */
  const closeAccount = async (accountId: string): Promise<void> => {
    opened.close(accountId);
    await opened.release(accountId);
  };
  /** Stores without a change and a signal: making one takes longer than a small read. */
  const plain = new Map<string, Store>();
  log?.debug({ readOnly }, 'data folder opened');
  return {
    control,
    async open(writer: Writer, signal?: AbortSignal): Promise<Store> {
      const name = accountOf(writer);
      const accountId = accountIdOf(name);
      if (!isAccountId(accountId) || (await whenFree(() => control.fileRecord(accountId))) === null) {
        // Another process may have removed the account: close its file and free its memory here too.
        void closeAccount(accountId);
        throw noSuchAccount();
      }
      await opened.migrate(accountId);
      const change = typeof writer === 'string' ? undefined : writer.change;
      const isPlain = change === undefined && signal === undefined;
      const store =
        (isPlain ? plain.get(accountId) : undefined) ??
        createSqliteStore(accountId, opened, control, { change, signal });
      if (plain.size >= maxPlain) plain.clear();
      if (isPlain) plain.set(accountId, store);
      const held = heldToOf(name);
      return held === null ? store : createHeldStore(store, held, name);
    },
    async removeAccount(accountId: string): Promise<void> {
      requireRemovable(accountId);
      await control.markRemoved(accountId);
      await closeAccount(accountId);
      await removeFiles(accountId, folder, files);
      await removeForGood({ dataFolder: folder, control, files, log });
    },
    async setAsideAccount(accountId: string): Promise<void> {
      requireRemovable(accountId);
      await control.setAside(accountId);
      await closeAccount(accountId);
      await files.setAside(accountId, true);
    },
    async bringBackAccount(accountId: string): Promise<Account | null> {
      if (!isAccountId(accountId) || !(await control.isSetAside(accountId))) return null;
      await files.setAside(accountId, false);
      return control.bringBack(accountId);
    },
    listSetAside: () => control.listSetAside(),
    removeExpiredAccounts: () => removeForGood({ dataFolder: folder, control, files, log }),
    copiesPutAside: () => foldersPutAside(folder),
    adoptLibrary: (path, account) => libraries.adopt(path, account, control),
    startEmpty: (accountId) => libraries.startEmpty(accountId, { control, files }),
    checkLibraries: () => libraries.check(control, (id) => files.use(id)),
    async checkWritable(): Promise<void> {
      await whenFree(useControl);
      await checkWritable([folder, accountsFolder], trouble);
    },
    async close(): Promise<void> {
      await controlWrites.drained();
      await opened.end();
      controlFile.close();
    },
  };
}

function requireRemovable(accountId: string): void {
  if (accountId === localAccountId)
    throw invalidInput(
      'The local account belongs to this data folder: assistants on this machine use it. To remove it, remove the folder.',
    );
  if (!isAccountId(accountId)) throw noSuchAccount();
}

/** The error for a folder that was there when it was opened and is missing now. */
function missingFolder(): AppError {
  return unavailable(
    'The data folder is missing: its control.db is no longer where it was when Commonplace started. Nothing is saved until the folder is back in its place.',
  );
}

/** The error for calls in worker threads that are interrupted because their account's file was moved or replaced. */
function filesChanged(): AppError {
  return unavailable('Files of this library were moved or replaced while they were used. Try again.');
}

function createFolder(path: string): void {
  try {
    createWithAncestors(resolve(path));
  } catch (error) {
    throw unavailable(
      'The data folder cannot be created. Check the permissions of the folder above it, or choose another with --data.',
      { cause: error },
    );
  }
}

/**
 * Does not use `recursive`: in a folder that exists but reports that it does not when a folder is created in it, as in
 * /proc, Node retries forever.
 */
function createWithAncestors(path: string): void {
  const isFolder = () => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder()) return;
  const above = dirname(path);
  if (above !== path) createWithAncestors(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that started at the same time may have created the folder.
    if (!isFolder()) throw error;
  }
}
