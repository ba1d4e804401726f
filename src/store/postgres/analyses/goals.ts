import { isoTime } from '../../../domain/clock.ts';
import type { Goal, GoalCategory, GoalChanges, NewGoal } from '../../../domain/records/goal.ts';
import { maxGoals } from '../../../domain/records/limits.ts';
import { newId } from '../../../domain/records/ids.ts';
import { AppError } from '../../../errors.ts';
import type { GoalQuery, Page } from '../../records.ts';
import type { AccountTx } from '../account-access.ts';
import { noteChangedGoal } from './goal-links.ts';

interface GoalRow {
  id: string;
  title: string;
  category: GoalCategory;
  description: string | null;
  createdAt: number;
  archivedAt: number | null;
}

const columns = ({ sql }: AccountTx) => sql`id, title, category, description, created_at, archived_at`;

function toGoal({ archivedAt, ...row }: GoalRow): Goal {
  return { ...row, createdAt: isoTime(row.createdAt), ...(archivedAt !== null && { archivedAt: isoTime(archivedAt) }) };
}

/** Newest first. */
export async function listGoals(db: AccountTx, query: GoalQuery): Promise<Page<Goal>> {
  const { sql, account } = db;
  const wanted = sql`account_id = ${account} ${query.includeArchived === true ? sql`` : sql`AND archived_at IS NULL`}`;
  const rows = await sql<GoalRow[]>`
    SELECT ${columns(db)} FROM goals WHERE ${wanted} ORDER BY created_at DESC, seq DESC
    LIMIT ${query.limit ?? null} OFFSET ${query.offset}`;
  const [counted] = await sql<{ total: number }[]>`SELECT count(*) AS total FROM goals WHERE ${wanted}`;
  return { items: rows.map(toGoal), total: counted?.total ?? 0 };
}

async function getGoal(db: AccountTx, id: string): Promise<Goal | null> {
  const [row] = await db.sql<GoalRow[]>`
    SELECT ${columns(db)} FROM goals WHERE account_id = ${db.account} AND id = ${id}`;
  return row === undefined ? null : toGoal(row);
}

/** What counts as the same letter is not left to the collation of the database. An account has few goals. */
export async function listGoalTitles({ sql, account }: AccountTx): Promise<{ id: string; title: string }[]> {
  return [
    ...(await sql<{ id: string; title: string }[]>`
      SELECT id, title FROM goals WHERE account_id = ${account} ORDER BY seq`),
  ];
}

/** Finds a goal by its title: goals with the same title are one goal, even when it is archived. */
async function findByTitle(db: AccountTx, title: string): Promise<string | null> {
  return (await listGoalTitles(db)).find((goal) => sameTitle(goal.title, title))?.id ?? null;
}

export function sameTitle(one: string, other: string): boolean {
  return fold(one) === fold(other);
}

function fold(title: string): string {
  return title.normalize('NFC').toLowerCase();
}

/** @throws {AppError} `invalid_input` when the account has `maxGoals` goals already */
async function requireRoom({ sql, account }: AccountTx): Promise<void> {
  const [counted] = await sql<{ total: number }[]>`SELECT count(*) AS total FROM goals WHERE account_id = ${account}`;
  if ((counted?.total ?? 0) < maxGoals) return;
  throw new AppError(
    'invalid_input',
    `This account already has ${maxGoals} goals, archived ones included, and cannot have more. Use update_goal to change one that is no longer needed.`,
  );
}

export async function addGoal(db: AccountTx, goal: NewGoal): Promise<Goal> {
  const { sql, account, now } = db;
  const { title, category, description } = goal;
  const known = await findByTitle(db, title);
  const again = known === null ? null : await updateGoal(db, known, { category, description, archived: false });
  if (again !== null) return again;
  await requireRoom(db);
  const row = { id: newId('g'), title, category, description: description || null, createdAt: now, archivedAt: null };
  await sql`
    INSERT INTO goals (account_id, id, title, category, description, created_at)
    VALUES (${account}, ${row.id}, ${title}, ${category}, ${row.description}, ${now})`;
  await noteChangedGoal(db, row.id, false);
  return toGoal(row);
}

export async function updateGoal(db: AccountTx, id: string, changes: GoalChanges): Promise<Goal | null> {
  const { sql, account, now } = db;
  const before = await getGoal(db, id);
  if (before === null) return null;
  const { title = before.title, category = before.category, description = before.description } = changes;
  const { archived = before.archivedAt !== undefined } = changes;
  if (!sameTitle(title, before.title) && (await findByTitle(db, title)) !== null)
    throw new AppError(
      'invalid_input',
      'There is a goal with this title already. Choose another title, or change that goal.',
    );
  await sql`
    UPDATE goals SET title = ${title}, category = ${category}, description = ${description || null},
      archived_at = ${archived ? sql`coalesce(archived_at, ${now})` : null}
    WHERE account_id = ${account} AND id = ${id}`;
  const after = await getGoal(db, id);
  if (JSON.stringify(after) !== JSON.stringify(before)) await noteChangedGoal(db, id, archived);
  return after;
}
