import { isoTime } from '../../../domain/clock.ts';
import type { Goal, GoalCategory, GoalChanges, NewGoal } from '../../../domain/records/goal.ts';
import { maxGoals } from '../../../domain/records/limits.ts';
import { newId } from '../../../domain/records/ids.ts';
import { AppError } from '../../../errors.ts';
import type { GoalQuery, Page } from '../../records.ts';
import { noteChangedGoal } from './goal-links.ts';
import { findByTitle, foldedTitle } from './goal-titles.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

interface GoalRow {
  id: string;
  title: string;
  category: GoalCategory;
  description: string | null;
  createdAt: number;
  archivedAt: number | null;
}

const goalColumns = 'id, title, category, description, created_at AS createdAt, archived_at AS archivedAt';

function toGoal({ archivedAt, ...row }: GoalRow): Goal {
  return { ...row, createdAt: isoTime(row.createdAt), ...(archivedAt !== null && { archivedAt: isoTime(archivedAt) }) };
}

/** Newest first. */
export function listGoals(file: SqliteFile, query: GoalQuery): Page<Goal> {
  const where = query.includeArchived === true ? '' : 'WHERE archived_at IS NULL';
  return file.read(() => {
    const rows = file.all<GoalRow>(
      `SELECT ${goalColumns} FROM goals ${where} ORDER BY created_at DESC, seq DESC LIMIT ? OFFSET ?`,
      query.limit ?? -1,
      query.offset,
    );
    const counted = file.get<{ total: number }>(`SELECT count(*) AS total FROM goals ${where}`);
    return { items: rows.map(toGoal), total: counted?.total ?? 0 };
  });
}

function getGoal(file: SqliteFile, id: string): Goal | null {
  const row = file.get<GoalRow>(`SELECT ${goalColumns} FROM goals WHERE id = ?`, id);
  return row === undefined ? null : toGoal(row);
}

/** @throws {AppError} `invalid_input` when the account has `maxGoals` goals already */
function requireRoom(file: SqliteFile): void {
  const counted = file.get<{ total: number }>('SELECT count(*) AS total FROM goals');
  if ((counted?.total ?? 0) < maxGoals) return;
  throw new AppError(
    'invalid_input',
    `This account already has ${maxGoals} goals, archived ones included, and cannot have more. Use update_goal to change one that is no longer needed.`,
  );
}

export function addGoal(file: SqliteFile, goal: NewGoal, now: number): Goal {
  const { title, category, description } = goal;
  const known = findByTitle(file, title);
  const again = known === null ? null : updateGoal(file, known, { category, description, archived: false }, now);
  if (again !== null) return again;
  requireRoom(file);
  const row = { id: newId('g'), title, category, description: description || null, createdAt: now, archivedAt: null };
  file.run(
    'INSERT INTO goals (id, title, category, description, created_at) VALUES (?, ?, ?, ?, ?)',
    row.id,
    row.title,
    row.category,
    row.description,
    row.createdAt,
  );
  noteChangedGoal(file, row.id, false);
  return toGoal(row);
}

export function updateGoal(file: SqliteFile, id: string, changes: GoalChanges, now: number): Goal | null {
  const before = getGoal(file, id);
  if (before === null) return null;
  const { title = before.title, category = before.category, description = before.description } = changes;
  const { archived = before.archivedAt !== undefined } = changes;
  if (foldedTitle(title) !== foldedTitle(before.title) && findByTitle(file, title) !== null)
    throw new AppError(
      'invalid_input',
      'There is a goal with this title already. Choose another title, or change that goal.',
    );
  file.run(
    `UPDATE goals SET title = ?, category = ?, description = ?, archived_at = iif(?, coalesce(archived_at, ?), NULL)
     WHERE id = ?`,
    title,
    category,
    description || null,
    archived ? 1 : 0,
    now,
    id,
  );
  const after = getGoal(file, id);
  if (JSON.stringify(after) !== JSON.stringify(before)) noteChangedGoal(file, id, archived);
  return after;
}
