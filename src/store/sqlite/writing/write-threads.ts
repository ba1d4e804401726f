import { startWorkerOf } from '../threads/account-thread.ts';
import { workerFile } from '../../../workers/start.ts';
import type { ThreadUse } from '../threads/account-threads.ts';

/** The sizes from which a write runs in a worker thread. Smaller writes are faster than the message to a thread. */
export interface LargeWriteSizes {
  /** Passages that are indexed, or as many other rows of an item: tags, highlights, copies of it. */
  passages: number;
  /** Passages whose words are taken out of the index: that takes four times as long as to put them in. */
  reindexed: number;
  /** Entries of an import. */
  imported: number;
  /** Stored size of an original. */
  bytes: number;
  /** Length of a document's text. */
  characters: number;
  /** Size of an account's file that has to be migrated. */
  bytesToMigrate: number;
}

/** About 20 ms of processor time each. */
export const defaultSizes: LargeWriteSizes = {
  passages: 256,
  reindexed: 64,
  imported: 64,
  bytes: 512 * 1024,
  characters: 1_000_000,
  bytesToMigrate: 16 * 1024 * 1024,
};

/** Writes of large items. */
export const writes: ThreadUse = {
  // One thread for the writes of one account, another for the writes of all others.
  maxThreads: 2,
  // The job's worker renews its lease during the write. A write that takes longer means that the disk does not respond.
  deadlineMs: 10 * 60_000,
  startWorker: startWorkerOf(workerFile('./write-worker', import.meta.url)),
  noTurn: (seconds) => `So much is being written that this did not get its turn within ${seconds} seconds. Try again.`,
  tooLong: (seconds) => `Writing took longer than ${seconds} seconds and was given up. Check the disk, then try again.`,
  broken: 'A fault inside Commonplace ended this write. Try again.',
};
