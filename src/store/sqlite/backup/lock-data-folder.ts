import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { AppError } from '../../../errors.ts';

/**
 * Makes sure that no other process has the data folder open, and that none opens it until the returned function is
 * called.
 * @throws {AppError} `unavailable` when a process has it open
 */
export function lockDataFolder(controlPath: string): () => void {
  if (!existsSync(controlPath)) return () => {};
  const db = new Database(controlPath, { fileMustExist: true, timeout: 1_000 });
  try {
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE; COMMIT');
    // The log goes into the file, which is put aside without it.
    db.pragma('wal_checkpoint(TRUNCATE)');
    return () => db.close();
  } catch (error) {
    db.close();
    if (error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code))
      throw new AppError(
        'unavailable',
        'A process uses this data folder: a server, or an assistant. Stop it, then restore again.',
        { cause: error },
      );
    // A damaged control.db cannot be locked. It may be the reason for restoring.
    if (error instanceof Database.SqliteError) return () => {};
    throw error;
  }
}
