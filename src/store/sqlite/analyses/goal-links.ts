import type { GoalLink, Linkable, LinksDue, ToLink } from '../../records/analysis-records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { touchItem } from '../items/bridged.ts';
import { touchAction } from './merged-actions.ts';

/*
 * When a goal changes, open actions that no person edited are linked again: those without a goal, and those of the
 * changed goal. A link to an unchanged goal stays, because it may come from an analyst that used more than keywords.
 * Nobody but this program links insights, so all of them are linked again: `goals_version` of an insight says among which
 * goals its goal was looked for.
 */

export function goalsVersion(file: SqliteFile): number {
  return file.get<{ version: number }>('SELECT goals_version AS version FROM libraries')?.version ?? 0;
}

const untouched = `state = 'open' AND touched_at IS NULL`;

/** Notes a goal's change. An archived goal gets no new links and keeps those that it has: nothing is linked again. */
export function noteChangedGoal(file: SqliteFile, goalId: string, isArchived: boolean): void {
  if (isArchived) return;
  file.run('UPDATE libraries SET goals_version = goals_version + 1');
  file.run(
    `UPDATE actions SET link_due = 1 WHERE ${untouched} AND link_due = 0 AND (goal IS NULL OR goal = ?)`,
    goalId,
  );
}

/** Queues the item's actions for linking if the goals have changed since `version`, which their analyst used. */
export function noteOldGoals(file: SqliteFile, item: number, version: number): void {
  if (goalsVersion(file) === version) return;
  file.run(`UPDATE actions SET link_due = 1 WHERE item = ? AND ${untouched}`, item);
}

export function hasLinksDue(file: SqliteFile): boolean {
  return (
    file.get('SELECT 1 FROM actions WHERE link_due = 1 LIMIT 1') !== undefined ||
    file.get(`SELECT 1 FROM insights WHERE ${insightIsDue} LIMIT 1`) !== undefined
  );
}

const insightIsDue = 'goals_version < (SELECT goals_version FROM libraries)';

interface DueRow extends Omit<ToLink, 'of' | 'headingPath'> {
  headingPath: string | null;
}

/** Actions first: a person sees them in one list. */
export function listLinksDue(file: SqliteFile, limit: number): Omit<LinksDue, 'goals'> {
  const context = (table: string, condition: string) =>
    `d.title AS documentTitle, d.language, p.heading_path AS headingPath, p.text AS passage
     FROM ${table} x LEFT JOIN documents d
         ON d.id = coalesce(x.document, (SELECT visible_document FROM items WHERE seq = x.item))
       LEFT JOIN passages p ON p.id = (
         SELECT id FROM passages WHERE document = x.document AND start_at <= x.start_at AND end_at > x.start_at
         ORDER BY ordinal LIMIT 1)
     WHERE ${condition} LIMIT ?`;
  const toLink = ({ headingPath, text, documentTitle, language, passage }: DueRow, of: Linkable): ToLink => ({
    of,
    text,
    documentTitle,
    language,
    headingPath: headingPath === null ? [] : (JSON.parse(headingPath) as string[]),
    passage,
  });
  const actions = file.all<DueRow & { actionId: string }>(
    `SELECT x.id AS actionId, coalesce(x.quote, x.title) AS text, ${context('actions', 'x.link_due = 1 ORDER BY x.seq')}`,
    limit,
  );
  const insights = file.all<DueRow & { item: number; ordinal: number }>(
    `SELECT x.item, x.ordinal, x.text, ${context('insights', `x.${insightIsDue}`)}`,
    limit - actions.length,
  );
  return {
    goalsVersion: goalsVersion(file),
    due: [
      ...actions.map((row) => toLink(row, { actionId: row.actionId })),
      ...insights.map((row) => toLink(row, { item: row.item, ordinal: row.ordinal, text: row.text })),
    ],
  };
}

/**
 * Stores new links. Actions that a person edited in the meantime keep their link, and so do those linked to an archived
 * goal. Returns false, and stores nothing, when the goals have changed since `version`, or a linked one is archived.
 */
export function keepGoalLinks(file: SqliteFile, version: number, links: readonly GoalLink[], now: number): boolean {
  if (goalsVersion(file) !== version) return false;
  const archived = file.all<{ id: string }>('SELECT id FROM goals WHERE archived_at IS NOT NULL');
  if (archived.some(({ id }) => links.some(({ goalId }) => goalId === id))) return false;
  for (const { of, goalId, reason } of links) {
    if ('actionId' in of) {
      file.run('UPDATE actions SET link_due = 0 WHERE id = ?', of.actionId);
      const linked = file.get<{ seq: number }>(
        `UPDATE actions SET goal = @goalId, goal_reason = @reason
         WHERE id = @actionId AND ${untouched} AND ${mayChange} RETURNING seq`,
        { actionId: of.actionId, goalId, reason },
      );
      if (linked !== undefined) touchAction(file, linked.seq, now);
    } else {
      // The words: another analysis may have replaced the item's insights meanwhile.
      const same = 'item = @item AND ordinal = @ordinal AND text = @text';
      file.run(`UPDATE insights SET goals_version = @version WHERE ${same}`, { ...of, version });
      const { changes } = file.run(
        `UPDATE insights SET goal = @goalId, goal_reason = @reason WHERE ${same} AND ${mayChange}`,
        { ...of, goalId, reason },
      );
      if (changes > 0) touchItem(file, of.item, now);
    }
  }
  return true;
}

/** SQL: the link is another one than before, and does not lead to an archived goal. */
const mayChange = `(goal IS NOT @goalId OR goal_reason IS NOT @reason)
  AND (goal IS NULL OR goal NOT IN (SELECT id FROM goals WHERE archived_at IS NOT NULL))`;
