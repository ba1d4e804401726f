import { hostOf } from '../../../domain/links/url.ts';
import { newId } from '../../../domain/records/ids.ts';
import { type Stage, works } from '../../../domain/records/stages.ts';
import {
  type Claim,
  type JobCounts,
  type JobFailure,
  type JobsToClaim,
  LeaseLostError,
  type Reprocessing,
  type ReprocessStage,
} from '../../records.ts';
import {
  all,
  type Db,
  first,
  fromJson,
  grown,
  type ItemKey,
  join,
  later,
  type Sql,
  sql,
  type Steps,
  text,
  together,
  toJson,
  touchItem,
} from '../db.ts';
import { removeCompanions, visibleDocument } from '../items/documents.ts';
import type { KnownMetadata } from '../../../domain/records/texts/document.ts';

/*
 * One job per item. `due_at` is when it may be claimed: for a waiting job its time to run, for a claimed job the end of
 * its lease, null for a job that is over. So "due" is one comparison on one index, and expired leases need no cleanup.
 */

export const noFailure = sql`failure_code = NULL, failure_message = NULL, failure_retryable = NULL`;

/**
 * Queues the first job of a new item.
 * @param isBackground whether it gives way to all other jobs
 */
export function* queueJob(
  db: Db,
  item: ItemKey,
  canonicalUrl: string,
  stage: Stage,
  { isBackground }: { isBackground: boolean },
): Steps<void> {
  yield* later`${db.row('jobs', {
    item,
    id: newId('j'),
    stage,
    state: 'waiting',
    attempts: 0,
    due_at: db.now,
    host: stage === 'fetch' ? hostOf(canonicalUrl) : null,
    background: isBackground,
  })}`;
}

/**
 * Makes a job due now that failed or waits for a retry, and resets its attempts. After a failed `extract` the page is
 * fetched again, because it may have changed, unless the caller gave its bytes with the save. Returns false when there
 * is no such job.
 */
export function* requeueJob(db: Db, item: number): Steps<boolean> {
  const queued = yield* first<{ stage: Stage }>`
    UPDATE jobs SET state = 'waiting', attempts = 0, due_at = ${db.now}, background = false, ${noFailure},
      stage = CASE WHEN stage = 'extract' AND NOT EXISTS (
        SELECT 1 FROM originals o WHERE ${db.of('o')} AND o.item = ${item} AND o.name = '' AND o.given)
        THEN 'fetch' ELSE stage END
    WHERE ${db.of('jobs')} AND item = ${item}
      AND (state = 'failed' OR (state = 'waiting' AND failure_code IS NOT NULL)) AND NOT refresh RETURNING stage`;
  if (queued === undefined) return false;
  if (queued.stage === 'fetch') yield* noteHost(db, item);
  if (queued.stage === 'fetch' || queued.stage === 'extract') yield* removeCompanions(db, item);
  yield* unfinish(db, item);
  return true;
}

/** Restarts the job at a stage, whatever its state: a worker that holds it loses its lease. */
export function* restartJob(db: Db, item: number, stage: Stage): Steps<void> {
  yield* later`
    UPDATE jobs SET state = 'waiting', stage = ${stage}, attempts = 0, due_at = ${db.now}, lease_token = NULL,
      background = false, host = NULL, refresh = false, ${noFailure}
    WHERE ${db.of('jobs')} AND item = ${item}`;
  if (stage === 'fetch') yield* noteHost(db, item);
  yield* unfinish(db, item);
}

/** Notes which host a job that is to fetch will ask, unless it was led to one: a host is asked by few jobs at once. */
function* noteHost(db: Db, item: number): Steps<void> {
  const found = yield* first<{ url: string }>`
    SELECT canonical_url AS url FROM items i WHERE ${db.of('i')} AND seq = ${item}`;
  if (found === undefined) return;
  yield* later`
    UPDATE jobs SET host = ${hostOf(found.url)} WHERE ${db.of('jobs')} AND item = ${item} AND host IS NULL`;
}

function* unfinish(db: Db, item: number): Steps<void> {
  yield* later`UPDATE items SET state = 'unfinished' WHERE ${db.of('items')} AND seq = ${item}`;
  yield* touchItem(db, item);
}

/**
 * Takes an unfinished job out of the queue without recording a failure. A worker that holds it loses its lease.
 * `resumeJob` puts it back.
 */
export function* stopJob(db: Db, item: number): Steps<void> {
  yield* later`
    UPDATE jobs SET state = 'failed', due_at = NULL, lease_token = NULL
    WHERE ${db.of('jobs')} AND item = ${item} AND due_at IS NOT NULL`;
}

/** Queues a stopped job again at the same stage, and resets its attempts. */
export function* resumeJob(db: Db, item: number): Steps<void> {
  yield* later`
    UPDATE jobs SET state = 'waiting', attempts = 0, due_at = ${db.now}, ${noFailure}
    WHERE ${db.of('jobs')} AND item = ${item} AND state = 'failed'`;
}

function hasWhatItNeeds(db: Db, from: ReprocessStage): Sql {
  if (from === 'extract')
    return sql`EXISTS (SELECT 1 FROM originals o WHERE ${db.of('o')} AND o.item = i.seq AND o.name = '')`;
  if (from === 'embed') return sql`i.passage_count > 0`;
  return sql`EXISTS (SELECT 1 FROM documents d WHERE ${db.of('d')} AND d.item = i.seq)`;
}

/** The stages after each stage: a job that is in one of them has passed the requested stage. */
const laterStages: Readonly<Record<ReprocessStage, readonly string[]>> = {
  extract: ['split', 'embed', 'analyse'],
  split: ['embed', 'analyse'],
  embed: ['analyse'],
  analyse: [],
};

/**
 * Queues an item, or all of them, again from a stage, using what is stored: nothing is fetched. It is done in the
 * background, after everything that was saved meanwhile. Items that wait for that stage or an earlier one are left
 * alone. Until the new results are there, the old ones are shown and found. When `from` is `embed`, vectors are
 * computed again.
 */
export function* reprocess(db: Db, from: ReprocessStage, contentId?: string): Steps<Reprocessing> {
  const asked = sql`${db.of('i')} AND i.deleted_at IS NULL
    ${contentId === undefined ? sql`` : sql`AND i.id = ${contentId}`}`;
  const able = hasWhatItNeeds(db, from);
  const lacking = yield* first<{ count: number }>`SELECT count(*) AS count FROM items i WHERE ${asked} AND NOT ${able}`;
  const queued = yield* all<{ item: number }>`
    UPDATE jobs SET state = 'waiting', stage = ${from}, attempts = 0, due_at = ${db.now}, lease_token = NULL,
      background = true, refresh = false, ${noFailure}
    WHERE ${db.of('jobs')} AND item IN (SELECT i.seq FROM items i WHERE ${asked} AND ${able})
      AND (state IN ('done', 'failed') OR refresh OR stage IN (SELECT s.value FROM ${db.texts('s', laterStages[from])}))
    RETURNING item`;
  const items = queued.map(({ item }) => item);
  if (from === 'embed') yield* db.indexing.forgetVectors(items);
  yield* later`
    UPDATE items SET state = 'unfinished', updated_at = ${grown(db.now)}
    WHERE ${db.of('items')} AND seq IN (SELECT n.value FROM ${db.numbers('n', items)})`;
  return { queued: items.length, lacking: lacking?.count ?? 0 };
}

/**
 * When the next job is due (this may be in the past), including leases that run out; null when none waits. Reads the
 * first entry of each part of the index: one `min` over all parts would read the whole index.
 */
export function* nextJobDueAt(db: Db): Steps<number | null> {
  const parts = works.flatMap((work) =>
    [db.no, db.yes].map(
      (background) => sql`
        SELECT (SELECT min(j.due_at) FROM jobs j
          WHERE ${db.of('j')} AND j.due_at IS NOT NULL AND j.background = ${background}
            AND ${db.work} = ${text(`'${work}'`)}) AS due_at`,
    ),
  );
  const row = yield* first<{ dueAt: number | null }>`
    SELECT min(due_at) AS due_at FROM (${join(parts, ' UNION ALL ')}) firsts`;
  return row?.dueAt ?? null;
}

/** When the first lease of a claimed job runs out unless it is renewed; null when no job is claimed. */
export function* nextLeaseEndsAt(db: Db): Steps<number | null> {
  const row = yield* first<{ endsAt: number | null }>`
    SELECT min(due_at) AS ends_at FROM jobs j WHERE ${db.of('j')} AND state = 'claimed'`;
  return row?.endsAt ?? null;
}

const failedItems = (db: Db) => sql`
  FROM items i JOIN jobs j ON ${db.of('j')} AND j.item = i.seq
  WHERE ${db.of('i')} AND i.deleted_at IS NULL AND i.state = 'failed'`;

/** Unfinished jobs are counted from an index alone. Table rows are read only for claimed and failed jobs. */
export function* countJobs(db: Db): Steps<JobCounts> {
  const [unfinished, claimed, failed] = yield* together(
    all<{ isBackground: boolean; count: number; dueAt: number }>`
      SELECT background AS is_background, count(*) AS count, min(due_at) AS due_at
      FROM jobs j WHERE ${db.of('j')} AND due_at IS NOT NULL GROUP BY background`,
    first<{ count: number }>`
      SELECT count(*) AS count FROM jobs j
      WHERE ${db.of('j')} AND state = 'claimed' AND due_at > ${db.now} AND NOT background`,
    all<{ code: string; items: number }>`
      SELECT coalesce(j.failure_code, 'internal') AS code, count(*) AS items ${failedItems(db)}
      GROUP BY 1 ORDER BY 2 DESC, 1`,
  );
  const ofPeople = unfinished.find(({ isBackground }) => !isBackground);
  const running = claimed?.count ?? 0;
  return {
    waiting: (ofPeople?.count ?? 0) - running,
    running,
    background: unfinished.find(({ isBackground }) => isBackground)?.count ?? 0,
    oldestDueAt: ofPeople === undefined || ofPeople.dueAt > db.now ? null : ofPeople.dueAt,
    failed: Object.fromEntries(failed.map(({ code, items }) => [code, items])),
  };
}

/** Failed items with their failure codes, newest first. */
export const listFailed = (db: Db): Steps<{ id: string; code: string }[]> =>
  all<{ id: string; code: string }>`
    SELECT i.id, coalesce(j.failure_code, 'internal') AS code ${failedItems(db)} ORDER BY i.created_at DESC, i.seq DESC`;

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
