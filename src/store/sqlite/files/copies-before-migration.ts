import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import { createPrivately } from './open-database.ts';

/*
 * Before a file is migrated, it is copied into `backups/before-update` of the data folder, as `<name>-v<version>.db`. A
 * copy stays for a week: an older version of the program, or `account adopt`, can use it.
 */

const keptForMs = 7 * 24 * 60 * 60_000;

function copiesFolder(dataFolder: string): string {
  return join(dataFolder, 'backups', 'before-update');
}

/** Copies an open database that is about to be migrated. */
export function copyBeforeMigration(db: Database.Database, version: number, dataFolder: string): void {
  const folder = copiesFolder(dataFolder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${basename(db.name, '.db')}-v${version}.db`);
  // Two processes or threads may open the file at the same time.
  const part = `${path}.${process.pid}-${threadId}.part`;
  rmSync(part, { force: true });
  try {
    createPrivately(part);
    db.prepare('VACUUM INTO ?').run(part);
    renameSync(part, path);
  } finally {
    rmSync(part, { force: true });
  }
}

/** Removes copies that are older than a week. */
export function removeOldCopies(dataFolder: string, now: number): void {
  removeCopies(dataFolder, (path) => now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > keptForMs);
}

/** Removes the copies of a purged account. */
export function removeCopiesOf(dataFolder: string, accountId: string): void {
  removeCopies(dataFolder, (path) => basename(path).startsWith(`${accountId}-v`));
}

function removeCopies(dataFolder: string, shouldRemove: (path: string) => boolean): void {
  const folder = copiesFolder(dataFolder);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (shouldRemove(path)) rmSync(path, { force: true });
  }
}
