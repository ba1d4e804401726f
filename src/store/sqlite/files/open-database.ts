import { closeSync, openSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { AppError } from '../../../errors.ts';
import { lockTimeoutMs, whileBusy } from './busy.ts';
import { schemaVersion } from './migrate.ts';
import { explained, FileChangedError, folderNotWritable } from './sqlite-errors.ts';

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
  /** Loads extensions. */
  extend?: (db: Database.Database) => void;
}

/** Opens a database file with the settings that all files of the data folder share. */
export function openDatabase({ path, readOnly, missing, synchronous, extend }: OpenDatabase): Database.Database {
  const before = lookAt(path);
  if (before === undefined || before.size === 0) {
    if (missing !== undefined) throw missing();
    if (!readOnly) createPrivately(path);
    else if (before === undefined) throw new AppError('unavailable', 'Nothing has been saved in this data folder yet.');
  }
  const db = new Database(path, { readonly: readOnly, fileMustExist: true, timeout: lockTimeoutMs });
  try {
    configure(db, readOnly, synchronous ?? 'normal');
    extend?.(db);
    // The file at the path was replaced while it was being opened.
    if (before !== undefined && lookAt(path)?.ino !== before.ino) throw new FileChangedError();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The number of the last migration applied to a file. Opens the file read-only and closes it again. */
export function readSchemaVersion(path: string): number {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: lockTimeoutMs });
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
  throw new AppError(
    'unavailable',
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
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
      throw folderNotWritable(error);
    }
  }
}
