import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { load as loadVectorFunctions } from 'sqlite-vec';
import { localAccountId } from '../../domain/local-account.ts';
import { idPattern } from '../../domain/ids.ts';
import { AppError } from '../../errors.ts';
import { whenFree } from './busy.ts';
import { refreshTitles } from './item-titles.ts';
import { accountMigrations } from './migrations/account.ts';
import { closedFolder } from './sqlite-errors.ts';
import { SqliteFile } from './sqlite-file.ts';

const mostFilesOfProcess = 64;
const accountIdPattern = idPattern('u');

/** Whether an account id may become a file name. */
export function isAccountId(id: string): boolean {
  return id === localAccountId || accountIdPattern.test(id);
}

/** The open files of accounts. The one that was used least recently is closed when there are too many. */
export class AccountFiles {
  readonly #folder: string;
  readonly #readOnly: boolean;
  readonly #exists: (accountId: string) => boolean;
  readonly #most: number;
  readonly #beforeStatement: (() => void) | undefined;
  readonly #open = new Map<string, SqliteFile>();
  #closed = false;

  /**
   * @param exists whether there is such an account: without it a file that was removed would be made anew
   * @param beforeStatement runs before every statement of any file; throwing gives up what asks for it
   */
  constructor(
    folder: string,
    readOnly: boolean,
    exists: (accountId: string) => boolean,
    most = mostFilesOfProcess,
    beforeStatement?: () => void,
  ) {
    this.#folder = folder;
    this.#readOnly = readOnly;
    this.#exists = exists;
    this.#most = most;
    this.#beforeStatement = beforeStatement;
  }

  /** The account's file, opened when it is not. To be used at once and never kept across an `await`. */
  use(accountId: string): SqliteFile {
    if (this.#closed) throw closedFolder();
    const file = this.#open.get(accountId) ?? this.#openFile(accountId);
    this.#open.delete(accountId);
    this.#open.set(accountId, file);
    for (const [id] of this.#open) {
      if (this.#open.size <= this.#most) break;
      this.close(id);
    }
    return file;
  }

  close(accountId: string): void {
    this.#open.get(accountId)?.close();
    this.#open.delete(accountId);
  }

  /** Closes every file for good. */
  closeAll(): void {
    this.#closed = true;
    for (const id of this.#open.keys()) this.close(id);
  }

  /** Closes the files of accounts that are not among these: another process removed them. */
  closeOthers(accountIds: ReadonlySet<string>): void {
    for (const id of this.#open.keys()) if (!accountIds.has(id)) this.close(id);
  }

  /**
   * Removes the file of an account that is marked as removed in `control.db`. Whoever else has it open can still read
   * what it holds, but write no more, and lets go of it at its next look at the accounts.
   */
  async remove(accountId: string): Promise<void> {
    const path = this.#pathOf(accountId);
    this.close(accountId);
    if (existsSync(path)) await whenFree(() => markRemoved(path));
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true, maxRetries: 3, retryDelay: 100 });
  }

  #pathOf(accountId: string): string {
    return join(this.#folder, `${accountId}.db`);
  }

  #openFile(accountId: string): SqliteFile {
    if (!isAccountId(accountId) || !this.#exists(accountId)) {
      throw new AppError('not_found', 'There is no such account.');
    }
    return SqliteFile.open({
      path: this.#pathOf(accountId),
      migrations: accountMigrations,
      readOnly: this.#readOnly,
      beforeStatement: this.#beforeStatement,
      extend: loadVectorFunctions,
      beforeWrite: refuseRemovedAccount,
      afterWrite: refreshTitles,
    });
  }
}

function markRemoved(path: string): void {
  const file = SqliteFile.open({ path, migrations: accountMigrations, readOnly: false, extend: loadVectorFunctions });
  try {
    file.write(() => file.run('UPDATE file_state SET removed_at = coalesce(removed_at, 1)'));
  } finally {
    file.close();
  }
}

/** Removing an account begins with this mark, so that no other process writes into a file that is about to go. */
export function refuseRemovedAccount(file: SqliteFile): void {
  const state = file.get<{ removedAt: number | null }>('SELECT removed_at AS removedAt FROM file_state');
  if (state?.removedAt !== null) throw new AppError('not_found', 'This account was removed.');
}
