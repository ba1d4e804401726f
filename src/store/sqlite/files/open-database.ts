import { closeSync, openSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { AppError } from '../../../errors.ts';
import { lockTimeoutMs, whileBusy } from './busy.ts';
import { schemaVersion } from './migrate.ts';
import { explained, FileChangedError, folderNotWritable } from './sqlite-errors.ts';

/** When a commit is on the disk: `full`, before it is acknowledged; `normal`, some time later, but never out of order. */
export type Synchronous = 'normal' | 'full';

export interface OpenDatabase {
  path: string;
  readOnly: boolean;
  /** What to say when the file is missing or empty. Absent: it is made, unless it is opened for reading only. */
  missing?: (() => AppError) | undefined;
  /** Absent: `normal`. */
  synchronous?: Synchronous | undefined;
  /** Loads extensions. */
  extend?: (db: Database.Database) => void;
}

/** Opens a database file as all of ours are opened. */
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
    // Else what was opened is not what stands at the path.
    if (before !== undefined && lookAt(path)?.ino !== before.ino) throw new FileChangedError();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The number of the last migration that a file went through, without opening it for anything else. */
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
  // To open a pipe would wait for whoever writes to it.
  throw new AppError(
    'unavailable',
    'Something in the data folder has the name of a database file and is not a file. Remove it, or put back a backup.',
  );
}

function configure(db: Database.Database, readOnly: boolean, synchronous: Synchronous): void {
  db.pragma('foreign_keys = ON');
  db.pragma('cache_size = -8000');
  // A mapped file that is cut, or a page of it that the disk cannot read, would end the process instead of the query.
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
 * Makes an empty file that only its owner can read; the engine gives its journal files the same permissions.
 * A file that exists is not even opened: closing it again would drop the locks that this process holds on it.
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
