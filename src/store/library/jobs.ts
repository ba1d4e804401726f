import { hostOf } from '../../domain/links/host.ts';
import { newId } from '../../domain/records/ids.ts';
import type { Stage } from '../../domain/records/stages.ts';
import { type Db, first, type ItemKey, later, sql, type Steps } from './db.ts';
import { removeCompanions } from './originals.ts';
import { touchItem } from './touch.ts';

/*
 * One job per item. `due_at` is when it may be claimed: for a waiting job its time to run, for a claimed job the end of
 * its lease, null for a job that is over. So "due" is one comparison on one index, and expired leases need no cleanup.
 */

const noFailure = sql`failure_code = NULL, failure_message = NULL, failure_retryable = NULL`;

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
      AND (state = 'failed' OR (state = 'waiting' AND failure_code IS NOT NULL)) RETURNING stage`;
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
      background = false, host = NULL, ${noFailure}
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
