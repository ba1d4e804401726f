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
import type { AccountTx } from '../account-access.ts';
import { later } from '../database.ts';
import { replaceAnalysis } from '../../library/analyses.ts';
import { postgresDb, runSteps } from '../postgres-db.ts';
import { touchItem } from '../items/bridged.ts';

/** Items whose analysis may be claimed: completed, not deleted, not a duplicate, and with passages. */
const claimable = ({ sql, account }: AccountTx) => sql`
  llm_analyses b JOIN items i ON i.account_id = ${account} AND i.seq = b.item
  WHERE b.account_id = ${account} AND i.state = 'completed' AND i.deleted_at IS NULL AND i.duplicate_of IS NULL
    AND i.passage_count > 0`;

/**
 * Queues an LLM analysis for an item that has just got the extractive one. An earlier claim of the item loses its
 * lease.
 */
export function queueLlmAnalysis({ sql, account, now }: AccountTx, item: number): void {
  later(sql`
    INSERT INTO llm_analyses (account_id, item, state, due_at) VALUES (${account}, ${item}, 'waiting', ${now})
    ON CONFLICT (account_id, item) DO UPDATE SET state = 'waiting', due_at = excluded.due_at, attempts = 0,
      lease_token = NULL, failure_code = NULL, failure_message = NULL, given_up = false`);
}

async function findDue(db: AccountTx, which: AnalysesToClaim): Promise<number | undefined> {
  const { sql, now } = db;
  const asked = which.contentId === undefined ? sql`` : sql`AND i.id = ${which.contentId}`;
  const newest = sql`ORDER BY i.created_at DESC, i.seq DESC LIMIT 1`;
  const wanted = which.includeRetryable === true ? sql`` : sql`AND NOT b.given_up`;
  const [due] = await sql<{ item: number }[]>`
    SELECT b.item FROM ${claimable(db)} AND b.due_at <= ${now} ${wanted} ${asked} ${newest}`;
  if (due !== undefined || which.includeRetryable !== true) return due?.item;
  // One that failed or waits for a retry with the model: the connected assistant may succeed.
  const [retryable] = await sql<{ item: number }[]>`
    SELECT b.item FROM ${claimable(db)} AND b.state IN ('failed', 'waiting') ${asked} ${newest}`;
  return retryable?.item;
}

export async function hasDueAnalysis(db: AccountTx, which: AnalysesToClaim): Promise<boolean> {
  return (await findDue(db, which)) !== undefined;
}

/** Claims the newest item that is due, or the requested one. Call inside a write: two never take the same one. */
export async function claimAnalysis(
  db: AccountTx,
  leaseMs: number,
  which: AnalysesToClaim,
): Promise<AnalysisClaim | null> {
  const { sql, account, now } = db;
  const item = await findDue(db, which);
  if (item === undefined) return null;
  const [claim] = await sql<(AnalysisClaim & { url: string })[]>`
    UPDATE llm_analyses b SET state = 'claimed', attempts = attempts + ${which.includeRetryable === true ? 0 : 1}, lease_token = ${newId('j')},
      due_at = ${now + leaseMs}
    FROM items i WHERE b.account_id = ${account} AND b.item = ${item} AND i.account_id = ${account} AND i.seq = b.item
    RETURNING i.id AS content_id, i.visible_document AS document_id, i.url, b.lease_token,
      b.due_at AS lease_expires_at, b.attempts, b.failure_code AS last_failure`;
  return claim === undefined ? null : { ...claim, url: shownAddress(claim.url) };
}

/** An expired lease stays with its holder until somebody else claims the item. */
const held = ({ sql, account }: AccountTx, claim: Pick<AnalysisClaim, 'contentId' | 'leaseToken'>) => sql`
  account_id = ${account} AND lease_token = ${claim.leaseToken} AND state = 'claimed' AND item = (
    SELECT seq FROM items WHERE account_id = ${account} AND id = ${claim.contentId} AND deleted_at IS NULL)`;

export async function renewAnalysis(
  db: AccountTx,
  claim: Pick<AnalysisClaim, 'contentId' | 'leaseToken'>,
  leaseMs: number,
): Promise<boolean> {
  const renewed = await db.sql`UPDATE llm_analyses SET due_at = ${db.now + leaseMs} WHERE ${held(db, claim)}`;
  return renewed.count > 0;
}

export async function endAnalysis(db: AccountTx, claim: AnalysisClaim, failure: AnalysisFailure): Promise<void> {
  const { sql, now } = db;
  const { nextAttemptAt, code, message, attempts } = failure;
  const [ended] = await sql<{ item: number }[]>`
    UPDATE llm_analyses SET state = ${nextAttemptAt === null ? 'failed' : 'waiting'}, lease_token = NULL,
      due_at = ${nextAttemptAt === null ? null : Math.max(now, nextAttemptAt)}, attempts = ${attempts},
      failure_code = ${code}, failure_message = ${message}, given_up = ${nextAttemptAt === null}
    WHERE ${held(db, claim)} RETURNING item`;
  if (ended !== undefined) touchItem(db, ended.item);
}

export async function keepLlmAnalysis(
  db: AccountTx,
  claim: Pick<AnalysisClaim, 'contentId' | 'leaseToken'>,
  documentId: number,
  analysis: PlacedAnalysis,
): Promise<KeptAnalysis> {
  const { sql, account } = db;
  const [row] = await sql<
    { item: number; state: string; token: string | null; itemState: string; document: number | null }[]
  >`
    SELECT b.item, b.state, b.lease_token AS token, i.state AS item_state, i.visible_document AS document
    FROM llm_analyses b JOIN items i ON i.account_id = ${account} AND i.seq = b.item
    WHERE b.account_id = ${account} AND i.id = ${claim.contentId} AND i.deleted_at IS NULL`;
  if (row === undefined) return 'gone';
  if (row.token !== claim.leaseToken) return 'lease_lost';
  if (row.itemState !== 'completed' || row.document !== documentId) return 'text_changed';
  if (row.state === 'done') return 'kept_before';
  await runSteps(db, replaceAnalysis(postgresDb(db), row.item, documentId, analysis));
  await sql`
    UPDATE llm_analyses SET state = 'done', due_at = NULL, failure_code = NULL, failure_message = NULL, given_up = false
    WHERE account_id = ${account} AND item = ${row.item}`;
  touchItem(db, row.item);
  return 'kept';
}

export async function countLlmAnalyses(db: AccountTx): Promise<LlmAnalysisCounts> {
  const { sql, now } = db;
  const [counts] = await sql<Omit<LlmAnalysisCounts, 'failures' | 'delays'>[]>`
    SELECT count(*) FILTER (WHERE b.due_at <= ${now} AND NOT b.given_up OR b.state = 'waiting') AS waiting,
      count(*) FILTER (WHERE b.state = 'claimed' AND b.due_at > ${now}) AS claimed,
      count(*) FILTER (WHERE b.given_up AND (b.state = 'failed' OR b.due_at <= ${now})) AS failed
    FROM ${claimable(db)} AND b.state <> 'done'`;
  const known = { waiting: 0, claimed: 0, failed: 0, ...counts };
  return {
    ...known,
    failures: known.failed === 0 ? [] : await problemsOf(db, 'failed'),
    delays: known.waiting === 0 ? [] : await problemsOf(db, 'waiting'),
  };
}

/** The most frequent failure messages. Items returned to the queue because the program stopped or the text changed are left out. */
async function problemsOf(db: AccountTx, problem: 'failed' | 'waiting'): Promise<LlmAnalysisCounts['failures']> {
  const which = problem === 'failed' ? db.sql`b.given_up` : db.sql`b.state = 'waiting'`;
  return [
    ...(await db.sql<LlmAnalysisCounts['failures'][number][]>`
      SELECT b.failure_message AS message, count(*) AS items, min(i.id COLLATE "C") AS content_id
      FROM ${claimable(db)} AND ${which} AND b.failure_message IS NOT NULL AND b.failure_code <> 'interrupted'
      GROUP BY b.failure_message ORDER BY items DESC, b.failure_message COLLATE "C" LIMIT 3`),
  ];
}
