import type { LibraryJobRecord } from '../domain/records/transfers/library-job.ts';

/**
 * Imports and exports of accounts: for each a folder with its record and its files. They are no part of an account's library:
 * backups leave them out.
 */
export interface LibraryJobFolders {
  /** Newest first. */
  list(accountId: string): Promise<LibraryJobRecord[]>;
  read(accountId: string, id: string): Promise<LibraryJobRecord | null>;
  /** Makes the folder of a job. */
  create(accountId: string, id: string): Promise<void>;
  /** Writes the record at once or not at all. Does nothing when the folder was removed. */
  write(accountId: string, record: LibraryJobRecord): Promise<void>;
  /** The path of a file of the job. */
  pathOf(accountId: string, id: string, name: string): string;
  /** Removes the job with its files. */
  remove(accountId: string, id: string): Promise<void>;
  /** Removes folders without a record that are older than `before`: what a killed process left. */
  removeAbandoned(accountId: string, before: number): Promise<void>;
  /** Accounts that have jobs. */
  accounts(): Promise<string[]>;
}
