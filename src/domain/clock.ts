import { z } from 'zod';

/** The time, injected so that tests own it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Milliseconds since some moment in this process, whatever happens to the time of day. Waits inside a process are measured by this:
   * a clock that is set must neither end nor lengthen them.
   */
  elapsed(): number;
  /** Milliseconds that this machine has been up: it outlives the process, and begins anew with the machine. */
  uptime(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A clock as far as records need it: what it says now, and how long the machine has been up. */
export type ClockReading = Pick<Clock, 'now' | 'uptime'>;

/** ISO 8601 in UTC, as every stored and shown time is written. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** A time as answers carry it: what `isoTime` writes. */
export const instant = z.string().meta({ format: 'date-time' });
