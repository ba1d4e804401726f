/** The time, injected so that tests own it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Monotonic milliseconds since some moment in this process. Waits inside a process are measured with this, so that a
   * change of the system time neither ends nor lengthens them.
   */
  elapsed(): number;
  /** Milliseconds since this machine booted. Continues across restarts of the process. */
  uptime(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The part of a clock that records need: the time, and how long the machine has been up. */
export type ClockReading = Pick<Clock, 'now' | 'uptime'>;

/** ISO 8601 in UTC, as every stored and shown time is written. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** The day in UTC, 2026-03-31. */
export function utcDay(ms: number): string {
  return isoTime(ms).slice(0, 10);
}

/** How often something happens: every day, every 36 hours. */
export function rhythmWords(minutes: number): string {
  const [unit, one] = (
    [
      [10_080, 'week'],
      [1_440, 'day'],
      [60, 'hour'],
    ] as const
  ).find(([size]) => minutes > 0 && minutes % size === 0) ?? [1, 'minute'];
  return minutes === unit ? `every ${one}` : `every ${minutes / unit} ${one}s`;
}
