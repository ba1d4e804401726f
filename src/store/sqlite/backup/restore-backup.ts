import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { isOutOfRoom } from '../../../domain/machine-limits.ts';
import { AppError } from '../../../errors.ts';
import { isAccountId } from '../files/account-files.ts';
import { presentVersion, refuseOtherVersion, schemaVersion } from '../files/migrate.ts';
import { accountSchema, controlSchema } from '../schema.ts';
import { accountPart, type BackedUpAccount, type BackupPart, controlName } from './backup-format.ts';
import { lockDataFolder } from './lock-data-folder.ts';
import { freshFolder, makePrivateFolders, putAside } from './put-aside.ts';
import { BackupFile } from './read-backup.ts';
import { syncFolder } from './sync-folder.ts';

export interface RestoreRequest {
  file: string;
  /** The data folder. It is created when it is missing. */
  folder: string;
  /** Absent: everything that is in the backup. */
  account?: string | undefined;
  /** Whether files that are there already are replaced. They are put aside first. */
  replace: boolean;
  now: number;
}

export interface Restored {
  /** What was put into the data folder: `control`, `config`, ids of accounts. */
  parts: string[];
  /** The folder with the files that were there before; null when there were none. */
  before: string | null;
  /** The restored account when there was no `control.db` that lists it: it still has to be adopted. */
  adopt: (BackedUpAccount & { path: string }) | null;
}

/**
 * Puts a backup into a data folder. Everything is unpacked and checked beside the data before any file is replaced. Each
 * file is then replaced in one step, `control.db` last: when this is interrupted, no library is missing, and the same
 * restore can be run again.
 * @throws {AppError} `newer_data` when a newer program has written the backup, `invalid_input` when it is damaged (and
 * which parts are whole), or when files are there already, `not_found` when it does not hold the account,
 * `unavailable` while a process uses the data folder
 */
export async function restoreBackup(
  request: RestoreRequest,
  onDone: (done: number, total: number) => void,
): Promise<Restored> {
  const backup = new BackupFile(request.file);
  const unpacked = join(request.folder, '.restoring');
  try {
    const parts = partsToRestore(backup, request);
    refuseExisting(request, parts);
    makePrivateFolders(join(unpacked, 'accounts'));
    await unpackAll(backup, parts, request, unpacked, onDone);
    return place(request, backup, parts, unpacked);
  } catch (error) {
    throw readable(error);
  } finally {
    backup.close();
    rmSync(unpacked, { recursive: true, force: true });
  }
}

function partsToRestore(backup: BackupFile, { account }: RestoreRequest): BackupPart[] {
  const { info } = backup;
  if (info !== null) {
    if (info.schema.control > presentVersion(controlSchema) || info.schema.account > presentVersion(accountSchema))
      throw newer();
    refuseOtherVersion(info.schema.control, controlSchema);
    refuseOtherVersion(info.schema.account, accountSchema);
  }
  if (account === undefined) {
    const only = info?.account ?? null;
    return only === null ? [...backup.parts] : [accountPart(only)];
  }
  const part = backup.parts.find((one) => one.part === account && isAccountId(account));
  if (part !== undefined) return [part];
  const ids = backup.parts.map(({ part: id }) => id).filter(isAccountId);
  throw new AppError('not_found', `The backup does not hold this account. It holds: ${ids.join(', ') || 'none'}.`);
}

function newer(): AppError {
  return new AppError(
    'newer_data',
    'A newer version of Commonplace than this one has written this backup. Update this one, then restore it.',
  );
}

function refuseExisting({ folder, replace }: RestoreRequest, parts: readonly BackupPart[]): void {
  const isWhole = parts.some(({ part }) => part === 'control');
  const there = isWhole
    ? existsSync(join(folder, controlName)) || libraryFiles(folder).length > 0
    : parts.some(({ file }) => existsSync(join(folder, file)));
  if (there && !replace)
    throw new AppError(
      'invalid_input',
      'There are libraries in the data folder already. Restore into another folder with --data, or say --replace: then the present files are put aside first.',
    );
}

function libraryFiles(folder: string): string[] {
  const accounts = join(folder, 'accounts');
  return existsSync(accounts) ? readdirSync(accounts).filter((name) => name.endsWith('.db')) : [];
}

async function unpackAll(
  backup: BackupFile,
  parts: readonly BackupPart[],
  { account }: RestoreRequest,
  to: string,
  onDone: (done: number, total: number) => void,
): Promise<void> {
  const whole: string[] = [];
  const damaged: string[] = [];
  for (const [index, part] of parts.entries()) {
    const path = join(to, part.file);
    rmSync(path, { force: true });
    const isWhole = (await backup.unpack(part, path)) && (part.part === 'config' || isUsable(path, part));
    (isWhole ? whole : damaged).push(part.part);
    onDone(index + 1, parts.length);
  }
  if (account === undefined && (backup.info?.account ?? null) === null) {
    if (!parts.some(({ part }) => part === 'control')) damaged.unshift('control');
    // Without its checksums a backup was cut off, and may have had more accounts.
    if (!backup.isIntact) throw damagedBackup(damaged, missingAccounts(backup), whole);
  }
  if (damaged.length > 0) throw damagedBackup(damaged, [], whole);
}

/** Accounts that the description names and that are not there. An account that had saved nothing has no library. */
function missingAccounts({ info, parts }: BackupFile): string[] {
  const there = new Set(parts.map(({ part }) => part));
  return (info?.accounts ?? []).map(({ id }) => id).filter((id) => !there.has(id));
}

function damagedBackup(damaged: readonly string[], lost: readonly string[], whole: readonly string[]): AppError {
  const accounts = whole.filter((part) => isAccountId(part));
  const parts = [
    'The backup is damaged, so nothing was changed.',
    ...(damaged.length > 0 ? [`Damaged: ${damaged.join(', ')}.`] : []),
    ...(lost.length > 0 ? [`Not found in it: ${lost.join(', ')}.`] : []),
    accounts.length === 0
      ? 'No account in it is whole.'
      : `Whole: ${accounts.join(', ')}. Restore these one by one with --account <id>.`,
  ];
  return new AppError('invalid_input', parts.join(' '));
}

/** @throws {AppError} `newer_data` when a newer program has written the database, `unavailable` when a preview has */
function isUsable(path: string, { part }: BackupPart): boolean {
  try {
    const db = new Database(path, { readonly: true, fileMustExist: true });
    try {
      const version = schemaVersion(db);
      refuseOtherVersion(version, part === 'control' ? controlSchema : accountSchema);
      return version > 0 && db.pragma('integrity_check(1)', { simple: true }) === 'ok';
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof Database.SqliteError) return false;
    throw error;
  }
}

function place(
  { folder, now }: RestoreRequest,
  backup: BackupFile,
  parts: readonly BackupPart[],
  unpacked: string,
): Restored {
  const path = (file: string) => join(folder, file);
  const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(':', '');
  const aside = freshFolder(path('backups'), `before-restore-${stamp}Z`);
  const isWhole = parts.some(({ part }) => part === 'control');
  const release = lockDataFolder(path(controlName));
  let before: string | null = null;
  const setAside = (file: string): void => {
    if (putAside(path(file), join(aside, file))) before = aside;
  };
  try {
    makePrivateFolders(path('accounts'));
    // Without control.db no library is opened, and none is made anew: it comes last.
    const inOrder = parts.toSorted((a, b) => Number(a.part === 'control') - Number(b.part === 'control'));
    for (const { file } of inOrder) {
      setAside(file);
      renameSync(join(unpacked, file), path(file));
      syncFolder(dirname(path(file)));
    }
    if (isWhole) {
      const restored = new Set(parts.map(({ file }) => file));
      for (const name of libraryFiles(folder)) {
        if (restored.has(`accounts/${name}`)) continue;
        setAside(`accounts/${name}`);
        rmSync(path(`accounts/${name}`), { force: true });
      }
    }
  } finally {
    release();
  }
  const [only] = parts;
  const adopt = isWhole || only === undefined ? null : unknownAccount(path(controlName), only, backup);
  return {
    parts: parts.map(({ part }) => part),
    before,
    adopt: adopt === null || only === undefined ? null : { ...adopt, path: path(only.file) },
  };
}

/** The account of the part, when the data folder's control.db does not know it. */
function unknownAccount(controlPath: string, { part }: BackupPart, backup: BackupFile): BackedUpAccount | null {
  const known = backup.info?.accounts.find(({ id }) => id === part);
  const account = known ?? { id: part, name: 'Restored', plan: 'pro' as const };
  if (!existsSync(controlPath)) return account;
  const db = new Database(controlPath, { readonly: true, fileMustExist: true });
  try {
    const row = db.prepare('SELECT 1 FROM accounts WHERE id = ? AND removed_at IS NULL').get(part);
    return row === undefined ? account : null;
  } finally {
    db.close();
  }
}

function readable(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (isOutOfRoom(error))
    return new AppError('unavailable', 'There is too little room to unpack the backup. Nothing was changed.', {
      cause: error,
    });
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new AppError('unavailable', 'The data folder cannot be written to. Check its permissions.', {
      cause: error,
    });
  return error;
}
