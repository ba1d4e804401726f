import type { Clock } from '../../domain/clock.ts';
import type { MakeLimiter } from '../../http/incoming/limits.ts';
import type { DatabaseChecked } from '../../services/operating/database-check.ts';
import type { Stores } from '../../store/store.ts';

/** The store of the records, and what all processes on it share. */
export interface Installation {
  stores: Stores;
  /** The clock that decides when records are due. */
  clock: Clock;
  /** Calls `wake` when another process has written work. Polling finds what this misses. */
  onWork: (wake: () => void) => void;
  /** Absent: each process counts requests for itself. */
  makeLimiter?: MakeLimiter;
  takeTurn: TakeTurn;
  /** Absent: the records are in the data folder. */
  readDatabase?: () => Promise<DatabaseChecked>;
}

/**
 * Whether this process does what is due every `everyMs` milliseconds for the whole installation: true for one process in
 * that time.
 */
export type TakeTurn = (name: string, everyMs: number) => Promise<boolean>;
