import type { HistoryLimits } from '../../history.ts';
import {
  type HistoryState,
  maxBetweenWritesMs,
  maxEntriesPruned,
  maxRowsPruned,
  surplusOf,
} from '../../history/pruning.ts';
import { type AccountTx, passedTime } from '../account-access.ts';

/** Whether some rows of an entry were removed. Then it can neither be shown nor undone. @param entry the table or its alias */
export const hasLostRows = ({ sql }: Pick<AccountTx, 'sql'>, entry: string) => sql`${sql(entry)}.id LIKE 'pruned %'`;

/** The key of the next entry to remove; null when there is none. */
async function surplusEntry(db: AccountTx, passed: number, limits: HistoryLimits): Promise<number | null> {
  const { sql, account } = db;
  // Entries that came with an export are older than their keys.
  const [oldest] = await sql<(HistoryState['oldest'] & { historyBytes: number })[]>`
    SELECT seq, passed, (SELECT history_bytes FROM libraries WHERE account_id = ${account}) AS history_bytes
    FROM history WHERE account_id = ${account} ORDER BY passed, seq LIMIT 1`;
  if (oldest === undefined) return null;
  const surplus = surplusOf({ passed, historyBytes: oldest.historyBytes, oldest }, limits);
  if (surplus === 'oldest') return oldest.seq;
  return surplus === 'nothing' ? null : oldestNotNeeded(db, passed - maxBetweenWritesMs);
}

/** @param writtenBy changes that were last written to after this time may go on */
async function oldestNotNeeded(db: AccountTx, writtenBy: number): Promise<number | null> {
  const { sql, account } = db;
  // An entry that has lost rows cannot be undone any more, so nothing waits for it.
  const isBeingUndone = (entry: 'h' | 'x') =>
    sql`(${sql(entry)}.undone_from IS NOT NULL AND ${sql(entry)}.undone_by IS NULL
      AND NOT ${hasLostRows(db, entry)})`;
  const [entry] = await sql<{ seq: number }[]>`
    SELECT h.seq FROM history h
    WHERE h.account_id = ${account} AND NOT ${isBeingUndone('h')}
      AND (h.passed <= ${writtenBy} OR ${hasLostRows(db, 'h')} OR h.restored)
      AND h.seq IS DISTINCT FROM (
        SELECT seq FROM history WHERE account_id = ${account} AND NOT restored ORDER BY passed DESC, seq DESC LIMIT 1)
      AND NOT EXISTS (
        SELECT 1 FROM history x WHERE x.account_id = ${account} AND x.id = h.undoes AND ${isBeingUndone('x')})
    ORDER BY h.passed, h.seq LIMIT 1`;
  return entry?.seq ?? null;
}

export async function hasHistoryToPrune(db: AccountTx, limits: HistoryLimits): Promise<boolean> {
  return (await surplusEntry(db, await passedTime(db), limits)) !== null;
}

/** Whether there is history that grows old. */
export async function hasHistory({ sql, account }: AccountTx): Promise<boolean> {
  return (await sql`SELECT 1 FROM history WHERE account_id = ${account} LIMIT 1`).length > 0;
}

/** Removes the oldest entries. */
export async function pruneHistory(db: AccountTx, limits: HistoryLimits): Promise<void> {
  const passed = await passedTime(db);
  let rows = 0;
  for (let entries = 0; entries < maxEntriesPruned && rows < maxRowsPruned; entries += 1) {
    const entry = await surplusEntry(db, passed, limits);
    if (entry === null) return;
    rows += await removeRows(db, entry);
  }
}

/** Removes an entry, or as many of its rows as one write may take. */
async function removeRows(db: AccountTx, entry: number): Promise<number> {
  const { sql, account } = db;
  const removed = await sql`
    DELETE FROM history_changes WHERE account_id = ${account} AND id IN (
      SELECT id FROM history_changes WHERE account_id = ${account} AND entry = ${entry} LIMIT ${maxRowsPruned})
    RETURNING 1`;
  // Without all of its rows it cannot be undone any more.
  await sql`
    UPDATE history SET id = 'pruned ' || seq
    WHERE account_id = ${account} AND seq = ${entry} AND NOT ${hasLostRows(db, 'history')}`;
  if (removed.length < maxRowsPruned) await removeEntries(db, [entry]);
  return removed.length + 1;
}

async function removeEntries({ sql, account }: AccountTx, entries: readonly number[]): Promise<void> {
  const [removed] = await sql<{ bytes: number }[]>`
    WITH removed AS (
      DELETE FROM history WHERE account_id = ${account} AND seq = ANY(${[...entries]}::bigint[]) RETURNING bytes)
    SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM removed`;
  await sql`
    UPDATE libraries SET history_bytes = greatest(0, history_bytes - ${removed?.bytes ?? 0}::bigint)
    WHERE account_id = ${account}`;
}

/** Forgets what an item was, when the item itself is removed for good. */
export async function forgetItem(db: AccountTx, item: number): Promise<void> {
  const { sql, account } = db;
  const ofItem = sql`account_id = ${account} AND item = ${item}`;
  const ofId = sql`
    account_id = ${account} AND item = (SELECT id FROM items WHERE account_id = ${account} AND seq = ${item})`;
  const entries = await sql<{ entry: number }[]>`
    SELECT entry FROM history_changes WHERE ${ofItem} UNION SELECT entry FROM restored_changes WHERE ${ofId}`;
  if (entries.length === 0) return;
  await sql`DELETE FROM history_originals WHERE ${ofItem}`;
  await sql`DELETE FROM history_changes WHERE ${ofItem}`;
  await sql`DELETE FROM restored_changes WHERE ${ofId}`;
  const emptied = await sql<{ seq: number }[]>`
    SELECT seq FROM history h
    WHERE h.account_id = ${account} AND h.seq = ANY(${entries.map(({ entry }) => entry)}::bigint[])
      AND NOT EXISTS (SELECT 1 FROM history_changes c WHERE c.account_id = ${account} AND c.entry = h.seq)
      AND NOT EXISTS (SELECT 1 FROM restored_changes c WHERE c.account_id = ${account} AND c.entry = h.seq)`;
  if (emptied.length > 0)
    await removeEntries(
      db,
      emptied.map(({ seq }) => seq),
    );
}
