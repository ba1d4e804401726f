import Database from 'better-sqlite3';
import { existsSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Account, Plan } from '../../../domain/records/account.ts';
import { newId } from '../../../domain/records/ids.ts';
import { AppError, noSuchAccount, invalidInput, unavailable } from '../../../errors.ts';
import type { LibraryProblems } from '../../store.ts';
import { isAccountId } from '../../../domain/access/account-names.ts';
import { type AccountFiles, MissingLibraryError } from './account-files.ts';
import { explained, whenFree } from './sqlite-errors.ts';
import type { SqliteControl } from '../control/control.ts';
import { logIndexOf, logOf } from './file-state.ts';
import { accountSchema } from '../schema.ts';
import { refuseOtherVersion, schemaVersion } from './migrate.ts';
import { createPrivately } from './open-database.ts';
import { registerRowSum } from './row-sums.ts';

const suffix = '.db';

/** The folder of account files, and how it matches the accounts in `control.db`. */
export class LibraryFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * @throws {AppError} `unavailable` when there are account files but no `control.db`: a new one would not list those
   * accounts
   */
  refuseWithoutControl(controlPath: string): void {
    const isThere = () => (statSync(controlPath, { throwIfNoEntry: false })?.size ?? 0) > 0;
    // Check control.db again after listing the files: another process may be creating the folder, and creates it first.
    if (!isThere() && this.#fileNames().length > 0 && !isThere()) throw missingControl();
  }

  /** @throws {AppError} `unavailable` when there are account files but `control.db` has no account at all */
  refuseAny(): void {
    if (this.#fileNames().length > 0) throw missingControl();
  }

  /** Opens every account's file, and lists unusable files and those of no known account. */
  async check(control: SqliteControl, use: (accountId: string) => unknown): Promise<LibraryProblems> {
    const accounts = await control.listAccounts();
    const hidden = await control.listSetAside();
    const known = new Set([...accounts, ...hidden].map(({ id }) => `${id}${suffix}`));
    const unusable: LibraryProblems['unusable'] = [];
    for (const { id } of accounts) {
      try {
        await whenFree(() => use(id));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        unusable.push({ accountId: id, message: error.message });
      }
    }
    return { unusable, unknown: this.#fileNames().filter((name) => !known.has(name)) };
  }

  /**
   * Creates or repairs an account from a library file. A file in this folder is used in place; any other is copied. The
   * account gets the id in the file name if that id is free, or if the library of that account is missing.
   */
  async adopt(given: string, account: { name: string; plan: Plan }, control: SqliteControl): Promise<Account> {
    checkLibrary(given);
    const path = realpathSync(resolve(given));
    const named = basename(path, suffix);
    const isHere = dirname(path) === realpathSync(this.#path);
    const state = isAccountId(named) ? await this.#stateOf(named, control) : 'taken';
    if (isHere && state !== 'taken') return control.adoptAccount({ ...account, id: named });
    const id = state === 'free' || state === 'missing' ? named : newId('u');
    this.#copy(path, join(this.#path, `${id}${suffix}`));
    return control.adoptAccount({ ...account, id });
  }

  /** Gives an account whose library is missing a new, empty one. */
  async startEmpty(
    accountId: string,
    { control, files }: { control: SqliteControl; files: AccountFiles },
  ): Promise<void> {
    if ((await whenFree(() => control.fileRecord(accountId))) === null) throw noSuchAccount();
    try {
      await whenFree(() => files.use(accountId));
      throw invalidInput(`The library of the account ${accountId} is not missing. Nothing was changed.`);
    } catch (error) {
      if (!(error instanceof MissingLibraryError)) throw error;
    }
    files.close(accountId);
    this.#setAside(join(this.#path, `${accountId}${suffix}`));
    await control.forgetFile(accountId);
    await whenFree(() => files.use(accountId));
  }

  async #stateOf(id: string, control: SqliteControl): Promise<'free' | 'missing' | 'used' | 'taken'> {
    const record = await whenFree(() => control.fileRecord(id));
    const isThere = this.#fileNames().includes(`${id}${suffix}`);
    if (record === null)
      return (await control.listRemoved()).includes(id) || (await control.isSetAside(id)) ? 'taken' : 'free';
    if (record === 'unmade') return 'missing';
    return isThere ? 'used' : 'missing';
  }

  #copy(from: string, to: string): void {
    const part = `${to}.part`;
    rmSync(part, { force: true });
    createPrivately(part);
    try {
      const source = new Database(from, { readonly: true, fileMustExist: true });
      try {
        registerRowSum(source);
        source.prepare('VACUUM INTO ?').run(part);
      } finally {
        source.close();
      }
      this.#setAside(to);
      renameSync(part, to);
    } catch (error) {
      throw explained(error);
    } finally {
      rmSync(part, { force: true });
    }
  }

  /** Moves the log as well: SQLite would apply a leftover log to the next file at this path. */
  #setAside(path: string): void {
    for (const each of [path, logOf(path), logIndexOf(path)]) {
      const found = statSync(each, { throwIfNoEntry: false });
      if (found === undefined) continue;
      if (found.size === 0 || each === logIndexOf(path)) rmSync(each);
      else renameSync(each, `${each}.old`);
    }
  }

  #fileNames(): string[] {
    if (!existsSync(this.#path)) return [];
    return readdirSync(this.#path).filter((name) => name.endsWith(suffix));
  }
}

/**
 * @throws {AppError} `invalid_input` when the file is not the library of an account, `newer_data` when a newer program
 * has written it, `unavailable` when a preview has
 */
export function checkLibrary(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw invalidInput('There is no file at this path.');
  const refusal = (cause?: unknown) =>
    invalidInput('This file is not the library of an account of Commonplace, or it is damaged.', {
      cause,
    });
  try {
    const db = new Database(path, { readonly: true, fileMustExist: true });
    try {
      const version = schemaVersion(db);
      refuseOtherVersion(version, accountSchema);
      if (version === 0) throw refusal();
      const state = db.prepare<[], { removed: number | null }>('SELECT removed_at AS removed FROM libraries').get();
      if (state === undefined) throw refusal();
      if (state.removed !== null) throw invalidInput('This file belonged to an account that was removed.');
    } finally {
      db.close();
    }
  } catch (error) {
    throw error instanceof Database.SqliteError ? refusal(error) : error;
  }
}

function missingControl(): AppError {
  return unavailable(
    'control.db is missing from the data folder, or empty, while libraries of accounts are there. Nothing was made in its place. ' +
      'Put it back from a backup: it holds the accounts and their tokens. Without a backup `commonplace account adopt <file>` takes over the libraries one by one.',
  );
}
