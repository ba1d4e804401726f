import type { ClockReading } from '../../../domain/clock.ts';
import type { SqliteFile } from './sqlite-file.ts';

/*
 * The time of day may jump: a machine starts with a wrong clock, somebody sets it, a network corrects it. So an account's file notes what
 * time it was when it was written to, and how long the machine had been up. From that follows
 * - how much time has certainly passed, whatever the clock says: the smaller of what the time of day and the uptime say has passed
 *   since the last note. Each can be wrong (a jump; another machine that has been up for longer), but the smaller one is wrong only when
 *   both are. While the machine is off nothing passes. What is deleted for good after some days counts them by this.
 * - whether the clock was set back. Then every due time may be far ahead, and is pulled in.
 */

interface NotedTime {
  /** Milliseconds since the epoch; null before the first note. */
  notedAt: number | null;
  /** Milliseconds that the machine had been up then. */
  notedUptime: number;
  /** What had certainly passed by then, since the first note. */
  passedMs: number;
}

/** Noting more often would write a page more in each transaction. */
const betweenNotesMs = 60_000;

function readNote(file: SqliteFile): NotedTime {
  return (
    file.get<NotedTime>(
      `SELECT noted_at AS notedAt, noted_uptime AS notedUptime, passed_ms AS passedMs FROM file_state`,
    ) ?? { notedAt: null, notedUptime: 0, passedMs: 0 }
  );
}

/** Milliseconds that have certainly passed since the first note in this file: never more than really have. */
export function passedTime(file: SqliteFile, clock: ClockReading): number {
  return passedSince(readNote(file), clock);
}

function passedSince({ notedAt, notedUptime, passedMs }: NotedTime, clock: ClockReading): number {
  if (notedAt === null) return passedMs;
  const byClock = clock.now() - notedAt;
  if (byClock <= 0) return passedMs;
  const uptime = clock.uptime();
  // A machine that has been up for a shorter time than before was started since.
  const byUptime = uptime < notedUptime ? uptime : uptime - notedUptime;
  return passedMs + Math.floor(Math.min(byClock, byUptime));
}

/** Whether the clock says a time that is well before one that it has said. */
export function wasSetBack(file: SqliteFile, now: number): boolean {
  const { notedAt } = readNote(file);
  return notedAt !== null && now < notedAt - betweenNotesMs;
}

/** Between two notes a restart of the machine forgets what has passed, and so does an uptime that has reached the noted one again. */
const maxUnnotedMs = 60 * 60_000;

/** Whether the time has to be noted by a write that does nothing else, so that deleted items are not kept for ever. */
export function isNoteDue(file: SqliteFile, clock: ClockReading): boolean {
  const note = readNote(file);
  if (note.notedAt === null || clock.now() - note.notedAt < betweenNotesMs) return false;
  return clock.uptime() < note.notedUptime || passedSince(note, clock) - note.passedMs >= maxUnnotedMs;
}

/** At the beginning of every write transaction. */
export function noteTime(file: SqliteFile, clock: ClockReading): void {
  const note = readNote(file);
  const now = clock.now();
  if (note.notedAt !== null && Math.abs(now - note.notedAt) < betweenNotesMs) return;
  if (note.notedAt !== null && now < note.notedAt) pullInDueTimes(file, now);
  file.run(
    'UPDATE file_state SET noted_at = ?, noted_uptime = ?, passed_ms = ?',
    now,
    Math.floor(clock.uptime()),
    passedSince(note, clock),
  );
}

/** A worker renews its lease far more often; an assistant has the longest lease. */
const maxJobLeaseMs = 60_000;
const maxAnalysisLeaseMs = 30 * 60_000;

/**
 * After the clock was set back. What waits is due now, which is earlier than was meant for some of it; what is claimed
 * keeps its holder, if it has one that renews its lease.
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
