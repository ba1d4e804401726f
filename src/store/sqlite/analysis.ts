import { newId } from '../../domain/ids.ts';
import type { PlacedAnalysis } from '../../domain/analysis.ts';
import { requireVersion } from './documents.ts';
import { replaceInsights } from './insights.ts';
import { mergeActions, removeAction } from './merged-actions.ts';
import type { SqliteFile } from './sqlite-file.ts';

type ActionToKeep = PlacedAnalysis['actions'][number];

/** Puts an analysis in the place of the item's last one and completes the item. What a person touched stays. */
export function replaceAnalysis(
  file: SqliteFile,
  content: number,
  documentId: number,
  analysis: PlacedAnalysis,
  now: number,
): void {
  requireVersion(file, content, documentId);
  replaceInsights(file, content, documentId, analysis.insights);
  replaceActions(file, content, documentId, analysis.actions, now);
  file.run(
    `UPDATE content SET state = 'completed', summary = ?, analysis = ?, processed_at = ? WHERE seq = ?`,
    analysis.summary,
    JSON.stringify(analysis.info),
    now,
    content,
  );
}

function replaceActions(
  file: SqliteFile,
  content: number,
  documentId: number,
  actions: readonly ActionToKeep[],
  now: number,
): void {
  const { touched, untouched } = actionsByQuote(file, content);
  for (const action of actions) {
    const quote = comparable(action.quote);
    // What a person touched stands for its quote.
    const survivor = touched.get(quote)?.[0];
    const predecessor = survivor === undefined ? untouched.get(quote)?.shift() : undefined;
    if (survivor !== undefined) moveAction(file, survivor, documentId, action);
    else if (predecessor !== undefined) rewordAction(file, predecessor, documentId, action);
    else insertAction(file, content, documentId, action, now);
  }
  for (const seq of [...untouched.values()].flat()) removeAction(file, seq, now);
  mergeActions(file, content, now);
}

/** A quote from another extraction of the same page may differ in its white space only. */
function comparable(quote: string): string {
  return quote.replaceAll(/\s+/g, ' ').trim();
}

/** The keys of the item's actions by their quotes: those that a person touched, and the others. */
function actionsByQuote(
  file: SqliteFile,
  content: number,
): { touched: Map<string, number[]>; untouched: Map<string, number[]> } {
  const rows = file.all<{ seq: number; quote: string | null; isTouched: number }>(
    'SELECT seq, quote, touched_at IS NOT NULL AS isTouched FROM actions WHERE content = ? ORDER BY seq',
    content,
  );
  const touched = new Map<string, number[]>();
  const untouched = new Map<string, number[]>();
  for (const { seq, quote, isTouched } of rows) {
    const byQuote = isTouched === 1 ? touched : untouched;
    const key = comparable(quote ?? '');
    byQuote.set(key, [...(byQuote.get(key) ?? []), seq]);
  }
  return { touched, untouched };
}

function insertAction(file: SqliteFile, content: number, documentId: number, action: ActionToKeep, now: number): void {
  file.run(
    `INSERT INTO actions
       (id, content, document, goal, goal_reason, title, reason, quote, start_at, end_at, locator, url, created_at)
     VALUES (?, ?, ?, (SELECT id FROM goals WHERE id = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    newId('a'),
    content,
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
    now,
  );
}

/** Where the quote of an action that stays stands in the new version of the text; its words and state are the person's. */
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

/** An action that was found again and that nobody touched: it stays the same one, in the words of the new analysis. */
function rewordAction(file: SqliteFile, seq: number, documentId: number, found: ActionToKeep): void {
  // Archived goals attract nothing, so no analysis finds them again: they keep what they have.
  file.run(
    `UPDATE actions SET title = @title, reason = @reason, has_words = iif(title = @title, has_words, 0),
       goal = iif(${linkStays}, goal, (SELECT id FROM goals WHERE id = @goalId)),
       goal_reason = iif(${linkStays}, goal_reason, @goalReason)
     WHERE seq = @seq`,
    { seq, title: found.title, reason: found.reason, goalId: found.goalId, goalReason: found.goalReason ?? null },
  );
  moveAction(file, seq, documentId, found);
}
