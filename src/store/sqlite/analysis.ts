import { newId } from '../../domain/ids.ts';
import type { AnalysisToKeep } from '../store.ts';
import { requireDocument } from './documents.ts';
import { replaceInsights } from './insights.ts';
import type { SqliteFile } from './sqlite-file.ts';

type ActionToKeep = AnalysisToKeep['actions'][number];

/** Puts an analysis in the place of the item's last one and completes the item. What a person touched stays. */
export function replaceAnalysis(
  file: SqliteFile,
  content: number,
  documentId: number,
  analysis: AnalysisToKeep,
  now: number,
): void {
  requireDocument(file, content, documentId);
  replaceInsights(file, content, documentId, analysis.insights);
  file.run('DELETE FROM actions WHERE content = ? AND touched_at IS NULL', content);
  const touched = touchedActionsByQuote(file, content);
  for (const action of analysis.actions) {
    const survivor = touched.get(comparable(action.quote));
    if (survivor === undefined) insertAction(file, content, documentId, action, now);
    else moveAction(file, survivor, documentId, action);
  }
  file.run(
    `UPDATE content SET state = 'completed', summary = ?, analysis = ?, processed_at = ? WHERE seq = ?`,
    analysis.summary,
    JSON.stringify(analysis.info),
    now,
    content,
  );
}

/** A quote from another extraction of the same page may differ in its white space only. */
function comparable(quote: string): string {
  return quote.replaceAll(/\s+/g, ' ').trim();
}

function touchedActionsByQuote(file: SqliteFile, content: number): Map<string, number> {
  const rows = file.all<{ seq: number; quote: string | null }>(
    'SELECT seq, quote FROM actions WHERE content = ?',
    content,
  );
  return new Map(rows.flatMap(({ seq, quote }) => (quote === null ? [] : [[comparable(quote), seq] as const])));
}

function insertAction(file: SqliteFile, content: number, documentId: number, action: ActionToKeep, now: number): void {
  file.run(
    `INSERT INTO actions
       (id, content, document, goal, title, reason, quote, start_at, end_at, locator, url, created_at)
     VALUES (?, ?, ?, (SELECT id FROM goals WHERE id = ?), ?, ?, ?, ?, ?, ?, ?, ?)`,
    newId('a'),
    content,
    documentId,
    action.goalId,
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
