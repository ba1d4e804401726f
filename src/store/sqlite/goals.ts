import { isoTime } from '../../domain/clock.ts';
import type { Goal, GoalCategory, NewGoal } from '../../domain/goal.ts';
import { newId } from '../../domain/ids.ts';
import type { Page } from '../store.ts';
import type { SqliteFile } from './sqlite-file.ts';

interface GoalRow {
  id: string;
  title: string;
  category: GoalCategory;
  description: string | null;
  createdAt: number;
}

function toGoal(row: GoalRow): Goal {
  return { ...row, createdAt: isoTime(row.createdAt) };
}

/** Newest first. */
export function listGoals(file: SqliteFile, query: { limit?: number | undefined; offset: number }): Page<Goal> {
  return file.read(() => {
    const rows = file.all<GoalRow>(
      `SELECT id, title, category, description, created_at AS createdAt FROM goals
       ORDER BY created_at DESC, seq DESC LIMIT ? OFFSET ?`,
      query.limit ?? -1,
      query.offset,
    );
    const counted = file.get<{ total: number }>('SELECT count(*) AS total FROM goals');
    return { items: rows.map(toGoal), total: counted?.total ?? 0 };
  });
}

export function addGoal(file: SqliteFile, goal: NewGoal, now: number): Goal {
  const { title, category, description } = goal;
  const row = { id: newId('g'), title, category, description: description ?? null, createdAt: now };
  file.run(
    'INSERT INTO goals (id, title, category, description, created_at) VALUES (?, ?, ?, ?, ?)',
    row.id,
    row.title,
    row.category,
    row.description,
    row.createdAt,
  );
  return toGoal(row);
}
