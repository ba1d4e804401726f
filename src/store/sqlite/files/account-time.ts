import type { ClockReading } from '../../../domain/clock.ts';
import { needsNote, neverNoted, nextNote, type NotedTime, passedSince } from '../../passed-time.ts';
import type { SqliteFile } from './sqlite-file.ts';

/* The notes of the time (`store/passed-time.ts`) in `control.db`. Those of accounts are noted in `library/db.ts`. */

function readNote(file: SqliteFile): NotedTime {
  const note = file.get<NotedTime>(
    'SELECT noted_at AS notedAt, noted_uptime AS notedUptime, passed_ms AS passedMs FROM control_state',
  );
  return note ?? neverNoted;
}

/** Milliseconds that have certainly passed since the first note in this file: never more than really passed. */
export const passedTime = (file: SqliteFile, clock: ClockReading): number => passedSince(readNote(file), clock);

export const isNoteDue = (file: SqliteFile, clock: ClockReading): boolean => needsNote(readNote(file), clock);

/** Call at the beginning of every write. */
export function noteControlTime(file: SqliteFile, clock: ClockReading): void {
  const note = nextNote(readNote(file), clock);
  if (note === null) return;
  const { notedAt, notedUptime, passedMs } = note;
  file.run('UPDATE control_state SET noted_at = ?, noted_uptime = ?, passed_ms = ?', notedAt, notedUptime, passedMs);
}
