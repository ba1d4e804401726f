import type { Faults } from '../../support/faults/faults.ts';

/** What was done to the program, and what was found. */
export interface Tally {
  kills: number;
  /** Kills by what was killed and where. */
  places: Map<string, number>;
  /** Processes that started with a wrong clock, or whose clock jumped. */
  clocks: number;
  /** Calls to the system that a misbehaving disk failed. */
  diskFaults: number;
  /** Processes that refused to start on a misbehaving disk. */
  refusedStarts: number;
  checks: number;
  calls: Record<'done' | 'refused' | 'unknown', number>;
  items: Record<string, number>;
  /** What broke a promise, one sentence each. */
  failures: string[];
}

export function newTally(): Tally {
  return {
    kills: 0,
    places: new Map(),
    clocks: 0,
    diskFaults: 0,
    refusedStarts: 0,
    checks: 0,
    calls: { done: 0, refused: 0, unknown: 0 },
    items: {},
    failures: [],
  };
}

export function addKill(tally: Tally, place: string): void {
  tally.kills += 1;
  tally.places.set(place, (tally.places.get(place) ?? 0) + 1);
}

/** A point in words. */
export function placeOf(kill: Faults['kill'] | null): string {
  if (kill?.point === 'statement') return kill.sql === undefined ? 'after a statement' : `after ${kill.sql}`;
  return kill?.point.replace('-', ' ') ?? '';
}
