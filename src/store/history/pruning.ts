import { restorableForMs } from '../../domain/records/limits.ts';
import type { HistoryLimits } from '../history.ts';

export const usualHistory: HistoryLimits = { keptMs: restorableForMs, maxBytes: 200 * 1024 * 1024 };

/** What is left from before the history was switched off. */
export const noHistory: HistoryLimits = { keptMs: 0, maxBytes: 0 };

/** Entries that one write removes; rows of a large one, which is removed in parts. */
export const maxEntriesPruned = 100;
export const maxRowsPruned = 2_000;

/** A change of several writes, such as an import, may go on for this long after one of them. */
export const maxBetweenWritesMs = 2 * 60_000;

/*
 * An entry is as old as its last write. It is removed when it is too old. When the history is too large, the oldest entry
 * that is not needed is removed. Needed are the newest, those that may go on, and an entry that is being undone together
 * with those that undo it: the next call finishes an undo that was interrupted. An entry that is being undone gets the age
 * of the last change that undoes it.
 */

/** What the engines look up to prune. Times are as the account counts time that passed. */
export interface HistoryState {
  passed: number;
  historyBytes: number;
  /** The oldest entry. */
  oldest: { seq: number; passed: number };
}

/** What may be removed: the oldest entry, the oldest that is not needed, or nothing. */
export function surplusOf({ passed, historyBytes, oldest }: HistoryState, limits: HistoryLimits) {
  if (oldest.passed <= passed - limits.keptMs) return 'oldest';
  return historyBytes > limits.maxBytes ? 'oldest_not_needed' : 'nothing';
}
