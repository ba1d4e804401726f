import { type Stage, type Work, works } from '../../../domain/records/stages.ts';
import type { KnownMetadata } from '../../../domain/records/document.ts';
import { hostOf } from '../../../domain/links/host.ts';
import { newId } from '../../../domain/records/ids.ts';
import type { Claim, JobFailure, JobsToClaim } from '../../records.ts';
import { LeaseLostError } from '../../store.ts';
import { visibleDocument } from '../items/documents.ts';
import { removeCompanions } from '../items/originals.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { touchContent } from '../items/touch-content.ts';

/*
 * One job per item. `due_at` is when it may be claimed: for a waiting job its time to run, for a claimed job the end of
 * its lease, null for a job that is over. So "due" is one comparison on one index, and expired leases need no cleanup.
 */

/** `workOf` in SQL, word for word as the indexes have it (`account/019-work-of-jobs.ts`). */
const workOfJob = `(CASE stage WHEN 'fetch' THEN 'fetch' WHEN 'extract' THEN 'read' WHEN 'split' THEN 'read' ELSE 'enrich' END)`;

/**
 * Queues the first job of a new item.
 * @param isBackground whether it gives way to all other jobs
 */
export function queueJob(
  file: SqliteFile,
  content: number,
  canonicalUrl: string,
  stage: Stage,
  now: number,
  { isBackground }: { isBackground: boolean } = { isBackground: false },
): void {
  file.run(
    `INSERT INTO jobs (content, id, stage, state, attempts, due_at, host, background)
     VALUES (?, ?, ?, 'waiting', 0, ?, ?, ?)`,
    content,
    newId('j'),
    stage,
    now,
    stage === 'fetch' ? hostOf(canonicalUrl) : null,
    isBackground ? 1 : 0,
  );
}

/** A retry of `extract` fetches the original again, unless the caller gave its bytes with the save. */
const retriedStage = `CASE WHEN stage = 'extract' AND NOT EXISTS
  (SELECT 1 FROM originals o WHERE o.content = jobs.content AND o.name = '' AND o.given = 1) THEN 'fetch' ELSE stage END`;

/**
 * Makes a job due now that failed or waits for a retry, and resets its attempts. After a failed `extract` the page is
 * fetched again, because it may have changed. Returns false when there is no such job.
 */
export function requeueJob(file: SqliteFile, content: number, now: number): boolean {
  const queued = file.get<{ stage: Stage }>(
    `UPDATE jobs SET state = 'waiting', stage = ${retriedStage}, attempts = 0, due_at = ?, background = 0,
       failure_code = NULL, failure_message = NULL, failure_retryable = NULL
     WHERE content = ? AND (state = 'failed' OR (state = 'waiting' AND failure_code IS NOT NULL)) RETURNING stage`,
    now,
    content,
  );
  if (queued === undefined) return false;
  if (queued.stage === 'fetch' || queued.stage === 'extract') removeCompanions(file, content);
  file.run(`UPDATE content SET state = 'unfinished' WHERE seq = ?`, content);
  touchContent(file, content, now);
  return true;
}

/** Restarts the job at a stage, whatever its state: a worker that holds it loses its lease. */
export function restartJob(file: SqliteFile, content: number, stage: Stage, now: number): void {
  file.run(
    `UPDATE jobs SET state = 'waiting', stage = ?, attempts = 0, due_at = ?, lease_token = NULL, background = 0, host = NULL,
       failure_code = NULL, failure_message = NULL, failure_retryable = NULL
     WHERE content = ?`,
    stage,
    now,
    content,
  );
  file.run(`UPDATE content SET state = 'unfinished' WHERE seq = ?`, content);
  touchContent(file, content, now);
}

/**
 * Takes an unfinished job out of the queue without recording a failure. A worker that holds it loses its lease.
 * `resumeJob` puts it back.
 */
export function stopJob(file: SqliteFile, content: number): void {
  file.run(
    `UPDATE jobs SET state = 'failed', due_at = NULL, lease_token = NULL WHERE content = ? AND due_at IS NOT NULL`,
    content,
  );
}

/** Queues a stopped job again at the same stage, and resets its attempts. */
export function resumeJob(file: SqliteFile, content: number, now: number): void {
  file.run(
    `UPDATE jobs SET state = 'waiting', attempts = 0, due_at = ?,
       failure_code = NULL, failure_message = NULL, failure_retryable = NULL
     WHERE content = ? AND state = 'failed'`,
    now,
    content,
  );
}

/**
 * How many of an account's due jobs are searched for one whose host is not busy. It bounds the cost of a claim when
 * tens of thousands of jobs wait for one host. Later jobs are reached as earlier ones are done, and the newest ones at
 * every second claim.
 */
const maxLookedAt = 1_000;

/** The job of this kind that has been due longest, or that of the newest item. Both orders use a covering index. */
function findDueJobOf(
  file: SqliteFile,
  background: 0 | 1,
  work: Work,
  { busyHosts = [], newestFirst = false }: JobsToClaim,
  now: number,
): DueJob | undefined {
  return file.get<DueJob>(
    `SELECT content, dueAt FROM
       (SELECT content, due_at AS dueAt, host FROM jobs
        WHERE background = ? AND ${workOfJob} = ? AND due_at IS NOT NULL AND ${newestFirst ? '+' : ''}due_at <= ?
        ORDER BY ${newestFirst ? 'content DESC' : 'due_at, content'} LIMIT ${maxLookedAt})
     WHERE host IS NULL OR host NOT IN (SELECT value FROM json_each(?)) LIMIT 1`,
    background,
    work,
    now,
    JSON.stringify(busyHosts),
  );
}

/** Background jobs come only when no other job is due. */
function findDueJob(file: SqliteFile, which: JobsToClaim, now: number): number | undefined {
  const kinds = which.work === undefined ? works : [which.work];
  for (const background of [0, 1] as const) {
    const due = kinds.flatMap((work) => findDueJobOf(file, background, work, which, now) ?? []);
    const byTurn = which.newestFirst === true ? laterContent : earlierDue;
    const [first] = due.toSorted(byTurn);
    if (first !== undefined) return first.content;
  }
  return undefined;
}

interface DueJob {
  content: number;
  dueAt: number;
}

const laterContent = (a: DueJob, b: DueJob): number => b.content - a.content;
const earlierDue = (a: DueJob, b: DueJob): number => a.dueAt - b.dueAt || a.content - b.content;

export function hasDueJob(file: SqliteFile, now: number, which: JobsToClaim = {}): boolean {
  return findDueJob(file, which, now) !== undefined;
}

/** Claims the next job; a background job only when no other is due. */
function claimJob(file: SqliteFile, now: number, leaseMs: number, which: JobsToClaim): Claim | null {
  const content = findDueJob(file, which, now);
  if (content === undefined) return null;
  file.run(
    `UPDATE jobs SET state = 'claimed', attempts = attempts + 1, lease_token = ?, due_at = ? WHERE content = ?`,
    newId('j'),
    now + leaseMs,
    content,
  );
  touchContent(file, content, now);
  return readClaim(file, content);
}

/** Claims several jobs: the one that has been due longest and that of the newest item by turns, one of each host. */
export function claimJobs(
  file: SqliteFile,
  now: number,
  leaseMs: number,
  limit: number,
  which: JobsToClaim = {},
): Claim[] {
  const claims: Claim[] = [];
  const busyHosts = [...(which.busyHosts ?? [])];
  let newestFirst = which.newestFirst ?? false;
  while (claims.length < limit) {
    const claim = claimJob(file, now, leaseMs, { work: which.work, busyHosts, newestFirst });
    if (claim === null) break;
    claims.push(claim);
    if (claim.host !== null) busyHosts.push(claim.host);
    newestFirst = !newestFirst;
  }
  return claims;
}

function readClaim(file: SqliteFile, content: number): Claim | null {
  const claim = file.get<Claim>(
    `SELECT j.id AS jobId, c.id AS contentId, c.url, j.stage, j.attempts, j.lease_token AS leaseToken,
       j.due_at AS leaseExpiresAt, j.host
     FROM jobs j JOIN content c ON c.seq = j.content WHERE j.content = ?`,
    content,
  );
  return claim ?? null;
}

export function renewLease(file: SqliteFile, claim: Claim, now: number, leaseMs: number): boolean {
  const job = file.get<{ content: number; dueAt: number }>(
    'SELECT content, due_at AS dueAt FROM jobs WHERE id = ? AND lease_token = ?',
    claim.jobId,
    claim.leaseToken,
  );
  if (job === undefined) return false;
  file.run('UPDATE jobs SET due_at = ? WHERE content = ?', now + leaseMs, job.content);
  // While the lease was expired, the item was shown as pending.
  if (job.dueAt <= now) touchContent(file, job.content, now);
  return true;
}

/** Returns the job to the queue as if it had not been claimed. Does nothing when another worker holds it. */
export function releaseJob(file: SqliteFile, claim: Claim, now: number, host?: string): void {
  const released = file.get<{ content: number }>(
    `UPDATE jobs SET state = 'waiting', attempts = max(0, attempts - 1), lease_token = NULL, due_at = ?,
       host = coalesce(?, host)
     WHERE id = ? AND lease_token = ? RETURNING content`,
    now,
    host ?? null,
    claim.jobId,
    claim.leaseToken,
  );
  if (released !== undefined) touchContent(file, released.content, now);
}

/** Ends the attempt, or the whole job. Does nothing when another worker holds it. */
export function failJob(file: SqliteFile, claim: Claim, failure: JobFailure, now: number): void {
  const { code, message, retryable, nextAttemptAt, isUntried = false } = failure;
  const failed = file.get<{ content: number; state: string; stage: Stage }>(
    `UPDATE jobs SET state = ?, due_at = ?, lease_token = NULL, attempts = max(0, attempts - ?),
       failure_code = ?, failure_message = ?, failure_retryable = ?
     WHERE id = ? AND lease_token = ? RETURNING content, state, stage`,
    nextAttemptAt === null ? 'failed' : 'waiting',
    nextAttemptAt,
    isUntried ? 1 : 0,
    code,
    message,
    retryable ? 1 : 0,
    claim.jobId,
    claim.leaseToken,
  );
  if (failed === undefined) return;
  // The companions may have caused a failed extraction, so the next attempt fetches them again. An item that was
  // extracted with them before keeps them: it is being reprocessed, perhaps without a network.
  if (failed.stage === 'extract' && !isUntried && visibleDocument(file, failed.content) === null)
    removeCompanions(file, failed.content);
  if (failed.state === 'failed') file.run(`UPDATE content SET state = 'failed' WHERE seq = ?`, failed.content);
  if (failure.known !== undefined) keepKnown(file, failed.content, failure.known);
  touchContent(file, failed.content, now);
}

/**
 * Stores metadata known so far. Until a document sets the type, it is also copied to the item, where lists filter by
 * it.
 */
function keepKnown(file: SqliteFile, content: number, known: KnownMetadata): void {
  file.run(
    `UPDATE content SET known = json_patch(coalesce(known, '{}'), ?),
       content_type = CASE WHEN visible_document IS NULL THEN coalesce(?, content_type) ELSE content_type END
     WHERE seq = ?`,
    JSON.stringify(known),
    known.contentType ?? null,
    content,
  );
}

/**
 * The key of the claim's item, if the claim may still store the result of `stage`.
 * @throws {LeaseLostError} when another worker has claimed the job since, or when the job is past that stage.
 */
export function requireLease(file: SqliteFile, claim: Claim, stage: Stage): number {
  if (claim.stage !== stage) throw new Error(`a claim of the stage ${claim.stage} cannot end the stage ${stage}`);
  const job = file.get<{ content: number }>(
    'SELECT content FROM jobs WHERE id = ? AND lease_token = ? AND stage = ?',
    claim.jobId,
    claim.leaseToken,
    stage,
  );
  if (job === undefined) throw new LeaseLostError();
  return job.content;
}

/** Moves a claimed job to its next stage and returns it to the queue, where nobody has tried that stage yet. */
export function advanceAndRelease(file: SqliteFile, content: number, stage: Stage, now: number): void {
  file.run(
    `UPDATE jobs SET state = 'waiting', stage = ?, attempts = 0, lease_token = NULL, due_at = ?, host = NULL,
       failure_code = NULL, failure_message = NULL, failure_retryable = NULL
     WHERE content = ?`,
    stage,
    now,
    content,
  );
  touchContent(file, content, now);
}

/** Moves a claimed job to its next stage. It stays claimed, and that counts as the first attempt at the new stage. */
export function advanceJob(file: SqliteFile, claim: Claim, content: number, stage: Stage, now: number): Claim {
  const job = file.get<{ attempts: number; leaseExpiresAt: number }>(
    `UPDATE jobs SET stage = ?, attempts = 1, host = NULL, failure_code = NULL, failure_message = NULL, failure_retryable = NULL
     WHERE content = ? RETURNING attempts, due_at AS leaseExpiresAt`,
    stage,
    content,
  );
  if (job === undefined) throw new LeaseLostError();
  touchContent(file, content, now);
  return { ...claim, stage, ...job };
}

export function finishJob(file: SqliteFile, content: number, now: number): void {
  file.run(
    `UPDATE jobs SET state = 'done', due_at = NULL, lease_token = NULL, attempts = 0, background = 0,
       failure_code = NULL, failure_message = NULL, failure_retryable = NULL
     WHERE content = ?`,
    content,
  );
  touchContent(file, content, now);
}

export function nextJobDueAt(file: SqliteFile): number | null {
  // Reads the first entry of each part of the index; one `min` over all parts would read the whole index.
  const parts = works.flatMap((work) =>
    [0, 1].map(
      (background) =>
        `SELECT (SELECT min(due_at) FROM jobs
           WHERE due_at IS NOT NULL AND background = ${background} AND ${workOfJob} = '${work}') AS dueAt`,
    ),
  );
  const row = file.get<{ dueAt: number | null }>(`SELECT min(dueAt) AS dueAt FROM (${parts.join(' UNION ALL ')})`);
  return row?.dueAt ?? null;
}

export function nextLeaseEndsAt(file: SqliteFile): number | null {
  const row = file.get<{ endsAt: number | null }>(`SELECT min(due_at) AS endsAt FROM jobs WHERE state = 'claimed'`);
  return row?.endsAt ?? null;
}
