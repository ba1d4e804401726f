import { isoTime } from '../../../domain/clock.ts';
import type { Goal, GoalChanges, NewGoal } from '../../../domain/records/analyses/goal.ts';
import { newId } from '../../../domain/records/ids.ts';
import { maxGoals } from '../../../domain/records/limits.ts';
import type { ExportedGoal } from '../../../domain/records/transfers/exported.ts';
import { invalidInput } from '../../../errors.ts';
import type { GoalQuery, Page } from '../../records.ts';
import { all, type Db, first, fromJson, later, sql, type Steps, text, together, touchItem, unlimited } from '../db.ts';
import { columnsOf, goalFields } from '../fields.ts';
import type { GoalLink, Linkable, LinksDue, ToLink } from '../../records/analysis-records.ts';
import { touchAction } from './merged-actions.ts';

const columns = columnsOf(goalFields);

function toGoal({ archivedAt, ...row }: ExportedGoal): Goal {
  return { ...row, createdAt: isoTime(row.createdAt), ...(archivedAt !== null && { archivedAt: isoTime(archivedAt) }) };
}

/** The newest first. */
export function* listGoals(db: Db, query: GoalQuery): Steps<Page<Goal>> {
  const wanted = sql`${db.of('g')} ${query.includeArchived === true ? sql`` : sql`AND archived_at IS NULL`}`;
  const [rows, counted] = yield* together(
    all<ExportedGoal>`
      SELECT ${columns} FROM goals g WHERE ${wanted} ORDER BY created_at DESC, seq DESC
      LIMIT ${query.limit ?? unlimited} OFFSET ${query.offset}`,
    first<{ total: number }>`SELECT count(*) AS total FROM goals g WHERE ${wanted}`,
  );
  return { items: rows.map(toGoal), total: counted?.total ?? 0 };
}

function* getGoal(db: Db, id: string): Steps<Goal | null> {
  const row = yield* first<ExportedGoal>`SELECT ${columns} FROM goals g WHERE ${db.of('g')} AND id = ${id}`;
  return row === undefined ? null : toGoal(row);
}

/** Which letters count as the same is not left to the engine. An account has few goals. */
export const listGoalTitles = (db: Db): Steps<{ id: string; title: string }[]> =>
  all<{ id: string; title: string }>`SELECT id, title FROM goals g WHERE ${db.of('g')} ORDER BY seq`;

export function sameTitle(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

function folded(title: string): string {
  return title.normalize('NFC').toLowerCase();
}

/** Finds a goal by its title: goals with the same title are one goal, even when it is archived. */
function* findGoalByTitle(db: Db, title: string): Steps<string | null> {
  return (yield* listGoalTitles(db)).find((goal) => sameTitle(goal.title, title))?.id ?? null;
}

/** @throws {AppError} `invalid_input` when the account has `maxGoals` goals already */
function* requireRoom(db: Db): Steps<void> {
  const counted = yield* first<{ total: number }>`SELECT count(*) AS total FROM goals g WHERE ${db.of('g')}`;
  if ((counted?.total ?? 0) < maxGoals) return;
  throw invalidInput(
    `This account already has ${maxGoals} goals, archived ones included, and cannot have more. Use update_goal to change one that is no longer needed.`,
  );
}

/** How often goals have changed: whatever was derived from an older version is out of date. */
export function* goalsVersion(db: Db): Steps<number> {
  const row = yield* first<{ version: number }>`
    SELECT goals_version AS version FROM libraries l WHERE ${db.of('l')}`;
  return row?.version ?? 0;
}

/** SQL: an action that may be linked to another goal. */
export const isUntouched = sql`state = 'open' AND touched_at IS NULL`;

/** Records a goal's change. An archived goal gets no new links and keeps its own: nothing is linked again. */
export function* noteChangedGoal(db: Db, goalId: string, isArchived: boolean): Steps<void> {
  if (isArchived) return;
  yield* later`UPDATE libraries SET goals_version = goals_version + 1 WHERE ${db.of('libraries')}`;
  yield* later`
    UPDATE actions SET link_due = ${db.yes}
    WHERE ${db.of('actions')} AND ${isUntouched} AND link_due = ${db.no} AND (goal IS NULL OR goal = ${goalId})`;
}

/** When a goal already has this title, that goal takes the given values and is unarchived instead. */
export function* addGoal(db: Db, goal: NewGoal): Steps<Goal> {
  const { title, category, description } = goal;
  const known = yield* findGoalByTitle(db, title);
  const again = known === null ? null : yield* updateGoal(db, known, { category, description, archived: false });
  if (again !== null) return again;
  yield* requireRoom(db);
  const made = { id: newId('g'), title, category, description: description || null };
  yield* later`${db.row('goals', { ...made, created_at: db.now })}`;
  yield* noteChangedGoal(db, made.id, false);
  return toGoal({ ...made, createdAt: db.now, archivedAt: null });
}

/** Null when there is no such goal. @throws {AppError} `invalid_input` when another goal has the title */
export function* updateGoal(db: Db, id: string, changes: GoalChanges): Steps<Goal | null> {
  const before = yield* getGoal(db, id);
  if (before === null) return null;
  const { title = before.title, category = before.category, description = before.description } = changes;
  const { archived = before.archivedAt !== undefined } = changes;
  if (!sameTitle(title, before.title) && (yield* findGoalByTitle(db, title)) !== null)
    throw invalidInput('There is a goal with this title already. Choose another title, or change that goal.');
  const row = yield* first<ExportedGoal>`
    UPDATE goals SET title = ${title}, category = ${category}, description = ${description || null},
      archived_at = ${archived ? sql`coalesce(archived_at, ${db.now})` : null}
    WHERE ${db.of('goals')} AND id = ${id} RETURNING ${columns}`;
  const after = row === undefined ? null : toGoal(row);
  if (JSON.stringify(after) !== JSON.stringify(before)) yield* noteChangedGoal(db, id, archived);
  return after;
}

/*
 * When a goal changes, open actions that no person edited are linked again: those without a goal, and those of the changed goal. A
 * link to an unchanged goal stays, because it may come from an analyst that used more than keywords. Only this program links
 * insights, so all of them are linked again: `goals_version` of an insight says which goals it was compared with.
 */

const currentVersion = (db: Db) => sql`(SELECT l.goals_version FROM libraries l WHERE ${db.of('l')})`;

/** Queues the item's actions for linking if the goals have changed since `version`, which their analyst used. */
export function* noteOldGoals(db: Db, item: number, version: number): Steps<void> {
  yield* later`
    UPDATE actions SET link_due = ${db.yes}
    WHERE ${db.of('actions')} AND item = ${item} AND ${isUntouched} AND ${currentVersion(db)} <> ${version}`;
}

const insightIsDue = (db: Db) => sql`${db.of('x')} AND x.goals_version < ${currentVersion(db)}`;

export function* hasLinksDue(db: Db): Steps<boolean> {
  const [action, insight] = yield* together(
    first`SELECT 1 AS due FROM actions x WHERE ${db.of('x')} AND x.link_due = ${db.yes} LIMIT 1`,
    first`SELECT 1 AS due FROM insights x WHERE ${insightIsDue(db)} LIMIT 1`,
  );
  return action !== undefined || insight !== undefined;
}

interface DueRow extends Omit<ToLink, 'of' | 'headingPath'> {
  headingPath: unknown;
}

/**
 * Insights and untouched open actions that may serve another goal, because goals have changed or were not compared yet. Actions
 * first: people see them in one list.
 */
export function* listLinksDue(db: Db, limit: number): Steps<LinksDue> {
  const columns = text('d.title AS document_title, d.language, p.heading_path');
  const context = sql`
    LEFT JOIN documents d ON ${db.of('d')} AND d.id = coalesce(x.document,
      (SELECT i.visible_document FROM items i WHERE ${db.of('i')} AND i.seq = x.item))
    LEFT JOIN passages p ON ${db.of('p')} AND p.id = (
      SELECT q.id FROM passages q
      WHERE ${db.of('q')} AND q.document = x.document AND q.start_at <= x.start_at AND q.end_at > x.start_at
      ORDER BY q.ordinal LIMIT 1)`;
  const toLink = ({ headingPath, text, documentTitle, language }: DueRow, of: Linkable): ToLink => ({
    of,
    text,
    documentTitle,
    language,
    headingPath: fromJson<string[] | null>(headingPath) ?? [],
  });
  const actions = yield* all<DueRow & { actionId: string }>`
    SELECT x.id AS action_id, coalesce(x.quote, x.title) AS text, ${columns} FROM actions x ${context}
    WHERE ${db.of('x')} AND x.link_due = ${db.yes} ORDER BY x.seq LIMIT ${limit}`;
  const insights = yield* all<DueRow & { item: number; ordinal: number }>`
    SELECT x.item, x.ordinal, x.text, ${columns} FROM insights x ${context}
    WHERE ${insightIsDue(db)} LIMIT ${limit - actions.length}`;
  const [version, goals] = yield* together(goalsVersion(db), listGoals(db, { offset: 0 }));
  return {
    goalsVersion: version,
    goals: goals.items,
    due: [
      ...actions.map((row) => toLink(row, { actionId: row.actionId })),
      ...insights.map((row) => toLink(row, { item: row.item, ordinal: row.ordinal, text: row.text })),
    ],
  };
}

/**
 * Actions that a person edited in the meantime keep their link, and so do those linked to an archived goal. False, with
 * nothing kept, when goals have changed since `version`, or a linked one is archived.
 */
export function* keepGoalLinks(db: Db, version: number, links: readonly GoalLink[]): Steps<boolean> {
  const archivedGoals = sql`SELECT g.id FROM goals g WHERE ${db.of('g')} AND g.archived_at IS NOT NULL`;
  const [current, archived] = yield* together(goalsVersion(db), all<{ id: string }>`${archivedGoals}`);
  if (current !== version) return false;
  if (archived.some(({ id }) => links.some(({ goalId }) => goalId === id))) return false;
  for (const { of, goalId, reason } of links) {
    // Another link than before, and none that leads to an archived goal.
    const mayChange = sql`(goal IS DISTINCT FROM ${goalId} OR goal_reason IS DISTINCT FROM ${reason})
      AND (goal IS NULL OR goal NOT IN (${archivedGoals}))`;
    const change = sql`SET goal = ${goalId}, goal_reason = ${reason}`;
    // Mark the items that show the link first: afterwards the rows no longer tell which links changed.
    if ('actionId' in of) {
      const linked = sql`${db.of('actions')} AND id = ${of.actionId} AND ${isUntouched} AND ${mayChange}`;
      yield* touchAction(db, sql`(SELECT seq FROM actions WHERE ${linked})`);
      yield* later`UPDATE actions ${change} WHERE ${linked}`;
      yield* later`UPDATE actions SET link_due = ${db.no} WHERE ${db.of('actions')} AND id = ${of.actionId}`;
    } else {
      // The words: another analysis may have replaced the item's insights meanwhile.
      const same = sql`
        ${db.of('insights')} AND item = ${of.item} AND ordinal = ${of.ordinal} AND text = ${of.text}`;
      yield* touchItem(db, sql`(SELECT item FROM insights WHERE ${same} AND ${mayChange})`);
      yield* later`UPDATE insights ${change} WHERE ${same} AND ${mayChange}`;
      yield* later`UPDATE insights SET goals_version = ${version} WHERE ${same}`;
    }
  }
  return true;
}
