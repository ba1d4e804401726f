import {
  type HistoryState,
  maxBetweenWritesMs,
  maxEntriesPruned,
  maxRowsPruned,
  noHistory,
  surplusOf,
} from '../../history/recording.ts';
import { all, type Db, first, later, passedTime, run, sql, type Steps, text } from '../db.ts';
import { hasLostRows } from './rows.ts';

/** The key of the next entry to remove; null when there is none. */
function* surplusEntry(db: Db, passed: number): Steps<number | null> {
  // Entries that came with an export are older than their keys.
  const oldest = yield* first<HistoryState['oldest'] & { historyBytes: number }>`
    SELECT h.seq, h.passed, (SELECT l.history_bytes FROM libraries l WHERE ${db.of('l')}) AS history_bytes
    FROM history h WHERE ${db.of('h')} ORDER BY h.passed, h.seq LIMIT 1`;
  if (oldest === undefined) return null;
  const surplus = surplusOf({ passed, historyBytes: oldest.historyBytes, oldest }, db.history ?? noHistory);
  if (surplus === 'oldest') return oldest.seq;
  return surplus === 'nothing' ? null : yield* oldestNotNeeded(db, passed - maxBetweenWritesMs);
}

/** @param writtenBy changes that were last written to after this time may go on */
function* oldestNotNeeded(db: Db, writtenBy: number): Steps<number | null> {
  // An entry that has lost rows cannot be undone, so nothing waits for it.
  const isBeingUndone = (entry: 'h' | 'x') => sql`(
    ${text(entry)}.undone_from IS NOT NULL AND ${text(entry)}.undone_by IS NULL AND NOT ${hasLostRows(entry)})`;
  const entry = yield* first<{ seq: number }>`
    SELECT h.seq FROM history h
    WHERE ${db.of('h')} AND NOT ${isBeingUndone('h')}
      AND (h.passed <= ${writtenBy} OR ${hasLostRows('h')} OR h.restored)
      AND h.seq IS DISTINCT FROM (SELECT n.seq FROM history n
        WHERE ${db.of('n')} AND NOT n.restored ORDER BY n.passed DESC, n.seq DESC LIMIT 1)
      AND NOT EXISTS (SELECT 1 FROM history x WHERE ${db.of('x')} AND x.id = h.undoes AND ${isBeingUndone('x')})
    ORDER BY h.passed, h.seq LIMIT 1`;
  return entry?.seq ?? null;
}

export function* hasHistoryToPrune(db: Db): Steps<boolean> {
  return (yield* surplusEntry(db, yield* passedTime(db))) !== null;
}

export function* hasHistory(db: Db): Steps<boolean> {
  return (yield* first`SELECT 1 AS one FROM history h WHERE ${db.of('h')} LIMIT 1`) !== undefined;
}

export function* pruneHistory(db: Db): Steps<void> {
  const passed = yield* passedTime(db);
  let rows = 0;
  for (let entries = 0; entries < maxEntriesPruned && rows < maxRowsPruned; entries += 1) {
    const entry = yield* surplusEntry(db, passed);
    if (entry === null) return;
    rows += yield* removeRows(db, entry);
  }
}

/** Removes an entry, or as many of its rows as one write may take. */
function* removeRows(db: Db, entry: number): Steps<number> {
  const removed = yield* run`
    DELETE FROM history_changes WHERE ${db.of('history_changes')} AND id IN (
      SELECT x.id FROM history_changes x WHERE ${db.of('x')} AND x.entry = ${entry} LIMIT ${maxRowsPruned})`;
  // Without all of its rows it cannot be undone.
  yield* later`
    UPDATE history SET id = 'pruned ' || seq
    WHERE ${db.of('history')} AND seq = ${entry} AND NOT ${hasLostRows('history')}`;
  if (removed < maxRowsPruned) yield* removeEntries(db, [entry]);
  return removed + 1;
}

function* removeEntries(db: Db, entries: readonly number[]): Steps<void> {
  const removed = yield* all<{ bytes: number }>`
    DELETE FROM history WHERE ${db.of('history')} AND seq IN (SELECT k.value FROM ${db.numbers('k', entries)})
    RETURNING bytes`;
  const bytes = removed.reduce((sum, entry) => sum + entry.bytes, 0);
  yield* later`
    UPDATE libraries SET history_bytes = CASE WHEN history_bytes > ${bytes} THEN history_bytes - ${bytes} ELSE 0 END
    WHERE ${db.of('libraries')}`;
}

/** Purges the history of a purged item. */
export function* forgetItem(db: Db, item: number): Steps<void> {
  const ofItem = (table: string) => sql`${db.of(table)} AND ${text(table)}.item = ${item}`;
  const ofId = (table: string) => sql`
    ${db.of(table)} AND ${text(table)}.item = (SELECT i.id FROM items i WHERE ${db.of('i')} AND i.seq = ${item})`;
  const entries = yield* all<{ entry: number }>`
    SELECT x.entry FROM history_changes x WHERE ${ofItem('x')}
    UNION SELECT o.entry FROM history_originals o WHERE ${ofItem('o')}
    UNION SELECT r.entry FROM restored_changes r WHERE ${ofId('r')}`;
  if (entries.length === 0) return;
  yield* later`DELETE FROM history_originals WHERE ${ofItem('history_originals')}`;
  yield* later`DELETE FROM history_changes WHERE ${ofItem('history_changes')}`;
  yield* later`DELETE FROM restored_changes WHERE ${ofId('restored_changes')}`;
  const keys = entries.map(({ entry }) => entry);
  const emptied = yield* all<{ seq: number }>`
    SELECT h.seq FROM history h WHERE ${db.of('h')} AND h.seq IN (SELECT k.value FROM ${db.numbers('k', keys)})
      AND NOT EXISTS (SELECT 1 FROM history_changes x WHERE ${db.of('x')} AND x.entry = h.seq)
      AND NOT EXISTS (SELECT 1 FROM restored_changes r WHERE ${db.of('r')} AND r.entry = h.seq)`;
  if (emptied.length > 0)
    yield* removeEntries(
      db,
      emptied.map(({ seq }) => seq),
    );
}
