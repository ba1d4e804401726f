import { type Stats, statSync } from 'node:fs';
import { unavailable } from '../../../errors.ts';

/**
 * The files at the paths of an open database, compared with those that were opened:
 * - `gone`: there is no file at its path, for example because the folder was moved or removed.
 * - `emptied`: the file was truncated to 0 bytes.
 * - `replaced`: another file is at its path.
 * - `log_gone`: the file is there, but its write-ahead log or the log's index is not, and nobody has written to a new
 *   log.
 * - `log_replaced`: another process writes to another log of the same file. Neither process sees the other's writes.
 */
export type FileState = 'same' | 'gone' | 'emptied' | 'replaced' | 'log_gone' | 'log_replaced';

/** Identifies a file by properties that survive renaming. */
export interface Identity {
  dev: number;
  ino: number;
}

/**
 * SQLite keeps using the files that it has opened, even when they are renamed or removed. Its writes to a removed file are lost
 * when the file is closed. So the paths are checked again before a write is acknowledged.
 */
export class OpenedPaths {
  readonly #path: string;
  readonly #file: Identity | undefined;
  readonly #log: Identity | undefined;
  readonly #logIndex: Identity | undefined;

  /** @param path of a database that was just opened and read, so that its log exists */
  constructor(path: string) {
    this.#path = path;
    this.#file = look(path);
    this.#log = look(logOf(path));
    this.#logIndex = look(logIndexOf(path));
  }

  /** @throws {AppError} `unavailable` when the folder cannot be read */
  state(): FileState {
    const file = look(this.#path);
    if (file === undefined) return 'gone';
    if (!isSame(file, this.#file)) return 'replaced';
    if (file.size === 0) return 'emptied';
    const log = look(logOf(this.#path));
    const logIndex = look(logIndexOf(this.#path));
    if (isSame(log, this.#log) && isSame(logIndex, this.#logIndex)) return 'same';
    const isOtherLog = log !== undefined && !isSame(log, this.#log) && log.size > 0;
    const isOtherIndex = logIndex !== undefined && !isSame(logIndex, this.#logIndex) && (log?.size ?? 0) > 0;
    return isOtherLog || isOtherIndex ? 'log_replaced' : 'log_gone';
  }
}

export const logOf = (path: string): string => `${path}-wal`;
export const logIndexOf = (path: string): string => `${path}-shm`;

/** The non-empty file at a path. Undefined: there is none, or it is empty. */
export function fileAt(path: string): (Identity & { size: number }) | undefined {
  const found = look(path);
  if (found === undefined || found.size === 0) return undefined;
  return { dev: found.dev, ino: found.ino, size: found.size };
}

function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const message = 'The data folder cannot be looked at. Check its permissions and its disk, then try again.';
    throw unavailable(message, { cause: error });
  }
}

export function isSame(now: Identity | undefined, then: Identity | undefined): boolean {
  return now?.ino === then?.ino && now?.dev === then?.dev;
}
