import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { isOutOfRoom } from '../../../domain/machine-limits.ts';
import { codeOf, notFound, invalidInput, unavailable } from '../../../errors.ts';
import { isAccountId } from '../../../domain/access/account-names.ts';
import { logIndexOf, logOf } from '../files/file-state.ts';
import { refuseOtherVersion } from '../files/migrate.ts';
import { accountSchema, controlSchema } from '../schema.ts';
import { type BackedUpAccount, BackupFile, fileOf, isSound } from './read-backup.ts';

export interface RestoreRequest {
  file: string;
  /** The data folder. It is created when it is missing. */
  folder: string;
  /** Absent: everything that is in the backup. */
  account?: string | undefined;
  /** Replaces files that are there already. They are put aside first. */
  replace: boolean;
  now: number;
}

export interface Restored {
  /** The parts that were put into the data folder: `control`, `config`, ids of accounts. */
  parts: string[];
  /** The folder with the files that were there before; null when there were none. */
  before: string | null;
  /** The restored account when there was no `control.db` that lists it: it still has to be adopted. */
  adopt: (BackedUpAccount & { path: string }) | null;
}

/**
 * Puts a backup into a data folder. Everything is unpacked and checked beside the data, and present files are put aside,
 * before any file is replaced. Each file is then replaced in one step, `control.db` last: when this is interrupted, no
 * library is missing, and the same restore can be run again.
 * @throws {AppError} `newer_data` when a newer program has written the backup, `invalid_input` when it is damaged (and
 * which parts are whole), or when files are there already, `not_found` when it does not hold the account,
 * `unavailable` while a process uses the data folder, or when not all files could be replaced
 */
export async function restoreBackup(
  request: RestoreRequest,
  onDone: (done: number, total: number) => void,
): Promise<Restored> {
  const { folder, account } = request;
  const backup = await BackupFile.open(request.file);
  const unpacked = join(folder, '.restoring');
  try {
    const { parts, schema } = backup.info;
    refuseOtherVersion(schema.control, controlSchema);
    refuseOtherVersion(schema.account, accountSchema);
    if (account !== undefined && (!isAccountId(account) || !parts.includes(account)))
      throw notFound(
        `The backup does not hold this account. It holds: ${parts.filter(isAccountId).join(', ') || 'none'}.`,
      );
    const wanted = account === undefined ? parts : [account];
    refuseExisting(request, wanted);
    mkdirSync(join(unpacked, 'accounts'), { recursive: true, mode: 0o700 });
    await unpackAll(backup, wanted, unpacked, onDone);
    return place(request, backup, wanted, unpacked);
  } catch (error) {
    throw readable(error);
  } finally {
    backup.close();
    rmSync(unpacked, { recursive: true, force: true });
  }
}

function refuseExisting({ folder, replace }: RestoreRequest, parts: readonly string[]): void {
  const isThere = (part: string) => existsSync(join(folder, fileOf(part)));
  const hasAny = parts.includes('control')
    ? isThere('control') || libraryFiles(folder).length > 0
    : parts.some(isThere);
  if (hasAny && !replace)
    throw invalidInput(
      'There are libraries in the data folder already. Restore into another folder with --data, or say --replace: then the present files are put aside first.',
    );
}

function libraryFiles(folder: string): string[] {
  const accounts = join(folder, 'accounts');
  const names = existsSync(accounts) ? readdirSync(accounts) : [];
  return names.filter((name) => name.endsWith('.db')).map((name) => `accounts/${name}`);
}

async function unpackAll(
  backup: BackupFile,
  parts: readonly string[],
  to: string,
  onDone: (done: number, total: number) => void,
): Promise<void> {
  const damaged: string[] = [];
  for (const [index, part] of parts.entries()) {
    const path = join(to, fileOf(part));
    rmSync(path, { force: true });
    const isWhole =
      (await backup.unpack(part, path)) &&
      (part === 'config' || isSound(path, part === 'control' ? controlSchema : accountSchema));
    if (!isWhole) damaged.push(part);
    onDone(index + 1, parts.length);
  }
  if (damaged.length === 0) return;
  const whole = parts.filter((part) => isAccountId(part) && !damaged.includes(part));
  const rest =
    whole.length === 0
      ? 'No account in it is whole.'
      : `Whole: ${whole.join(', ')}. Restore these one by one with --account <id>.`;
  throw invalidInput(`The backup is damaged, so nothing was changed. Damaged: ${damaged.join(', ')}. ${rest}`);
}

function place(
  { folder, now }: RestoreRequest,
  backup: BackupFile,
  parts: readonly string[],
  unpacked: string,
): Restored {
  const stamp = `${new Date(now).toISOString().slice(0, 19).replaceAll(':', '')}Z`;
  const aside = freshFolder(join(folder, 'backups'), `before-restore-${stamp}`);
  const control = join(folder, fileOf('control'));
  const release = lockDataFolder(control);
  // Without control.db no library is opened, and none is created: it comes last.
  const files = parts.toSorted((a, b) => Number(a === 'control') - Number(b === 'control')).map(fileOf);
  const others = parts.includes('control') ? libraryFiles(folder).filter((file) => !files.includes(file)) : [];
  const present = [...files, ...others].filter((file) => existsSync(join(folder, file)));
  const before = present.length === 0 ? null : aside;
  try {
    mkdirSync(join(folder, 'accounts'), { recursive: true, mode: 0o700 });
    keepAside(folder, aside, present);
    const done: string[] = [];
    try {
      for (const file of [...files, ...others]) {
        if (present.includes(file)) removeLog(join(folder, file), dirname(join(aside, file)));
        if (others.includes(file)) rmSync(join(folder, file));
        else renameSync(join(unpacked, file), join(folder, file));
        done.push(file);
        syncFolder(dirname(join(folder, file)));
      }
    } catch (error) {
      const replaced = done.length === 0 ? 'none' : done.join(', ');
      const kept = before === null ? '' : ` All files of before are in ${before}.`;
      const words = `The backup was restored in part. Replaced files: ${replaced}.${kept} Run the same restore again.`;
      throw unavailable(words, { cause: error });
    }
  } finally {
    release();
  }
  return { parts: [...parts], before, adopt: accountToAdopt(folder, parts, backup) };
}

/** The account that was restored alone, when the data folder's control.db does not know it. */
function accountToAdopt(folder: string, parts: readonly string[], backup: BackupFile): Restored['adopt'] {
  const account = backup.info.accounts.find(({ id }) => id === parts[0]);
  if (parts.includes('control') || account === undefined) return null;
  const adopt = { ...account, path: join(folder, fileOf(account.id)) };
  const control = join(folder, fileOf('control'));
  if (!existsSync(control)) return adopt;
  const db = new Database(control, { readonly: true, fileMustExist: true });
  try {
    const known = db.prepare('SELECT 1 FROM accounts WHERE id = ? AND removed_at IS NULL').get(account.id);
    return known === undefined ? adopt : null;
  } finally {
    db.close();
  }
}

/**
 * Makes sure that no other process has the data folder open, and that none opens it until the returned function is
 * called.
 * @throws {AppError} `unavailable` when a process has it open
 */
function lockDataFolder(controlPath: string): () => void {
  if (!existsSync(controlPath)) return () => {};
  const db = new Database(controlPath, { fileMustExist: true, timeout: 1_000 });
  try {
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE; COMMIT');
    // The log goes into the file, which is put aside without it.
    db.pragma('wal_checkpoint(TRUNCATE)');
    return () => db.close();
  } catch (error) {
    db.close();
    if (!(error instanceof Database.SqliteError)) throw error;
    // A damaged control.db cannot be locked. It may be the reason for restoring.
    if (!/^SQLITE_(BUSY|LOCKED)/.test(error.code)) return () => {};
    throw unavailable('A process uses this data folder: a server, or an assistant. Stop it, then restore again.', {
      cause: error,
    });
  }
}

/** Keeps files that are about to be replaced under a second name, on the disk. When that fails, nothing has changed. */
function keepAside(folder: string, aside: string, files: readonly string[]): void {
  if (files.length === 0) return;
  try {
    mkdirSync(join(aside, 'accounts'), { recursive: true, mode: 0o700 });
    for (const file of files) {
      const [path, to] = [join(folder, file), join(aside, file)];
      if (path.endsWith('.db')) emptyLog(path);
      try {
        linkSync(path, to);
      } catch {
        // Some file systems know no second names.
        copyFileSync(path, to);
      }
      syncFile(to);
    }
    for (const path of [join(aside, 'accounts'), aside, dirname(aside), folder]) syncFolder(path);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    throw error;
  }
}

/** A log that could not be emptied belongs to the file that is put aside, and must not be applied to the next one. */
function removeLog(path: string, aside: string): void {
  if ((statSync(logOf(path), { throwIfNoEntry: false })?.size ?? 0) > 0)
    renameSync(logOf(path), join(aside, basename(logOf(path))));
  for (const left of [logOf(path), logIndexOf(path)]) rmSync(left, { force: true });
}

/** Brings the log of a database into its file. A damaged database keeps its log beside it. */
function emptyLog(path: string): void {
  try {
    const db = new Database(path, { fileMustExist: true, timeout: 1_000 });
    try {
      db.pragma('wal_checkpoint(TRUNCATE)');
    } finally {
      db.close();
    }
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
  }
}

/** A path that is not taken yet: the name, or the name with a number behind it. */
function freshFolder(above: string, name: string): string {
  for (let number = 1; ; number += 1) {
    const path = join(above, number === 1 ? name : `${name}-${number}`);
    if (!existsSync(path)) return path;
  }
}

/** Waits until the names in a folder are on the disk. Windows cannot do this, and needs not. */
export function syncFolder(path: string): void {
  if (process.platform !== 'win32') syncFile(path, 'r');
}

function syncFile(path: string, flags = 'r+'): void {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function readable(error: unknown): unknown {
  const code = codeOf(error);
  const words = isOutOfRoom(error)
    ? 'There is too little room to unpack the backup. Nothing was changed.'
    : /^E(ACCES|PERM|ROFS)$/.test(code)
      ? 'The data folder cannot be written to. Check its permissions.'
      : null;
  return words === null ? error : unavailable(words, { cause: error });
}
