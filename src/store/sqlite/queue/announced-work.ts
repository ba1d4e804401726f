import * as shared from '../../library/methods.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { type Asked, runSteps, sqliteDb } from '../library/sqlite-db.ts';

/*
 * `control.db` says which accounts have work waiting. The work itself is in the account's file. Two files cannot commit
 * together, so this race is possible: a process announces work; a worker reads the account's file, finds nothing and
 * clears the announcement; then the process writes the work, and no worker looks again. So announcements are numbered.
 * Before a worker clears one, it writes into the account's file up to which number it found nothing to do: it settles
 * those announcements. Work announced with a settled number is not written. It is announced again with a greater
 * number, which that worker does not clear. Settling and writing are both transactions on the account's file, so one
 * comes before the other, whichever processes run them and wherever one of them is killed.
 */

/** Up to this number, all announced work was found done. */
function settledGeneration(file: SqliteFile): number {
  return file.get<{ settled: number }>('SELECT settled_generation AS settled FROM libraries')?.settled ?? 0;
}

/** The result of a write whose announcement may have been settled before it. */
export type AnnouncedWrite<T> = { isWritten: true; result: T } | { isWritten: false; settled: number };

/** Writes the work announced as `generation`, or nothing when that is settled. Call inside a write transaction. */
export function writeAnnounced<T>(file: SqliteFile, generation: number, work: () => T): AnnouncedWrite<T> {
  const settled = settledGeneration(file);
  return settled < generation ? { isWritten: true, result: work() } : { isWritten: false, settled };
}

/** Whether work is left, as for both engines. */
export const hasWork = (file: SqliteFile, asked: Asked): boolean =>
  runSteps(file, shared.hasWork(sqliteDb(file, asked)));

/**
 * Settles the announcements up to `generation`. Call inside a write transaction. Returns false, and writes nothing,
 * when work is left.
 */
export function settleWork(file: SqliteFile, asked: Asked, generation: number): boolean {
  if (hasWork(file, asked)) return false;
  file.run('UPDATE libraries SET settled_generation = max(settled_generation, ?)', generation);
  return true;
}
