import {
  headFirst,
  isShownUnder,
  mayMerge,
  type MergeableAction,
  staysMerged,
} from '../../../domain/actions/merged-actions.ts';
import { instructionWords, minShare } from '../../../domain/duplicates/instruction-similarity.ts';
import { all, type Db, first, grown, later, sql, type Steps, type Value } from '../db.ts';

/*
 * A merged action is one head row with an identity (id, title, state, goal) and a location in a text, plus further rows that are
 * `merged_into` it and only add their own location. When the head loses its location, it takes another row's. So the action
 * outlives the item that it came from, as long as one of its sources exists.
 */

interface OwnAction extends MergeableAction {
  item: number;
  state: string;
  mergedInto: number | null;
  /** Its item is deleted. */
  isHidden: boolean;
}

/**
 * Actions `a` with their items `i`.
 * @param among a table to begin with, and its `CROSS JOIN`
 */
const own = (db: Db, among = sql``) => sql`
  SELECT a.seq, a.item, a.title, a.created_at, a.touched_at IS NOT NULL AS is_touched, a.state, a.merged_into,
    i.deleted_at IS NOT NULL AS is_hidden
  FROM ${among} actions a JOIN items i ON ${db.of('i')} AND i.seq = a.item WHERE ${db.of('a')}`;

const readOwn = (db: Db, seq: number) => first<OwnAction>`${own(db)} AND a.seq = ${seq}`;

/**
 * Merges the item's actions with nearly identical open ones of other items: the newer into the older, but never one
 * that a person edited. Actions that are no longer nearly identical are split off. A person may have reworded the head;
 * from such a head only actions in `asksAnew` are split off.
 * @param asksAnew the keys of actions that now ask for something else than before
 */
export function* mergeActions(db: Db, item: number, asksAnew: ReadonlySet<number> = new Set()): Steps<void> {
  yield* addMissingWords(db);
  const actions = yield* all<{ seq: number }>`
    SELECT a.seq FROM actions a WHERE ${db.of('a')} AND a.item = ${item} ORDER BY a.seq`;
  for (const { seq } of actions) {
    const action = yield* readOwn(db, seq);
    if (action === undefined) continue;
    if (action.mergedInto !== null) {
      const head = yield* readOwn(db, action.mergedInto);
      if (head !== undefined && staysMerged({ title: action.title, asksAnew: asksAnew.has(seq) }, head)) continue;
      yield* part(db, action);
    }
    // A title that a person gave applies to all merged actions.
    const others = action.isTouched ? [] : yield* partOthers(db, action.seq, action.title);
    for (const one of [...others, seq]) yield* mergeWithTwins(db, one);
  }
}

/** Merges until the action is merged into another, or all nearly identical actions are merged into it. */
function* mergeWithTwins(db: Db, seq: number): Steps<void> {
  for (;;) {
    const action = yield* readOwn(db, seq);
    // An action of a deleted item is merged when the item is restored: until then it must not hide another action.
    if (action?.state !== 'open' || action.mergedInto !== null || action.isHidden) return;
    const twin = yield* findTwin(db, action);
    if (twin === undefined) return;
    const [head, child] = headFirst(action, twin);
    // Actions merged into the child may differ too much from the head's title, under which they would now be shown.
    const others = yield* partOthers(db, child.seq, head.title);
    yield* later`
      UPDATE actions SET merged_into = ${head.seq}
      WHERE ${db.of('actions')} AND (seq = ${child.seq} OR merged_into = ${child.seq})`;
    yield* touchAction(db, head.seq);
    for (const other of others) yield* mergeWithTwins(db, other);
  }
}

/** Splits a merged action off, so that it is separate again. */
function* part(db: Db, { seq, mergedInto }: OwnAction): Steps<void> {
  if (mergedInto !== null) yield* touchAction(db, mergedInto);
  yield* later`UPDATE actions SET merged_into = NULL WHERE ${db.of('actions')} AND seq = ${seq}`;
}

/** Splits off the merged actions that are not nearly identical with `title`, so that they are not shown under it. */
function* partOthers(db: Db, head: number, title: string): Steps<number[]> {
  const merged = yield* all<OwnAction>`${own(db)} AND a.merged_into = ${head} ORDER BY a.created_at, a.seq`;
  const others = merged.filter((other) => !isShownUnder(other, title));
  for (const other of others) yield* part(db, other);
  return others.map(({ seq }) => seq);
}

function* addMissingWords(db: Db): Steps<void> {
  const actions = yield* all<{ seq: number; title: string }>`
    SELECT a.seq, a.title FROM actions a WHERE ${db.of('a')} AND a.has_words = ${db.no}`;
  if (actions.length === 0) return;
  const keys = actions.map(({ seq }) => seq);
  yield* later`
    DELETE FROM action_words WHERE ${db.of('action_words')} AND action IN (SELECT value FROM ${db.numbers('n', keys)})`;
  for (const { seq, title } of actions)
    yield* later`
      INSERT INTO action_words (${db.account.column} word, action)
      SELECT ${db.account.value} w.value, CAST(${seq} AS bigint) FROM ${db.texts('w', instructionWords(title))}`;
  yield* later`
    UPDATE actions SET has_words = ${db.yes}
    WHERE ${db.of('actions')} AND seq IN (SELECT value FROM ${db.numbers('n', keys)})`;
}

/** A word's actions are counted up to this number only: the count just serves to find the rarest words. */
const commonFrom = 200;
/**
 * An action is compared with this many others, the oldest: a library may have thousands that differ only in a number.
 */
const maxCompared = 1_000;

/**
 * The oldest open action of another item that is nearly identical. Two actions that a person edited are never merged.
 * An action that shares most words shares one of the rarest few, so only actions with one of those are compared.
 */
function* findTwin(db: Db, action: OwnAction): Steps<OwnAction | undefined> {
  const words = instructionWords(action.title);
  const mayLack = words.length - Math.ceil(words.length * minShare);
  const rarest = sql`
    SELECT t.value FROM ${db.texts('t', words)}
    ORDER BY (SELECT count(*) FROM (
      SELECT 1 AS one FROM action_words c WHERE ${db.of('c')} AND c.word = t.value LIMIT ${commonFrom}) few)
    LIMIT ${mayLack + 1}`;
  // SQLite would begin with all open actions: it keeps the order of a cross join.
  const near = sql`
    (SELECT DISTINCT w.action FROM action_words w WHERE ${db.of('w')} AND w.word IN (${rarest})) near CROSS JOIN`;
  const candidates = yield* all<OwnAction>`
    ${own(db, near)} AND a.seq = near.action AND a.state = 'open' AND a.merged_into IS NULL
      AND a.item <> ${action.item} AND i.deleted_at IS NULL
    ORDER BY a.created_at, a.seq LIMIT ${maxCompared}`;
  return candidates.find((other) => mayMerge(action, other));
}

/**
 * Updates `updated_at` of every item that shows the action, after a visible change.
 * @param action its key, or a statement that finds it
 */
export function* touchAction(db: Db, action: Value): Steps<void> {
  yield* later`
    UPDATE items SET updated_at = ${grown(db.now)} WHERE ${db.of('items')} AND seq IN (
      SELECT s.item FROM actions s WHERE ${db.of('s')} AND (s.seq = ${action} OR s.merged_into = ${action}))`;
}

/** Removes an action that its text no longer asks for. If it has another source, it moves there instead. */
export function* removeAction(db: Db, seq: number): Steps<void> {
  yield* touchAction(db, seq);
  const found = yield* first<{ heir: number | null }>`
    SELECT ${heirOf(db, 'any')} AS heir FROM actions a WHERE ${db.of('a')} AND a.seq = ${seq}`;
  const heir = found?.heir ?? null;
  if (heir !== null) yield* swapPlaces(db, seq, heir);
  yield* later`DELETE FROM actions WHERE ${db.of('actions')} AND seq = ${heir ?? seq}`;
}

/** Call when the item was hidden: its actions move to another source, a visible one unless `which` is `any`. */
export function* leavePlaces(db: Db, item: number, which: 'live' | 'any' = 'live'): Steps<void> {
  const heads = yield* all<{ seq: number; heir: number | null }>`
    SELECT a.seq, ${heirOf(db, which)} AS heir FROM actions a
    WHERE ${db.of('a')} AND a.item = ${item} AND a.merged_into IS NULL`;
  for (const { seq, heir } of heads) {
    if (heir === null) continue;
    yield* swapPlaces(db, seq, heir);
    yield* touchAction(db, seq);
  }
}

/** Call when the item is visible again: an action's place is in its oldest visible item. */
export function* takePlaces(db: Db, item: number): Steps<void> {
  const sources = yield* all<{ seq: number; head: number }>`
    SELECT min(mine.seq) AS seq, a.seq AS head
    FROM actions mine JOIN actions a ON ${db.of('a')} AND a.seq = mine.merged_into
      JOIN items i ON ${db.of('i')} AND i.seq = a.item
    WHERE ${db.of('mine')} AND mine.item = ${item} AND (a.item > ${item} OR i.deleted_at IS NOT NULL)
    GROUP BY a.seq`;
  for (const { seq, head } of sources) {
    yield* swapPlaces(db, head, seq);
    yield* touchAction(db, head);
  }
}

/** The key of the oldest source of the action `a` in another item. One in an item that is not deleted comes first. */
const heirOf = (db: Db, which: 'live' | 'any') => sql`(
  SELECT s.seq FROM actions s JOIN items i ON ${db.of('i')} AND i.seq = s.item
  WHERE ${db.of('s')} AND s.merged_into = a.seq AND s.item <> a.item
    ${which === 'live' ? sql`AND i.deleted_at IS NULL` : sql``}
  ORDER BY i.deleted_at IS NOT NULL, s.created_at, s.seq LIMIT 1)`;

/** The columns of a location in a text, as opposed to those of the action itself. */
function* swapPlaces(db: Db, one: number, other: number): Steps<void> {
  yield* later`
    UPDATE actions AS a SET item = o.item, document = o.document, reason = o.reason, quote = o.quote,
      start_at = o.start_at, end_at = o.end_at, locator = o.locator, url = o.url
    FROM actions AS o WHERE ${db.of('a')} AND ${db.of('o')}
      AND a.seq IN (${one}, ${other}) AND o.seq IN (${one}, ${other}) AND o.seq <> a.seq`;
}
