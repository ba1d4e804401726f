import Database from 'better-sqlite3';
import { closeSync, openSync } from 'node:fs';
import { isMachineLimit } from '../../../domain/machine-limits.ts';
import { AppError, unavailable } from '../../../errors.ts';
import { setTimeout as delay } from 'node:timers/promises';

const busyMessage =
  'Another process is holding the data folder for too long. Try again in a moment; if that does not help, a Commonplace on this data folder may be stopped: continue it, or end it.';

const fullMessage = 'The disk that holds the data folder is full. Free some space and try again.';
const readOnlyMessage = 'The data folder cannot be written to. Check its permissions, or choose another with --data.';
const cannotOpenMessage = 'The data folder cannot be opened. Check its permissions, or choose another with --data.';
// Only a write reports a full disk as such. Opening a file fails because the files beside it cannot be created.
const diskMessage =
  'The disk that holds the data folder is full or reports an error. Free some space or check it, and try again.';

const explanations: readonly (readonly [codePrefix: string, message: string])[] = [
  ['SQLITE_BUSY', busyMessage],
  ['SQLITE_LOCKED', busyMessage],
  ['SQLITE_FULL', fullMessage],
  ['SQLITE_READONLY', readOnlyMessage],
  ['SQLITE_CANTOPEN', cannotOpenMessage],
  ['SQLITE_IOERR', diskMessage],
  [
    'SQLITE_NOMEM',
    'There is too little memory to read the data folder, or a file in it is damaged. End other programs, or restore a backup.',
  ],
  // FTS5 reports a disk that fails to read as damage, too.
  [
    'SQLITE_CORRUPT',
    'A file in the data folder is damaged, or its disk reports an error. `commonplace doctor --check` says which; when a file is damaged, restore a backup.',
  ],
  ['SQLITE_NOTADB', 'A file in the data folder is not a database. Restore a backup, or choose another with --data.'],
];

const noFilesMessage =
  'Commonplace has as many files open as this machine lets it. Raise the limit (ulimit -n) or end other programs, and try again.';

const diskMessages = new Set([fullMessage, readOnlyMessage, cannotOpenMessage, diskMessage]);

/**
 * Whether a write failed because the disk is full, not writable or broken. Compares the message, because errors from
 * worker threads arrive with only their code and message.
 */
export function isDiskTrouble(error: unknown): boolean {
  return error instanceof AppError && diskMessages.has(error.message);
}

const damageMessages = new Set(
  explanations.flatMap(([code, message]) =>
    ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_NOMEM', 'SQLITE_IOERR'].includes(code) ? [message] : [],
  ),
);

/** Whether a file could not be used because it is damaged, as far as SQLite can tell that from other trouble. */
export function mayBeDamage(error: unknown): boolean {
  return error instanceof AppError && damageMessages.has(error.message);
}

export function diskFull(cause?: unknown): AppError {
  return unavailable(fullMessage, { cause });
}

export function folderNotWritable(cause: unknown): AppError {
  return unavailable(readOnlyMessage, { cause });
}

/** An error that `isBusy` recognises. */
export function busyError(message: string, code = 'SQLITE_BUSY'): Error {
  return new Database.SqliteError(message, code);
}

/** The path of an open file now leads to another file, or to none. */
export class FileChangedError extends Error {
  /** When the file may be asked for again. */
  readonly settled: Promise<void>;

  constructor(settled: Promise<void> = Promise.resolve()) {
    super('what stands at the path of an open file is not what was opened');
    this.name = 'FileChangedError';
    this.settled = settled;
    // Nobody may be waiting for it: avoid an unhandled rejection.
    settled.catch(() => undefined);
  }
}

export function closedFolder(): AppError {
  return unavailable('The data folder was closed because Commonplace is stopping.');
}

/**
 * The error if the machine refuses to open any file, otherwise null. SQLite gives no reason, so this opens an existing
 * file.
 */
function whyNothingOpens(): unknown {
  try {
    closeSync(openSync(process.execPath, 'r'));
    return null;
  } catch (error) {
    return isMachineLimit(error) ? error : null;
  }
}

/**
 * Translates SQLite errors about disk, locks and permissions into an `AppError`. Other errors are returned as they are.
 */
export function explained(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  const limit = error.code === 'SQLITE_CANTOPEN' ? whyNothingOpens() : null;
  if (limit !== null) return unavailable(noFilesMessage, { cause: limit });
  const known = explanations.find(([prefix]) => error.code.startsWith(prefix));
  return known === undefined ? error : unavailable(known[1], { cause: error });
}

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
        if (reopenings === maxReopenings) throw unavailable(changingFiles, { cause: error });
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
