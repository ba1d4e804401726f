import { restorableForMs } from '../../domain/records/content.ts';
import type { HistoryLimits } from '../history.ts';

export const usualHistory: HistoryLimits = { keptMs: restorableForMs, maxBytes: 200 * 1024 * 1024 };

/** What is left from before the history was switched off. */
export const noHistory: HistoryLimits = { keptMs: 0, maxBytes: 0 };

/** Entries that one write removes; rows of a large one, which is removed in parts. */
export const maxEntriesPruned = 100;
export const maxRowsPruned = 2_000;

export interface OldestEntry {
  seq: number;
  /** The time that had passed when it was made. */
  passed: number;
  /** Whether no later one was made here. */
  isNewest: boolean;
}

/** Whether the oldest entry is too old, or the history too large. The newest stays, however large it is. */
export function isSurplus(
  oldest: OldestEntry,
  { passed, historyBytes }: { passed: number; historyBytes: number },
  limits: HistoryLimits,
): boolean {
  if (oldest.passed <= passed - limits.keptMs) return true;
  return !oldest.isNewest && historyBytes > limits.maxBytes;
}
