import type { ClockReading } from '../../../domain/clock.ts';
import {
  isSetBack,
  maxAnalysisLeaseMs,
  maxJobLeaseMs,
  needsNote,
  neverNoted,
  nextNote,
  type NotedTime,
  passedSince,
} from '../../passed-time.ts';
import type { SqliteFile } from './sqlite-file.ts';

/* The notes of the time (`store/passed-time.ts`) in an account's file, and in `control.db`. */

/** The table with the note: that of an account's file, or that of `control.db`. */
type NoteTable = 'libraries' | 'control_state';

function readNote(file: SqliteFile, table: NoteTable): NotedTime {
  return (
    file.get<NotedTime>(
      `SELECT noted_at AS notedAt, noted_uptime AS notedUptime, passed_ms AS passedMs FROM ${table}`,
    ) ?? neverNoted
  );
}

/** Milliseconds that have certainly passed since the first note in this file: never more than really passed. */
export function passedTime(file: SqliteFile, clock: ClockReading, table: NoteTable = 'libraries'): number {
  return passedSince(readNote(file, table), clock);
}

/** Whether the clock is more than a minute behind the last note. */
export function wasSetBack(file: SqliteFile, now: number): boolean {
  return isSetBack(readNote(file, 'libraries'), now);
}

/** Whether a write is needed only to note the time, so that deleted items are not kept forever. */
export function isNoteDue(file: SqliteFile, clock: ClockReading, table: NoteTable = 'libraries'): boolean {
  return needsNote(readNote(file, table), clock);
}

/** Call at the beginning of every write transaction of an account's file. */
export function noteTime(file: SqliteFile, clock: ClockReading): void {
  noteTimeAnd(file, clock, 'libraries', pullInDueTimes);
}

/** The same for `control.db`, which has no due times. */
export function noteControlTime(file: SqliteFile, clock: ClockReading): void {
  noteTimeAnd(file, clock, 'control_state', () => undefined);
}

function noteTimeAnd(
  file: SqliteFile,
  clock: ClockReading,
  table: NoteTable,
  whenSetBack: (file: SqliteFile, now: number) => void,
): void {
  const note = nextNote(readNote(file, table), clock);
  if (note === null) return;
  if (note.wasSetBack) whenSetBack(file, note.notedAt);
  file.run(
    `UPDATE ${table} SET noted_at = ?, noted_uptime = ?, passed_ms = ?`,
    note.notedAt,
    note.notedUptime,
    note.passedMs,
  );
}

/**
 * Moves due times to an earlier time after the clock was set back. Waiting jobs become due now, some earlier than
 * planned. A claimed job stays with its holder as long as the holder renews the lease.
 */
function pullInDueTimes(file: SqliteFile, now: number): void {
  for (const [table, maxLeaseMs] of [
    ['jobs', maxJobLeaseMs],
    ['llm_analyses', maxAnalysisLeaseMs],
  ] as const) {
    file.run(`UPDATE ${table} SET due_at = ? WHERE state = 'waiting' AND due_at > ?`, now, now);
    const leaseEnd = now + maxLeaseMs;
    file.run(`UPDATE ${table} SET due_at = ? WHERE state = 'claimed' AND due_at > ?`, leaseEnd, leaseEnd);
  }
}
