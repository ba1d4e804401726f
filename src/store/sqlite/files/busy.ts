import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { AppError } from '../../../errors.ts';
import { explained, FileChangedError } from './sqlite-errors.ts';

/*
 * Another process may hold the lock of a file. SQLite waits for it by looking ever less often, at last ten times a
 * second, and so can miss every gap that a busy writer leaves: it is asked to wait briefly, and again and again. The
 * delays are of real time, not of the injected clock: the other process lives in it.
 */

/** How long SQLite itself waits for a lock, which holds up this process's event loop. */
export const lockTimeoutMs = 100;
/** At the very least 15 seconds, mostly longer. */
const maxAttempts = 150;
/** How often a file is opened anew for one piece of work. */
const defaultReopenings = 5;

/** Whether another process was in the way, whatever the error has become. */
export function isBusy(error: unknown): boolean {
  const reason = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return reason instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(reason.code);
}

/**
 * Does a piece of work as soon as no other process is in its way, and the file that it uses is where it was.
 * @param maxReopenings 0: it is not tried again when the file is not where it was
 * @throws {AppError} `unavailable` when that does not come about.
 */
export async function whenFree<T>(attempt: () => T | Promise<T>, maxReopenings = defaultReopenings): Promise<T> {
  let reopenings = 0;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof FileChangedError && maxReopenings > 0) {
        if (reopenings === maxReopenings) throw new AppError('unavailable', changingFiles, { cause: error });
        reopenings += 1;
        await error.settled;
        continue;
      }
      if (!isBusy(error) || attempts === maxAttempts) throw error;
    }
    await delay(1 + Math.random() * 20);
  }
}

const changingFiles =
  'Files of the data folder are moved or replaced again and again while they are used. Stop what does that, then try again.';

/** The same for the opening of a file, which must not let other tasks in between. */
export function whileBusy<T>(attempt: () => T): T {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || attempts === maxAttempts) throw explained(error);
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1 + Math.random() * 20);
  }
}
