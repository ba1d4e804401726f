import { hostOf } from '../../../domain/links/host.ts';
import { newId } from '../../../domain/records/ids.ts';
import type { Stage } from '../../../domain/records/stages.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { removeCompanions } from '../items/originals.ts';
import { touchContent } from '../items/touch-content.ts';

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
  if (queued.stage === 'fetch') noteHost(file, content);
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
  if (stage === 'fetch') noteHost(file, content);
  file.run(`UPDATE content SET state = 'unfinished' WHERE seq = ?`, content);
  touchContent(file, content, now);
}

/** Notes which host a job that is to fetch will ask, unless it was led to one: a host is asked by few jobs at once. */
function noteHost(file: SqliteFile, content: number): void {
  const item = file.get<{ url: string }>('SELECT canonical_url AS url FROM content WHERE seq = ?', content);
  if (item === undefined) return;
  file.run('UPDATE jobs SET host = ? WHERE content = ? AND host IS NULL', hostOf(item.url), content);
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
