import { maxTags, minTagged } from '../../../domain/records/limits.ts';
import type { ProposedTag, TagProposals } from '../../../domain/records/tag-proposals.ts';
import { foldTag } from '../../../domain/records/tags.ts';
import { all, type Db, first, later, sql, type Sql, type Steps, together } from '../db.ts';
import { addTags, countTags, keptTags } from './tags.ts';

/*
 * Whether a proposal was right is told by the item's tags and not by its state alone, so undoing a change of tags needs
 * nothing here: a confirmed tag that the item has lost is proposed again.
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

/** What is proposed for an item and was not decided, the best first. */
export function* listProposedTags(db: Db, item: number): Steps<ProposedTag[]> {
  return yield* all<ProposedTag>`
    SELECT p.tag, p.reason FROM ${rowsOf(db, item)} AND p.state <> 'rejected' AND NOT ${isOnItem(db)}
    ORDER BY p.score DESC, p.folded ${db.bytewise} LIMIT ${maxShown}`;
}

/**
 * Keeps those of the proposals that are tags of the person's own, are not on the item and were not decided for it. An
 * analyst may propose one other tag.
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

/** These are not proposed for the item any more, whether they were or not. */
export function* rejectTags(db: Db, item: number, tags: readonly string[]): Steps<void> {
  for (const [folded, tag] of new Map(tags.map((one) => [foldTag(one), one])))
    yield* later`
      ${db.row('tag_proposals', { item, folded, tag, reason: '', score: 0, state: 'rejected', decided_at: db.now })}
      ON CONFLICT ${db.key('item', 'folded')} DO UPDATE SET state = 'rejected', decided_at = excluded.decided_at`;
}
