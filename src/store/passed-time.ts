import type { ClockReading } from '../domain/clock.ts';

/*
 * The time of day may jump: a machine starts with a wrong clock, somebody sets it, or a time server corrects it. So
 * writes note the time of day and the machine's uptime beside the records (at most once a minute). These notes tell
 * - how much time has certainly passed: the smaller of the times that the clock and the uptime show since the last
 *   note. Each can be too large (the clock jumped; the note is from another machine, which has been up for longer), but
 *   the smaller one is too large only when both are. Time while the machine is off is not counted. Deleted items are
 *   purged after some days of this time.
 * - whether the clock was set back. Then due times may be far in the future, and are moved to an earlier time.
 */

export interface NotedTime {
  /** Milliseconds since the epoch; null before the first note. */
  notedAt: number | null;
  /** Uptime of the machine at the note, in milliseconds. */
  notedUptime: number;
  /** Milliseconds that had certainly passed between the first note and this one. */
  passedMs: number;
}

export const neverNoted: NotedTime = { notedAt: null, notedUptime: 0, passedMs: 0 };

/** Noting the time more often would cost each write more. */
const betweenNotesMs = 60_000;

/** Milliseconds that have certainly passed since the first note: never more than really passed. */
export function passedSince({ notedAt, notedUptime, passedMs }: NotedTime, clock: ClockReading): number {
  if (notedAt === null) return passedMs;
  const byClock = clock.now() - notedAt;
  if (byClock <= 0) return passedMs;
  const uptime = clock.uptime();
  // An uptime shorter than the noted one means that the machine was restarted.
  const byUptime = uptime < notedUptime ? uptime : uptime - notedUptime;
  return passedMs + Math.floor(Math.min(byClock, byUptime));
}

/** Whether the clock is more than a minute behind the last note. */
export function isSetBack({ notedAt }: NotedTime, now: number): boolean {
  return notedAt !== null && now < notedAt - betweenNotesMs;
}

/**
 * A note is due after this much unnoted time, and after a restart. The time between the last note and a restart is
 * lost. Once the uptime has reached the noted one again, the time since the restart is lost as well.
 */
const maxUnnotedMs = 60 * 60_000;

/** Whether a write is needed only to note the time, so that deleted records are not kept forever. */
export function needsNote(note: NotedTime, clock: ClockReading): boolean {
  if (note.notedAt === null || clock.now() - note.notedAt < betweenNotesMs) return false;
  return clock.uptime() < note.notedUptime || passedSince(note, clock) - note.passedMs >= maxUnnotedMs;
}

/** The time recorded by a write; null when the last record is recent enough. */
export function nextNote(
  note: NotedTime,
  clock: ClockReading,
): { notedAt: number; notedUptime: number; passedMs: number; wasSetBack: boolean } | null {
  const now = clock.now();
  if (note.notedAt !== null && Math.abs(now - note.notedAt) < betweenNotesMs) return null;
  return {
    notedAt: now,
    notedUptime: Math.floor(clock.uptime()),
    passedMs: passedSince(note, clock),
    wasSetBack: note.notedAt !== null && now < note.notedAt,
  };
}

/** Upper bounds of leases. Workers renew theirs far more often; assistants get the longest ones. */
export const maxJobLeaseMs = 60_000;
export const maxAnalysisLeaseMs = 30 * 60_000;
