import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../../../errors.ts';
import { createPrivately } from '../files/open-database.ts';
import { explained, folderNotWritable } from '../files/sqlite-errors.ts';

export interface OwnFolder {
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
export function takeOwnFolder(folder: string): OwnFolder {
  for (let number = 1; number <= maxProcesses; number += 1) {
    const path = number === 1 ? folder : join(folder, String(number));
    const release = tryToTake(path);
    if (release === null) continue;
    removeLeftovers(path);
    return { path, release };
  }
  throw new AppError('unavailable', `More than ${maxProcesses} processes search on this data folder.`);
}

/** The lock is that of a database in which nothing ever is: the system lets it go when a process is killed. */
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

/** What a process that was killed was making. */
function removeLeftovers(path: string): void {
  for (const name of readdirSync(path))
    if (name.endsWith('.part') || name.startsWith('new-')) rmSync(join(path, name), { recursive: true, force: true });
}
