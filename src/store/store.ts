import type { Account, Plan } from '../domain/records/account.ts';
import type { Writer } from '../domain/records/change.ts';
import type { Control } from './control.ts';
import type { Analyses } from './analyses.ts';
import type { Highlights } from './highlights.ts';
import type { History } from './history.ts';
import type { Items, Lists, Documents } from './items.ts';
import type { RequestsAnswered } from './records/requests-answered.ts';
import type { SearchIndex } from './search-index.ts';
import type { Sources } from './sources.ts';
import type { Transfer } from './transfer.ts';
import type { WorkQueue } from './work-queue.ts';

/** Everything that belongs to one account, split into roles. Depend on the narrowest role that is enough. */
export interface Store
  extends
    Analyses,
    Documents,
    Highlights,
    History,
    Items,
    Lists,
    RequestsAnswered,
    SearchIndex,
    Sources,
    Transfer,
    WorkQueue {
  readonly accountId: string;

  close(): Promise<void>;
}

/** Another worker owns the job now: stop quietly and keep nothing. */
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
   * @param writer with a change: what the store writes is recorded as part of it, each write together with its history
   * @param signal Aborting it rejects the store's reads for a search with the signal's reason and ends their work.
   * `unavailable` can also mean that a read took too long or broke: ask again.
   * @throws {AppError} `not_found` when there is no such account.
   */
  open(writer: Writer, signal?: AbortSignal): Promise<Store>;
  /**
   * Removes an account for good, even while other processes use it: first sets a mark that refuses every further write
   * and every token, then deletes the records. What a crash leaves undone is finished when the folder is opened next.
   */
  removeAccount(accountId: string): Promise<void>;
  /**
   * Hides an account and all that it saved, and keeps it for 30 days that processes saw pass; then it is removed for
   * good. @throws {AppError} like `removeAccount`
   */
  setAsideAccount(accountId: string): Promise<void>;
  /** Null when no account with this id can be brought back. */
  bringBackAccount(accountId: string): Promise<Account | null>;
  listSetAside(): Promise<(Account & { removedAt: string })[]>;
  /** Removes accounts for good that were kept long enough. */
  removeExpiredAccounts(): Promise<void>;
  /** Paths of whole copies of the data folder that are in it. */
  copiesPutAside(): string[];
  /**
   * Makes a library (an account's file, from this folder or a backup) the library of an account. It keeps its id when
   * that is free, or when the account with that id has lost its library.
   * @throws {AppError} `invalid_input` when the file is not a library
   */
  adoptLibrary(path: string, account: { name: string; plan: Plan }): Promise<Account>;
  /**
   * Lets an account whose library is missing start with an empty one. @throws {AppError} `invalid_input` when the
   * library exists
   */
  startEmpty(accountId: string): Promise<void>;
  /** Opens every account's library. */
  checkLibraries(): Promise<LibraryProblems>;
  /** Whether data saved now would last. @throws {AppError} `unavailable`, with the reason, when it would not */
  checkWritable(): Promise<void>;
  close(): Promise<void>;
}

/** Differences between the libraries in the folder and the known accounts. */
export interface LibraryProblems {
  /** Accounts whose library is missing or unusable for another reason; `message` says why. */
  unusable: { accountId: string; message: string }[];
  /** Names of files that may be libraries and belong to no account. */
  unknown: string[];
}
