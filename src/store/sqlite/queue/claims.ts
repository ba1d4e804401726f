import type { KnownMetadata } from '../../../domain/records/document.ts';
import { newId } from '../../../domain/records/ids.ts';
import type { Stage } from '../../../domain/records/stages.ts';
import type { Claim, JobFailure, JobsToClaim } from '../../records.ts';
import { LeaseLostError } from '../../store.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { removeCompanions, touchItem, visibleDocument } from '../items/bridged.ts';
import { findDueJob } from './due-jobs.ts';

/** Claims the next job; a background job only when no other is due. */
function claimJob(file: SqliteFile, now: number, leaseMs: number, which: JobsToClaim): Claim | null {
  const item = findDueJob(file, which, now);
  if (item === undefined) return null;
  file.run(
    `UPDATE jobs SET state = 'claimed', attempts = attempts + 1, lease_token = ?, due_at = ? WHERE item = ?`,
    newId('j'),
    now + leaseMs,
    item,
  );
  touchItem(file, item, now);
  return readClaim(file, item);
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

function readClaim(file: SqliteFile, item: number): Claim | null {
  const claim = file.get<Claim>(
    `SELECT j.id AS jobId, c.id AS contentId, c.url, j.stage, j.attempts, j.lease_token AS leaseToken,
       j.due_at AS leaseExpiresAt, j.host
     FROM jobs j JOIN items c ON c.seq = j.item WHERE j.item = ?`,
    item,
  );
  return claim ?? null;
}

export function renewLease(file: SqliteFile, claim: Claim, now: number, leaseMs: number): boolean {
  const job = file.get<{ item: number; dueAt: number }>(
    'SELECT item, due_at AS dueAt FROM jobs WHERE id = ? AND lease_token = ?',
    claim.jobId,
    claim.leaseToken,
  );
  if (job === undefined) return false;
  file.run('UPDATE jobs SET due_at = ? WHERE item = ?', now + leaseMs, job.item);
  // While the lease was expired, the item was shown as pending.
  if (job.dueAt <= now) touchItem(file, job.item, now);
  return true;
}

/** Returns the job to the queue as if it had not been claimed. Does nothing when another worker holds it. */
export function releaseJob(file: SqliteFile, claim: Claim, now: number, host?: string): void {
  const released = file.get<{ item: number }>(
    `UPDATE jobs SET state = 'waiting', attempts = max(0, attempts - 1), lease_token = NULL, due_at = ?,
       host = coalesce(?, host)
     WHERE id = ? AND lease_token = ? RETURNING item`,
    now,
    host ?? null,
    claim.jobId,
    claim.leaseToken,
  );
  if (released !== undefined) touchItem(file, released.item, now);
}

/** Ends the attempt, or the whole job. Does nothing when another worker holds it. */
export function failJob(file: SqliteFile, claim: Claim, failure: JobFailure, now: number): void {
  const { code, message, retryable, nextAttemptAt, isUntried = false } = failure;
  const failed = file.get<{ item: number; state: string; stage: Stage }>(
    `UPDATE jobs SET state = ?, due_at = ?, lease_token = NULL, attempts = max(0, attempts - ?),
       failure_code = ?, failure_message = ?, failure_retryable = ?
     WHERE id = ? AND lease_token = ? RETURNING item, state, stage`,
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
  if (failed.stage === 'extract' && !isUntried && visibleDocument(file, failed.item) === null)
    removeCompanions(file, failed.item);
  if (failed.state === 'failed') file.run(`UPDATE items SET state = 'failed' WHERE seq = ?`, failed.item);
  if (failure.known !== undefined) keepKnown(file, failed.item, failure.known);
  touchItem(file, failed.item, now);
}

/**
 * Stores metadata known so far. Until a document sets the type, it is also copied to the item, where lists filter by
 * it.
 */
function keepKnown(file: SqliteFile, item: number, known: KnownMetadata): void {
  file.run(
    `UPDATE items SET known = json_patch(coalesce(known, '{}'), ?),
       content_type = CASE WHEN visible_document IS NULL THEN coalesce(?, content_type) ELSE content_type END
     WHERE seq = ?`,
    JSON.stringify(known),
    known.contentType ?? null,
    item,
  );
}

/**
 * The key of the claim's item, if the claim may still store the result of `stage`.
 * @throws {LeaseLostError} when another worker has claimed the job since, or when the job is past that stage.
 */
export function requireLease(file: SqliteFile, claim: Claim, stage: Stage): number {
  if (claim.stage !== stage) throw new Error(`a claim of the stage ${claim.stage} cannot end the stage ${stage}`);
  const job = file.get<{ item: number }>(
    'SELECT item FROM jobs WHERE id = ? AND lease_token = ? AND stage = ?',
    claim.jobId,
    claim.leaseToken,
    stage,
  );
  if (job === undefined) throw new LeaseLostError();
  return job.item;
}

/** Moves a claimed job to its next stage and returns it to the queue, where nobody has tried that stage yet. */
export function advanceAndRelease(file: SqliteFile, item: number, stage: Stage, now: number): void {
  file.run(
    `UPDATE jobs SET state = 'waiting', stage = ?, attempts = 0, lease_token = NULL, due_at = ?, host = NULL,
       failure_code = NULL, failure_message = NULL, failure_retryable = NULL
     WHERE item = ?`,
    stage,
    now,
    item,
  );
  touchItem(file, item, now);
}

/** Moves a claimed job to its next stage. It stays claimed, and that counts as the first attempt at the new stage. */
export function advanceJob(file: SqliteFile, claim: Claim, item: number, stage: Stage, now: number): Claim {
  const job = file.get<{ attempts: number; leaseExpiresAt: number }>(
    `UPDATE jobs SET stage = ?, attempts = 1, host = NULL, failure_code = NULL, failure_message = NULL, failure_retryable = NULL
     WHERE item = ? RETURNING attempts, due_at AS leaseExpiresAt`,
    stage,
    item,
  );
  if (job === undefined) throw new LeaseLostError();
  touchItem(file, item, now);
  return { ...claim, stage, ...job };
}

export function finishJob(file: SqliteFile, item: number, now: number): void {
  file.run(
    `UPDATE jobs SET state = 'done', due_at = NULL, lease_token = NULL, attempts = 0, background = 0,
       failure_code = NULL, failure_message = NULL, failure_retryable = NULL
     WHERE item = ?`,
    item,
  );
  touchItem(file, item, now);
}
