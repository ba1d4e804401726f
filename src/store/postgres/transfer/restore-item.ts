import type { ExportedGoal, ExportedItem } from '../../../domain/records/transfers/exported.ts';
import type { KeptOriginal } from '../../library/originals.ts';
import type { ImportedContent } from '../../records.ts';
import type { ReplacedItems } from '../../transfer.ts';
import type { AccountWrite } from '../account-access.ts';
import { listGoalTitles, noteChangedGoal, sameTitle } from '../../library/goals.ts';
import { noteTransfer } from '../../library/history.ts';
import { leavePlaces } from '../../library/merged-actions.ts';
import { postgresDb, runSteps } from '../postgres-db.ts';
import { addressHash } from '../address-hash.ts';
import { findDeleted, importContent } from '../items/bridged.ts';
import { insertItem, type Keys, noKeys } from './insert-item.ts';

/** Goals whose title is there already are that goal. */
export async function restoreGoals(db: AccountWrite, goals: readonly ExportedGoal[]): Promise<Map<string, string>> {
  const { sql, account } = db;
  await runSteps(db, noteTransfer(postgresDb(db)));
  const ids = new Map<string, string>();
  const known = await runSteps(db, listGoalTitles(postgresDb(db)));
  for (const { id, title, category, description, createdAt, archivedAt } of goals) {
    const here = known.find((goal) => goal.id === id) ?? known.find((goal) => sameTitle(goal.title, title));
    ids.set(id, here?.id ?? id);
    if (here !== undefined) continue;
    await sql`
      INSERT INTO goals (account_id, id, title, category, description, created_at, archived_at)
      VALUES (${account}, ${id}, ${title}, ${category}, ${description}, ${createdAt}, ${archivedAt})`;
    known.push({ id, title });
    await runSteps(db, noteChangedGoal(postgresDb(db), id, archivedAt !== null));
  }
  return ids;
}

interface KnownItem {
  seq: number;
  updatedAt: number;
  deletedAt: number | null;
  undone: boolean;
}

/** See `Transfer.restoreItem`. */
export async function restoreItem(
  db: AccountWrite,
  item: ExportedItem,
  originals: readonly KeptOriginal[],
): Promise<ImportedContent> {
  const place = await clearPlace(db, item, 'older');
  if (place.keys !== null) await insertItem(db, item, originals, place.keys);
  return { id: item.id, leftOut: [], ...place.outcome };
}

/**
 * See `Transfer.restoreItems`. Statements of several items are sent together, because waiting for answers takes most of
 * the time. Rows get their numbers in the order of the items.
 */
export async function restoreItems(
  db: AccountWrite,
  items: readonly { item: ExportedItem; originals: readonly KeptOriginal[] }[],
): Promise<void> {
  const places = await Promise.all(items.map(({ item }) => clearPlace(db, item, 'any')));
  await Promise.all(
    items.map(({ item, originals }, at) => {
      const keys = places[at]?.keys ?? null;
      return keys === null ? undefined : insertItem(db, item, originals, keys);
    }),
  );
}

interface ClearedPlace {
  /** Those of rows that were there, for the item's new ones; null when nothing is to be inserted. */
  keys: Keys | null;
  outcome: Pick<ImportedContent, 'outcome'> & Partial<ImportedContent>;
}

/** Removes the item that is there, if it is to be replaced. */
async function clearPlace(db: AccountWrite, item: ExportedItem, replaces: ReplacedItems): Promise<ClearedPlace> {
  const { sql, account } = db;
  const { id } = item;
  const [[known], sameAddress] = await Promise.all([
    sql<KnownItem[]>`
      SELECT seq, updated_at, deleted_at, undone FROM items WHERE account_id = ${account} AND id = ${id}`.execute(),
    sql`
      SELECT 1 FROM items
      WHERE account_id = ${account} AND url_hash = ${addressHash(item.canonicalUrl)} AND deleted_at IS NULL
        AND id <> ${id}`.execute(),
    runSteps(db, noteTransfer(postgresDb(db))),
  ]);
  const isUndone = known?.undone === true;
  if (known !== undefined && !isUndone && replaces === 'older') {
    if (known.deletedAt !== null) return { keys: null, outcome: { outcome: 'deleted' } };
    if (known.updatedAt >= item.updatedAt) return { keys: null, outcome: { outcome: 'unchanged' } };
  }
  const inTrash = known === undefined && replaces === 'older' ? await findDeleted(db, item.canonicalUrl) : null;
  if (sameAddress.length > 0 || inTrash !== null) return { keys: null, outcome: await mergeItem(db, item) };
  const keys = known === undefined ? noKeys : await keysOf(db, known.seq);
  if (known !== undefined) {
    if (replaces === 'older') await runSteps(db, leavePlaces(postgresDb(db), known.seq, 'any'));
    await sql`DELETE FROM items WHERE account_id = ${account} AND seq = ${known.seq}`;
  }
  // An action that had moved to another item is this one's again.
  if (replaces === 'any' && item.actions.length > 0)
    await sql`
      DELETE FROM actions WHERE account_id = ${account} AND id = ANY(${item.actions.map((action) => action.id)}::text[])`;
  return { keys, outcome: { outcome: known === undefined || isUndone ? 'taken' : 'merged' } };
}

async function keysOf({ sql, account }: AccountWrite, item: number): Promise<Keys> {
  const own = sql`account_id = ${account} AND item = ${item}`;
  const [documents, actions, highlights] = await Promise.all([
    sql<{ id: string; key: number }[]>`
      SELECT version || ' ' || encode(text_hash, 'hex') AS id, id AS key FROM documents WHERE ${own}`.execute(),
    sql<{ id: string; key: number }[]>`SELECT id, seq AS key FROM actions WHERE ${own}`.execute(),
    sql<{ id: string; key: number }[]>`SELECT id, seq AS key FROM highlights WHERE ${own}`.execute(),
  ]);
  const keys = (rows: readonly { id: string; key: number }[]) => new Map(rows.map(({ id, key }) => [id, key]));
  return { item, documents: keys(documents), actions: keys(actions), highlights: keys(highlights) };
}

/** What an export of another program would add. */
async function mergeItem(db: AccountWrite, item: ExportedItem): Promise<ImportedContent> {
  const { url, canonicalUrl, givenTitle, tags, notes, createdAt } = item;
  const highlights = item.highlights
    .filter(({ deletedAt }) => deletedAt === null)
    .map((one) => ({ ...one, source: one.source ?? `id:${one.id}` }));
  const entry = { url, canonicalUrl, title: givenTitle, tags, notes, createdAt, highlights, original: null };
  const [merged] = await importContent(db, [entry]);
  if (merged === undefined) throw new Error('an import of one entry has no outcome');
  return merged;
}

export async function restoreMerges(
  { sql, account }: AccountWrite,
  merges: readonly { id: string; into: string }[],
): Promise<void> {
  for (const { id, into } of merges)
    await sql`
      UPDATE actions SET merged_into = head.seq FROM actions head
      WHERE actions.account_id = ${account} AND actions.id = ${id} AND actions.merged_into IS NULL
        AND head.account_id = ${account} AND head.id = ${into} AND head.merged_into IS NULL AND head.seq <> actions.seq`;
}
