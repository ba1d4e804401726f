import { shownAddress } from '../../../domain/links/shown-address.ts';
import type { PlacedAnalysis } from '../../../domain/records/analyses/analysis.ts';
import { newId } from '../../../domain/records/ids.ts';
import type {
  AnalysesToClaim,
  AnalysisClaim,
  AnalysisFailure,
  KeptAnalysis,
  LlmAnalysisCounts,
} from '../../records/analysis-records.ts';
import { replaceAnalysis } from '../analyses/analyses.ts';
import { all, type Db, first, later, run, type Sql, sql, type Steps, text, touchItem } from '../db.ts';

/**
 * Rows `b` of the queue, with their items `i`, whose analysis may be claimed: completed, not deleted, not a duplicate, and
 * with passages. A duplicate with a numbered address (`domain/access/held.ts`) may be claimed: else its held caller would
 * see that there is another one. CROSS JOIN keeps SQLite from scanning all completed items when only a few are in the queue.
 */
const claimable = (db: Db) => sql`
  llm_analyses b CROSS JOIN items i
  WHERE ${db.of('b')} AND ${db.of('i')} AND i.seq = b.item
    AND i.state = 'completed' AND i.deleted_at IS NULL AND (i.duplicate_of IS NULL OR i.canonical_url LIKE '% %')
    AND i.passage_count > 0`;

/**
 * Queues an LLM analysis for an item that has just got the extractive one. An earlier claim of the item loses its
 * lease.
 */
export function* queueLlmAnalysis(db: Db, item: number): Steps<void> {
  yield* later`
    ${db.row('llm_analyses', { item, state: 'waiting', due_at: db.now })}
    ON CONFLICT ${db.key('item')} DO UPDATE SET state = 'waiting', due_at = excluded.due_at, attempts = 0,
      lease_token = NULL, failure_code = NULL, failure_message = NULL, given_up = false`;
}

interface DueAnalysis extends Pick<AnalysisClaim, 'contentId' | 'documentId' | 'attempts' | 'lastFailure'> {
  item: number;
  url: string;
}

/** The newest due item, or the requested one; for an assistant also one that the model has given up. */
function* findDueAnalysis(
  db: Db,
  { contentId, includeRetryable = false }: AnalysesToClaim,
): Steps<DueAnalysis | undefined> {
  const newest = (condition: Sql) => first<DueAnalysis>`
    SELECT b.item, i.id AS content_id, i.visible_document AS document_id, i.url, b.attempts,
      b.failure_code AS last_failure
    FROM ${claimable(db)} AND ${condition} ${contentId === undefined ? sql`` : sql`AND i.id = ${contentId}`}
    ORDER BY i.created_at DESC, i.seq DESC LIMIT 1`;
  const isOpen = includeRetryable ? sql`` : sql`AND NOT b.given_up`;
  const due = yield* newest(sql`b.due_at <= ${db.now} ${isOpen}`);
  if (due !== undefined || !includeRetryable) return due;
  // One that failed or waits for a retry with the model: the connected assistant may succeed.
  return yield* newest(text(`b.state IN ('failed', 'waiting')`));
}

export function* hasDueAnalysis(db: Db, which: AnalysesToClaim): Steps<boolean> {
  return (yield* findDueAnalysis(db, which)) !== undefined;
}

/**
 * Claims a completed item whose analysis a model or an assistant may replace: the item asked for, or else the newest
 * that is due. Two callers never get the same item while a lease runs. Every extractive analysis that is kept makes
 * its item claimable again.
 */
export function* claimAnalysis(db: Db, leaseMs: number, which: AnalysesToClaim = {}): Steps<AnalysisClaim | null> {
  const found = yield* findDueAnalysis(db, which);
  if (found === undefined) return null;
  const { item, ...due } = found;
  const attempts = due.attempts + (which.includeRetryable === true ? 0 : 1);
  const lease = { leaseToken: newId('j'), leaseExpiresAt: db.now + leaseMs };
  yield* later`
    UPDATE llm_analyses SET state = 'claimed', attempts = ${attempts}, lease_token = ${lease.leaseToken},
      due_at = ${lease.leaseExpiresAt}
    WHERE ${db.of('llm_analyses')} AND item = ${item}`;
  return { ...due, ...lease, attempts, url: shownAddress(due.url) };
}

/** An expired lease stays with its holder until somebody else claims the item. */
const isHeld = (db: Db, claim: Pick<AnalysisClaim, 'contentId' | 'leaseToken'>) => sql`
  ${db.of('llm_analyses')} AND lease_token = ${claim.leaseToken} AND state = 'claimed' AND item = (
    SELECT i.seq FROM items i WHERE ${db.of('i')} AND i.id = ${claim.contentId} AND i.deleted_at IS NULL)`;

/** False when the claim is no longer ours. */
export function* renewAnalysis(
  db: Db,
  claim: Pick<AnalysisClaim, 'contentId' | 'leaseToken'>,
  leaseMs: number,
): Steps<boolean> {
  return (yield* run`UPDATE llm_analyses SET due_at = ${db.now + leaseMs} WHERE ${isHeld(db, claim)}`) > 0;
}

/** Releases a claimed item, for a later attempt or permanently. Does nothing when another worker has claimed it since. */
export function* endAnalysis(db: Db, claim: AnalysisClaim, failure: AnalysisFailure): Steps<void> {
  const { nextAttemptAt, code, message, attempts } = failure;
  const isGivenUp = nextAttemptAt === null;
  const ended = yield* first<{ item: number }>`
    UPDATE llm_analyses SET state = ${isGivenUp ? 'failed' : 'waiting'}, lease_token = NULL,
      due_at = ${isGivenUp ? null : Math.max(db.now, nextAttemptAt)}, attempts = ${attempts},
      failure_code = ${code}, failure_message = ${message}, given_up = ${isGivenUp}
    WHERE ${isHeld(db, claim)} RETURNING item`;
  if (ended !== undefined) yield* touchItem(db, ended.item);
}

interface ClaimedRow {
  item: number;
  state: string;
  token: string | null;
  itemState: string;
  document: number | null;
}

/**
 * Replaces insights and untouched actions like `keepAnalysis`, and returns the outcome; only `kept` changed anything.
 */
export function* keepLlmAnalysis(
  db: Db,
  claim: Pick<AnalysisClaim, 'contentId' | 'leaseToken'>,
  documentId: number,
  analysis: PlacedAnalysis,
): Steps<KeptAnalysis> {
  const row = yield* first<ClaimedRow>`
    SELECT b.item, b.state, b.lease_token AS token, i.state AS item_state, i.visible_document AS document
    FROM llm_analyses b JOIN items i ON ${db.of('i')} AND i.seq = b.item
    WHERE ${db.of('b')} AND i.id = ${claim.contentId} AND i.deleted_at IS NULL`;
  if (row === undefined) return 'gone';
  if (row.token !== claim.leaseToken) return 'lease_lost';
  if (row.itemState !== 'completed' || row.document !== documentId) return 'text_changed';
  if (row.state === 'done') return 'kept_before';
  yield* replaceAnalysis(db, row.item, documentId, analysis);
  yield* later`
    UPDATE llm_analyses SET state = 'done', due_at = NULL, failure_code = NULL, failure_message = NULL, given_up = false
    WHERE ${db.of('llm_analyses')} AND item = ${row.item}`;
  yield* touchItem(db, row.item);
  return 'kept';
}

/** Rows that are done are skipped without reading their item. */
export function* countLlmAnalyses(db: Db): Steps<LlmAnalysisCounts> {
  const counts = yield* first<Omit<LlmAnalysisCounts, 'failures' | 'delays'>>`
    SELECT count(*) FILTER (WHERE b.due_at <= ${db.now} AND NOT b.given_up OR b.state = 'waiting') AS waiting,
      count(*) FILTER (WHERE b.state = 'claimed' AND b.due_at > ${db.now}) AS claimed,
      count(*) FILTER (WHERE b.given_up AND (b.state = 'failed' OR b.due_at <= ${db.now})) AS failed
    FROM ${claimable(db)} AND b.state <> 'done'`;
  const known = { waiting: 0, claimed: 0, failed: 0, ...counts };
  return {
    ...known,
    failures: known.failed === 0 ? [] : yield* problemsOf(db, 'b.given_up'),
    delays: known.waiting === 0 ? [] : yield* problemsOf(db, `b.state = 'waiting'`),
  };
}

/**
 * The most frequent failure messages. Items returned to the queue because the program stopped or the text changed are left
 * out.
 * @param which a condition of SQL on the row `b` of the queue
 */
const problemsOf = (db: Db, which: string): Steps<LlmAnalysisCounts['failures']> =>
  all<LlmAnalysisCounts['failures'][number]>`
    SELECT b.failure_message AS message, count(*) AS items, min(i.id ${db.bytewise}) AS content_id
    FROM ${claimable(db)} AND ${text(which)} AND b.failure_message IS NOT NULL AND b.failure_code <> 'interrupted'
    GROUP BY b.failure_message ORDER BY 2 DESC, b.failure_message ${db.bytewise} LIMIT 3`;
