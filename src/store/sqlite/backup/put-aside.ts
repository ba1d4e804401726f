import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { logIndexOf, logOf } from '../files/file-state.ts';

/**
 * Keeps a file that is about to be replaced under a second name, so that replacing it loses nothing. Returns false when
 * there is no such file.
 */
export function putAside(path: string, to: string): boolean {
  if (!existsSync(path)) return false;
  makePrivateFolders(dirname(to));
  if (basename(path).endsWith('.db')) emptyLog(path);
  try {
    linkSync(path, to);
  } catch {
    // Some file systems know no second names.
    copyFileSync(path, to);
  }
  // A log that could not be emptied belongs to the file that is put aside, and must not be applied to the next one.
  for (const logPath of [logOf(path), logIndexOf(path)]) {
    const size = statSync(logPath, { throwIfNoEntry: false })?.size;
    if (size === undefined) continue;
    if (size === 0 || logPath === logIndexOf(path)) rmSync(logPath);
    else renameSync(logPath, join(dirname(to), basename(logPath)));
  }
  return true;
}

/** Brings the log of a database into its file. A damaged database keeps its log beside it. */
function emptyLog(path: string): void {
  try {
    const db = new Database(path, { fileMustExist: true, timeout: 1_000 });
    try {
      db.pragma('wal_checkpoint(TRUNCATE)');
    } finally {
      db.close();
    }
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
  }
}

/** A path that is not taken yet: the name, or the name with a number behind it. */
export function freshFolder(above: string, name: string): string {
  for (let number = 1; ; number += 1) {
    const path = join(above, number === 1 ? name : `${name}-${number}`);
    if (!existsSync(path)) return path;
  }
}

/** Makes a folder that only this user can read, with all folders above it that are missing. */
export function makePrivateFolders(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}
