import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expiredBackups, type KeepRule, timeOfBackupName } from '../../../domain/backups/retention.ts';
import { AppError } from '../../../errors.ts';
import { runInThread, workerFile } from '../../../workers/start.ts';
import type { BackupJob, FromBackupThread } from './backup-worker.ts';
import { BackupFile, type VerifiedBackup } from './read-backup.ts';
import type { Recovered, RecoverRequest } from './recover-file.ts';
import type { Restored, RestoreRequest } from './restore-backup.ts';
import { unfinishedFolder, type WriteRequest, type WrittenBackup } from './write-backup.ts';

type OnDone = (done: number, total: number) => void;

/** Writes a backup of a data folder, which may be in use. @throws {AppError} as `writeBackup` in the thread */
export async function writeBackup(request: WriteRequest, signal: AbortSignal, onDone: OnDone): Promise<WrittenBackup> {
  try {
    return await runThread<WrittenBackup>({ kind: 'write', request }, signal, onDone);
  } finally {
    // An interrupted thread leaves its files.
    rmSync(unfinishedFolder(request.target), { recursive: true, force: true });
  }
}

/** Reads a backup to its end and looks through everything in it. */
export function verifyBackup(file: string, signal: AbortSignal, onDone: OnDone): Promise<VerifiedBackup> {
  return runThread<VerifiedBackup>({ kind: 'verify', file }, signal, onDone);
}

/** Restores a backup into an unused data folder. @throws {AppError} as `restoreBackup` in the thread */
export function restoreBackup(request: RestoreRequest, signal: AbortSignal, onDone: OnDone): Promise<Restored> {
  return runThread<Restored>({ kind: 'restore', request }, signal, onDone);
}

/** Copies what can be read of a damaged library. @throws {AppError} as `recoverFile` in the thread */
export function recoverLibrary(request: RecoverRequest, signal: AbortSignal, onDone: OnDone): Promise<Recovered> {
  return runThread<Recovered>({ kind: 'recover', request }, signal, onDone);
}

const abandonedAfterMs = 24 * 60 * 60_000;

/** Removes a folder's backups that the rules do not keep, and remains of killed ones. Returns the names. */
export function removeExpiredBackups(
  folder: string,
  account: string | undefined,
  rules: readonly KeepRule[],
  now: number,
): string[] {
  const names = readdirSync(folder);
  const backups = names.flatMap((name) => {
    const time = timeOfBackupName(name, account);
    return time === null ? [] : [{ name, time }];
  });
  const expired = expiredBackups(backups, rules).map(({ name }) => name);
  for (const name of expired) rmSync(join(folder, name), { force: true });
  for (const name of names.filter((one) => /^\.commonplace-[\w-]{1,80}\.zip\.part$/.test(one))) {
    const made = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs;
    if (made !== undefined && now - made > abandonedAfterMs)
      rmSync(join(folder, name), { recursive: true, force: true });
  }
  return expired;
}

/**
 * When the newest backup of all accounts in a folder was begun, by its name; null without one. A backup dated after `now` does not
 * count: the clock was wrong when it was written.
 */
export function newestBackup(folder: string, now: number): number | null {
  const times = readdirSync(folder)
    .flatMap((name) => timeOfBackupName(name, undefined) ?? [])
    .filter((time) => time <= now);
  return times.length === 0 ? null : Math.max(...times);
}

/** Paths of the backups in a folder that hold the library of an account. */
export async function backupsHolding(folder: string, account: string): Promise<string[]> {
  const holding: string[] = [];
  for (const entry of existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []) {
    const path = join(folder, entry.name);
    if (entry.isFile() && (await holds(path, account))) holding.push(path);
  }
  return holding;
}

async function holds(path: string, account: string): Promise<boolean> {
  try {
    const backup = await BackupFile.open(path);
    backup.close();
    return backup.info.parts.includes(account);
  } catch (error) {
    // Something else, or a backup that cannot be read here.
    if (error instanceof AppError) return false;
    throw error;
  }
}

function runThread<T>(job: BackupJob, signal: AbortSignal, onDone: OnDone): Promise<T> {
  const file = workerFile('./backup-worker', import.meta.url);
  return runInThread<FromBackupThread, T>(file, job, signal, (message, { resolve, reject }) => {
    if (message.kind === 'progress') onDone(message.done, message.total);
    else if (message.kind === 'answer') resolve(message.value as T);
    else reject(new AppError(message.code, message.message));
  });
}
