import { mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { localAccountId } from '../../domain/records/account.ts';
import type { Clock } from '../../domain/clock.ts';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Store, Stores } from '../store.ts';
import { AccountFiles, isAccountId } from './files/account-files.ts';
import { createSqliteStore } from './account-store.ts';
import { ensureFirstAccount, SqliteControl } from './control/control.ts';
import { whenFree } from './files/busy.ts';
import { checkLibrary, LibraryFolder } from './files/library-folder.ts';
import type { Synchronous } from './files/open-database.ts';
import { createSearchReads } from './index/searching/reads.ts';
import { searches, type SearchThreadSettings } from './index/searching/search-threads.ts';
import { AccountThreads } from './threads/account-threads.ts';
import { defaultSizes, type LargeWriteSizes, writes as writing } from './writing/write-threads.ts';
import { controlMigrations } from './migrations/control.ts';
import { SqliteFile } from './files/sqlite-file.ts';
import { WatchedFile } from './files/watched-file.ts';
import { checkWritable, DiskTrouble } from './files/writable.ts';
import { WriteQueue, WriteQueues } from './files/write-queue.ts';
import type { RowLimits } from './index/vector-cache/fill-rows.ts';
import { VectorMemories } from './index/vector-cache/vector-memories.ts';

export interface SqliteStoresOptions {
  /** The data folder; created when it is missing, for its owner only. */
  folder: string;
  clock: Clock;
  log?: Log;
  /** Creates, migrates and writes nothing; opening fails when there is no data folder yet. */
  readOnly?: boolean;
  /** The file that is about to be taken over: for its sake a missing `control.db` is made anew. */
  adopting?: string | undefined;
  /** Absent: `normal`. */
  synchronous?: Synchronous | undefined;
  /** Searches, and writes of large items, run in threads of their own, which are started when they are needed. Absent: in the thread that asks. */
  searchThreads?: Partial<SearchThreadSettings> | undefined;
  /** From what size on a write is a large one. */
  largeSizes?: Partial<LargeWriteSizes> | undefined;
  /** How much memory vectors may take that are kept there to be searched, and from how many on they are. */
  vectors?: Partial<RowLimits> | undefined;
}

/** A million vectors of 384 dimensions take 400 MB. */
const defaultLimits: RowLimits = { maxBytes: 512 * 1024 * 1024, few: 500 };

/**
 * Opens a data folder: `control.db`, and one file per account under `accounts/`.
 * @throws {AppError} `newer_data` when a newer program has migrated it, `unavailable` when it cannot be used.
 */
export async function openSqliteStores(options: SqliteStoresOptions): Promise<Stores> {
  const { folder, clock, log, readOnly = false, adopting, synchronous } = options;
  const memories = new VectorMemories({ ...defaultLimits, ...options.vectors });
  const reads = createSearchReads();
  const largeSizes = { ...defaultSizes, ...options.largeSizes };
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
      migrations: controlMigrations,
      readOnly,
      synchronous,
      missing: isOpening ? undefined : missingFolder,
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
  const threadData = { accountsFolder, synchronous };
  const threads =
    options.searchThreads === undefined
      ? null
      : new AccountThreads(threadData, searches, options.searchThreads, log, (id) => memories.threadEnded(id));
  const writeThreads =
    options.searchThreads === undefined || readOnly ? null : new AccountThreads(threadData, writing, {}, log);
  const release = async (accountId: string, reason?: AppError): Promise<void> => {
    await Promise.all([threads?.release(accountId, reason), writeThreads?.release(accountId, reason)]);
  };
  const trouble = new DiskTrouble();
  const controlWrites = new WriteQueue(useControl, (error) => trouble.note('', error));
  const control = new SqliteControl(useControl, controlWrites, clock, (ids) => {
    files.closeOthers(ids);
    void threads?.releaseOthers(ids);
    void writeThreads?.releaseOthers(ids);
  });
  const files: AccountFiles = new AccountFiles({
    folder: accountsFolder,
    readOnly,
    synchronous,
    recordOf: (id) => control.fileRecord(id),
    onMade: (id) => control.noteFileMade(id),
    releaseElsewhere: (id) => release(id, filesChanged()),
  });
  if (!readOnly) {
    for (const id of await control.listRemoved()) await files.remove(id);
    // Those of folders from before this was written down, and those that a crash has left between the two.
    for (const id of await control.listUnmade()) if (files.isMade(id)) control.noteFileMade(id);
  }
  const writes = new WriteQueues(
    (accountId) => files.use(accountId),
    (accountId, error) => trouble.note(accountId, error),
  );
  log?.debug({ readOnly }, 'data folder opened');
  return {
    control,
    async open(accountId: string, signal?: AbortSignal): Promise<Store> {
      const account = isAccountId(accountId) ? await control.getAccount(accountId) : null;
      if (account === null) {
        // Another process may have removed it: what it held is not kept open here.
        files.close(accountId);
        memories.forget(accountId);
        void release(accountId);
        throw new AppError('not_found', 'There is no such account.');
      }
      if (writeThreads !== null && files.hasLargeMigration(accountId, largeSizes.bytesToMigrate))
        await writeThreads.call(accountId, 'migrate', [{ now: clock.now(), uptime: clock.uptime() }]);
      const parts = { files, writes, control, clock, threads, writeThreads, largeSizes, memories, reads };
      return createSqliteStore(accountId, parts, signal);
    },
    async removeAccount(accountId: string): Promise<void> {
      if (accountId === localAccountId) {
        throw new AppError(
          'invalid_input',
          'The local account belongs to this data folder: assistants on this machine use it. To remove it, remove the folder.',
        );
      }
      if (!isAccountId(accountId)) throw new AppError('not_found', 'There is no such account.');
      await control.markRemoved(accountId);
      // Once it is closed here it is not opened again, so no further search begins.
      files.close(accountId);
      await release(accountId);
      memories.forget(accountId);
      await files.remove(accountId);
    },
    adoptLibrary: (path, account) => libraries.adopt(path, account, control),
    startEmpty: (accountId) => libraries.startEmpty(accountId, { control, files }),
    checkLibraries: () => libraries.check(control, (id) => files.use(id)),
    async checkWritable(): Promise<void> {
      await whenFree(useControl);
      await checkWritable([folder, accountsFolder], trouble);
    },
    async close(): Promise<void> {
      await Promise.all([writes.drained(), controlWrites.drained()]);
      await Promise.all([threads?.close(), writeThreads?.close()]);
      memories.clear();
      files.closeAll();
      controlFile.close();
    },
  };
}

/** For a folder that was there when it was opened. */
function missingFolder(): AppError {
  return new AppError(
    'unavailable',
    'The data folder is missing: its control.db is no longer where it was when Commonplace started. Nothing is saved until the folder is back in its place.',
  );
}

/** For what runs in other threads while files of their account are let go of. */
function filesChanged(): AppError {
  return new AppError('unavailable', 'Files of this library were moved or replaced while they were used. Try again.');
}

function createFolder(path: string): void {
  try {
    createWithAncestors(resolve(path));
  } catch (error) {
    throw new AppError(
      'unavailable',
      'The data folder cannot be created. Check the permissions of the folder above it, or choose another with --data.',
      { cause: error },
    );
  }
}

/** Not with `recursive`: where a folder exists that refuses new ones as if it did not, as in /proc, Node tries without end. */
function createWithAncestors(path: string): void {
  const isFolder = () => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder()) return;
  const above = dirname(path);
  if (above !== path) createWithAncestors(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts at the same time was faster.
    if (!isFolder()) throw error;
  }
}
