import type { ChangedRow, Values } from '../../history/changed-rows.ts';
import { requireRoomForHighlights, restoredHighlightColumns } from '../../history/restored-columns.ts';
import type { AccountWrite } from '../account-access.ts';
import { markPassages } from '../../library/marks.ts';
import { postgresDb, runSteps } from '../postgres-db.ts';
import { assignments } from './assignments.ts';
import { currentRows } from '../../library/history-rows.ts';

/**
 * Where a highlight stands is not restored, but looked for again when its words are others. What it adds to the passages
 * of its item is written at once.
 * @throws {AppError} `invalid_input` when an item would have too many highlights
 */
export async function restoreHighlights(db: AccountWrite, rows: readonly ChangedRow[]): Promise<void> {
  const { sql, account } = db;
  for (const { subject, before } of rows)
    if (before === null) await sql`DELETE FROM highlights WHERE account_id = ${account} AND id = ${subject}`;
  const current = await runSteps(db, currentRows(postgresDb(db), rows));
  for (const row of rows) if (row.before !== null) await restore(db, row, row.before, current(row));
  for (const item of new Set(rows.flatMap((row) => row.item ?? []))) {
    const [counted] = await sql<{ total: number }[]>`
      SELECT count(*) AS total FROM highlights WHERE account_id = ${account} AND item = ${item} AND deleted_at IS NULL`;
    requireRoomForHighlights(counted?.total ?? 0);
    await runSteps(db, markPassages(postgresDb(db), item));
  }
}

async function restore(db: AccountWrite, changed: ChangedRow, before: Values, there: Values | null): Promise<void> {
  const { sql, account, now } = db;
  const own = sql`account_id = ${account} AND id = ${changed.subject}`;
  if (there === null) {
    if (changed.after !== null) return;
    await insert(db, changed, before);
  } else {
    const columns = restoredHighlightColumns(changed, there);
    if (columns.length === 0) return;
    if (columns.includes('quote'))
      await sql`
        UPDATE highlights SET document = NULL, start_at = NULL, end_at = NULL, locator = NULL, url = NULL WHERE ${own}`;
    await sql`
      UPDATE highlights SET updated_at = greatest(updated_at + 1, ${now}), ${assignments(db, columns, before)}
      WHERE ${own}`;
  }
  await sql`
    UPDATE highlights h SET place_due = deleted_at IS NULL AND (place_due OR EXISTS (
      SELECT 1 FROM items i WHERE i.account_id = ${account} AND i.seq = h.item AND i.visible_document IS NOT NULL
        AND i.visible_document IS DISTINCT FROM h.document))
    WHERE ${own}`;
}

/** Does nothing when an import has added the same one meanwhile. */
async function insert({ sql, account, now }: AccountWrite, changed: ChangedRow, before: Values): Promise<void> {
  const { key, item, subject } = changed;
  const value = (column: string) => before[column] ?? null;
  await sql`
    INSERT INTO highlights (account_id, seq, id, item, updated_at, source, quote, note, colour, touched_at, created_at,
      deleted_at)
    OVERRIDING SYSTEM VALUE
    SELECT ${account}, ${key}, ${subject}, seq, ${now}, ${value('source')}, ${value('quote')}, ${value('note')},
      ${value('colour')}, ${value('touched_at')}, ${value('created_at')}, ${value('deleted_at')}
    FROM items WHERE account_id = ${account} AND seq = ${item}
    ON CONFLICT DO NOTHING`;
}
