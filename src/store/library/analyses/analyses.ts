import { continueActions, type KnownAction } from '../../../domain/actions/continued-actions.ts';
import { shownAddress } from '../../../domain/links/shown-address.ts';
import type { PlacedAnalysis } from '../../../domain/records/analyses/analysis.ts';
import type { AnalysisInfo, Insight } from '../../../domain/records/content.ts';
import { newId } from '../../../domain/records/ids.ts';
import type { Locator } from '../../../domain/records/texts/locator.ts';
import type { ExportedItem } from '../../../domain/records/transfers/exported.ts';
import type { AnalysedItem } from '../../records/analysis-records.ts';
import { all, type Db, first, fromJson, later, sql, type Steps, toJson, touchItem } from '../db.ts';
import { keepTagProposals } from '../items/tags.ts';
import { requireDocument } from '../items/documents.ts';
import { actionFields, insightFields, valuesOf } from '../fields.ts';
import { noteOldGoals } from './goals.ts';
import { mergeActions, removeAction } from './merged-actions.ts';
import { isOfNote } from './note-tasks.ts';

/**
 * Replaces the item's analysis and completes the item. Actions that a person edited stay.
 * @param goalsVersion of the goals that the analyst was given; 0: it looked for no goals of insights
 */
export function* replaceAnalysis(
  db: Db,
  item: number,
  documentId: number,
  analysis: PlacedAnalysis,
  goalsVersion = 0,
): Steps<void> {
  yield* requireDocument(db, item, documentId);
  yield* later`DELETE FROM insights WHERE ${db.of('insights')} AND item = ${item}`;
  for (const [ordinal, insight] of analysis.insights.entries())
    yield* insertInsight(db, item, documentId, ordinal, insight, goalsVersion);
  yield* replaceActions(db, item, documentId, analysis.actions);
  if (analysis.tags !== undefined) yield* keepTagProposals(db, item, analysis.tags);
  yield* later`
    UPDATE items SET state = 'completed', summary = ${analysis.summary}, analysis = ${toJson(analysis.info)},
      processed_at = ${db.now}
    WHERE ${db.of('items')} AND seq = ${item}`;
}

/** An insight and the location of its quote in the text; null without one. */
type InsightToStore = Omit<ExportedItem['insights'][number], 'version'>;

/** @param goalsVersion of the goals that it was compared with; 0: none */
export function* insertInsight(
  db: Db,
  item: number,
  document: number,
  ordinal: number,
  insight: InsightToStore,
  goalsVersion: number,
): Steps<void> {
  yield* later`${db.row('insights', {
    item,
    document,
    ordinal,
    // An import may have an empty quote.
    ...valuesOf(insightFields, { ...insight, quote: insight.quote || null }),
    goal: existingGoal(db, insight.goalId ?? null),
    goals_version: goalsVersion,
  })}`;
}

const existingGoal = (db: Db, id: string | null) =>
  sql`(SELECT g.id FROM goals g WHERE ${db.of('g')} AND g.id = ${id})`;

interface InsightRow {
  text: string;
  quote: string | null;
  locator: unknown;
  url: string | null;
  goalId: string | null;
  goalReason: string | null;
}

/** The insights from this version of the text. Those from another version would point to the wrong places. */
export function* listInsights(db: Db, item: number, documentId: number | null): Steps<Insight[]> {
  const rows = yield* all<InsightRow>`
    SELECT n.text, n.quote, n.locator, n.url, n.goal AS goal_id, n.goal_reason FROM insights n
    WHERE ${db.of('n')} AND n.item = ${item} AND n.document = ${documentId} ORDER BY n.ordinal`;
  return rows.map(({ text, quote, locator, url, goalId, goalReason }) => ({
    text,
    quote,
    locator: fromJson<Locator | null>(locator),
    url: shownAddress(url),
    ...(quote === null && { unquoted: true as const }),
    ...(goalId !== null && { goalId, ...(goalReason !== null && { goalReason }) }),
  }));
}

type ActionToKeep = PlacedAnalysis['actions'][number];

interface StoredAction extends KnownAction {
  seq: number;
}

function* replaceActions(db: Db, item: number, documentId: number, actions: readonly ActionToKeep[]): Steps<void> {
  const known = yield* all<StoredAction>`
    SELECT seq, title, quote, touched_at IS NOT NULL AS is_touched FROM actions a
    WHERE ${db.of('a')} AND item = ${item} AND NOT ${isOfNote} ORDER BY is_touched DESC, seq`;
  const { found, gone } = continueActions(known, actions);
  for (const { action, continues, isReworded } of found) {
    if (continues === null) yield* insertAction(db, item, documentId, action);
    else yield* moveAction(db, continues.seq, documentId, action, isReworded);
  }
  for (const { seq } of gone) yield* removeAction(db, seq);
  const asksAnew = found.flatMap(({ continues, asksAnew }) => (asksAnew && continues !== null ? [continues.seq] : []));
  yield* mergeActions(db, item, new Set(asksAnew));
}

function* insertAction(db: Db, item: number, document: number, action: ActionToKeep): Steps<void> {
  yield* later`${db.row('actions', {
    ...valuesOf(actionFields, { ...action, priority: action.priority ?? 'normal', state: 'open', createdAt: db.now }),
    id: newId('a'),
    item,
    document,
    goal: existingGoal(db, action.goalId),
  })}`;
}

/**
 * Updates the place of a kept action in the new version of the text; its title and reason, too, when no person edited
 * it. It keeps its id and state.
 */
function* moveAction(
  db: Db,
  seq: number,
  document: number,
  { title, reason, quote, start, end, locator, url, goalId, goalReason = null, due = null, priority }: ActionToKeep,
  isReworded: boolean,
): Steps<void> {
  const words = sql`, title = ${title}, reason = ${reason}, due = ${due},
    priority = coalesce(${priority ?? null}, priority), has_words = (has_words AND title = ${title})`;
  // No analysis links to archived goals, so a missing link does not remove an existing one to such a goal.
  const isKept = sql`goal IN (SELECT g.id FROM goals g WHERE ${db.of('g')} AND g.archived_at IS NOT NULL)`;
  const link =
    goalId === null
      ? sql`, goal = CASE WHEN ${isKept} THEN goal END,
          goal_reason = CASE WHEN ${isKept} THEN goal_reason ELSE ${goalReason} END`
      : sql`, goal = ${existingGoal(db, goalId)}, goal_reason = ${goalReason}`;
  yield* later`
    UPDATE actions SET document = ${document}, quote = ${quote}, start_at = ${start}, end_at = ${end},
      locator = ${toJson(locator)}, url = ${url} ${isReworded ? sql`${words} ${link}` : sql``}
    WHERE ${db.of('actions')} AND seq = ${seq}`;
}

/**
 * The next completed items after `seq`, the oldest first; deleted ones are left out. The comparison with `true` keeps
 * SQLite from an index by state, for which it would sort all items each time.
 */
export function* listAnalysed(db: Db, after: number, limit: number): Steps<AnalysedItem[]> {
  const rows = yield* all<Omit<AnalysedItem, 'info'> & { info: unknown }>`
    SELECT i.seq, i.id AS content_id, i.url, i.analysis AS info FROM items i
    WHERE ${db.of('i')} AND i.seq > ${after} AND i.state = 'completed' AND (i.deleted_at IS NULL) = true
    ORDER BY i.seq LIMIT ${limit}`;
  return rows.map(({ info, ...row }) => ({ ...row, info: fromJson<AnalysisInfo | null>(info) }));
}

/**
 * Replaces the extractive analysis of a completed item as `keepAnalysis` does. The queue for a model or an assistant
 * stays as it is. False, with nothing changed, when the item shows another text, is being processed or deleted, or has
 * an analysis by a model or an assistant.
 */
export function* renewExtractiveAnalysis(
  db: Db,
  contentId: string,
  documentId: number,
  analysis: PlacedAnalysis,
  goalsVersion: number,
): Steps<boolean> {
  const item = yield* first<{ seq: number }>`
    SELECT i.seq FROM items i
    WHERE ${db.of('i')} AND i.id = ${contentId} AND i.visible_document = ${documentId} AND i.state = 'completed'
      AND i.deleted_at IS NULL AND i.analysis ->> 'by' = 'extractive'`;
  if (item === undefined) return false;
  yield* replaceAnalysis(db, item.seq, documentId, analysis, goalsVersion);
  yield* noteOldGoals(db, item.seq, goalsVersion);
  yield* touchItem(db, item.seq);
  return true;
}
