import type { KnownMetadata } from '../../../domain/records/document.ts';
import type { Stage } from '../../../domain/records/stages.ts';
import type { Claim, JobFailure } from '../../records.ts';
import { LeaseLostError } from '../../store.ts';
import type { AccountTx } from '../account-access.ts';
import { json, later } from '../database.ts';
import { removeCompanions, touchItem, visibleDocument } from '../items/bridged.ts';

const noFailure = ({ sql }: AccountTx) => sql`failure_code = NULL, failure_message = NULL, failure_retryable = NULL`;

export async function renewLease(db: AccountTx, claim: Claim, leaseMs: number): Promise<boolean> {
  const { sql, account, now } = db;
  // Held, so that nobody claims it between the two statements.
  const [job] = await sql<{ item: number; dueAt: number }[]>`
    SELECT item, due_at FROM jobs
    WHERE account_id = ${account} AND id = ${claim.jobId} AND lease_token = ${claim.leaseToken} FOR UPDATE`;
  if (job === undefined) return false;
  later(sql`UPDATE jobs SET due_at = ${now + leaseMs} WHERE account_id = ${account} AND item = ${job.item}`);
  // While the lease was expired, the item was shown as pending.
  if (job.dueAt <= now) touchItem(db, job.item);
  return true;
}

/** Returns the job to the queue as if it had not been claimed. Does nothing when another worker holds it. */
export async function releaseJob(db: AccountTx, claim: Claim, host?: string): Promise<void> {
  const { sql, account, now } = db;
  const [released] = await sql<{ item: number }[]>`
    UPDATE jobs SET state = 'waiting', attempts = greatest(0, attempts - 1), lease_token = NULL, due_at = ${now},
      host = coalesce(${host ?? null}, host)
    WHERE account_id = ${account} AND id = ${claim.jobId} AND lease_token = ${claim.leaseToken} RETURNING item`;
  if (released !== undefined) touchItem(db, released.item);
}

/** Ends the attempt, or the whole job. Does nothing when another worker holds it. */
export async function failJob(db: AccountTx, claim: Claim, failure: JobFailure): Promise<void> {
  const { sql, account } = db;
  const { code, message, retryable, nextAttemptAt, isUntried = false } = failure;
  const [failed] = await sql<{ item: number; state: string; stage: Stage }[]>`
    UPDATE jobs SET state = ${nextAttemptAt === null ? 'failed' : 'waiting'}, due_at = ${nextAttemptAt},
      lease_token = NULL, attempts = greatest(0, attempts - ${isUntried ? 1 : 0}),
      failure_code = ${code}, failure_message = ${message}, failure_retryable = ${retryable}
    WHERE account_id = ${account} AND id = ${claim.jobId} AND lease_token = ${claim.leaseToken}
    RETURNING item, state, stage`;
  if (failed === undefined) return;
  // The companions may have caused a failed extraction, so the next attempt fetches them again. An item that was
  // extracted with them before keeps them: it is being reprocessed, perhaps without a network.
  if (failed.stage === 'extract' && !isUntried && (await visibleDocument(db, failed.item)) === null)
    removeCompanions(db, failed.item);
  if (failed.state === 'failed')
    later(sql`UPDATE items SET state = 'failed' WHERE account_id = ${account} AND seq = ${failed.item}`);
  if (failure.known !== undefined) await keepKnown(db, failed.item, failure.known);
  touchItem(db, failed.item);
}

/**
 * Stores metadata known so far. Until a document sets the type, it is also copied to the item, where lists filter by
 * it.
 */
async function keepKnown({ sql, account }: AccountTx, item: number, known: KnownMetadata): Promise<void> {
  const [before] = await sql<{ known: KnownMetadata | null }[]>`
    SELECT known FROM items WHERE account_id = ${account} AND seq = ${item}`;
  const added = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
  await sql`
    UPDATE items SET known = ${json({ ...before?.known, ...added })},
      content_type = CASE WHEN visible_document IS NULL THEN coalesce(${known.contentType ?? null}, content_type)
        ELSE content_type END
    WHERE account_id = ${account} AND seq = ${item}`;
}

/**
 * The key of the claim's item, if the claim may still store the result of `stage`.
 * @throws {LeaseLostError} when another worker has claimed the job since, or when the job is past that stage.
 */
export async function requireLease({ sql, account }: AccountTx, claim: Claim, stage: Stage): Promise<number> {
  if (claim.stage !== stage) throw new Error(`a claim of the stage ${claim.stage} cannot end the stage ${stage}`);
  // Held until the result is stored: a worker that claims the job meanwhile passes it over.
  const [job] = await sql<{ item: number }[]>`
    SELECT item FROM jobs
    WHERE account_id = ${account} AND id = ${claim.jobId} AND lease_token = ${claim.leaseToken} AND stage = ${stage}
    FOR UPDATE`;
  if (job === undefined) throw new LeaseLostError();
  return job.item;
}

/** Moves a claimed job to its next stage. It stays claimed, and that counts as the first attempt at the new stage. */
export async function advanceJob(db: AccountTx, claim: Claim, item: number, stage: Stage): Promise<Claim> {
  const { sql, account } = db;
  const [job] = await sql<{ attempts: number; leaseExpiresAt: number }[]>`
    UPDATE jobs SET stage = ${stage}, attempts = 1, host = NULL, ${noFailure(db)}
    WHERE account_id = ${account} AND item = ${item} RETURNING attempts, due_at AS lease_expires_at`;
  if (job === undefined) throw new LeaseLostError();
  touchItem(db, item);
  return { ...claim, stage, ...job };
}

/** Moves a claimed job to its next stage and returns it to the queue, where nobody has tried that stage yet. */
export function advanceAndRelease(db: AccountTx, item: number, stage: Stage): void {
  const { sql, account, now } = db;
  later(sql`
    UPDATE jobs SET state = 'waiting', stage = ${stage}, attempts = 0, lease_token = NULL, due_at = ${now},
      host = NULL, ${noFailure(db)}
    WHERE account_id = ${account} AND item = ${item}`);
  touchItem(db, item);
}

export function finishJob(db: AccountTx, item: number): void {
  const { sql, account } = db;
  later(sql`
    UPDATE jobs SET state = 'done', due_at = NULL, lease_token = NULL, attempts = 0, background = false, ${noFailure(db)}
    WHERE account_id = ${account} AND item = ${item}`);
  touchItem(db, item);
}
