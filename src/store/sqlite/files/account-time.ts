import type { ClockReading } from '../../../domain/clock.ts';
import type { SqliteFile } from './sqlite-file.ts';

/*
 * The time of day may jump: a machine starts with a wrong clock, somebody sets it, or a time server corrects it. So
 * each write notes the time of day and the machine's uptime in the account's file (at most once a minute). These notes
 * tell
 * - how much time has certainly passed: the smaller of the times that the clock and the uptime show since the last
 *   note. Each can be too large (the clock jumped; the file is on another machine, which has been up for longer), but
 *   the smaller one is too large only when both are. Time while the machine is off is not counted. Deleted items are
 *   purged after some days of this time.
 * - whether the clock was set back. Then due times may be far in the future, and are moved to an earlier time.
 */

interface NotedTime {
  /** Milliseconds since the epoch; null before the first note. */
  notedAt: number | null;
  /** Uptime of the machine at the note, in milliseconds. */
  notedUptime: number;
  /** Milliseconds that had certainly passed between the first note and this one. */
  passedMs: number;
}

/** Noting the time more often would make each transaction write one more page. */
const betweenNotesMs = 60_000;

function readNote(file: SqliteFile): NotedTime {
  return (
    file.get<NotedTime>(
      `SELECT noted_at AS notedAt, noted_uptime AS notedUptime, passed_ms AS passedMs FROM file_state`,
    ) ?? { notedAt: null, notedUptime: 0, passedMs: 0 }
  );
}

/** Milliseconds that have certainly passed since the first note in this file: never more than really passed. */
export function passedTime(file: SqliteFile, clock: ClockReading): number {
  return passedSince(readNote(file), clock);
}

function passedSince({ notedAt, notedUptime, passedMs }: NotedTime, clock: ClockReading): number {
  if (notedAt === null) return passedMs;
  const byClock = clock.now() - notedAt;
  if (byClock <= 0) return passedMs;
  const uptime = clock.uptime();
  // An uptime shorter than the noted one means that the machine was restarted.
  const byUptime = uptime < notedUptime ? uptime : uptime - notedUptime;
  return passedMs + Math.floor(Math.min(byClock, byUptime));
}

/** Whether the clock is more than a minute behind the last note. */
export function wasSetBack(file: SqliteFile, now: number): boolean {
  const { notedAt } = readNote(file);
  return notedAt !== null && now < notedAt - betweenNotesMs;
}

/**
 * A note is due after this much unnoted time, and after a restart. The time between the last note and a restart is
 * lost. Once the uptime has reached the noted one again, the time since the restart is lost as well.
 */
const maxUnnotedMs = 60 * 60_000;

/** Whether a write is needed only to note the time, so that deleted items are not kept forever. */
export function isNoteDue(file: SqliteFile, clock: ClockReading): boolean {
  const note = readNote(file);
  if (note.notedAt === null || clock.now() - note.notedAt < betweenNotesMs) return false;
  return clock.uptime() < note.notedUptime || passedSince(note, clock) - note.passedMs >= maxUnnotedMs;
}

/** Call at the beginning of every write transaction of an account's file. */
export function noteTime(file: SqliteFile, clock: ClockReading): void {
  noteTimeAnd(file, clock, pullInDueTimes);
}

/** The same for `control.db`, which has no due times. */
export function noteControlTime(file: SqliteFile, clock: ClockReading): void {
  noteTimeAnd(file, clock, () => undefined);
}

function noteTimeAnd(
  file: SqliteFile,
  clock: ClockReading,
  whenSetBack: (file: SqliteFile, now: number) => void,
): void {
  const note = readNote(file);
  const now = clock.now();
  if (note.notedAt !== null && Math.abs(now - note.notedAt) < betweenNotesMs) return;
  if (note.notedAt !== null && now < note.notedAt) whenSetBack(file, now);
  file.run(
    'UPDATE file_state SET noted_at = ?, noted_uptime = ?, passed_ms = ?',
    now,
    Math.floor(clock.uptime()),
    passedSince(note, clock),
  );
}

/** Upper bounds of leases. Workers renew theirs far more often; assistants get the longest ones. */
const maxJobLeaseMs = 60_000;
const maxAnalysisLeaseMs = 30 * 60_000;

/**
 * Moves due times to an earlier time after the clock was set back. Waiting jobs become due now, some earlier than
 * planned. A claimed job stays with its holder as long as the holder renews the lease.
 */
function pullInDueTimes(file: SqliteFile, now: number): void {
  for (const [table, maxLeaseMs] of [
    ['jobs', maxJobLeaseMs],
    ['better_analyses', maxAnalysisLeaseMs],
  ] as const) {
    file.run(`UPDATE ${table} SET due_at = ? WHERE state = 'waiting' AND due_at > ?`, now, now);
    const leaseEnd = now + maxLeaseMs;
    file.run(`UPDATE ${table} SET due_at = ? WHERE state = 'claimed' AND due_at > ?`, leaseEnd, leaseEnd);
  }
}
