import type { KnownMetadata } from '../../../domain/records/document.ts';
import type { Stage } from '../../../domain/records/stages.ts';
import type { Claim, JobFailure, JobsToClaim } from '../../records.ts';
import { LeaseLostError } from '../../records.ts';
import { type Db, first, fromJson, later, sql, type Steps, text, toJson } from '../db.ts';
import { visibleDocument } from '../items/documents.ts';
import { noFailure } from './jobs.ts';
import { removeCompanions } from '../items/originals.ts';
import { touchItem } from '../time.ts';

/**
 * Claims up to `limit` jobs that are due, by compare-and-swap: by turns the one that has been due the longest and that of
 * the newest item, `newestFirst` or not first. A job whose lease has expired is due; a background job is claimed only when
 * no other is due. Of the jobs that need a host, each needs another one.
 */
export function* claimJobs(db: Db, leaseMs: number, limit: number, which: JobsToClaim = {}): Steps<Claim[]> {
  const claims: Claim[] = [];
  const busyHosts = [...(which.busyHosts ?? [])];
  let newestFirst = which.newestFirst ?? false;
  while (claims.length < limit) {
    const claim = yield* db.claimDue(leaseMs, { work: which.work, busyHosts, newestFirst });
    if (claim === undefined) break;
    claims.push(claim);
    if (claim.host !== null) busyHosts.push(claim.host);
    newestFirst = !newestFirst;
  }
  return claims;
}

/** False when the claim is no longer ours. */
export function* renewLease(db: Db, claim: Claim, leaseMs: number): Steps<boolean> {
  const job = yield* first<{ item: number; dueAt: number }>`
    SELECT item, due_at FROM jobs j
    WHERE ${db.of('j')} AND id = ${claim.jobId} AND lease_token = ${claim.leaseToken} ${db.forUpdate}`;
  if (job === undefined) return false;
  yield* later`UPDATE jobs SET due_at = ${db.now + leaseMs} WHERE ${db.of('jobs')} AND item = ${job.item}`;
  // While the lease was expired, the item was shown as pending.
  if (job.dueAt <= db.now) yield* touchItem(db, job.item);
  return true;
}

export const isHeld = (db: Db, claim: Claim) =>
  sql`${db.of('jobs')} AND id = ${claim.jobId} AND lease_token = ${claim.leaseToken}`;

/** SQL: `attempts` without this one. */
export const untried = text('CASE WHEN attempts > 0 THEN attempts - 1 ELSE 0 END');

/**
 * Releases a claimed job untried (shutdown, another job needs its slot, no room at a host): this attempt does not
 * count. Does nothing when another worker holds it.
 * @param host that the job needs; when omitted, the known host stays as it is
 */
export function* releaseJob(db: Db, claim: Claim, host?: string): Steps<void> {
  const released = yield* first<{ item: number }>`
    UPDATE jobs SET state = 'waiting', attempts = ${untried}, lease_token = NULL, due_at = ${db.now},
      host = coalesce(${host ?? null}, host)
    WHERE ${isHeld(db, claim)} RETURNING item`;
  if (released !== undefined) yield* touchItem(db, released.item);
}

/** Ends the attempt, or the whole job of an item that was saved. Does nothing when another worker holds it. */
export function* failSave(db: Db, claim: Claim, failure: JobFailure): Steps<void> {
  const { code, message, retryable, nextAttemptAt, isUntried = false } = failure;
  const failed = yield* first<{ item: number; state: string; stage: Stage }>`
    UPDATE jobs SET state = ${nextAttemptAt === null ? 'failed' : 'waiting'}, due_at = ${nextAttemptAt},
      lease_token = NULL, attempts = ${isUntried ? untried : text('attempts')},
      failure_code = ${code}, failure_message = ${message}, failure_retryable = ${retryable}
    WHERE ${isHeld(db, claim)} RETURNING item, state, stage`;
  if (failed === undefined) return;
  // The companions may have caused a failed extraction, so the next attempt fetches them again. An item that was
  // extracted with them before keeps them: it is being reprocessed, perhaps without a network.
  if (failed.stage === 'extract' && !isUntried && (yield* visibleDocument(db, failed.item)) === null)
    yield* removeCompanions(db, failed.item);
  if (failed.state === 'failed')
    yield* later`UPDATE items SET state = 'failed' WHERE ${db.of('items')} AND seq = ${failed.item}`;
  if (failure.known !== undefined) yield* keepKnown(db, failed.item, failure.known);
  yield* touchItem(db, failed.item);
}

/**
 * Stores metadata known so far. Until a document sets the type, it is also copied to the item, where lists filter by
 * it.
 */
function* keepKnown(db: Db, item: number, known: KnownMetadata): Steps<void> {
  const before = yield* first<{ known: unknown }>`
    SELECT known FROM items i WHERE ${db.of('i')} AND seq = ${item}`;
  const added = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
  yield* later`
    UPDATE items SET known = ${toJson({ ...fromJson<KnownMetadata | null>(before?.known ?? null), ...added })},
      content_type = CASE WHEN visible_document IS NULL THEN coalesce(${known.contentType ?? null}, content_type)
        ELSE content_type END
    WHERE ${db.of('items')} AND seq = ${item}`;
}

/**
 * The key of the claim's item, if the claim may still store the result of `stage`. A worker that claims jobs meanwhile
 * passes this one over.
 * @throws {LeaseLostError} when another worker has claimed the job since, or when the job is past that stage.
 */
export function* requireLease(db: Db, claim: Claim, stage: Stage): Steps<number> {
  if (claim.stage !== stage) throw new Error(`a claim of the stage ${claim.stage} cannot end the stage ${stage}`);
  const job = yield* first<{ item: number }>`
    SELECT item FROM jobs j
    WHERE ${db.of('j')} AND id = ${claim.jobId} AND lease_token = ${claim.leaseToken} AND stage = ${stage}
    ${db.forUpdate}`;
  if (job === undefined) throw new LeaseLostError();
  return job.item;
}

/** Moves a claimed job to its next stage. It stays claimed, and that counts as the first attempt at the new stage. */
export function* advanceJob(db: Db, claim: Claim, item: number, stage: Stage): Steps<Claim> {
  const job = yield* first<{ attempts: number; leaseExpiresAt: number }>`
    UPDATE jobs SET stage = ${stage}, attempts = 1, host = NULL, refresh = false, ${noFailure}
    WHERE ${db.of('jobs')} AND item = ${item} RETURNING attempts, due_at AS lease_expires_at`;
  if (job === undefined) throw new LeaseLostError();
  yield* touchItem(db, item);
  return { ...claim, stage, ...job };
}

/** Moves a claimed job to its next stage and returns it to the queue, where nobody has tried that stage yet. */
export function* advanceAndRelease(db: Db, item: number, stage: Stage): Steps<void> {
  yield* later`
    UPDATE jobs SET state = 'waiting', stage = ${stage}, attempts = 0, lease_token = NULL, due_at = ${db.now},
      host = NULL, ${noFailure}
    WHERE ${db.of('jobs')} AND item = ${item}`;
  yield* touchItem(db, item);
}

export function* finishJob(db: Db, item: number): Steps<void> {
  yield* later`
    UPDATE jobs SET state = 'done', due_at = NULL, lease_token = NULL, attempts = 0, background = false, ${noFailure}
    WHERE ${db.of('jobs')} AND item = ${item}`;
  yield* touchItem(db, item);
}
