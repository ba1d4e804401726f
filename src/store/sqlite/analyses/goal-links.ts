import type { ActionToLink, GoalLink, LinksDue } from '../../analysis-records.ts';
import { touchAction } from './merged-actions.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/*
 * When goals change, open actions that nobody touched are looked at again, those that serve no goal and those of the goal
 * that has changed. A link to a goal that is as it was stays: it may be an analyst's who knew more than words.
 */

export function goalsVersion(file: SqliteFile): number {
  return file.get<{ version: number }>('SELECT goals_version AS version FROM file_state')?.version ?? 0;
}

const untouched = `state = 'open' AND touched_at IS NULL`;

/** Notes that a goal has changed in a way that links depend on. An archived one attracts nothing, and keeps what it has. */
export function noteChangedGoal(file: SqliteFile, goalId: string, isArchived: boolean): void {
  file.run('UPDATE file_state SET goals_version = goals_version + 1');
  if (isArchived) return;
  file.run(
    `UPDATE actions SET link_due = 1 WHERE ${untouched} AND link_due = 0 AND (goal IS NULL OR goal = ?)`,
    goalId,
  );
}

/** The item's actions were linked by an analyst who knew these goals. */
export function noteOldGoals(file: SqliteFile, content: number, version: number): void {
  if (goalsVersion(file) === version) return;
  file.run(`UPDATE actions SET link_due = 1 WHERE content = ? AND ${untouched}`, content);
}

export function hasLinksDue(file: SqliteFile): boolean {
  return file.get('SELECT 1 FROM actions WHERE link_due = 1 LIMIT 1') !== undefined;
}

export function listLinksDue(file: SqliteFile, most: number): Omit<LinksDue, 'goals'> {
  const rows = file.all<Omit<ActionToLink, 'headingPath'> & { headingPath: string | null }>(
    `SELECT a.id, coalesce(a.quote, a.title) AS quote, d.title AS documentTitle, p.heading_path AS headingPath,
         p.text AS passage
       FROM actions a JOIN documents d ON d.id = a.document
         LEFT JOIN passages p ON p.id = (
           SELECT id FROM passages WHERE document = a.document AND start_at <= a.start_at AND end_at > a.start_at
           ORDER BY ordinal LIMIT 1)
       WHERE a.link_due = 1 ORDER BY a.seq LIMIT ?`,
    most,
  );
  const actions = rows.map((row) => ({
    ...row,
    headingPath: row.headingPath === null ? [] : (JSON.parse(row.headingPath) as string[]),
  }));
  return { goalsVersion: goalsVersion(file), actions };
}

/** What a person touched meanwhile stays as the person wants it; so does the link to a goal that was archived meanwhile. */
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
