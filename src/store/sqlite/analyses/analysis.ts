import { newId } from '../../../domain/records/ids.ts';
import type { PlacedAnalysis } from '../../../domain/records/analysis.ts';
import { areNearlyIdentical } from '../../../domain/duplicates/instruction-similarity.ts';
import { requireVersion } from '../items/documents.ts';
import { replaceInsights } from './insights.ts';
import { mergeActions, removeAction } from './merged-actions.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

type ActionToKeep = PlacedAnalysis['actions'][number];

/** Replaces the item's analysis and completes the item. Actions that a person edited stay. */
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
  const known = actionsOf(file, content);
  const predecessors = findPredecessors(actions, known);
  const asksAnew = new Set<number>();
  for (const action of actions) {
    const predecessor = predecessors.get(action);
    if (predecessor !== undefined && !areNearlyIdentical(predecessor.title, action.title))
      asksAnew.add(predecessor.seq);
    if (predecessor === undefined) insertAction(file, content, documentId, action, now);
    else if (predecessor.isTouched === 1) moveAction(file, predecessor.seq, documentId, action);
    else rewordAction(file, predecessor.seq, documentId, action);
  }
  const found = new Set(predecessors.values());
  for (const old of known) if (old.isTouched === 0 && !found.has(old)) removeAction(file, old.seq, now);
  mergeActions(file, content, now, asksAnew);
}

/** Collapses white space, because quotes from two extractions of the same page may differ in it. */
function comparable(quote: string): string {
  return quote.replaceAll(/\s+/g, ' ').trim();
}

interface KnownAction {
  seq: number;
  title: string;
  quote: string | null;
  isTouched: number;
}

function actionsOf(file: SqliteFile, content: number): KnownAction[] {
  return file.all<KnownAction>(
    `SELECT seq, title, quote, touched_at IS NOT NULL AS isTouched FROM actions WHERE content = ?
     ORDER BY isTouched DESC, seq`,
    content,
  );
}

/**
 * Quotes may be part of a sentence or include the next one. The shorter quote must be at least this share of the
 * longer.
 */
const minOfQuote = 0.5;

function isMostOf(one: string, other: string): boolean {
  const [shorter = '', longer = ''] = [one, other].sort((a, b) => a.length - b.length);
  return shorter.length >= minOfQuote * longer.length && longer.includes(shorter);
}

/**
 * Finds the existing action that each new one continues: one with the same quote or nearly the same title, otherwise
 * one whose quote is most of the new quote, or the reverse. A sentence may ask for several things. Then the action with
 * nearly the same title is chosen, otherwise any that is left. Actions that a person edited come first, because they
 * stand for their sentence.
 */
function findPredecessors(
  actions: readonly ActionToKeep[],
  known: readonly KnownAction[],
): Map<ActionToKeep, KnownAction> {
  const left = new Set(known);
  const found = new Map<ActionToKeep, KnownAction>();
  const match = (isSameAction: (action: ActionToKeep, old: KnownAction) => boolean) => {
    for (const action of actions) {
      if (found.has(action)) continue;
      const old = [...left].find((one) => isSameAction(action, one));
      if (old === undefined) continue;
      found.set(action, old);
      left.delete(old);
    }
  };
  const hasTitle = (action: ActionToKeep, old: KnownAction) => areNearlyIdentical(action.title, old.title);
  const hasQuote = (action: ActionToKeep, old: KnownAction) => comparable(old.quote ?? '') === comparable(action.quote);
  match((action, old) => hasQuote(action, old) && hasTitle(action, old));
  match(hasTitle);
  match(hasQuote);
  match((action, old) => isMostOf(comparable(old.quote ?? ''), comparable(action.quote)));
  return found;
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
    `UPDATE actions SET title = @title, reason = @reason, has_words = iif(title = @title, has_words, 0),
       goal = iif(${linkStays}, goal, (SELECT id FROM goals WHERE id = @goalId)),
       goal_reason = iif(${linkStays}, goal_reason, @goalReason)
     WHERE seq = @seq`,
    { seq, title: found.title, reason: found.reason, goalId: found.goalId, goalReason: found.goalReason ?? null },
  );
  moveAction(file, seq, documentId, found);
}
