import type { ActionToLink, GoalLink, LinksDue } from '../../records/analysis-records.ts';
import { touchAction } from './merged-actions.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/*
 * When a goal changes, open actions that no person edited are linked again: those without a goal, and those of the
 * changed goal. A link to an unchanged goal stays, because it may come from an analyst that used more than keywords.
 */

export function goalsVersion(file: SqliteFile): number {
  return file.get<{ version: number }>('SELECT goals_version AS version FROM file_state')?.version ?? 0;
}

const untouched = `state = 'open' AND touched_at IS NULL`;

/** Notes a goal's change that affects links. An archived goal gets no new links and keeps those that it has. */
export function noteChangedGoal(file: SqliteFile, goalId: string, isArchived: boolean): void {
  file.run('UPDATE file_state SET goals_version = goals_version + 1');
  if (isArchived) return;
  file.run(
    `UPDATE actions SET link_due = 1 WHERE ${untouched} AND link_due = 0 AND (goal IS NULL OR goal = ?)`,
    goalId,
  );
}

/** Queues the item's actions for linking if the goals have changed since `version`, which their analyst used. */
export function noteOldGoals(file: SqliteFile, content: number, version: number): void {
  if (goalsVersion(file) === version) return;
  file.run(`UPDATE actions SET link_due = 1 WHERE content = ? AND ${untouched}`, content);
}

export function hasLinksDue(file: SqliteFile): boolean {
  return file.get('SELECT 1 FROM actions WHERE link_due = 1 LIMIT 1') !== undefined;
}

export function listLinksDue(file: SqliteFile, limit: number): Omit<LinksDue, 'goals'> {
  const rows = file.all<Omit<ActionToLink, 'headingPath'> & { headingPath: string | null }>(
    `SELECT a.id, coalesce(a.quote, a.title) AS quote, d.title AS documentTitle, d.language, p.heading_path AS headingPath,
         p.text AS passage
       FROM actions a JOIN documents d ON d.id = a.document
         LEFT JOIN passages p ON p.id = (
           SELECT id FROM passages WHERE document = a.document AND start_at <= a.start_at AND end_at > a.start_at
           ORDER BY ordinal LIMIT 1)
       WHERE a.link_due = 1 ORDER BY a.seq LIMIT ?`,
    limit,
  );
  const actions = rows.map((row) => ({
    ...row,
    headingPath: row.headingPath === null ? [] : (JSON.parse(row.headingPath) as string[]),
  }));
  return { goalsVersion: goalsVersion(file), actions };
}

/**
 * Stores new links. Actions that a person edited in the meantime keep their link, and so do those linked to an archived
 * goal. Returns false, and stores nothing, when the goals have changed since `version`.
 */
export function keepGoalLinks(file: SqliteFile, version: number, links: readonly GoalLink[], now: number): boolean {
  if (goalsVersion(file) !== version) return false;
  for (const { actionId, goalId, reason } of links) {
    file.run('UPDATE actions SET link_due = 0 WHERE id = ?', actionId);
    const linked = file.get<{ seq: number }>(
      `UPDATE actions SET goal = @goalId, goal_reason = @reason
       WHERE id = @actionId AND ${untouched} AND (goal IS NOT @goalId OR goal_reason IS NOT @reason)
         AND (goal IS NULL OR goal NOT IN (SELECT id FROM goals WHERE archived_at IS NOT NULL))
       RETURNING seq`,
      { actionId, goalId, reason },
    );
    if (linked !== undefined) touchAction(file, linked.seq, now);
  }
  return true;
}
