import type { Account, Plan } from '../domain/records/account.ts';
import type { Control } from './control.ts';
import type { Analyses } from './analyses.ts';
import type { Documents } from './documents.ts';
import type { Items } from './items.ts';
import type { SearchIndex } from './search-index.ts';
import type { WorkQueue } from './work-queue.ts';

/** All that is one account's, in its roles. Take the narrowest role that does. */
export interface Store extends Analyses, Documents, Items, SearchIndex, WorkQueue {
  readonly accountId: string;

  close(): Promise<void>;
}

/** Another worker owns the job now: stop quietly, keep nothing. */
export class LeaseLostError extends Error {
  constructor() {
    super('the lease of this job has passed to another worker');
    this.name = 'LeaseLostError';
  }
}

/** A data folder. Two processes may have the same one open. */
export interface Stores {
  readonly control: Control;
  /**
   * @param signal aborting it rejects what the store reads for a search with the signal's reason, and frees whoever reads
   * it: an engine may do that elsewhere. Then `unavailable` can also mean that it took too long or broke: ask again.
   * @throws {AppError} `not_found` when there is no such account.
   */
  open(accountId: string, signal?: AbortSignal): Promise<Store>;
  /**
   * Removes an account for good, while other processes may be using it: first a mark that refuses every further write
   * and every token, then the records. What a crash leaves undone is finished when the folder is opened next.
   */
  removeAccount(accountId: string): Promise<void>;
  /**
   * Makes a library (an account's file, from this folder or a backup) an account's. It keeps its id when that is free, or when that account's library is missing.
   * @throws {AppError} `invalid_input` when the file is no library
   */
  adoptLibrary(path: string, account: { name: string; plan: Plan }): Promise<Account>;
  /** Lets an account whose library is missing begin again with an empty one. @throws {AppError} `invalid_input` when it is there */
  startEmpty(accountId: string): Promise<void>;
  /** Opens every account's library. */
  checkLibraries(): Promise<LibraryProblems>;
  /** Whether what is saved now would last. @throws {AppError} `unavailable`, saying why not */
  checkWritable(): Promise<void>;
  close(): Promise<void>;
}

/** How what is there differs from the accounts that are known. */
export interface LibraryProblems {
  /** Accounts whose library is missing, or cannot be used for another reason, in words. */
  unusable: { accountId: string; message: string }[];
  /** Names of files that may be libraries and belong to no account. */
  unknown: string[];
}
