import { maxTags } from '../../../domain/records/limits.ts';
import { foldTag, tooManyTags } from '../../../domain/records/tags.ts';
import type { Page, RenamedTag, TagCount } from '../../records.ts';
import type { AccountTx } from '../account-access.ts';
import { later } from '../database.ts';

/** Each folded form once, in its first spelling. */
export function foldedTags(tags: readonly string[]): Map<string, string> {
  const byForm = new Map<string, string>();
  for (const tag of tags) if (!byForm.has(foldTag(tag))) byForm.set(foldTag(tag), tag);
  return byForm;
}

/**
 * Adds the tags that the item does not have yet. The first spelling of a tag stays.
 * @throws {AppError} `invalid_input` when the item would have too many tags; the transaction must end with it
 */
export async function addTags(db: AccountTx, item: number, tags: readonly string[]): Promise<void> {
  if (tags.length === 0) return;
  insertTags(db, item, foldedTags(tags));
  if ((await countTags(db, item)) > maxTags) throw tooManyTags();
}

/** Adds tags to an item that has none. @throws {AppError} like `addTags` */
function addFirstTags(db: AccountTx, item: number, tags: readonly string[]): void {
  const added = foldedTags(tags);
  if (added.size > maxTags) throw tooManyTags();
  if (added.size > 0) insertTags(db, item, added);
}

function insertTags({ sql, account }: AccountTx, item: number, added: ReadonlyMap<string, string>): void {
  later(sql`
    INSERT INTO item_tags (account_id, item, folded, tag, ordinal)
    SELECT ${account}, ${item}, f.folded, f.tag, f.at + coalesce(
      (SELECT max(ordinal) FROM item_tags WHERE account_id = ${account} AND item = ${item}), 0)
    FROM unnest(${[...added.keys()]}::text[], ${[...added.values()]}::text[]) WITH ORDINALITY AS f (folded, tag, at)
    ON CONFLICT DO NOTHING`);
}

/** The tags that the item does not have yet. */
export async function missingTags(
  { sql, account }: AccountTx,
  item: number,
  tags: readonly string[],
): Promise<string[]> {
  if (tags.length === 0) return [];
  const rows = await sql<{ folded: string }[]>`
    SELECT folded FROM item_tags WHERE account_id = ${account} AND item = ${item}`;
  const there = new Set(rows.map((row) => row.folded));
  return tags.filter((tag) => !there.has(foldTag(tag)));
}

export async function countTags({ sql, account }: Pick<AccountTx, 'sql' | 'account'>, item: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*) FROM item_tags WHERE account_id = ${account} AND item = ${item}`;
  return row?.count ?? 0;
}

export function replaceTags(db: AccountTx, item: number, tags: readonly string[]): void {
  later(db.sql`DELETE FROM item_tags WHERE account_id = ${db.account} AND item = ${item}`);
  addFirstTags(db, item, tags);
}

export function removeTags({ sql, account }: AccountTx, item: number, tags: readonly string[]): void {
  if (tags.length === 0) return;
  later(sql`
    DELETE FROM item_tags WHERE account_id = ${account} AND item = ${item} AND folded = ANY(${tags.map(foldTag)})`);
}

/** The tags of items that are not deleted, most used first. */
export async function listTags(
  { sql, account }: AccountTx,
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<TagCount>> {
  const kept = sql`item_tags t JOIN items i ON i.account_id = t.account_id AND i.seq = t.item
    WHERE t.account_id = ${account} AND i.deleted_at IS NULL`;
  const items = await sql<TagCount[]>`
    SELECT min(t.tag COLLATE "C") AS tag, count(*) FROM ${kept}
    GROUP BY t.folded ORDER BY 2 DESC, t.folded COLLATE "C" LIMIT ${limit} OFFSET ${offset}`;
  const [counted] = await sql<{ total: number }[]>`SELECT count(DISTINCT t.folded) AS total FROM ${kept}`;
  return { items: [...items], total: counted?.total ?? 0 };
}

/** See `Items.renameTag`. */
export async function renameTag(db: AccountTx, from: string, to: string): Promise<RenamedTag | null> {
  const { sql, account, now } = db;
  const [old, wanted] = [foldTag(from), foldTag(to)];
  const count = async (form: string): Promise<number> => {
    const [row] = await sql<{ count: number }[]>`
      SELECT count(*) FROM item_tags t JOIN items i ON i.account_id = t.account_id AND i.seq = t.item
      WHERE t.account_id = ${account} AND t.folded = ${form} AND i.deleted_at IS NULL`;
    return row?.count ?? 0;
  };
  const items = await count(old);
  if (items === 0) return null;
  const merged = old !== wanted && (await count(wanted)) > 0;
  const changed = sql`account_id = ${account} AND folded IN (${old}, ${wanted}) AND (folded <> ${wanted} OR tag <> ${to})`;
  await sql`
    UPDATE items SET updated_at = greatest(updated_at + 1, ${now})
    WHERE account_id = ${account} AND seq IN (SELECT item FROM item_tags WHERE ${changed})`;
  if (old !== wanted)
    await sql`
      DELETE FROM item_tags t WHERE t.account_id = ${account} AND t.folded = ${old} AND EXISTS (
        SELECT 1 FROM item_tags o WHERE o.account_id = ${account} AND o.item = t.item AND o.folded = ${wanted})`;
  await sql`UPDATE item_tags SET folded = ${wanted}, tag = ${to} WHERE ${changed}`;
  return { items, merged };
}
