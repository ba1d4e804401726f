import { z } from 'zod';

/** The time, injected so that tests own it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** ISO 8601 in UTC, as every stored and shown time is written. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** A time as answers carry it: what `isoTime` writes. */
export const instant = z.string().meta({ format: 'date-time' });
