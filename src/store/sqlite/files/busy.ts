import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { AppError } from '../../../errors.ts';
import { explained, FileChangedError } from './sqlite-errors.ts';

/*
 * Another process may hold the lock of a file. SQLite waits for a lock by polling less and less often, in the end ten
 * times a second, so it can miss every gap between the transactions of a busy writer. So SQLite gets a short timeout,
 * and the work is retried many times. The delays use real time, not the injected clock: the other process runs in real
 * time.
 */

/** How long SQLite itself waits for a lock. This blocks the event loop. */
export const lockTimeoutMs = 100;
/** Somebody waits for the answer. A process that holds a lock for this long may be stopped. */
const maxWaitMs = 3_000;
/** Also where this process itself was held up. */
const minAttempts = 3;
/** Attempts to open a file, which another process may be migrating: together they wait at least 15 seconds. */
const maxOpenings = 150;
/** How often a file is reopened for one piece of work. */
const defaultReopenings = 5;

/** Whether another process held the lock. Also recognises a lock error that is the `cause` of another error. */
export function isBusy(error: unknown): boolean {
  return busyCode(error) !== undefined;
}

/** SQLite's code of an error that `isBusy` recognises; undefined for other errors. */
export function busyCode(error: unknown): string | undefined {
  const reason = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return reason instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(reason.code) ? reason.code : undefined;
}

/**
 * Runs a piece of work, and retries it while another process holds the lock or the file was moved or replaced.
 * @param maxReopenings 0: no retry after the file was moved or replaced
 * @param since when the caller began to wait (`performance.now()`)
 * @throws {AppError} `unavailable` when the retries are used up.
 */
export async function whenFree<T>(
  attempt: () => T | Promise<T>,
  maxReopenings = defaultReopenings,
  since = performance.now(),
): Promise<T> {
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
      const isOver = attempts >= minAttempts && performance.now() - since >= maxWaitMs;
      if (!isBusy(error) || isOver) throw error;
    }
    await delay(1 + Math.random() * 20);
  }
}

const changingFiles =
  'Files of the data folder are moved or replaced again and again while they are used. Stop what does that, then try again.';

/** Like `whenFree`, but synchronous: while a file is being opened, no other task may run. */
export function whileBusy<T>(attempt: () => T): T {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || attempts === maxOpenings) throw explained(error);
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1 + Math.random() * 20);
  }
}
