import { shownAddress } from '../../../domain/links/shown-address.ts';
import type { PlacedAnalysis } from '../../../domain/records/analysis.ts';
import { newId } from '../../../domain/records/ids.ts';
import type {
  AnalysesToClaim,
  LlmAnalysisCounts,
  AnalysisClaim,
  AnalysisFailure,
  KeptAnalysis,
} from '../../records/analysis-records.ts';
import { replaceAnalysis } from '../../library/analyses.ts';
import { bridge, runSteps } from '../library/sqlite-db.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { touchItem } from '../items/bridged.ts';

/** Items whose analysis may be claimed: completed, not deleted, not a duplicate, and with passages. */
const claimable = `c.state = 'completed' AND c.deleted_at IS NULL AND c.duplicate_of IS NULL AND c.passage_count > 0`;

/**
 * Queues an LLM analysis for an item that has just got the extractive one. An earlier claim of the item loses its
 * lease.
 */
export function queueLlmAnalysis(file: SqliteFile, item: number, now: number): void {
  file.run(
    `INSERT INTO llm_analyses (item, state, due_at) VALUES (?, 'waiting', ?)
     ON CONFLICT (item) DO UPDATE SET state = 'waiting', due_at = excluded.due_at, attempts = 0, lease_token = NULL,
       failure_code = NULL, failure_message = NULL, given_up = 0`,
    item,
    now,
  );
}

/**
 * The newest item that is due, or the requested one; for an assistant also one that the model has given up. CROSS JOIN keeps SQLite from scanning all completed items, newest
 * first, when only a few are in the queue.
 */
export const dueAnalysis = `SELECT b.item FROM llm_analyses b CROSS JOIN items c ON c.seq = b.item
  WHERE b.due_at <= @now AND b.given_up <= @mayBeGivenUp AND ${claimable} AND (@contentId IS NULL OR c.id = @contentId)
  ORDER BY c.created_at DESC, c.seq DESC LIMIT 1`;

/** The newest item that failed or waits for a retry with the model: the connected assistant may succeed. */
const retryableAnalysis = `SELECT b.item FROM llm_analyses b CROSS JOIN items c ON c.seq = b.item
  WHERE b.state IN ('failed', 'waiting') AND ${claimable} AND (@contentId IS NULL OR c.id = @contentId)
  ORDER BY c.created_at DESC, c.seq DESC LIMIT 1`;

/** Counts of waiting, claimed and failed analyses. Rows that are done are skipped without reading their item. */
export const llmAnalysisCounts = `SELECT count(*) FILTER (WHERE b.due_at <= @now AND NOT b.given_up OR b.state = 'waiting') AS waiting,
    count(*) FILTER (WHERE b.state = 'claimed' AND b.due_at > @now) AS claimed,
    count(*) FILTER (WHERE b.given_up AND (b.state = 'failed' OR b.due_at <= @now)) AS failed
  FROM llm_analyses b CROSS JOIN items c ON c.seq = b.item WHERE b.state <> 'done' AND ${claimable}`;

function findDueAnalysis(file: SqliteFile, which: AnalysesToClaim, now: number): number | undefined {
  const contentId = which.contentId ?? null;
  const mayBeGivenUp = which.includeRetryable === true ? 1 : 0;
  const due = file.get<{ item: number }>(dueAnalysis, { now, contentId, mayBeGivenUp });
  if (due !== undefined || which.includeRetryable !== true) return due?.item;
  return file.get<{ item: number }>(retryableAnalysis, { contentId })?.item;
}

export function hasDueAnalysis(file: SqliteFile, which: AnalysesToClaim, now: number): boolean {
  return findDueAnalysis(file, which, now) !== undefined;
}

/** Claims the newest item that is due, or the requested one. */
export function claimAnalysis(
  file: SqliteFile,
  leaseMs: number,
  which: AnalysesToClaim,
  now: number,
): AnalysisClaim | null {
  const item = findDueAnalysis(file, which, now);
  if (item === undefined) return null;
  file.run(
    `UPDATE llm_analyses SET state = 'claimed', attempts = attempts + ?, lease_token = ?, due_at = ? WHERE item = ?`,
    which.includeRetryable === true ? 0 : 1,
    newId('j'),
    now + leaseMs,
    item,
  );
  const claim = file.get<AnalysisClaim & { url: string }>(
    `SELECT c.id AS contentId, c.visible_document AS documentId, c.url, b.lease_token AS leaseToken,
       b.due_at AS leaseExpiresAt, b.attempts, b.failure_code AS lastFailure
     FROM llm_analyses b JOIN items c ON c.seq = b.item WHERE b.item = ?`,
    item,
  );
  return claim === undefined ? null : { ...claim, url: shownAddress(claim.url) };
}

/** An expired lease stays with its holder until somebody else claims the item. */
const held = `item = (SELECT seq FROM items WHERE id = ? AND deleted_at IS NULL) AND lease_token = ? AND state = 'claimed'`;

export function renewAnalysis(
  file: SqliteFile,
  claim: Pick<AnalysisClaim, 'contentId' | 'leaseToken'>,
  leaseMs: number,
  now: number,
): boolean {
  const renewed = file.run(
    `UPDATE llm_analyses SET due_at = ? WHERE ${held}`,
    now + leaseMs,
    claim.contentId,
    claim.leaseToken,
  );
  return renewed.changes > 0;
}

export function endAnalysis(file: SqliteFile, claim: AnalysisClaim, failure: AnalysisFailure, now: number): void {
  const { nextAttemptAt, code, message, attempts } = failure;
  const ended = file.run(
    `UPDATE llm_analyses SET state = ?, due_at = ?, lease_token = NULL, attempts = ?,
       failure_code = ?, failure_message = ?, given_up = ? WHERE ${held}`,
    nextAttemptAt === null ? 'failed' : 'waiting',
    nextAttemptAt === null ? null : Math.max(now, nextAttemptAt),
    attempts,
    code,
    message,
    nextAttemptAt === null ? 1 : 0,
    claim.contentId,
    claim.leaseToken,
  );
  const item = file.get<{ seq: number }>('SELECT seq FROM items WHERE id = ?', claim.contentId);
  if (ended.changes > 0 && item !== undefined) touchItem(file, item.seq, now);
}

export function keepLlmAnalysis(
  file: SqliteFile,
  claim: Pick<AnalysisClaim, 'contentId' | 'leaseToken'>,
  documentId: number,
  analysis: PlacedAnalysis,
  now: number,
): KeptAnalysis {
  const row = file.get<{ item: number; state: string; token: string | null; itemState: string; document: number }>(
    `SELECT b.item, b.state, b.lease_token AS token, c.state AS itemState, c.visible_document AS document
     FROM llm_analyses b JOIN items c ON c.seq = b.item WHERE c.id = ? AND c.deleted_at IS NULL`,
    claim.contentId,
  );
  if (row === undefined) return 'gone';
  if (row.token !== claim.leaseToken) return 'lease_lost';
  if (row.itemState !== 'completed' || row.document !== documentId) return 'text_changed';
  if (row.state === 'done') return 'kept_before';
  runSteps(file, replaceAnalysis(bridge(file, now), row.item, documentId, analysis));
  file.run(
    `UPDATE llm_analyses SET state = 'done', due_at = NULL, failure_code = NULL, failure_message = NULL, given_up = 0
     WHERE item = ?`,
    row.item,
  );
  touchItem(file, row.item, now);
  return 'kept';
}

export function countLlmAnalyses(file: SqliteFile, now: number): LlmAnalysisCounts {
  const counts = file.get<Omit<LlmAnalysisCounts, 'failures' | 'delays'>>(llmAnalysisCounts, { now });
  const known = { waiting: 0, claimed: 0, failed: 0, ...counts };
  return {
    ...known,
    failures: known.failed === 0 ? [] : problemsOf(file, 'b.given_up'),
    delays: known.waiting === 0 ? [] : problemsOf(file, `b.state = 'waiting'`),
  };
}

/**
 * The most frequent failure messages. Items returned to the queue because the program stopped or the text changed are left out.
 * @param which a condition of SQL on the row `b` of the queue
 */
function problemsOf(file: SqliteFile, which: string): LlmAnalysisCounts['failures'] {
  return file.all<LlmAnalysisCounts['failures'][number]>(
    `SELECT b.failure_message AS message, count(*) AS items, min(c.id) AS contentId
     FROM llm_analyses b CROSS JOIN items c ON c.seq = b.item
     WHERE ${which} AND b.failure_message IS NOT NULL AND b.failure_code <> 'interrupted' AND ${claimable}
     GROUP BY b.failure_message ORDER BY items DESC, message LIMIT 3`,
  );
}
