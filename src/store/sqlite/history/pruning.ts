import type { ClockReading } from '../../../domain/clock.ts';
import {
  type HistoryState,
  maxBetweenWritesMs,
  maxEntriesPruned,
  maxRowsPruned,
  surplusOf,
} from '../../history/pruning.ts';
import type { HistoryLimits } from '../../history.ts';
import { passedTime } from '../files/account-time.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/** A condition of SQL on the id of an entry: that some of its rows were removed. Then it can neither be shown nor undone. */
export const hasLostRows = (id: string): string => `${id} LIKE 'pruned %'`;

/** The key of the next entry to remove; undefined when there is none. */
function surplusEntry(file: SqliteFile, limits: HistoryLimits, clock: ClockReading): number | undefined {
  // Entries that came with an export are older than their keys.
  const oldest = file.get<HistoryState['oldest']>('SELECT seq, passed FROM history ORDER BY passed, seq LIMIT 1');
  if (oldest === undefined) return undefined;
  const state = file.get<{ bytes: number }>('SELECT history_bytes AS bytes FROM libraries');
  const now = { passed: passedTime(file, clock), historyBytes: state?.bytes ?? 0, oldest };
  const surplus = surplusOf(now, limits);
  if (surplus === 'oldest') return oldest.seq;
  return surplus === 'nothing' ? undefined : oldestNotNeeded(file, now.passed - maxBetweenWritesMs);
}

/** @param writtenBy changes that were last written to after this time may go on */
function oldestNotNeeded(file: SqliteFile, writtenBy: number): number | undefined {
  // An entry that has lost rows cannot be undone any more, so nothing waits for it.
  const isBeingUndone = (entry: 'h' | 'x') =>
    `(${entry}.undone_from IS NOT NULL AND ${entry}.undone_by IS NULL AND NOT ${hasLostRows(`${entry}.id`)})`;
  return file.get<{ seq: number }>(
    `SELECT h.seq FROM history h
     WHERE h.seq IS NOT (SELECT seq FROM history WHERE restored = 0 ORDER BY passed DESC, seq DESC LIMIT 1)
       AND (h.passed <= ? OR ${hasLostRows('h.id')} OR h.restored = 1) AND NOT ${isBeingUndone('h')}
       AND NOT EXISTS (SELECT 1 FROM history x WHERE x.id = h.undoes AND ${isBeingUndone('x')})
     ORDER BY h.passed, h.seq LIMIT 1`,
    writtenBy,
  )?.seq;
}

export function hasHistoryToPrune(file: SqliteFile, limits: HistoryLimits, clock: ClockReading): boolean {
  return surplusEntry(file, limits, clock) !== undefined;
}

/** Whether there is history that grows old. */
export function hasHistory(file: SqliteFile): boolean {
  return file.get('SELECT 1 FROM history LIMIT 1') !== undefined;
}

/** Removes the oldest entries. Returns whether anything was removed. */
export function pruneHistory(file: SqliteFile, limits: HistoryLimits, clock: ClockReading): boolean {
  let rows = 0;
  for (let entries = 0; entries < maxEntriesPruned && rows < maxRowsPruned; entries += 1) {
    const entry = surplusEntry(file, limits, clock);
    if (entry === undefined) return entries > 0;
    rows += removeRows(file, entry);
  }
  return true;
}

/** Removes an entry, or as many of its rows as one write may take. */
function removeRows(file: SqliteFile, entry: number): number {
  const { changes } = file.run(
    'DELETE FROM history_changes WHERE id IN (SELECT id FROM history_changes WHERE entry = ? LIMIT ?)',
    entry,
    maxRowsPruned,
  );
  // Without all of its rows it cannot be undone any more.
  file.run(`UPDATE history SET id = 'pruned ' || seq WHERE seq = ? AND NOT ${hasLostRows('id')}`, entry);
  if (changes < maxRowsPruned) removeEntry(file, entry);
  return changes + 1;
}

function removeEntry(file: SqliteFile, entry: number): void {
  file.run(
    'UPDATE libraries SET history_bytes = max(0, history_bytes - (SELECT bytes FROM history WHERE seq = ?))',
    entry,
  );
  file.run('DELETE FROM history WHERE seq = ?', entry);
}

/** Forgets what an item was, when the item itself is removed for good. */
export function forgetItem(file: SqliteFile, item: number): void {
  const entries = file.all<{ entry: number }>(
    `SELECT entry FROM history_changes WHERE item = @item
     UNION SELECT entry FROM restored_changes WHERE item = (SELECT id FROM items WHERE seq = @item)`,
    { item },
  );
  file.run('DELETE FROM history_originals WHERE item = ?', item);
  file.run('DELETE FROM history_changes WHERE item = ?', item);
  file.run('DELETE FROM restored_changes WHERE item = (SELECT id FROM items WHERE seq = ?)', item);
  for (const { entry } of entries) if (!hasChanges(file, entry)) removeEntry(file, entry);
}

function hasChanges(file: SqliteFile, entry: number): boolean {
  const found = file.get(
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM history_changes WHERE entry = @entry)
       OR EXISTS (SELECT 1 FROM restored_changes WHERE entry = @entry)`,
    { entry },
  );
  return found !== undefined;
}
