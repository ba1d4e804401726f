import type { Scope } from '../../domain/records/account.ts';
import type { Change } from '../../domain/records/change.ts';
import type { AppError } from '../../errors.ts';
import { invalidInput } from '../../errors.ts';
import { restorableForMs } from '../../domain/records/limits.ts';
import type { HistoryLimits } from '../history.ts';

/** A store's record of a change; plain data, for writes in other threads. */
export type ChangeRecord = Readonly<Omit<Change, 'isRecorded'>> & {
  /** Whether an earlier write of it was recorded. When that is gone, what follows is not recorded: undo would restore a part of it. */
  isContinued: boolean;
  undoes?: string;
};

/** How a write is recorded now. @param undoing of a change that undoes another one: the other one, and the scopes that it needed */
export function recordOf({ isRecorded, ...change }: Change, undoing?: Undoing): ChangeRecord {
  return { ...change, isContinued: isRecorded, ...undoing };
}

export interface Undoing {
  undoes: string;
  scopes: readonly Scope[];
}

/** The size of a history row beside its values. */
export const rowBytes = 120;

/** The error for a call that goes on writing after a part of it was undone: the rest would not be undone with it. */
export function undoneMeanwhile(): AppError {
  return invalidInput('This was undone while it went on, so it ends here. Begin again.');
}

export const usualHistory: HistoryLimits = { keptMs: restorableForMs, maxBytes: 200 * 1024 * 1024 };

/** Remains from before the history was switched off. */
export const noHistory: HistoryLimits = { keptMs: 0, maxBytes: 0 };

/** Entries that one write removes; rows of a large one, which is removed in parts. */
export const maxEntriesPruned = 100;
export const maxRowsPruned = 2_000;

/** A change of several writes, such as an import, may go on for this long after one of them. */
export const maxBetweenWritesMs = 2 * 60_000;

/*
 * An entry is as old as its last write. It is removed when it is too old. When the history is too large, the oldest entry that is
 * not needed is removed. Needed are the newest, those still being written, and an entry that is being undone together with those
 * that undo it: the next call finishes an interrupted undo. An entry that is being undone gets the age of the last change that
 * undoes it.
 */

/** Lookups of the engines for pruning. Times are in the account's elapsed time. */
export interface HistoryState {
  passed: number;
  historyBytes: number;
  oldest: { seq: number; passed: number };
}

/** The candidates for removal: the oldest entry, the oldest that is not needed, or nothing. */
export function surplusOf({ passed, historyBytes, oldest }: HistoryState, limits: HistoryLimits) {
  if (oldest.passed <= passed - limits.keptMs) return 'oldest';
  return historyBytes > limits.maxBytes ? 'oldest_not_needed' : 'nothing';
}
