import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { backupName, type KeepRule } from '../domain/backups/retention.ts';
import { isAbortError } from '../errors.ts';
import type { Backups, CommandApp } from './context.ts';

/** A backup a day; the newest of each of seven days, four weeks and twelve months stays. Other plans: `commonplace backup --to … --keep …` by a timer. */
const betweenBackupsMs = 24 * 60 * 60_000;
const keptBackups: readonly KeepRule[] = [
  { count: 7, unit: 'd' },
  { count: 4, unit: 'w' },
  { count: 12, unit: 'm' },
];
/** How often a server looks whether something is due. */
const betweenLooksMs = 10 * 60_000;

interface MaintenanceParts {
  app: Pick<CommandApp, 'config' | 'log' | 'version' | 'access' | 'libraryJobs'>;
  backups: Backups;
  /** Aborted when the server ends. */
  signal: AbortSignal;
}

/** What a server does from time to time: backups that the settings ask for, and removing accounts and files of exports that were kept long enough. */
export async function runMaintenance(parts: MaintenanceParts): Promise<void> {
  const { app, signal } = parts;
  const tasks = {
    'removing accounts that were kept long enough failed and is tried again': () => app.access.removeExpiredAccounts(),
    'removing old imports and exports failed and is tried again': () => app.libraryJobs.removeExpired(),
    'a backup failed and is tried again': () => backUpWhenDue(parts),
  };
  while (!signal.aborted) {
    for (const [failure, task] of Object.entries(tasks)) {
      try {
        await task();
      } catch (error) {
        if (!signal.aborted) app.log.error({ err: error }, failure);
      }
    }
    await sleep(betweenLooksMs, undefined, { signal, ref: false }).catch((error: unknown) => {
      if (!isAbortError(error)) throw error;
    });
  }
}

/**
 * Writes a backup when the newest one in the folder is old, and removes those that are not kept. A backup that lacks
 * something removes none.
 */
export async function backUpWhenDue({ app, backups, signal }: MaintenanceParts): Promise<void> {
  const { config, log, version } = app;
  if (config.backupTo === '') return;
  const folder = resolve(config.backupTo);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const now = backups.now();
  const newest = backups.newest(folder, now);
  if (newest !== null && now - newest < betweenBackupsMs) return;
  const target = join(folder, backupName(now, undefined));
  const written = await backups.write({ folder: config.data, target, program: version, now }, signal, () => undefined);
  if (written.left.length > 0) {
    log.error({ left: written.left.map(({ part }) => part) }, 'a backup was written that lacks something');
    return;
  }
  const removed = backups.removeExpired(folder, undefined, keptBackups, now);
  log.info(
    { bytes: written.bytes, accounts: written.accounts.length, removed: removed.length },
    'a backup was written',
  );
}
