import { shownAddress } from '../../../domain/links/shown-address.ts';
import type { ActionChanges, ActionItem, ActionOrder, ActionState, NewAction } from '../../../domain/records/action.ts';
import { maxActionsOfItem } from '../../../domain/records/limits.ts';
import { newId } from '../../../domain/records/ids.ts';
import { touchItem } from '../items/bridged.ts';
import { isoTime } from '../../../domain/clock.ts';
import type { Locator } from '../../../domain/records/locator.ts';
import { AppError } from '../../../errors.ts';
import type { ActionCount, ActionQuery, GoalCount } from '../../records/analysis-records.ts';
import type { Page } from '../../records.ts';
import { deletedItems } from '../items/deleted.ts';
import { listSources, touchAction } from './merged-actions.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

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
  locator: string | null;
  url: string | null;
  state: ActionState;
  completedAt: number | null;
  due: string | null;
  createdAt: number;
}

/** An action from another version of the text keeps its quote, but its place in the visible text is not known. */
const actionColumns = `a.seq, a.id, c.id AS contentId,
  coalesce(c.given_title, (SELECT d.title FROM documents d WHERE d.id = c.visible_document)) AS contentTitle, a.goal AS goalId, a.goal_reason AS goalReason, a.title, a.reason, a.quote,
  iif(a.document = c.visible_document, a.locator, NULL) AS locator,
  iif(a.document = c.visible_document, a.url, NULL) AS url,
  a.state, a.completed_at AS completedAt, a.due, a.created_at AS createdAt`;

const actionTables = 'actions a JOIN items c ON c.seq = a.item';

type ActionSources = ReturnType<typeof listSources>;

function toAction(row: ActionRow, sources: ActionSources): ActionItem {
  const { id, contentId, goalId, goalReason, title, reason, quote, url, state, due } = row;
  return {
    id,
    contentId,
    contentTitle: row.contentTitle,
    goalId,
    goalReason,
    title,
    reason,
    quote,
    locator: row.locator === null ? null : (JSON.parse(row.locator) as Locator),
    url: shownAddress(url),
    state,
    completed: state === 'done',
    completedAt: row.completedAt === null ? null : isoTime(row.completedAt),
    due,
    createdAt: isoTime(row.createdAt),
    ...sources.get(row.seq),
  };
}

function toActions(file: SqliteFile, rows: readonly ActionRow[]): ActionItem[] {
  const sources = listSources(
    file,
    rows.map(({ seq }) => seq),
  );
  return rows.map((row) => toAction(row, sources));
}

/** SQL condition for actions that lists show. A merged action is shown as part of the one it was merged into. */
const shown = `a.merged_into IS NULL AND a.item NOT IN (${deletedItems})`;

/** What comes first in an order; the rest is by age. */
const firstBy: Readonly<Record<ActionOrder, string>> = {
  goal: 'a.goal IS NULL,',
  item: 'a.item DESC,',
  day: 'a.completed_at DESC, a.due IS NULL, a.due, a.goal IS NULL,',
};

/**
 * Order: open before done, with a goal before without, newest first; actions of one analysis in the order of the text.
 */
export function listActions(file: SqliteFile, query: ActionQuery): Page<ActionItem> {
  const conditions = [shown];
  const parameters: unknown[] = [];
  if (query.completed !== undefined) {
    conditions.push('a.state = ?');
    parameters.push(query.completed ? 'done' : 'open');
  }
  if (query.state !== undefined) {
    conditions.push('a.state = ?');
    parameters.push(query.state);
  }
  if (query.contentId !== undefined) {
    conditions.push(
      `a.seq IN (SELECT coalesce(merged_into, seq) FROM actions
         WHERE item = (SELECT seq FROM items WHERE id = ? AND deleted_at IS NULL))`,
    );
    parameters.push(query.contentId);
  }
  if (query.goalId === null) conditions.push('a.goal IS NULL');
  else if (query.goalId !== undefined) {
    conditions.push('a.goal = ?');
    parameters.push(query.goalId);
  }
  if (query.createdSince !== undefined) {
    conditions.push('a.created_at >= ?');
    parameters.push(query.createdSince);
  }
  if (query.createdBefore !== undefined) {
    conditions.push('a.created_at < ?');
    parameters.push(query.createdBefore);
  }
  if (query.completedSince !== undefined) {
    conditions.push('a.completed_at >= ?');
    parameters.push(query.completedSince);
  }
  const where = `WHERE ${conditions.join(' AND ')}`;
  return file.read(() => {
    const rows = file.all<ActionRow>(
      `SELECT ${actionColumns} FROM ${actionTables} ${where}
       ORDER BY ${query.completed === undefined && query.state === undefined ? "a.state <> 'open'," : ''} ${firstBy[query.order ?? 'goal']}
         a.created_at DESC, a.item DESC, a.seq LIMIT ? OFFSET ?`,
      ...parameters,
      query.limit ?? -1,
      query.offset,
    );
    const counted = file.get<{ total: number }>(`SELECT count(*) AS total FROM actions a ${where}`, ...parameters);
    return { items: toActions(file, rows), total: counted?.total ?? 0 };
  });
}

export function countActionsByGoal(file: SqliteFile, since: number): GoalCount[] {
  return file.all<GoalCount>(
    `SELECT a.goal AS goalId, sum(a.state = 'open') AS open, sum(a.state = 'done' AND a.completed_at >= ?) AS done
     FROM actions a WHERE ${shown} AND a.goal IS NOT NULL GROUP BY a.goal`,
    since,
  );
}

export function countActions(file: SqliteFile): ActionCount[] {
  return file.all<ActionCount>(
    `SELECT a.goal AS goalId, a.state, count(*) AS count FROM actions a WHERE ${shown} GROUP BY a.goal, a.state`,
  );
}

/** In the order of the text. Includes actions that are merged into one of another item. */
export function listActionsOfItem(file: SqliteFile, item: number): ActionItem[] {
  const rows = file.all<ActionRow>(
    `SELECT ${actionColumns}
     FROM actions mine JOIN actions a ON a.seq = coalesce(mine.merged_into, mine.seq) JOIN items c ON c.seq = a.item
     WHERE mine.item = ? GROUP BY a.seq ORDER BY min(mine.start_at), min(mine.seq)`,
    item,
  );
  return toActions(file, rows);
}

/** SQL: the id of an action that was merged later stands for the action that it was merged into. */
const meant = '(SELECT coalesce(merged_into, seq) FROM actions WHERE id = @id)';

function getAction(file: SqliteFile, id: string): ActionItem | null {
  return file.read(() => {
    const sql = `SELECT ${actionColumns} FROM ${actionTables} WHERE a.seq = ${meant} AND c.deleted_at IS NULL`;
    const row = file.get<ActionRow>(sql, { id });
    return row === undefined ? null : (toActions(file, [row])[0] ?? null);
  });
}

function requireGoal(file: SqliteFile, goalId: string | null): void {
  if (goalId !== null && file.get('SELECT 1 FROM goals WHERE id = ?', goalId) === undefined)
    throw new AppError('invalid_input', 'There is no goal with this `goalId`. The list of goals shows the ids.');
}

/**
 * Adds a person's action to an item, or gives its goal and day to the open one that has the title. Null when there is no
 * such item.
 * @throws {AppError} `invalid_input` when there is no such goal, or no room for another action
 */
export function addAction(file: SqliteFile, added: NewAction, now: number): ActionItem | null {
  const { contentId, title, goalId, due } = added;
  const item = file.get<{ seq: number; document: number | null; same: string | null; total: number }>(
    `SELECT seq, visible_document AS document, (SELECT count(*) FROM actions WHERE item = c.seq) AS total,
       (SELECT id FROM actions WHERE item = c.seq AND title = ? AND state = 'open' AND merged_into IS NULL LIMIT 1) AS same
     FROM items c WHERE id = ? AND deleted_at IS NULL`,
    title,
    contentId,
  );
  if (item === undefined) return null;
  if (item.same !== null) return updateAction(file, item.same, { goalId, due }, now);
  requireGoal(file, goalId ?? null);
  if (item.total >= maxActionsOfItem)
    throw new AppError(
      'invalid_input',
      `This item has ${maxActionsOfItem} action items, and cannot have more. Add the next one to another item.`,
    );
  const id = newId('a');
  file.run(
    `INSERT INTO actions (id, item, document, goal, title, due, touched_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    item.seq,
    item.document,
    goalId ?? null,
    title,
    due ?? null,
    now,
    now,
  );
  touchItem(file, item.seq, now);
  return getAction(file, id);
}

/**
 * Stores a person's changes of an action. A call that changes nothing is ignored, so the time of completion is that of
 * the first call.
 * @throws {AppError} `invalid_input` when there is no such goal
 */
export function updateAction(file: SqliteFile, id: string, changes: ActionChanges, now: number): ActionItem | null {
  const before = getAction(file, id);
  if (before === null) return null;
  const { state = before.state, title = before.title, goalId = before.goalId, due = before.due } = changes;
  if (state === before.state && title === before.title && goalId === before.goalId && due === before.due) return before;
  requireGoal(file, goalId);
  const changed = file.get<{ seq: number }>(
    `UPDATE actions SET state = @state, title = @title, goal = @goalId, due = @due, touched_at = @now,
       has_words = iif(title = @title, has_words, 0),
       goal_reason = iif(goal IS @goalId, goal_reason, NULL),
       completed_at = iif(@state = 'done', coalesce(completed_at, @now), NULL)
     WHERE seq = ${meant} RETURNING seq`,
    { id, state, title, goalId, due, now },
  );
  if (changed !== undefined) touchAction(file, changed.seq, now);
  return getAction(file, id);
}
