import { hostOf } from '../../../domain/links/host.ts';
import { newId } from '../../../domain/records/ids.ts';
import { type Stage, works } from '../../../domain/records/stages.ts';
import type { JobCounts, Reprocessing, ReprocessStage } from '../../records.ts';
import {
  all,
  type Db,
  first,
  grown,
  type ItemKey,
  join,
  later,
  type Sql,
  sql,
  type Steps,
  text,
  together,
} from '../db.ts';
import { removeCompanions } from '../items/originals.ts';
import { touchItem } from '../time.ts';

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

/** SQL conditions that an item `i` must meet for its job to start at a stage. */
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
