import type { HistoryEntry, HistoryQuery } from '../../history.ts';
import { maxRowsShown, shownChanges, withoutItem } from '../../history/shown-changes.ts';
import type { Page } from '../../records.ts';
import type { AccountTx } from '../account-access.ts';
import { restoredChanges } from './exported-history.ts';
import { itemNames } from './library-now.ts';
import { firstRows } from './rows.ts';
import { hasLostRows } from './pruning.ts';

interface EntryRow extends Omit<HistoryEntry, 'changes'> {
  seq: number;
}

/** Whose changes are shown: of an item, by its key and its id, of another record, or of all. */
type About = { item: number; id: string } | { subject: string } | null;

/** As in the index: kinds of records that have ids of their own beside those of items. */
const withSubjects = ({ sql }: AccountTx) => sql`kind IN ('action', 'goal', 'highlight')`;

/** What an id names: an entry, or a record whatever its kind. Null when there is no such thing. */
async function findAbout(
  db: AccountTx,
  id: string | undefined,
): Promise<{ about: About; entry: string | null } | null> {
  const { sql, account } = db;
  if (id === undefined) return { about: null, entry: null };
  const own = sql`account_id = ${account} AND id = ${id}`;
  const [entry] = await sql`SELECT 1 FROM history WHERE ${own}`;
  if (entry !== undefined) return { about: null, entry: id };
  const [item] = await sql<{ seq: number }[]>`SELECT seq FROM items WHERE ${own}`;
  if (item !== undefined) return { about: { item: item.seq, id }, entry: null };
  const [known] = await sql`
    SELECT 1 WHERE EXISTS (SELECT 1 FROM actions WHERE ${own}) OR EXISTS (SELECT 1 FROM goals WHERE ${own})
      OR EXISTS (SELECT 1 FROM highlights WHERE ${own})
      OR EXISTS (SELECT 1 FROM history_changes WHERE account_id = ${account} AND subject = ${id} AND ${withSubjects(db)})
      OR EXISTS (SELECT 1 FROM restored_changes WHERE account_id = ${account} AND record = ${id})`;
  return known === undefined ? null : { about: { subject: id }, entry: null };
}

/** SQL: the entries `h` that concern it. */
function concerning(db: AccountTx, about: About) {
  const { sql, account } = db;
  if (about === null) return sql``;
  const isItem = 'item' in about;
  const changed = isItem ? sql`item = ${about.item}` : sql`subject = ${about.subject} AND ${withSubjects(db)}`;
  const restored = isItem ? sql`item = ${about.id}` : sql`record = ${about.subject}`;
  return sql`AND h.seq IN (
    SELECT entry FROM history_changes
    WHERE account_id = ${account} AND ${changed} AND before::text IS DISTINCT FROM after::text
    UNION ALL SELECT entry FROM restored_changes WHERE account_id = ${account} AND ${restored})`;
}

/** Newest first. */
export async function listHistory(db: AccountTx, query: HistoryQuery): Promise<Page<HistoryEntry> | null> {
  const { sql, account } = db;
  const { id, scopes, limit, offset } = query;
  const found = await findAbout(db, id);
  if (found === null) return null;
  const { about, entry } = found;
  const from = sql`history h
    WHERE h.account_id = ${account} AND NOT ${hasLostRows(db, 'h')} ${entry === null ? sql`` : sql`AND h.id = ${entry}`} AND NOT EXISTS (
      SELECT 1 FROM json_array_elements_text(h.scopes) needed WHERE needed.value <> ALL(${[...scopes]}::text[]))
    ${concerning(db, about)}`;
  const rows = await sql<EntryRow[]>`
    SELECT h.seq, h.id, h.at, h.face, h.token AS by, h.operation, h.rows, h.undone_by, h.undoes,
      h.restored AS is_restored FROM ${from}
    ORDER BY h.at DESC, h.seq DESC LIMIT ${limit} OFFSET ${offset}`;
  const [counted] = await sql<{ total: number }[]>`SELECT count(*) AS total FROM ${from}`;
  const items: HistoryEntry[] = [];
  for (const { seq, ...row } of rows) items.push({ ...row, changes: await changesOf(db, { seq, ...row }, about, id) });
  return { items, total: counted?.total ?? 0 };
}

async function changesOf(
  db: AccountTx,
  { seq, isRestored }: EntryRow,
  about: About,
  id: string | undefined,
): Promise<HistoryEntry['changes']> {
  const limit = maxRowsShown(id);
  if (isRestored) return (await restoredChanges(db, seq, about, limit)).map(withoutItem);
  const rows = await firstRows(db, seq, about, limit);
  return shownChanges(rows, await itemNames(db, rows));
}
