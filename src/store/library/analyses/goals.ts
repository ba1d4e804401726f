import { isoTime } from '../../../domain/clock.ts';
import type { Goal, GoalChanges, NewGoal } from '../../../domain/records/goal.ts';
import { newId } from '../../../domain/records/ids.ts';
import { maxGoals } from '../../../domain/records/limits.ts';
import type { ExportedGoal } from '../../../domain/records/transfers/exported.ts';
import { AppError } from '../../../errors.ts';
import type { GoalQuery, Page } from '../../records.ts';
import { all, type Db, first, later, sql, type Steps, together, unlimited } from '../db.ts';
import { columnsOf, goalFields } from '../fields.ts';

const columns = columnsOf(goalFields);

function toGoal({ archivedAt, ...row }: ExportedGoal): Goal {
  return { ...row, createdAt: isoTime(row.createdAt), ...(archivedAt !== null && { archivedAt: isoTime(archivedAt) }) };
}

/** Newest first. */
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
  throw new AppError(
    'invalid_input',
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

/** Notes a goal's change. An archived goal gets no new links and keeps those that it has: nothing is linked again. */
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
    throw new AppError(
      'invalid_input',
      'There is a goal with this title already. Choose another title, or change that goal.',
    );
  const row = yield* first<ExportedGoal>`
    UPDATE goals SET title = ${title}, category = ${category}, description = ${description || null},
      archived_at = ${archived ? sql`coalesce(archived_at, ${db.now})` : null}
    WHERE ${db.of('goals')} AND id = ${id} RETURNING ${columns}`;
  const after = row === undefined ? null : toGoal(row);
  if (JSON.stringify(after) !== JSON.stringify(before)) yield* noteChangedGoal(db, id, archived);
  return after;
}
