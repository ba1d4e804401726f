import { startWorkerOf } from '../threads/account-thread.ts';
import type { ThreadUse } from '../threads/account-threads.ts';

/** From what size on a write is done in a thread. Below, it takes less time than it takes to tell a thread. */
export interface LargeWriteSizes {
  passages: number;
  /** Of an original as it is stored. */
  bytes: number;
  /** Of a document's text. */
  characters: number;
  /** Of an account's file that is brought up to date. */
  bytesToMigrate: number;
}

/** About 20 ms of processor time each. */
export const defaultSizes: LargeWriteSizes = {
  passages: 256,
  bytes: 512 * 1024,
  characters: 1_000_000,
  bytesToMigrate: 16 * 1024 * 1024,
};

/** Writes of large items. */
export const writes: ThreadUse = {
  // One for the writes of an account, another for those of the others.
  most: 2,
  // A worker renews its lease meanwhile. Who waits longer has a disk that answers no more.
  deadlineMs: 10 * 60_000,
  startWorker: startWorkerOf(
    new URL(import.meta.url.endsWith('.ts') ? './write-worker.ts' : './write-worker.js', import.meta.url),
  ),
  noTurn: (seconds) => `So much is being written that this did not get its turn within ${seconds} seconds. Try again.`,
  tooLong: (seconds) => `Writing took longer than ${seconds} seconds and was given up. Check the disk, then try again.`,
  broken: 'A fault inside Commonplace ended this write. Try again.',
};
