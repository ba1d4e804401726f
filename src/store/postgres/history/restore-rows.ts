import { type ChangedRow, differingColumns, type Values } from '../../history/changed-rows.ts';
import { requireRoomForTags, restoredItemColumns } from '../../history/restored-columns.ts';
import type { AccountWrite } from '../account-access.ts';
import { addressHash } from '../address-hash.ts';
import { countTags, moveToTrash, restartJob, stopJob, takeFromTrash, touchItem } from '../items/bridged.ts';
import { asJson, assignments } from './assignments.ts';
import { existingDocuments } from '../../library/history-undo.ts';
import { postgresDb, runSteps } from '../postgres-db.ts';
import { restoreActions, restoreGoals, removeGoals } from './restore-actions.ts';
import { restoreHighlights } from './restore-highlights.ts';

/**
 * Brings rows back to what they were before they were recorded. What is derived follows: a deleted item comes back from
 * the trash with its passages, and one whose text was replaced is read again from the bytes that it had.
 */
export async function restoreRows(db: AccountWrite, rows: readonly ChangedRow[]): Promise<void> {
  const of = (kind: ChangedRow['kind']) => rows.filter((row) => row.kind === kind);
  const items = of('item');
  await restoreGoals(db, of('goal'));
  for (const row of items) await restoreColumns(db, row);
  for (const row of of('original')) await restoreOriginal(db, row);
  await restoreTags(db, of('tag'));
  await restoreInsights(db, of('insight'));
  await restoreActions(db, of('action'));
  await restoreHighlights(db, of('highlight'));
  await removeGoals(db, of('goal'));
  for (const row of items) await restorePlace(db, row);
  for (const item of new Set(rows.flatMap((row) => row.item ?? []))) touchItem(db, item);
}

async function restoreColumns(db: AccountWrite, row: ChangedRow): Promise<void> {
  const { sql, account } = db;
  const { before } = row;
  if (before === null) return;
  const columns = restoredItemColumns(row);
  if (columns.length === 0) return;
  const address = columns.includes('canonical_url')
    ? sql`, url_hash = ${addressHash(String(before['canonical_url']))}`
    : sql``;
  await sql`
    UPDATE items SET ${assignments(db, columns, before)} ${address} WHERE account_id = ${account} AND seq = ${row.key}`;
  // The item waits for an analysis by a model or an assistant again.
  if (columns.includes('analysis'))
    await sql`
      UPDATE llm_analyses SET state = 'waiting', due_at = 0, attempts = 0, lease_token = NULL
      WHERE account_id = ${account} AND item = ${row.key} AND state = 'done'`;
}

/** Deletes an item, or brings it back, as it was before. An item that was not there goes to the trash. */
async function restorePlace(db: AccountWrite, row: ChangedRow): Promise<void> {
  const { sql, account } = db;
  const { before } = row;
  const [item] = await sql<{ id: string; deletedAt: number | null }[]>`
    SELECT id, deleted_at FROM items WHERE account_id = ${account} AND seq = ${row.key}`;
  if (item === undefined) return;
  if (before === null) {
    if (item.deletedAt !== null) return;
    await moveToTrash(db, item.id);
    await sql`
      UPDATE items SET undone = true, notes = NULL, given_title = NULL WHERE account_id = ${account} AND seq = ${row.key}`;
    return;
  }
  if (!differingColumns(row).includes('deleted_at')) return;
  if (before['deleted_at'] === null) await takeFromTrash(db, item.id);
  else if (item.deletedAt === null) {
    await moveToTrash(db, item.id);
    await sql`
      UPDATE items SET ${assignments(db, ['deleted_at', 'deleted_passed', 'undone'], before)}
      WHERE account_id = ${account} AND seq = ${row.key}`;
  }
}

const originalColumns =
  'item, name_hash, name, url, final_url, declared_type, fetched_at, given, hash, packing, bytes, blob, blob_size';

async function restoreOriginal(db: AccountWrite, { entry, key, part, before }: ChangedRow): Promise<void> {
  const { sql, account } = db;
  const [made] = await sql`
    SELECT 1 FROM history_changes
    WHERE account_id = ${account} AND entry = ${entry} AND kind = 'item' AND key = ${key} AND part = ''
      AND before IS NULL`;
  // It goes to the trash with its item, and comes back with it.
  if (before === null && made !== undefined) return;
  const hash = part === '' ? addressHash('') : Buffer.from(part, 'hex');
  await sql`DELETE FROM originals WHERE account_id = ${account} AND item = ${key} AND name_hash = ${hash}`;
  await sql.unsafe(
    `INSERT INTO originals (account_id, ${originalColumns}) SELECT account_id, ${originalColumns} FROM history_originals
     WHERE account_id = $1 AND entry = $2 AND item = $3 AND name_hash = $4`,
    [account, entry, key, hash],
  );
  if (part !== '') return;
  await restartJob(db, key, before === null ? 'fetch' : 'extract');
  const [hidden] = await sql`
    SELECT 1 FROM items WHERE account_id = ${account} AND seq = ${key} AND deleted_at IS NOT NULL`;
  if (hidden !== undefined) stopJob(db, key);
}

/** @throws {AppError} `invalid_input` when an item would have too many tags */
async function restoreTags(db: AccountWrite, rows: readonly ChangedRow[]): Promise<void> {
  const { sql, account } = db;
  for (const { key, part, before } of rows) {
    if (before === null)
      await sql`DELETE FROM item_tags WHERE account_id = ${account} AND item = ${key} AND folded = ${part}`;
    else
      await sql`
        INSERT INTO item_tags (account_id, item, folded, tag, ordinal)
        SELECT ${account}, seq, ${part}, ${before['tag'] ?? part}, ${before['ordinal'] ?? 0} FROM items
        WHERE account_id = ${account} AND seq = ${key}
        ON CONFLICT (account_id, item, folded) DO UPDATE SET tag = excluded.tag, ordinal = excluded.ordinal`;
  }
  for (const item of new Set(rows.map(({ key }) => key))) requireRoomForTags(await countTags(db, item));
}

/** All insights of an item come from one analysis, and are replaced together. Their goals are looked for again. */
async function restoreInsights(db: AccountWrite, rows: readonly ChangedRow[]): Promise<void> {
  const { sql, account } = db;
  const documents = await runSteps(db, existingDocuments(postgresDb(db), rows));
  for (const item of new Set(rows.map(({ key }) => key)))
    await sql`DELETE FROM insights WHERE account_id = ${account} AND item = ${item}`;
  for (const { key, part, before } of rows)
    if (before !== null && documents.has(before['document'])) await insertInsight(db, key, Number(part), before);
}

async function insertInsight(db: AccountWrite, item: number, ordinal: number, before: Values): Promise<void> {
  const {
    document,
    text,
    quote = null,
    start_at: start = null,
    end_at: end = null,
    locator = null,
    url = null,
  } = before;
  await db.sql`
    INSERT INTO insights (account_id, item, ordinal, document, text, quote, start_at, end_at, locator, url)
    VALUES (${db.account}, ${item}, ${ordinal}, ${document ?? 0}, ${text ?? ''}, ${quote}, ${start}, ${end},
      ${asJson(locator)}, ${url})`;
}
