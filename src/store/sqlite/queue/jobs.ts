import { hostOf } from '../../../domain/links/host.ts';
import { newId } from '../../../domain/records/ids.ts';
import type { Stage } from '../../../domain/records/stages.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { removeCompanions } from '../items/originals.ts';
import { touchItem } from '../items/touch.ts';

/*
 * One job per item. `due_at` is when it may be claimed: for a waiting job its time to run, for a claimed job the end of
 * its lease, null for a job that is over. So "due" is one comparison on one index, and expired leases need no cleanup.
 */

/**
 * Queues the first job of a new item.
 * @param isBackground whether it gives way to all other jobs
 */
export function queueJob(
  file: SqliteFile,
  item: number,
  canonicalUrl: string,
  stage: Stage,
  now: number,
  { isBackground }: { isBackground: boolean } = { isBackground: false },
): void {
  file.run(
    `INSERT INTO jobs (item, id, stage, state, attempts, due_at, host, background)
     VALUES (?, ?, ?, 'waiting', 0, ?, ?, ?)`,
    item,
    newId('j'),
    stage,
    now,
    stage === 'fetch' ? hostOf(canonicalUrl) : null,
    isBackground ? 1 : 0,
  );
}

/** A retry of `extract` fetches the original again, unless the caller gave its bytes with the save. */
const retriedStage = `CASE WHEN stage = 'extract' AND NOT EXISTS
  (SELECT 1 FROM originals o WHERE o.item = jobs.item AND o.name = '' AND o.given = 1) THEN 'fetch' ELSE stage END`;

/**
 * Makes a job due now that failed or waits for a retry, and resets its attempts. After a failed `extract` the page is
 * fetched again, because it may have changed. Returns false when there is no such job.
 */
export function requeueJob(file: SqliteFile, item: number, now: number): boolean {
  const queued = file.get<{ stage: Stage }>(
    `UPDATE jobs SET state = 'waiting', stage = ${retriedStage}, attempts = 0, due_at = ?, background = 0,
       failure_code = NULL, failure_message = NULL, failure_retryable = NULL
     WHERE item = ? AND (state = 'failed' OR (state = 'waiting' AND failure_code IS NOT NULL)) RETURNING stage`,
    now,
    item,
  );
  if (queued === undefined) return false;
  if (queued.stage === 'fetch') noteHost(file, item);
  if (queued.stage === 'fetch' || queued.stage === 'extract') removeCompanions(file, item);
  file.run(`UPDATE items SET state = 'unfinished' WHERE seq = ?`, item);
  touchItem(file, item, now);
  return true;
}

/** Restarts the job at a stage, whatever its state: a worker that holds it loses its lease. */
export function restartJob(file: SqliteFile, item: number, stage: Stage, now: number): void {
  file.run(
    `UPDATE jobs SET state = 'waiting', stage = ?, attempts = 0, due_at = ?, lease_token = NULL, background = 0, host = NULL,
       failure_code = NULL, failure_message = NULL, failure_retryable = NULL
     WHERE item = ?`,
    stage,
    now,
    item,
  );
  if (stage === 'fetch') noteHost(file, item);
  file.run(`UPDATE items SET state = 'unfinished' WHERE seq = ?`, item);
  touchItem(file, item, now);
}

/** Notes which host a job that is to fetch will ask, unless it was led to one: a host is asked by few jobs at once. */
function noteHost(file: SqliteFile, item: number): void {
  const found = file.get<{ url: string }>('SELECT canonical_url AS url FROM items WHERE seq = ?', item);
  if (found === undefined) return;
  file.run('UPDATE jobs SET host = ? WHERE item = ? AND host IS NULL', hostOf(found.url), item);
}

/**
 * Takes an unfinished job out of the queue without recording a failure. A worker that holds it loses its lease.
 * `resumeJob` puts it back.
 */
export function stopJob(file: SqliteFile, item: number): void {
  file.run(
    `UPDATE jobs SET state = 'failed', due_at = NULL, lease_token = NULL WHERE item = ? AND due_at IS NOT NULL`,
    item,
  );
}

/** Queues a stopped job again at the same stage, and resets its attempts. */
export function resumeJob(file: SqliteFile, item: number, now: number): void {
  file.run(
    `UPDATE jobs SET state = 'waiting', attempts = 0, due_at = ?,
       failure_code = NULL, failure_message = NULL, failure_retryable = NULL
     WHERE item = ? AND state = 'failed'`,
    now,
    item,
  );
}
