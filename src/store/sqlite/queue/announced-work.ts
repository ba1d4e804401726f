import type { ClockReading } from '../../../domain/clock.ts';
import { hasExpired, hasTimeToNote } from '../items/deletion.ts';
import { hasLinksDue } from '../analyses/goal-links.ts';
import { nextJobDueAt } from './jobs.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { hasWordsToMerge } from '../index/words/index-merge.ts';

/*
 * `control.db` says which accounts have work waiting; the work itself stands in the account's file. Two files never commit together, so
 * a worker could look into the file, find nothing, and take the hint away just after another process has announced work
 * and just before that process has written it: nobody would look again. So announcements are numbered, and a worker
 * first writes into the account's file up to which number it found nothing to do (it settles them). Work that was announced with a
 * settled number is not written: it is announced again, with a greater number, which the worker does not take away. Both are
 * transactions on the account's file, so one comes before the other, in whichever processes they run and wherever one of them is killed.
 */

/** Announcements up to this number were found done. */
function settledGeneration(file: SqliteFile): number {
  return file.get<{ settled: number }>('SELECT settled_generation AS settled FROM file_state')?.settled ?? 0;
}

/** What came of a write whose announcement may have been settled meanwhile. */
export type AnnouncedWrite<T> = { isWritten: true; result: T } | { isWritten: false; settled: number };

/** Writes work that was announced as `generation`, inside a write transaction; nothing when that is settled. */
export function writeAnnounced<T>(file: SqliteFile, generation: number, work: () => T): AnnouncedWrite<T> {
  const settled = settledGeneration(file);
  return settled < generation ? { isWritten: true, result: work() } : { isWritten: false, settled };
}

/** Whether something is left to do: a job, at whatever time, or a chore. */
export function hasWork(file: SqliteFile, now: number, clock: ClockReading): boolean {
  return nextJobDueAt(file) !== null || hasChores(file, clock) || hasWordsToMerge(file, now);
}

/** Whether there is work that belongs to no item's job. The index of words is asked for apart. */
export function hasChores(file: SqliteFile, clock: ClockReading): boolean {
  return hasExpired(file, clock) || hasLinksDue(file) || hasTimeToNote(file, clock);
}

/** Settles the announcements up to `generation`, inside a write transaction. False, and nothing written, when something is left to do. */
export function settleWork(file: SqliteFile, generation: number, now: number, clock: ClockReading): boolean {
  if (hasWork(file, now, clock)) return false;
  file.run('UPDATE file_state SET settled_generation = max(settled_generation, ?)', generation);
  return true;
}
