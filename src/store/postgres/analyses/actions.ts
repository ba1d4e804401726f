import { shownAddress } from '../../../domain/links/shown-address.ts';
import { isoTime } from '../../../domain/clock.ts';
import type {
  ActionChanges,
  ActionItem,
  ActionOrder,
  ActionSource,
  ActionState,
  NewAction,
} from '../../../domain/records/action.ts';
import { maxActionsOfItem } from '../../../domain/records/limits.ts';
import { newId } from '../../../domain/records/ids.ts';
import { touchItem } from '../items/bridged.ts';
import type { Locator } from '../../../domain/records/locator.ts';
import { AppError } from '../../../errors.ts';
import type { ActionCount, ActionQuery, GoalCount } from '../../records/analysis-records.ts';
import type { Page } from '../../records.ts';
import type { AccountTx } from '../account-access.ts';
import { touchAction } from './merged-actions.ts';

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
  locator: Locator | null;
  url: string | null;
  state: ActionState;
  completedAt: number | null;
  due: string | null;
  createdAt: number;
}

/** An action from another version of the text keeps its quote, but its place in the visible text is not known. */
const columns = ({ sql }: AccountTx) => sql`
  a.seq, a.id, i.id AS content_id, coalesce(i.given_title, d.title) AS content_title, a.goal AS goal_id, a.goal_reason,
  a.title, a.reason, a.quote, CASE WHEN a.document = i.visible_document THEN a.locator END AS locator,
  CASE WHEN a.document = i.visible_document THEN a.url END AS url, a.state, a.completed_at, a.due,
  a.created_at`;

/** With the item `i` of an action `a`, and the document `d` that is shown of it. */
const itsItem = ({ sql, account }: AccountTx) => sql`
  JOIN items i ON i.account_id = ${account} AND i.seq = a.item
  LEFT JOIN documents d ON d.account_id = ${account} AND d.id = i.visible_document`;

async function toActions(db: AccountTx, rows: readonly ActionRow[]): Promise<ActionItem[]> {
  const heads = rows.map(({ seq }) => seq);
  const sources = heads.length === 0 ? new Map<number, never>() : await listSources(db, heads);
  return rows.map(({ seq, completedAt, createdAt, ...row }) => ({
    ...row,
    url: shownAddress(row.url),
    completed: row.state === 'done',
    completedAt: completedAt === null ? null : isoTime(completedAt),
    createdAt: isoTime(createdAt),
    ...sources.get(seq),
  }));
}

/** Actions `a` that lists show. A merged action is shown as part of the one it was merged into. */
const shown = (db: AccountTx) => db.sql`
  actions a ${itsItem(db)} WHERE a.account_id = ${db.account} AND a.merged_into IS NULL AND i.deleted_at IS NULL`;

function condition({ sql, account }: AccountTx, query: ActionQuery) {
  const conditions = [];
  if (query.completed !== undefined) conditions.push(sql`a.state = ${query.completed ? 'done' : 'open'}`);
  if (query.state !== undefined) conditions.push(sql`a.state = ${query.state}`);
  if (query.contentId !== undefined)
    conditions.push(sql`a.seq IN (
      SELECT coalesce(o.merged_into, o.seq) FROM actions o
        JOIN items c ON c.account_id = ${account} AND c.seq = o.item
      WHERE o.account_id = ${account} AND c.id = ${query.contentId} AND c.deleted_at IS NULL)`);
  if (query.goalId === null) conditions.push(sql`a.goal IS NULL`);
  else if (query.goalId !== undefined) conditions.push(sql`a.goal = ${query.goalId}`);
  if (query.createdSince !== undefined) conditions.push(sql`a.created_at >= ${query.createdSince}`);
  if (query.createdBefore !== undefined) conditions.push(sql`a.created_at < ${query.createdBefore}`);
  if (query.completedSince !== undefined) conditions.push(sql`a.completed_at >= ${query.completedSince}`);
  return conditions.reduce((all, one) => sql`${all} AND ${one}`, sql``);
}

/** What comes first in an order; the rest is by age. */
function firstBy({ sql }: AccountTx, order: ActionOrder) {
  if (order === 'goal') return sql`a.goal IS NULL,`;
  if (order === 'item') return sql`a.item DESC,`;
  return sql`a.completed_at DESC NULLS LAST, a.due IS NULL, a.due COLLATE "C", a.goal IS NULL,`;
}

/**
 * Order: open before done, with a goal before without, newest first; actions of one analysis in the order of the text.
 */
export async function listActions(db: AccountTx, query: ActionQuery): Promise<Page<ActionItem>> {
  const { sql } = db;
  const wanted = sql`${shown(db)} ${condition(db, query)}`;
  const openFirst = query.completed === undefined && query.state === undefined ? sql`a.state <> 'open',` : sql``;
  const rows = await sql<ActionRow[]>`
    SELECT ${columns(db)} FROM ${wanted}
    ORDER BY ${openFirst} ${firstBy(db, query.order ?? 'goal')} a.created_at DESC, a.item DESC, a.seq
    LIMIT ${query.limit ?? null} OFFSET ${query.offset}`;
  const [counted] = await sql<{ total: number }[]>`SELECT count(*) AS total FROM ${wanted}`;
  return { items: await toActions(db, rows), total: counted?.total ?? 0 };
}

export async function countActionsByGoal(db: AccountTx, since: number): Promise<GoalCount[]> {
  return [
    ...(await db.sql<GoalCount[]>`
      SELECT a.goal AS goal_id, count(*) FILTER (WHERE a.state = 'open') AS open,
        count(*) FILTER (WHERE a.state = 'done' AND a.completed_at >= ${since}) AS done
      FROM ${shown(db)} AND a.goal IS NOT NULL GROUP BY a.goal ORDER BY a.goal COLLATE "C"`),
  ];
}

export async function countActions(db: AccountTx): Promise<ActionCount[]> {
  return [
    ...(await db.sql<ActionCount[]>`
      SELECT a.goal AS goal_id, a.state, count(*) FROM ${shown(db)}
      GROUP BY a.goal, a.state ORDER BY a.goal COLLATE "C" NULLS FIRST, a.state COLLATE "C"`),
  ];
}

/** In the order of the text. Includes actions that are merged into one of another item. */
export async function listActionsOfItem(db: AccountTx, item: number): Promise<ActionItem[]> {
  const { sql, account } = db;
  const rows = await sql<ActionRow[]>`
    SELECT ${columns(db)} FROM (
      SELECT coalesce(merged_into, seq) AS seq, min(start_at) AS start_at, min(seq) AS first FROM actions
      WHERE account_id = ${account} AND item = ${item} GROUP BY 1
    ) mine JOIN actions a ON a.account_id = ${account} AND a.seq = mine.seq ${itsItem(db)}
    ORDER BY mine.start_at NULLS FIRST, mine.first`;
  return toActions(db, rows);
}

/** The id of an action that was merged later stands for the action that it was merged into. */
const meant = ({ sql, account }: AccountTx, id: string) =>
  sql`(SELECT coalesce(merged_into, seq) FROM actions WHERE account_id = ${account} AND id = ${id})`;

async function getAction(db: AccountTx, id: string): Promise<ActionItem | null> {
  const { sql, account } = db;
  const rows = await sql<ActionRow[]>`
    SELECT ${columns(db)} FROM actions a ${itsItem(db)}
    WHERE a.account_id = ${account} AND a.seq = ${meant(db, id)} AND i.deleted_at IS NULL`;
  return (await toActions(db, rows))[0] ?? null;
}

async function requireGoal({ sql, account }: AccountTx, goalId: string | null): Promise<void> {
  const goal = goalId === null ? [] : await sql`SELECT 1 FROM goals WHERE account_id = ${account} AND id = ${goalId}`;
  if (goalId !== null && goal.length === 0)
    throw new AppError('invalid_input', 'There is no goal with this `goalId`. The list of goals shows the ids.');
}

/**
 * Adds a person's action to an item, or gives its goal and day to the open one that has the title. Null when there is no
 * such item.
 * @throws {AppError} `invalid_input` when there is no such goal, or no room for another action
 */
export async function addAction(db: AccountTx, added: NewAction): Promise<ActionItem | null> {
  const { sql, account, now } = db;
  const { contentId, title, goalId, due } = added;
  const [item] = await sql<{ seq: number; document: number | null; same: string | null; total: number }[]>`
    SELECT seq, visible_document AS document,
      (SELECT count(*) FROM actions WHERE account_id = ${account} AND item = i.seq) AS total,
      (SELECT id FROM actions WHERE account_id = ${account} AND item = i.seq AND title = ${title} AND state = 'open'
        AND merged_into IS NULL LIMIT 1) AS same
    FROM items i WHERE account_id = ${account} AND id = ${contentId} AND deleted_at IS NULL`;
  if (item === undefined) return null;
  if (item.same !== null) return updateAction(db, item.same, { goalId, due });
  await requireGoal(db, goalId ?? null);
  if (item.total >= maxActionsOfItem)
    throw new AppError(
      'invalid_input',
      `This item has ${maxActionsOfItem} action items, and cannot have more. Add the next one to another item.`,
    );
  const id = newId('a');
  await sql`
    INSERT INTO actions (account_id, id, item, document, goal, title, due, touched_at, created_at)
    VALUES (${account}, ${id}, ${item.seq}, ${item.document}, ${goalId ?? null}, ${title}, ${due ?? null}, ${now}, ${now})`;
  touchItem(db, item.seq);
  return getAction(db, id);
}

/**
 * Stores a person's changes of an action. A call that changes nothing is ignored, so the time of completion is that of
 * the first call.
 * @throws {AppError} `invalid_input` when there is no such goal
 */
export async function updateAction(db: AccountTx, id: string, changes: ActionChanges): Promise<ActionItem | null> {
  const { sql, account, now } = db;
  const before = await getAction(db, id);
  if (before === null) return null;
  const { state = before.state, title = before.title, goalId = before.goalId, due = before.due } = changes;
  if (state === before.state && title === before.title && goalId === before.goalId && due === before.due) return before;
  await requireGoal(db, goalId);
  const [changed] = await sql<{ seq: number }[]>`
    UPDATE actions SET state = ${state}, title = ${title}, goal = ${goalId}, due = ${due}, touched_at = ${now},
      has_words = has_words AND title = ${title},
      goal_reason = CASE WHEN goal IS NOT DISTINCT FROM ${goalId} THEN goal_reason END,
      completed_at = CASE WHEN ${state} = 'done' THEN coalesce(completed_at, ${now}) END
    WHERE account_id = ${account} AND seq = ${meant(db, id)} RETURNING seq`;
  if (changed !== undefined) await touchAction(db, changed.seq);
  return getAction(db, id);
}

/** How many further sources of an action are shown. */
const maxShown = 5;

/** The further sources of actions, by the actions' keys: one for each visible item, the oldest first. */
async function listSources(
  { sql, account }: AccountTx,
  heads: readonly number[],
): Promise<Map<number, { alsoIn: ActionSource[]; alsoInTotal?: number }>> {
  const rows = await sql<(ActionSource & { head: number })[]>`
    SELECT s.merged_into AS head, i.id AS content_id, s.quote,
      CASE WHEN s.document = i.visible_document THEN s.locator END AS locator,
      CASE WHEN s.document = i.visible_document THEN s.url END AS url
    FROM (
      SELECT min(o.seq) AS seq FROM actions o
        JOIN actions a ON a.account_id = ${account} AND a.seq = o.merged_into AND a.item <> o.item
      WHERE o.account_id = ${account} AND o.merged_into = ANY(${[...heads]}) GROUP BY o.merged_into, o.item
    ) first JOIN actions s ON s.account_id = ${account} AND s.seq = first.seq
      JOIN items i ON i.account_id = ${account} AND i.seq = s.item
    WHERE i.deleted_at IS NULL ORDER BY s.merged_into, s.seq`;
  const byHead = Map.groupBy(rows, ({ head }) => head);
  return new Map(
    [...byHead].map(([head, sources]) => [
      head,
      {
        alsoIn: sources.slice(0, maxShown).map(({ contentId, quote, locator, url }) => ({
          contentId,
          quote,
          locator,
          url: shownAddress(url),
        })),
        ...(sources.length > maxShown && { alsoInTotal: sources.length }),
      },
    ]),
  );
}
