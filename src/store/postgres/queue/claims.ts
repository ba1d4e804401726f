import { newId } from '../../../domain/records/ids.ts';
import { works } from '../../../domain/records/stages.ts';
import { type Db, first, join, sql, type Steps } from '../../library/db.ts';
import type { Claim, JobsToClaim } from '../../records.ts';

/**
 * How many of an account's due jobs are searched for one whose host is not busy. It bounds the cost of a claim when
 * tens of thousands of jobs wait for one host. Later jobs are reached as earlier ones are done, and the newest ones at
 * every second claim.
 */
const maxExamined = 1_000;

/**
 * Jobs that another transaction has locked are skipped, and so are jobs whose item it has locked: a claim waits for no
 * lock, so it is part of no deadlock.
 */
function* claimDueOf(db: Db, leaseMs: number, background: boolean, which: JobsToClaim): Steps<Claim | undefined> {
  const { now } = db;
  const { busyHosts = [], newestFirst = false } = which;
  const parts = (which.work === undefined ? works : [which.work]).map(
    (work) => sql`
      (SELECT j.item, j.due_at, j.host FROM jobs j
       WHERE ${db.of('j')} AND j.background = ${background} AND j.work = ${work} AND j.due_at <= ${now}
       ORDER BY ${newestFirst ? sql`j.item DESC` : sql`j.due_at, j.item`} LIMIT ${maxExamined})`,
  );
  return yield* first<Claim>`
    WITH taken AS (SELECT j.item, i.id, i.url
    FROM (${join(parts, ' UNION ALL ')}) due
      JOIN jobs j ON ${db.of('j')} AND j.item = due.item
      JOIN items i ON ${db.of('i')} AND i.seq = due.item
    WHERE (due.host IS NULL OR due.host NOT IN (SELECT b.value FROM ${db.texts('b', busyHosts)})) AND j.due_at <= ${now}
    ORDER BY ${newestFirst ? sql`due.item DESC` : sql`due.due_at, due.item`} LIMIT 1
    FOR UPDATE OF j, i SKIP LOCKED),
    touched AS (
      UPDATE items i SET updated_at = greatest(i.updated_at + 1, ${now}) FROM taken
      WHERE ${db.of('i')} AND i.seq = taken.item)
    UPDATE jobs j SET state = 'claimed', attempts = attempts + 1, lease_token = ${newId('j')}, due_at = ${now + leaseMs}
    FROM taken WHERE ${db.of('j')} AND j.item = taken.item
    RETURNING j.id AS job_id, taken.id AS content_id, taken.url, j.stage, j.attempts, j.lease_token,
      j.due_at AS lease_expires_at, j.host, j.refresh AS is_refresh`;
}

/** See `Db`. */
export function* claimDue(db: Db, leaseMs: number, which: JobsToClaim): Steps<Claim | undefined> {
  return (yield* claimDueOf(db, leaseMs, false, which)) ?? (yield* claimDueOf(db, leaseMs, true, which));
}
