import { availableParallelism } from 'node:os';
import type { AccountThreadSettings, ThreadUse } from '../../threads/account-threads.ts';

/** The program starts the worker: what it runs beside the index is no part of this engine. */
export type SearchThreadSettings = AccountThreadSettings;

/** How the reads of searches use threads. */
export const searching: Omit<ThreadUse, 'startWorker'> = {
  maxThreads: maxSearchThreads(),
  deadlineMs: 30_000,
  noTurn: (seconds) =>
    `So much is being searched that this search did not get its turn within ${seconds} seconds. Ask again in a moment.`,
  tooLong: (seconds) =>
    `The search took longer than ${seconds} seconds and was given up. Ask again, with fewer words or with a filter.`,
  broken: 'A fault inside Commonplace ended this search. Ask again.',
};

/**
 * One core is for the main thread, which handles the protocols and has little to do for a search. On two cores, one
 * account may keep both busy, so there is a third thread for others.
 */
export function maxSearchThreads(cores = availableParallelism()): number {
  return cores === 1 ? 2 : Math.max(3, cores - 1);
}
