import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expiredBackups, type KeepRule, timeOfBackupName } from '../../../domain/backups/retention.ts';
import { AppError } from '../../../errors.ts';
import { WorkerPool } from '../../../workers/worker-pool.ts';
import { startThread, workerFile } from '../../../workers/start.ts';
import type { WorkerUse } from '../../../workers/worker-use.ts';
import type { BackupJob, FromBackupThread } from './backup-protocol.ts';
import { BackupFile } from './read-backup.ts';
import type { Recovered, RecoverRequest } from './recover-file.ts';
import type { Restored, RestoreRequest } from './restore-backup.ts';
import type { VerifiedBackup } from './verify-backup.ts';
import { unfinishedFiles } from './unfinished-files.ts';
import type { WriteRequest, WrittenBackup } from './write-backup.ts';

type OnDone = (done: number, total: number) => void;

/** Writes a backup of a data folder, which may be in use. @throws {AppError} as `writeBackup` in the thread */
export async function writeBackup(request: WriteRequest, signal: AbortSignal, onDone: OnDone): Promise<WrittenBackup> {
  try {
    return await runThread<WrittenBackup>({ kind: 'write', request }, signal, onDone);
  } finally {
    // An interrupted thread leaves its files.
    for (const path of unfinishedFiles(request.target)) rmSync(path, { force: true });
  }
}

/** Reads a backup to its end and looks through everything in it. */
export function verifyBackup(file: string, signal: AbortSignal, onDone: OnDone): Promise<VerifiedBackup> {
  return runThread<VerifiedBackup>({ kind: 'verify', file }, signal, onDone);
}

/** Puts a backup into a data folder that nobody uses. @throws {AppError} as `restoreBackup` in the thread */
export function restoreBackup(request: RestoreRequest, signal: AbortSignal, onDone: OnDone): Promise<Restored> {
  return runThread<Restored>({ kind: 'restore', request }, signal, onDone);
}

/** Copies what can be read of a damaged library. @throws {AppError} as `recoverFile` in the thread */
export function recoverLibrary(request: RecoverRequest, signal: AbortSignal, onDone: OnDone): Promise<Recovered> {
  return runThread<Recovered>({ kind: 'recover', request }, signal, onDone);
}

const abandonedAfterMs = 24 * 60 * 60_000;

/** Removes the backups of a folder that the rules do not keep, and what killed backups left. Returns the names. */
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
  for (const name of names.filter((one) => /^\.commonplace-[\w-]{1,80}\.tar\.part/.test(one))) {
    const made = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs;
    if (made !== undefined && now - made > abandonedAfterMs) rmSync(join(folder, name), { force: true });
  }
  return expired;
}

/**
 * When the newest backup of all accounts in a folder was begun, by its name; null when there is none. A backup
 * dated after `now` does not count: the clock was wrong when it was written.
 */
export function newestBackup(folder: string, now: number): number | null {
  const times = readdirSync(folder)
    .flatMap((name) => timeOfBackupName(name, undefined) ?? [])
    .filter((time) => time <= now);
  return times.length === 0 ? null : Math.max(...times);
}

/** Paths of the backups in a folder that hold the library of an account. */
export function backupsHolding(folder: string, account: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(folder, name))
    .filter((path) => holds(path, account));
}

function holds(path: string, account: string): boolean {
  try {
    const backup = new BackupFile(path);
    try {
      return backup.parts.some(({ part }) => part === account);
    } finally {
      backup.close();
    }
  } catch (error) {
    // Something else, or a backup that cannot be read here.
    if (error instanceof AppError) return false;
    throw error;
  }
}

async function runThread<T>(job: BackupJob, signal: AbortSignal, onDone: OnDone): Promise<T> {
  const pool = new WorkerPool(backupWorker(onDone), {
    places: { total: 1, reserved: 0 },
    closing: () => new Error('the backup thread has ended'),
  });
  try {
    return (await pool.run(job, signal, '')) as T;
  } finally {
    await pool.close();
  }
}

/** A large library takes as long as it takes, so there is no limit of time. */
function backupWorker(onDone: OnDone): WorkerUse<BackupJob, unknown, FromBackupThread> {
  const file = workerFile('./backup-worker', import.meta.url);
  return {
    start: () => startThread(file),
    idleMs: 0,
    open: ({ job }, run) => ({
      begin: () => run.send(job),
      receive(message) {
        if (message.kind === 'progress') onDone(message.done, message.total);
        else if (message.kind === 'answer') run.resolve(message.value, true);
        else run.end(errorOf(message));
      },
      failure: ({ kind, cause }) => (kind === 'exit' ? new Error('the backup thread ended early') : cause),
    }),
  };
}

function errorOf(message: Extract<FromBackupThread, { kind: 'refused' | 'broken' }>): Error {
  if (message.kind === 'refused') return new AppError(message.code, message.message);
  const error = new Error(message.message);
  if (message.stack !== undefined) error.stack = message.stack;
  return error;
}
