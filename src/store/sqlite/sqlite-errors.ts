import Database from 'better-sqlite3';
import { AppError } from '../../errors.ts';

const busyMessage = 'Another process is holding the data folder for too long. Try again in a moment.';

const explanations: readonly (readonly [codePrefix: string, message: string])[] = [
  ['SQLITE_BUSY', busyMessage],
  ['SQLITE_LOCKED', busyMessage],
  ['SQLITE_FULL', 'The disk that holds the data folder is full. Free some space and try again.'],
  ['SQLITE_READONLY', 'The data folder cannot be written to. Check its permissions, or choose another with --data.'],
  ['SQLITE_CANTOPEN', 'The data folder cannot be opened. Check its permissions, or choose another with --data.'],
  // A full disk says so only to who writes; who opens a file finds that what belongs beside it cannot be made.
  [
    'SQLITE_IOERR',
    'The disk that holds the data folder is full or reports an error. Free some space or check it, and try again.',
  ],
  [
    'SQLITE_NOMEM',
    'There is too little memory to read the data folder, or a file in it is damaged. End other programs, or put back a backup.',
  ],
  ['SQLITE_CORRUPT', 'A file in the data folder is damaged. Put back a backup, or choose another folder with --data.'],
  ['SQLITE_NOTADB', 'A file in the data folder is not a database. Put back a backup, or choose another with --data.'],
];

/** For what is asked of a data folder that was closed. */
export function closedFolder(): AppError {
  return new AppError('unavailable', 'The data folder was closed because Commonplace is stopping.');
}

/** Turns what the engine says about the world (disk, locks, permissions) into words; bugs stay what they are. */
export function explained(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  const known = explanations.find(([prefix]) => error.code.startsWith(prefix));
  return known === undefined ? error : new AppError('unavailable', known[1], { cause: error });
}
