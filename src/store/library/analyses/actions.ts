import type { HeldTo } from '../../../domain/access/held.ts';
import { isoTime } from '../../../domain/clock.ts';
import { shownAddress } from '../../../domain/links/shown-address.ts';
import type {
  ActionChanges,
  ActionItem,
  ActionOrder,
  ActionPriority,
  ActionSource,
  ActionState,
  NewAction,
} from '../../../domain/records/analyses/action.ts';
import { newId } from '../../../domain/records/ids.ts';
import { maxActionsOfItem } from '../../../domain/records/limits.ts';
import type { Locator } from '../../../domain/records/texts/locator.ts';
import { invalidInput } from '../../../errors.ts';
import type { ActionCount, ActionQuery, GoalCount } from '../../records/analysis-records.ts';
import type { Page } from '../../records.ts';
import {
  all,
  type Db,
  first,
  fromJson,
  later,
  sql,
  type Sql,
  type Steps,
  text,
  together,
  touchItem,
  unlimited,
} from '../db.ts';
import { touchAction } from './merged-actions.ts';
import { isHeld } from '../items/held.ts';

interface ActionRow {
  seq: number;
  id: string;
  contentId: string;
  contentTitle: string | null;
  goalId: string | null;
  goalReason: string | null;
  title: string;
  reason: string | null;
  quote: string | null;
  isQuoteGone: boolean | null;
  locator: unknown;
  url: string | null;
  state: ActionState;
  completedAt: number | null;
  due: string | null;
  priority: ActionPriority;
  snoozedUntil: string | null;
  createdAt: number;
}

/** An action from another version of the text keeps its quote, but its place in the visible text is not known. */
const columns = (db: Db): Sql => sql`
  a.seq, a.id, i.id AS content_id, coalesce(i.given_title, d.title) AS content_title, a.goal AS goal_id, a.goal_reason,
  a.title, a.reason, a.quote, CASE WHEN a.document = i.visible_document THEN a.locator END AS locator,
  CASE WHEN a.document = i.visible_document THEN a.url END AS url,
  CASE WHEN a.quote IS NOT NULL AND a.document <> i.visible_document THEN ${db.instr}(d.text, a.quote) = 0 END AS is_quote_gone,
  a.state, a.completed_at, a.due,
  a.priority, a.snoozed_until, a.created_at`;

/** With the item `i` of an action `a`, and the document `d` that is shown of it. */
const itsItem = (db: Db) => sql`
  JOIN items i ON ${db.of('i')} AND i.seq = a.item
  LEFT JOIN documents d ON ${db.of('d')} AND d.id = i.visible_document`;

function* toActions(db: Db, rows: readonly ActionRow[]): Steps<ActionItem[]> {
  const sources = yield* listSources(
    db,
    rows.map(({ seq }) => seq),
  );
  return rows.map(({ seq, completedAt, createdAt, isQuoteGone, ...row }) => ({
    ...row,
    ...(isQuoteGone === true && { quoteGone: true as const }),
    locator: fromJson<Locator | null>(row.locator),
    url: shownAddress(row.url),
    completed: row.state === 'done',
    completedAt: completedAt === null ? null : isoTime(completedAt),
    createdAt: isoTime(createdAt),
    ...sources.get(seq),
  }));
}

/**
 * The condition for actions that lists show. A merged action is shown as part of the one it was merged into. Few items
 * are deleted at a time, so their list costs less than to look up each action's item.
 */
function* isShown(db: Db, held?: HeldTo): Steps<Sql> {
  const isKept = sql`${db.of('a')} AND a.item NOT IN (
    SELECT gone.seq FROM items gone WHERE ${db.of('gone')} AND gone.deleted_at IS NOT NULL)`;
  if (held === undefined) return sql`${isKept} AND a.merged_into IS NULL`;
  // An action merged into one of an item that the caller may not see is a separate action.
  return sql`${isKept} AND ${yield* isHeld(db, sql`a.item`, held)} AND (a.merged_into IS NULL
    OR a.merged_into NOT IN (SELECT head.seq FROM actions head
      WHERE ${db.of('head')} AND ${yield* isHeld(db, sql`head.item`, held)}))`;
}

function* condition(db: Db, query: ActionQuery): Steps<Sql> {
  const conditions = [];
  const ofItem = sql`items c JOIN actions o ON ${db.of('o')} AND o.item = c.seq
    WHERE ${db.of('c')} AND c.id = ${query.contentId ?? ''} AND c.deleted_at IS NULL`;
  if (query.completed !== undefined) conditions.push(sql`a.state = ${query.completed ? 'done' : 'open'}`);
  if (query.state !== undefined) conditions.push(sql`a.state = ${query.state}`);
  if (query.contentId !== undefined)
    conditions.push(sql`a.seq IN (
      SELECT coalesce(o.merged_into, o.seq) FROM ${ofItem}
      ${query.held === undefined ? sql`` : sql`UNION ALL SELECT o.seq FROM ${ofItem}`})`);
  if (query.goalId === null) conditions.push(sql`a.goal IS NULL`);
  else if (query.goalId !== undefined) conditions.push(sql`a.goal = ${query.goalId}`);
  if (query.snoozed !== undefined)
    conditions.push(sql`${text(query.snoozed.is ? '' : 'NOT')} ${isSnoozed(query.snoozed.after)}`);
  if (query.dueSince !== undefined) conditions.push(sql`a.due >= ${query.dueSince}`);
  if (query.dueBefore !== undefined) conditions.push(sql`a.due < ${query.dueBefore}`);
  if (query.notDueBefore !== undefined) conditions.push(sql`coalesce(a.due, '9') >= ${query.notDueBefore}`);
  if (query.createdSince !== undefined) conditions.push(sql`a.created_at >= ${query.createdSince}`);
  if (query.createdBefore !== undefined) conditions.push(sql`a.created_at < ${query.createdBefore}`);
  if (query.completedSince !== undefined) conditions.push(sql`a.completed_at >= ${query.completedSince}`);
  return conditions.reduce((all, one) => sql`${all} AND ${one}`, yield* isShown(db, query.held));
}

/** Days are texts that sort by time. @param day 2026-03-31 */
const isSnoozed = (day: string) => sql`(coalesce(a.snoozed_until, '') > ${day})`;

const byPriority = `CASE a.priority WHEN 'high' THEN 0 WHEN 'normal' THEN 1 ELSE 2 END,`;

/** The primary sort key; the rest is by age. */
const firstBy: Readonly<Record<Exclude<ActionOrder, 'goal'>, string>> = {
  item: 'a.item DESC,',
  day: `a.completed_at DESC NULLS LAST, a.due IS NULL, a.due, ${byPriority} a.goal IS NULL,`,
  priority: `${byPriority} a.due IS NULL, a.due, a.goal IS NULL,`,
};

/** Those of one goal together, the newest goal first. */
const firstByGoal = (db: Db) =>
  sql`a.goal IS NULL, (SELECT g.created_at FROM goals g WHERE ${db.of('g')} AND g.id = a.goal) DESC, a.goal,`;

/** Default order: open first, with a goal before without, newest first; those of one analysis in text order. */
export function* listActions(db: Db, query: ActionQuery): Steps<Page<ActionItem>> {
  const wanted = yield* condition(db, query);
  const openFirst = query.completed === undefined && query.state === undefined ? text(`a.state <> 'open',`) : sql``;
  const { order } = query;
  const before = order === 'goal' ? firstByGoal(db) : text(order === undefined ? 'a.goal IS NULL,' : firstBy[order]);
  const [rows, counted] = yield* together(
    all<ActionRow>`
      SELECT ${columns(db)} FROM actions a ${itsItem(db)} WHERE ${wanted}
      ORDER BY ${openFirst} ${before} a.created_at DESC, a.item DESC, a.seq
      LIMIT ${query.limit ?? unlimited} OFFSET ${query.offset}`,
    first<{ total: number }>`SELECT count(*) AS total FROM actions a WHERE ${wanted}`,
  );
  return { items: yield* toActions(db, rows), total: counted?.total ?? 0 };
}

/** For each goal with any such action: how many are open, and how many were done at `since` or later. */
export function* countActionsByGoal(db: Db, since: number): Steps<GoalCount[]> {
  return yield* all<GoalCount>`
    SELECT a.goal AS goal_id, count(*) FILTER (WHERE a.state = 'open') AS open,
      count(*) FILTER (WHERE a.state = 'done' AND a.completed_at >= ${since}) AS done
    FROM actions a WHERE ${yield* isShown(db)} AND a.goal IS NOT NULL GROUP BY a.goal`;
}

/** All action items, by goal and state. @param today 2026-03-31: actions that are snoozed until a later day are counted apart */
export function* countActions(db: Db, today: string): Steps<ActionCount[]> {
  return yield* all<ActionCount>`
    SELECT a.goal AS goal_id, CASE WHEN ${isSnoozed(today)} THEN 'snoozed' ELSE a.state END AS state, count(*) AS count
    FROM actions a WHERE ${yield* isShown(db)} GROUP BY 1, 2`;
}

/** In the order of the text. Includes actions that are merged into one of another item. */
export function* listActionsOfItem(db: Db, item: number): Steps<ActionItem[]> {
  const rows = yield* all<ActionRow>`
    SELECT ${columns(db)} FROM (
      SELECT coalesce(merged_into, seq) AS seq, min(start_at) AS start_at, min(seq) AS first FROM actions m
      WHERE ${db.of('m')} AND item = ${item} GROUP BY 1
    ) mine JOIN actions a ON ${db.of('a')} AND a.seq = mine.seq ${itsItem(db)}
    ORDER BY mine.start_at NULLS FIRST, mine.first`;
  return yield* toActions(db, rows);
}

/** The id of an action that was merged later refers to the action that it was merged into. */
const meant = (db: Db, id: string) =>
  sql`(SELECT coalesce(m.merged_into, m.seq) FROM actions m WHERE ${db.of('m')} AND m.id = ${id})`;

function* getAction(db: Db, id: string): Steps<ActionItem | null> {
  const rows = yield* all<ActionRow>`
    SELECT ${columns(db)} FROM actions a ${itsItem(db)}
    WHERE ${db.of('a')} AND a.seq = ${meant(db, id)} AND i.deleted_at IS NULL`;
  return (yield* toActions(db, rows))[0] ?? null;
}

function* requireGoal(db: Db, goalId: string | null): Steps<void> {
  if (goalId === null) return;
  const goal = yield* first`SELECT 1 AS found FROM goals g WHERE ${db.of('g')} AND id = ${goalId}`;
  if (goal === undefined) throw invalidInput('There is no goal with this `goalId`. The list of goals shows the ids.');
}

interface Owner {
  seq: number;
  document: number | null;
  same: string | null;
  total: number;
}

/**
 * Adds an action of a person, which no analysis changes. The item's open action with this title takes the goal,
 * days and priority instead. Null when there is no such item.
 * @throws {AppError} `invalid_input` when there is no such goal, or the item has too many actions
 */
export function* addAction(db: Db, added: NewAction): Steps<ActionItem | null> {
  const { contentId, title, goalId = null, due = null, priority = 'normal', snoozedUntil = null } = added;
  const own = sql`FROM actions a WHERE ${db.of('a')} AND a.item = i.seq`;
  const item = yield* first<Owner>`
    SELECT seq, visible_document AS document, (SELECT count(*) ${own}) AS total,
      (SELECT a.id ${own} AND a.title = ${title} AND a.state = 'open' AND a.merged_into IS NULL LIMIT 1) AS same
    FROM items i WHERE ${db.of('i')} AND id = ${contentId} AND deleted_at IS NULL`;
  if (item === undefined) return null;
  if (item.same !== null) {
    const { contentId: _, title: __, ...changes } = added;
    return yield* updateAction(db, item.same, changes);
  }
  yield* requireGoal(db, goalId);
  if (item.total >= maxActionsOfItem)
    throw invalidInput(
      `This item has ${maxActionsOfItem} action items, and cannot have more. Add the next one to another item.`,
    );
  const id = newId('a');
  const { seq, document } = item;
  const given = { goal: goalId, title, due, priority, snoozed_until: snoozedUntil };
  const row = { id, item: seq, document, ...given, touched_at: db.now, created_at: db.now };
  yield* later`${db.row('actions', row)}`;
  yield* touchItem(db, seq);
  return yield* getAction(db, id);
}

/** Splits an action off from one of an item that a held caller does not know: a change would change that one. */
function* partFromUnknown(db: Db, id: string, held: HeldTo): Steps<void> {
  yield* later`
    UPDATE actions SET merged_into = NULL WHERE ${db.of('actions')} AND id = ${id} AND merged_into NOT IN (
      SELECT head.seq FROM actions head WHERE ${db.of('head')} AND ${yield* isHeld(db, sql`head.item`, held)})`;
}

/**
 * Applies a person's changes to an action; from then on, no analysis changes it. For a restricted caller it is first split off from
 * one of an item that the caller may not see. Null when there is no such action. A call that changes nothing is ignored, so the
 * time of completion is that of the first call.
 * @throws {AppError} `invalid_input` when there is no such goal
 */
export function* updateAction(db: Db, id: string, changes: ActionChanges, held?: HeldTo): Steps<ActionItem | null> {
  if (held !== undefined) yield* partFromUnknown(db, id, held);
  const before = yield* getAction(db, id);
  if (before === null) return null;
  const { state = before.state, title = before.title, goalId = before.goalId, due = before.due } = changes;
  const { priority = before.priority, snoozedUntil: snoozed = before.snoozedUntil } = changes;
  const after = { state, title, goalId, due, priority, snoozedUntil: state === 'open' ? snoozed : null };
  if (Object.entries(after).every(([field, value]) => before[field as keyof typeof after] === value)) return before;
  yield* requireGoal(db, goalId);
  yield* later`
    UPDATE actions SET state = ${state}, title = ${title}, goal = ${goalId}, due = ${due}, priority = ${priority},
      snoozed_until = ${after.snoozedUntil}, touched_at = ${db.now}, has_words = (has_words AND title = ${title}),
      goal_reason = CASE WHEN goal IS NOT DISTINCT FROM ${goalId} THEN goal_reason END,
      completed_at = ${state === 'done' ? sql`coalesce(completed_at, ${db.now})` : null}
    WHERE ${db.of('actions')} AND seq = ${meant(db, id)}`;
  yield* touchAction(db, meant(db, id));
  return yield* getAction(db, id);
}

/** Further sources of an action that are shown. */
const maxShown = 5;

type SourceRow = Omit<ActionSource, 'locator'> & { head: number; locator: unknown };

/** The further sources of actions, by the actions' keys: one for each visible item, the oldest first. */
function* listSources(
  db: Db,
  heads: readonly number[],
): Steps<Map<number, { alsoIn: ActionSource[]; alsoInTotal?: number }>> {
  if (heads.length === 0) return new Map();
  const rows = yield* all<SourceRow>`
    SELECT s.merged_into AS head, i.id AS content_id, s.quote,
      CASE WHEN s.document = i.visible_document THEN s.locator END AS locator,
      CASE WHEN s.document = i.visible_document THEN s.url END AS url
    FROM (
      SELECT min(o.seq) AS seq FROM ${db.numbers('wanted', heads)}
        JOIN actions o ON ${db.of('o')} AND o.merged_into = wanted.value
        JOIN actions a ON ${db.of('a')} AND a.seq = o.merged_into AND a.item <> o.item
      GROUP BY o.merged_into, o.item
    ) oldest JOIN actions s ON ${db.of('s')} AND s.seq = oldest.seq JOIN items i ON ${db.of('i')} AND i.seq = s.item
    WHERE i.deleted_at IS NULL ORDER BY s.merged_into, s.seq`;
  const byHead = Map.groupBy(rows, ({ head }) => head);
  return new Map(
    [...byHead].map(([head, sources]) => [
      head,
      {
        alsoIn: sources.slice(0, maxShown).map(({ contentId, quote, locator, url }) => ({
          contentId,
          quote,
          locator: fromJson<Locator | null>(locator),
          url: shownAddress(url),
        })),
        ...(sources.length > maxShown && { alsoInTotal: sources.length }),
      },
    ]),
  );
}
