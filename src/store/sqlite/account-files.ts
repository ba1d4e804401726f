import { join } from 'node:path';
import { load as loadVectorFunctions } from 'sqlite-vec';
import { localAccountId } from '../../domain/account.ts';
import { idPattern } from '../../domain/ids.ts';
import { AppError } from '../../errors.ts';
import { accountMigrations } from './migrations/account.ts';
import { SqliteFile } from './sqlite-file.ts';

const mostOpenFiles = 64;
const accountIdPattern = idPattern('u');

/** Whether an account id may become a file name. */
export function isAccountId(id: string): boolean {
  return id === localAccountId || accountIdPattern.test(id);
}

/** The open files of accounts. The one that was used least recently is closed when there are too many. */
export class AccountFiles {
  readonly #folder: string;
  readonly #readOnly: boolean;
  readonly #open = new Map<string, SqliteFile>();
  #closed = false;

  constructor(folder: string, readOnly: boolean) {
    this.#folder = folder;
    this.#readOnly = readOnly;
  }

  /** The account's file, opened when it is not. To be used at once and never kept across an `await`. */
  use(accountId: string): SqliteFile {
    if (this.#closed) throw new AppError('unavailable', 'The data folder was closed because Commonplace is stopping.');
    const file = this.#open.get(accountId) ?? this.#openFile(accountId);
    this.#open.delete(accountId);
    this.#open.set(accountId, file);
    for (const [id] of this.#open) {
      if (this.#open.size <= mostOpenFiles) break;
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

  #openFile(accountId: string): SqliteFile {
    if (!isAccountId(accountId)) throw new AppError('not_found', 'There is no such account.');
    return SqliteFile.open({
      path: join(this.#folder, `${accountId}.db`),
      migrations: accountMigrations,
      readOnly: this.#readOnly,
      extend: loadVectorFunctions,
      beforeWrite: refuseRemovedAccount,
    });
  }
}

/** Removing an account begins with this mark, so that no other process writes into a file that is about to go. */
function refuseRemovedAccount(file: SqliteFile): void {
  const state = file.get<{ removedAt: number | null }>('SELECT removed_at AS removedAt FROM file_state');
  if (state?.removedAt !== null) throw new AppError('not_found', 'This account was removed.');
}
