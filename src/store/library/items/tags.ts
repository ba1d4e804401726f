import type { AppError } from '../../../errors.ts';
import { invalidInput } from '../../../errors.ts';
import { maxTags, minTagged } from '../../../domain/records/limits.ts';
import { foldTag } from '../../../domain/records/item.ts';
import type { Page, RenamedTag, TagCount, TagQuery } from '../../records.ts';
import { all, type Db, first, grown, type ItemKey, later, run, sql, type Sql, type Steps, together } from '../db.ts';
import { isHeld } from './held.ts';
import type { ProposedTag, TagProposals } from '../../../domain/records/content.ts';

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
  // A proposal under the old name is removed: the next analysis proposes it again.
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

/*
 * Whether a proposal was right depends on the item's tags and not on its state alone, so undoing a change of tags needs nothing
 * here: a confirmed tag that the item has lost is proposed again.
 */

/** Proposals of an item that are shown at once. */
const maxShown = 3;
/** The newest decisions count, and from so many proposals on they say something. */
const newestDecisions = 50;
const minDecided = 20;
const minRight = 0.9;

const rowsOf = (db: Db, item: number): Sql => sql`tag_proposals p WHERE ${db.of('p')} AND p.item = ${item}`;
const isOnItem = (db: Db): Sql => sql`EXISTS (
  SELECT 1 FROM item_tags o WHERE ${db.of('o')} AND o.item = p.item AND o.folded = p.folded)`;

/** The undecided proposals for an item, best first. */
export function* listProposedTags(db: Db, item: number): Steps<ProposedTag[]> {
  return yield* all<ProposedTag>`
    SELECT p.tag, p.reason FROM ${rowsOf(db, item)} AND p.state <> 'rejected' AND NOT ${isOnItem(db)}
    ORDER BY p.score DESC, p.folded ${db.bytewise} LIMIT ${maxShown}`;
}

/**
 * Stores the proposals that are the person's own tags, are not on the item and were not decided for it. An analyst may propose one
 * other tag.
 */
export function* keepTagProposals(db: Db, item: number, { found, areComputed, areApplied }: TagProposals): Steps<void> {
  if (areComputed)
    yield* later`DELETE FROM tag_proposals WHERE ${db.of('tag_proposals')} AND item = ${item} AND state = 'proposed'`;
  if (found.length === 0) return;
  const wanted = db.texts(
    'wanted',
    found.map(({ tag }) => foldTag(tag)),
  );
  const [used, known] = yield* together(
    all<{ folded: string; tag: string; items: number }>`
      SELECT t.folded, min(t.tag ${db.bytewise}) AS tag, count(*) AS items FROM ${keptTags(db)}
        AND t.folded IN (SELECT value FROM ${wanted}) GROUP BY t.folded`,
    all<{ folded: string }>`
      SELECT p.folded FROM ${rowsOf(db, item)}
      UNION SELECT t.folded FROM item_tags t WHERE ${db.of('t')} AND t.item = ${item}`,
  );
  const own = new Map(used.flatMap(({ folded, tag, items }) => (items >= minTagged ? [[folded, tag] as const] : [])));
  const taken = new Set(known.map(({ folded }) => folded));
  const free = found.filter(({ tag }) => !taken.has(foldTag(tag)));
  const ours = free.filter(({ tag }) => own.has(foldTag(tag))).slice(0, maxShown);
  const other = areComputed ? [] : free.filter(({ tag }) => !own.has(foldTag(tag))).slice(0, 1);
  const room = Math.max(0, maxTags - (yield* countTags(db, item)));
  const given = areApplied && (yield* areRight(db)) ? ours.slice(0, room).map(({ tag }) => foldTag(tag)) : [];
  for (const { tag, reason, score } of [...ours, ...other]) {
    const folded = foldTag(tag);
    const state = given.includes(folded) ? 'confirmed' : 'proposed';
    yield* later`
      ${db.row('tag_proposals', { item, folded, tag: own.get(folded) ?? tag, reason, score, state })}
      ON CONFLICT DO NOTHING`;
  }
  yield* addTags(
    db,
    item,
    given.flatMap((folded) => own.get(folded) ?? []),
  );
}

/**
 * Whether nine in ten proposals were right. All those count that were shown with one that the person decided: what was
 * left lying beside it was not wanted.
 */
function* areRight(db: Db): Steps<boolean> {
  const told = yield* first<{ decided: number; rightly: number }>`
    SELECT count(*) AS decided, count(*) FILTER (WHERE ${isOnItem(db)}) AS rightly FROM tag_proposals p
    WHERE ${db.of('p')} AND p.score > 0 AND (p.decided_at IS NOT NULL OR p.state = 'proposed') AND p.item IN (
      SELECT n.item FROM (
        SELECT d.item FROM tag_proposals d WHERE ${db.of('d')} AND d.decided_at IS NOT NULL AND d.score > 0
        ORDER BY d.decided_at DESC LIMIT ${newestDecisions}) AS n)`;
  return told !== undefined && told.decided >= minDecided && told.rightly >= told.decided * minRight;
}

/** The person gave the item these tags. */
export function* confirmTags(db: Db, item: number, tags: readonly string[]): Steps<void> {
  if (tags.length === 0) return;
  yield* later`
    UPDATE tag_proposals SET state = 'confirmed', decided_at = ${db.now}
    WHERE ${db.of('tag_proposals')} AND item = ${item} AND NOT (state = 'confirmed' AND decided_at IS NULL)
      AND folded IN (SELECT value FROM ${db.texts('given', tags.map(foldTag))})`;
}

/**
 * The person is about to take these tags from the item, or all but these: what was proposed among them was wrong.
 */
export function* rejectRemovedTags(
  db: Db,
  item: number,
  which: 'these' | 'others',
  tags: readonly string[],
): Steps<void> {
  const named = sql`p.folded IN (SELECT value FROM ${db.texts('named', tags.map(foldTag))})`;
  yield* later`
    UPDATE tag_proposals AS p SET state = 'rejected', decided_at = ${db.now}
    WHERE ${db.of('p')} AND p.item = ${item} AND p.state = 'confirmed' AND ${isOnItem(db)}
      AND ${which === 'these' ? named : sql`NOT ${named}`}`;
}

/** These are no longer proposed for the item, whether they were or not. */
export function* rejectTags(db: Db, item: number, tags: readonly string[]): Steps<void> {
  for (const [folded, tag] of new Map(tags.map((one) => [foldTag(one), one])))
    yield* later`
      ${db.row('tag_proposals', { item, folded, tag, reason: '', score: 0, state: 'rejected', decided_at: db.now })}
      ON CONFLICT ${db.key('item', 'folded')} DO UPDATE SET state = 'rejected', decided_at = excluded.decided_at`;
}

function tooManyTags(): AppError {
  return invalidInput(`An item has at most ${maxTags} tags, including those it already has. Give fewer.`);
}
