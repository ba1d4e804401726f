import Database from 'better-sqlite3';
import { closeSync, openSync, statSync } from 'node:fs';
import { AppError, codeOf, unavailable } from '../../../errors.ts';
import { explained, FileChangedError, folderNotWritable, lockTimeoutMs, whileBusy } from './sqlite-errors.ts';
import { schemaVersion } from './migrate.ts';
import { registerRowSum } from './row-sums.ts';

/**
 * When a commit reaches the disk: `full`: before it is acknowledged; `normal`: some time later, but never out of order.
 */
export type Synchronous = 'normal' | 'full';

export interface OpenDatabase {
  path: string;
  readOnly: boolean;
  /** Makes the error for a missing or empty file. Absent: the file is created, unless it is opened read-only. */
  missing?: (() => AppError) | undefined;
  /** Absent: `normal`. */
  synchronous?: Synchronous | undefined;
  extend?: (db: Database.Database) => void;
}

/** Opens a database file with the settings that all files of the data folder share. */
export function openDatabase({ path, readOnly, missing, synchronous, extend }: OpenDatabase): Database.Database {
  const before = lookAt(path);
  if (before === undefined || before.size === 0) {
    if (missing !== undefined) throw missing();
    if (!readOnly) createPrivately(path);
    else if (before === undefined) throw unavailable('Nothing has been saved in this data folder yet.');
  }
  return evenOnFullDisk((isAlone) => {
    const db = connect(path, { readOnly, isAlone, timeoutMs: lockTimeoutMs });
    try {
      configure(db, readOnly, synchronous ?? 'normal');
      if (readOnly) whileBusy(() => db.pragma('schema_version'));
      extend?.(db);
      // The file at the path was replaced while it was being opened.
      if (before !== undefined && lookAt(path)?.ino !== before.ino) throw new FileChangedError();
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/**
 * Opens a database. Processes share the index of its write-ahead log in a file, for which a full disk has no room. Then
 * the database is opened for this connection alone, which keeps that index in memory, and locks all others out while it
 * is open.
 */
function evenOnFullDisk(open: (isAlone: boolean) => Database.Database): Database.Database {
  try {
    return open(false);
  } catch (error) {
    const reason = error instanceof AppError ? error.cause : error;
    if (!(reason instanceof Database.SqliteError) || !reason.code.startsWith('SQLITE_IOERR_SHM')) throw error;
    return open(true);
  }
}

function connect(
  path: string,
  { readOnly, isAlone, timeoutMs }: { readOnly: boolean; isAlone: boolean; timeoutMs: number },
): Database.Database {
  // A file that is opened for reading only cannot be locked. Those who ask for that write nothing.
  const db = new Database(path, { readonly: readOnly && !isAlone, fileMustExist: true, timeout: timeoutMs });
  registerRowSum(db);
  if (isAlone) db.pragma('locking_mode = EXCLUSIVE');
  return db;
}

/** Whether the file is locked exclusively while this connection is open. */
export function isOpenAlone(db: Database.Database): boolean {
  return db.pragma('locking_mode', { simple: true }) === 'exclusive';
}

/** Opens an existing file as it is, for reading. */
export function openForReading(path: string, timeoutMs: number = lockTimeoutMs): Database.Database {
  return evenOnFullDisk((isAlone) => {
    const db = connect(path, { readOnly: true, isAlone, timeoutMs });
    try {
      db.pragma('schema_version');
      return db;
    } catch (error) {
      // Whoever reads from the file reports what is wrong with it.
      if (!(error instanceof Database.SqliteError) || error.code.startsWith('SQLITE_IOERR_SHM')) {
        db.close();
        throw error;
      }
      return db;
    }
  });
}

/** The number of the last migration applied to a file. Opens the file read-only and closes it again. */
export function readSchemaVersion(path: string): number {
  const db = openForReading(path);
  try {
    return schemaVersion(db);
  } catch (error) {
    throw explained(error);
  } finally {
    db.close();
  }
}

function lookAt(path: string): { size: number; ino: number } | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return found;
  // Opening a named pipe would block until somebody writes to it.
  throw unavailable(
    'Something in the data folder has the name of a database file and is not a file. Remove it, or restore a backup.',
  );
}

function configure(db: Database.Database, readOnly: boolean, synchronous: Synchronous): void {
  db.pragma('foreign_keys = ON');
  db.pragma('cache_size = -8000');
  // With a memory map, a truncated file or an unreadable page would crash the process instead of failing the query.
  db.pragma('mmap_size = 0');
  db.pragma('temp_store = MEMORY');
  if (readOnly) return;
  db.pragma('page_size = 8192');
  whileBusy(() => db.pragma('journal_mode = WAL'));
  db.pragma(`synchronous = ${synchronous}`);
  db.pragma('journal_size_limit = 16777216');
  db.pragma('wal_autocheckpoint = 4000');
}

/**
 * Creates an empty file that only its owner can read. SQLite gives its journal files the same permissions.
 * An existing file is not opened: closing it again would drop the locks that this process holds on it.
 */
export function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'ax', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      throw folderNotWritable(error);
    }
  }
}
