import { continueActions, type KnownAction } from '../../../domain/actions/continued-actions.ts';
import type { PlacedAnalysis } from '../../../domain/records/analysis.ts';
import { newId } from '../../../domain/records/ids.ts';
import type { AccountTx } from '../account-access.ts';
import { json } from '../database.ts';
import { requireDocument } from '../items/bridged.ts';
import { replaceInsights } from './insights.ts';
import { mergeActions, removeAction } from './merged-actions.ts';

type ActionToKeep = PlacedAnalysis['actions'][number];

/**
 * Replaces the item's analysis and completes the item. Actions that a person edited stay.
 * @param goalsVersion of the goals that the analyst was given; 0: it looked for no goals of insights
 */
export async function replaceAnalysis(
  db: AccountTx,
  item: number,
  documentId: number,
  analysis: PlacedAnalysis,
  goalsVersion = 0,
): Promise<void> {
  const { sql, account, now } = db;
  await requireDocument(db, item, documentId);
  await replaceInsights(db, item, documentId, analysis.insights, goalsVersion);
  await replaceActions(db, item, documentId, analysis.actions);
  await sql`
    UPDATE items SET state = 'completed', summary = ${analysis.summary}, analysis = ${json(analysis.info)},
      processed_at = ${now}
    WHERE account_id = ${account} AND seq = ${item}`;
}

async function replaceActions(
  db: AccountTx,
  item: number,
  documentId: number,
  actions: readonly ActionToKeep[],
): Promise<void> {
  const { found, gone } = continueActions(await actionsOf(db, item), actions);
  for (const { action, continues, isReworded } of found) {
    if (continues === null) await insertAction(db, item, documentId, action);
    else if (isReworded) await rewordAction(db, continues.seq, documentId, action);
    else await moveAction(db, continues.seq, documentId, action);
  }
  for (const { seq } of gone) await removeAction(db, seq);
  const asksAnew = new Set(
    found.flatMap(({ continues, asksAnew }) => (asksAnew && continues !== null ? [continues.seq] : [])),
  );
  await mergeActions(db, item, asksAnew);
}

interface StoredAction extends KnownAction {
  seq: number;
}

async function actionsOf({ sql, account }: AccountTx, item: number): Promise<StoredAction[]> {
  return [
    ...(await sql<StoredAction[]>`
      SELECT seq, title, quote, touched_at IS NOT NULL AS is_touched FROM actions
      WHERE account_id = ${account} AND item = ${item} AND (quote IS NULL OR start_at IS NOT NULL)
      ORDER BY is_touched DESC, seq`),
  ];
}

async function insertAction(
  { sql, account, now }: AccountTx,
  item: number,
  documentId: number,
  action: ActionToKeep,
): Promise<void> {
  const { goalId, goalReason = null, title, reason, quote, start, end, locator, url } = action;
  await sql`
    INSERT INTO actions (account_id, id, item, document, goal, goal_reason, title, reason, quote, start_at, end_at,
      locator, url, due, created_at)
    VALUES (${account}, ${newId('a')}, ${item}, ${documentId},
      (SELECT id FROM goals WHERE account_id = ${account} AND id = ${goalId}), ${goalReason}, ${title}, ${reason},
      ${quote}, ${start}, ${end}, ${json(locator)}, ${url}, ${action.due ?? null}, ${now})`;
}

/** Updates the place of a kept action in the new version of the text. Does not change its title or state. */
async function moveAction({ sql, account }: AccountTx, seq: number, documentId: number, found: ActionToKeep) {
  const { quote, start, end, locator, url } = found;
  await sql`
    UPDATE actions SET document = ${documentId}, quote = ${quote}, start_at = ${start}, end_at = ${end},
      locator = ${json(locator)}, url = ${url}
    WHERE account_id = ${account} AND seq = ${seq}`;
}

/**
 * Updates an action that was found again and that no person edited. It keeps its id and gets the new title and reason.
 */
async function rewordAction(db: AccountTx, seq: number, documentId: number, found: ActionToKeep): Promise<void> {
  const { sql, account } = db;
  const { title, reason, due = null, goalId, goalReason = null } = found;
  // No analysis links to archived goals, so a missing link does not remove an existing one to such a goal.
  const [archived] =
    goalId === null
      ? await sql`
          SELECT 1 FROM actions a JOIN goals g ON g.account_id = ${account} AND g.id = a.goal
          WHERE a.account_id = ${account} AND a.seq = ${seq} AND g.archived_at IS NOT NULL`
      : [];
  const link =
    archived === undefined
      ? sql`, goal = (SELECT id FROM goals WHERE account_id = ${account} AND id = ${goalId}), goal_reason = ${goalReason}`
      : sql``;
  await sql`
    UPDATE actions SET title = ${title}, reason = ${reason}, due = ${due}, has_words = has_words AND title = ${title} ${link}
    WHERE account_id = ${account} AND seq = ${seq}`;
  await moveAction(db, seq, documentId, found);
}
