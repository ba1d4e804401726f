import { isoTime } from '../../../domain/clock.ts';
import type { ExportedHistoryEntry } from '../../../domain/records/transfers/exported.ts';
import { rowBytes } from '../../history/change-record.ts';
import {
  type EntryToExport,
  type ExportedChange,
  maxRowsExported,
  scopesOf,
  toExport,
  withinLength,
} from '../../history/exported-history.ts';
import { hasOwnName, shownChanges } from '../../history/shown-changes.ts';
import type { HistoryPage } from '../../transfer.ts';
import type { AccountTx, AccountWrite } from '../account-access.ts';
import { json } from '../database.ts';
import { itemNames } from './library-now.ts';
import { firstRows } from './rows.ts';
import { hasLostRows } from './pruning.ts';

/**
 * The next entries after a place, the oldest first. Left out are changes of what is in the trash or gone, and imports of an
 * export: they would make the export of a copy another one than that of the library.
 */
export async function readHistoryToExport(
  db: AccountTx,
  { after, since, limit }: { after: HistoryPage['next']; since: number; limit: number },
): Promise<HistoryPage> {
  const { sql, account } = db;
  const place = sql`(${after?.at ?? Number.MIN_SAFE_INTEGER}::bigint, ${after?.seq ?? 0}::bigint)`;
  const rows = await sql<(EntryToExport & { isRestored: boolean })[]>`
    SELECT seq, id, at, face, token AS by, operation, rows, undone_by, undoes, restored AS is_restored FROM history
    WHERE account_id = ${account} AND NOT transfer AND NOT ${hasLostRows(db, 'history')} AND at >= ${since} AND (at, seq) > ${place}
    ORDER BY at, seq LIMIT ${limit}`;
  const entries: ExportedHistoryEntry[] = [];
  for (const { seq, isRestored, at, ...entry } of rows) {
    const changes = withinLength(isRestored ? await restoredToExport(db, seq) : await recordedToExport(db, seq));
    if (changes.length > 0) entries.push({ ...entry, at: isoTime(at), changes });
  }
  const last = rows.at(-1);
  return { entries, next: last === undefined || rows.length < limit ? null : { at: last.at, seq: last.seq } };
}

/** Of texts and tags of an item in the trash nothing is exported, nor of what was deleted from an item. */
async function recordedToExport(db: AccountTx, entry: number): Promise<ExportedChange[]> {
  const rows = await firstRows(db, entry, null, maxRowsExported);
  const findItem = await itemNames(db, rows);
  const idOf = (row: (typeof rows)[number]) =>
    hasOwnName(row.kind) ? (row.subject ?? '') : (findItem(row.item)?.id ?? '');
  const there = await recordsThere(db, rows.map(idOf));
  const kept = rows.filter((row) => there.has(idOf(row)));
  return shownChanges(kept, findItem).map((change) => toExport(change, there.get(change.id) ?? null));
}

async function restoredToExport(db: AccountTx, entry: number): Promise<ExportedChange[]> {
  const changes = await restoredChanges(db, entry, null, maxRowsExported);
  const there = await recordsThere(
    db,
    changes.map(({ id }) => id),
  );
  return changes.filter(({ id }) => there.has(id));
}

/** The records that are there and not in the trash, with the item that an action item or a highlight belongs to. */
async function recordsThere(
  { sql, account }: AccountTx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const isWanted = (table: 'i' | 'g' | 'a' | 'h') =>
    sql`${sql(table)}.account_id = ${account} AND ${sql(table)}.id = ANY(${wanted}::text[])`;
  const itemOf = (table: 'a' | 'h') =>
    sql`items i ON i.account_id = ${account} AND i.seq = ${sql(table)}.item AND i.deleted_at IS NULL`;
  const rows = await sql<{ id: string; item: string | null }[]>`
    SELECT i.id, NULL::text AS item FROM items i WHERE ${isWanted('i')} AND i.deleted_at IS NULL
    UNION ALL SELECT g.id, NULL FROM goals g WHERE ${isWanted('g')}
    UNION ALL SELECT a.id, i.id FROM actions a JOIN ${itemOf('a')} WHERE ${isWanted('a')}
    UNION ALL SELECT h.id, i.id FROM highlights h JOIN ${itemOf('h')} WHERE ${isWanted('h')} AND h.deleted_at IS NULL`;
  return new Map(rows.map(({ id, item }) => [id, item]));
}

/** What an entry that came with an export says was changed: all, or of one item, or of one other record. */
export async function restoredChanges(
  { sql, account }: AccountTx,
  entry: number,
  of: { id: string } | { subject: string } | null,
  limit: number,
): Promise<ExportedChange[]> {
  const about = of === null ? sql`` : 'id' in of ? sql`AND item = ${of.id}` : sql`AND record = ${of.subject}`;
  const rows = await sql<ExportedChange[]>`
    SELECT record AS id, CASE WHEN item <> record THEN item END AS content_id, title, field, before, after
    FROM restored_changes WHERE account_id = ${account} AND entry = ${entry} ${about} ORDER BY id LIMIT ${limit}`;
  return [...rows];
}

/** Adds entries that are not there yet, with their changes of what is in the library. They are as old as they were. */
export async function restoreHistory(db: AccountWrite, entries: readonly ExportedHistoryEntry[]): Promise<void> {
  for (const entry of entries) {
    const there = await recordsThere(
      db,
      entry.changes.map(({ id }) => id),
    );
    const changes = entry.changes.filter(({ id }) => there.has(id));
    if (changes.length > 0) await restoreEntry(db, entry, changes, there);
  }
}

async function restoreEntry(
  db: AccountWrite,
  { id, at, face, by, operation, rows, undoneBy, undoes }: ExportedHistoryEntry,
  changes: readonly ExportedChange[],
  itemOf: ReadonlyMap<string, string | null>,
): Promise<void> {
  const { sql, account, passed, clock } = db;
  const time = Date.parse(at);
  const age = Math.max(0, clock.now() - time);
  const values = changes.map(({ before, after }) => [JSON.stringify(before), JSON.stringify(after)] as const);
  const bytes = values.reduce((sum, [before, after]) => sum + before.length + after.length + rowBytes, rowBytes);
  const [entry] = await sql<{ seq: number }[]>`
    INSERT INTO history (account_id, id, at, passed, face, token, operation, scopes, rows, bytes, undoes, undone_by, restored)
    VALUES (${account}, ${id}, ${time}, ${passed - age}, ${face}, ${by}, ${operation}, ${json(scopesOf(changes))},
      ${rows}, ${bytes}, ${undoes}, ${undoneBy}, true)
    ON CONFLICT (account_id, id) DO NOTHING RETURNING seq`;
  if (entry === undefined) return;
  for (const { id: record, title, field, before, after } of changes) {
    const item = record.startsWith('c_') ? record : (itemOf.get(record) ?? null);
    await sql`
      INSERT INTO restored_changes (account_id, entry, record, item, title, field, before, after)
      VALUES (${account}, ${entry.seq}, ${record}, ${item}, ${title}, ${field},
        ${json(before)}, ${json(after)})`;
  }
  await sql`UPDATE libraries SET history_bytes = history_bytes + ${bytes} WHERE account_id = ${account}`;
}
