import { maxTags } from '../../../domain/records/limits.ts';
import { foldTag, tooManyTags } from '../../../domain/records/tags.ts';
import type { Page, RenamedTag, TagCount, TagQuery } from '../../records.ts';
import { all, type Db, first, grown, type ItemKey, later, run, sql, type Sql, type Steps, together } from '../db.ts';
import { isHeld } from './held.ts';

/** Each folded form once, in its first spelling. */
function foldedTags(tags: readonly string[]): Map<string, string> {
  const byForm = new Map<string, string>();
  for (const tag of tags) if (!byForm.has(foldTag(tag))) byForm.set(foldTag(tag), tag);
  return byForm;
}

/**
 * Adds the tags that the item does not have yet. The first spelling of a tag stays.
 * @throws {AppError} `invalid_input` when the item would have too many tags; the transaction must end with it
 */
export function* addTags(db: Db, item: number, tags: readonly string[]): Steps<void> {
  if (tags.length === 0) return;
  const next = sql`(
    SELECT coalesce(max(t.ordinal) + 1, 0) FROM item_tags t WHERE ${db.of('t')} AND t.item = ${item})`;
  yield* insertTags(db, item, foldedTags(tags), next);
  if ((yield* countTags(db, item)) > maxTags) throw tooManyTags();
}

/** Adds tags to an item that has none. @throws {AppError} like `addTags` */
export function* addFirstTags(db: Db, item: ItemKey, tags: readonly string[]): Steps<void> {
  const added = foldedTags(tags);
  if (added.size > maxTags) throw tooManyTags();
  yield* insertTags(db, item, added);
}

/** @param next the place of each among the item's tags; absent for the first ones */
function* insertTags(db: Db, item: ItemKey, added: ReadonlyMap<string, string>, next?: Sql): Steps<void> {
  for (const [at, [folded, tag]] of [...added].entries())
    yield* later`${db.row('item_tags', { item, folded, tag, ordinal: next ?? at })} ON CONFLICT DO NOTHING`;
}

/** The tags that the item does not have yet. */
export function* missingTags(db: Db, item: number, tags: readonly string[]): Steps<string[]> {
  if (tags.length === 0) return [];
  const rows = yield* all<{ folded: string }>`
    SELECT folded FROM item_tags t WHERE ${db.of('t')} AND item = ${item}`;
  const there = new Set(rows.map(({ folded }) => folded));
  return tags.filter((tag) => !there.has(foldTag(tag)));
}

export function* countTags(db: Db, item: number): Steps<number> {
  const row = yield* first<{ count: number }>`
    SELECT count(*) AS count FROM item_tags t WHERE ${db.of('t')} AND item = ${item}`;
  return row?.count ?? 0;
}

export function* replaceTags(db: Db, item: number, tags: readonly string[]): Steps<void> {
  yield* later`DELETE FROM item_tags WHERE ${db.of('item_tags')} AND item = ${item}`;
  yield* addFirstTags(db, item, tags);
}

export function* removeTags(db: Db, item: number, tags: readonly string[]): Steps<void> {
  if (tags.length === 0) return;
  yield* later`
    DELETE FROM item_tags WHERE ${db.of('item_tags')} AND item = ${item}
      AND folded IN (SELECT value FROM ${db.texts('gone', tags.map(foldTag))})`;
}

/** The rows `t` of items that are not deleted. Few are: looking up each row's item would cost more than this list. */
export const keptTags = (db: Db): Sql => sql`item_tags t
  WHERE ${db.of('t')} AND t.item NOT IN (SELECT i.seq FROM items i WHERE ${db.of('i')} AND i.deleted_at IS NOT NULL)`;

/** The tags of items that are not deleted, most used first. */
export function* listTags(db: Db, { limit, offset, held }: TagQuery): Steps<Page<TagCount>> {
  const kept = sql`${keptTags(db)} AND ${yield* isHeld(db, sql`t.item`, held)}`;
  const [items, counted] = yield* together(
    all<TagCount>`
      SELECT min(t.tag ${db.bytewise}) AS tag, count(*) AS count FROM ${kept}
      GROUP BY t.folded ORDER BY 2 DESC, t.folded ${db.bytewise} LIMIT ${limit} OFFSET ${offset}`,
    first<{ total: number }>`SELECT count(DISTINCT t.folded) AS total FROM ${kept}`,
  );
  return { items: [...items], total: counted?.total ?? 0 };
}

function* countItemsWith(db: Db, folded: string): Steps<number> {
  const row = yield* first<{ count: number }>`SELECT count(*) AS count FROM ${keptTags(db)} AND t.folded = ${folded}`;
  return row?.count ?? 0;
}

/**
 * Gives every item that has the tag `from` the tag `to` in its place, and writes `to` everywhere in this spelling. Items
 * that have both keep one. Deleted items follow. Null when no item that is not deleted has `from`.
 */
export function* renameTag(db: Db, from: string, to: string): Steps<RenamedTag | null> {
  const [old, wanted] = [foldTag(from), foldTag(to)];
  const items = yield* countItemsWith(db, old);
  if (items === 0) return null;
  const merged = old !== wanted && (yield* countItemsWith(db, wanted)) > 0;
  // What was proposed under the old name goes: it is proposed anew with the next analysis.
  if (old !== wanted)
    yield* later`
      DELETE FROM tag_proposals WHERE ${db.of('tag_proposals')} AND folded = ${old} AND state = 'proposed'`;
  const changed = sql`${db.of('item_tags')} AND folded IN (${old}, ${wanted}) AND (folded <> ${wanted} OR tag <> ${to})`;
  yield* later`
    UPDATE items SET updated_at = ${grown(db.now)}
    WHERE ${db.of('items')} AND seq IN (SELECT item FROM item_tags WHERE ${changed})`;
  if (old !== wanted)
    yield* later`
      DELETE FROM item_tags WHERE ${db.of('item_tags')} AND folded = ${old} AND item IN (
        SELECT o.item FROM item_tags o WHERE ${db.of('o')} AND o.folded = ${wanted})`;
  yield* run`UPDATE item_tags SET folded = ${wanted}, tag = ${to} WHERE ${changed}`;
  return { items, merged };
}
