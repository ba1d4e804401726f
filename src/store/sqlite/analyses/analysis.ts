import { newId } from '../../../domain/records/ids.ts';
import type { PlacedAnalysis } from '../../../domain/records/analysis.ts';
import { continueActions, type KnownAction } from '../../../domain/actions/continued-actions.ts';
import { requireDocument } from '../items/bridged.ts';
import { replaceInsights } from './insights.ts';
import { mergeActions, removeAction } from './merged-actions.ts';
import { isOfNote } from './note-tasks.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

type ActionToKeep = PlacedAnalysis['actions'][number];

/**
 * Replaces the item's analysis and completes the item. Actions that a person edited stay.
 * @param goalsVersion of the goals that the analyst was given; 0: it looked for no goals of insights
 */
export function replaceAnalysis(
  file: SqliteFile,
  item: number,
  documentId: number,
  analysis: PlacedAnalysis,
  now: number,
  goalsVersion = 0,
): void {
  requireDocument(file, item, documentId);
  replaceInsights(file, item, documentId, analysis.insights, goalsVersion);
  replaceActions(file, item, documentId, analysis.actions, now);
  file.run(
    `UPDATE items SET state = 'completed', summary = ?, analysis = ?, processed_at = ? WHERE seq = ?`,
    analysis.summary,
    JSON.stringify(analysis.info),
    now,
    item,
  );
}

function replaceActions(
  file: SqliteFile,
  item: number,
  documentId: number,
  actions: readonly ActionToKeep[],
  now: number,
): void {
  const { found, gone } = continueActions(actionsOf(file, item), actions);
  for (const { action, continues, isReworded } of found) {
    if (continues === null) insertAction(file, item, documentId, action, now);
    else if (isReworded) rewordAction(file, continues.seq, documentId, action);
    else moveAction(file, continues.seq, documentId, action);
  }
  for (const { seq } of gone) removeAction(file, seq, now);
  const asksAnew = new Set(
    found.flatMap(({ continues, asksAnew }) => (asksAnew && continues !== null ? [continues.seq] : [])),
  );
  mergeActions(file, item, now, asksAnew);
}

interface StoredAction extends KnownAction {
  seq: number;
}

function actionsOf(file: SqliteFile, item: number): StoredAction[] {
  return file
    .all<Omit<StoredAction, 'isTouched'> & { isTouched: 0 | 1 }>(
      `SELECT seq, title, quote, touched_at IS NOT NULL AS isTouched FROM actions WHERE item = ? AND NOT ${isOfNote}
       ORDER BY isTouched DESC, seq`,
      item,
    )
    .map((row) => ({ ...row, isTouched: row.isTouched === 1 }));
}

function insertAction(file: SqliteFile, item: number, documentId: number, action: ActionToKeep, now: number): void {
  file.run(
    `INSERT INTO actions
       (id, item, document, goal, goal_reason, title, reason, quote, start_at, end_at, locator, url, due, created_at)
     VALUES (?, ?, ?, (SELECT id FROM goals WHERE id = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    newId('a'),
    item,
    documentId,
    action.goalId,
    action.goalReason ?? null,
    action.title,
    action.reason,
    action.quote,
    action.start,
    action.end,
    JSON.stringify(action.locator),
    action.url,
    action.due ?? null,
    now,
  );
}

/** Updates the place of a kept action in the new version of the text. Does not change its title or state. */
function moveAction(file: SqliteFile, seq: number, documentId: number, found: ActionToKeep): void {
  file.run(
    'UPDATE actions SET document = ?, quote = ?, start_at = ?, end_at = ?, locator = ?, url = ? WHERE seq = ?',
    documentId,
    found.quote,
    found.start,
    found.end,
    JSON.stringify(found.locator),
    found.url,
    seq,
  );
}

const linkStays = `(@goalId IS NULL AND goal IN (SELECT id FROM goals WHERE archived_at IS NOT NULL))`;

/**
 * Updates an action that was found again and that no person edited. It keeps its id and gets the new title and reason.
 */
function rewordAction(file: SqliteFile, seq: number, documentId: number, found: ActionToKeep): void {
  // No analysis links to archived goals, so a missing link does not remove an existing one to such a goal.
  file.run(
    `UPDATE actions SET title = @title, reason = @reason, due = @due, has_words = iif(title = @title, has_words, 0),
       goal = iif(${linkStays}, goal, (SELECT id FROM goals WHERE id = @goalId)),
       goal_reason = iif(${linkStays}, goal_reason, @goalReason)
     WHERE seq = @seq`,
    {
      seq,
      title: found.title,
      reason: found.reason,
      due: found.due ?? null,
      goalId: found.goalId,
      goalReason: found.goalReason ?? null,
    },
  );
  moveAction(file, seq, documentId, found);
}
