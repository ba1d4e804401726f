import { newId } from '../../../domain/records/ids.ts';
import { works } from '../../../domain/records/stages.ts';
import type { Claim, JobCounts, JobsToClaim } from '../../records.ts';
import type { AccountTx } from '../account-access.ts';

/**
 * How many of an account's due jobs are searched for one whose host is not busy. It bounds the cost of a claim when
 * tens of thousands of jobs wait for one host. Later jobs are reached as earlier ones are done, and the newest ones at
 * every second claim.
 */
const maxExamined = 1_000;

/**
 * Claims the job that has been due longest, or that of the newest item. Jobs that another transaction has locked are skipped, and so are jobs whose
 * item it has locked: a claim waits for no lock, so it is part of no deadlock.
 */
async function claimDueJob(
  db: AccountTx,
  leaseMs: number,
  background: boolean,
  which: JobsToClaim,
): Promise<Claim | undefined> {
  const { sql, account, now } = db;
  const { busyHosts = [], newestFirst = false } = which;
  const due = (work: string) => sql`
    (SELECT j.item, j.due_at, j.host FROM jobs j
     WHERE j.account_id = ${account} AND j.background = ${background} AND j.work = ${work} AND j.due_at <= ${now}
     ORDER BY ${newestFirst ? sql`j.item DESC` : sql`j.due_at, j.item`} LIMIT ${maxExamined})`;
  const parts = (which.work === undefined ? works : [which.work]).map(due);
  const [claim] = await sql<Claim[]>`
    WITH taken AS (SELECT j.item, i.id, i.url
    FROM (${parts.reduce((all, part) => sql`${all} UNION ALL ${part}`)}) due
      JOIN jobs j ON j.account_id = ${account} AND j.item = due.item
      JOIN items i ON i.account_id = ${account} AND i.seq = due.item
    WHERE (due.host IS NULL OR due.host <> ALL(${[...busyHosts]}::text[])) AND j.due_at <= ${now}
    ORDER BY ${newestFirst ? sql`due.item DESC` : sql`due.due_at, due.item`} LIMIT 1
    FOR UPDATE OF j, i SKIP LOCKED),
    touched AS (
      UPDATE items i SET updated_at = greatest(i.updated_at + 1, ${now}) FROM taken
      WHERE i.account_id = ${account} AND i.seq = taken.item)
    UPDATE jobs j SET state = 'claimed', attempts = attempts + 1, lease_token = ${newId('j')}, due_at = ${now + leaseMs}
    FROM taken WHERE j.account_id = ${account} AND j.item = taken.item
    RETURNING j.id AS job_id, taken.id AS content_id, taken.url, j.stage, j.attempts, j.lease_token,
      j.due_at AS lease_expires_at, j.host`;
  return claim;
}

/** Claims the next job; a background job only when no other is due. */
async function claimJob(db: AccountTx, leaseMs: number, which: JobsToClaim): Promise<Claim | null> {
  return (await claimDueJob(db, leaseMs, false, which)) ?? (await claimDueJob(db, leaseMs, true, which)) ?? null;
}

/** Claims several jobs: the one that has been due longest and that of the newest item by turns, one of each host. */
export async function claimJobs(db: AccountTx, leaseMs: number, limit: number, which: JobsToClaim): Promise<Claim[]> {
  const claims: Claim[] = [];
  const busyHosts = [...(which.busyHosts ?? [])];
  let newestFirst = which.newestFirst ?? false;
  while (claims.length < limit) {
    const claim = await claimJob(db, leaseMs, { work: which.work, busyHosts, newestFirst });
    if (claim === null) break;
    claims.push(claim);
    if (claim.host !== null) busyHosts.push(claim.host);
    newestFirst = !newestFirst;
  }
  return claims;
}

export async function nextJobDueAt({ sql, account }: AccountTx): Promise<number | null> {
  // One first entry of each part of the index.
  const parts = works.flatMap((work) =>
    [false, true].map(
      (background) => sql`
        (SELECT min(due_at) AS due_at FROM jobs
         WHERE account_id = ${account} AND due_at IS NOT NULL AND background = ${background} AND work = ${work})`,
    ),
  );
  const [row] = await sql<{ dueAt: number | null }[]>`
    SELECT min(due_at) AS due_at FROM (${parts.reduce((all, part) => sql`${all} UNION ALL ${part}`)}) firsts`;
  return row?.dueAt ?? null;
}

export async function nextLeaseEndsAt({ sql, account }: AccountTx): Promise<number | null> {
  const [row] = await sql<{ endsAt: number | null }[]>`
    SELECT min(due_at) AS ends_at FROM jobs WHERE account_id = ${account} AND state = 'claimed'`;
  return row?.endsAt ?? null;
}

export async function countJobs({ sql, account, now }: AccountTx): Promise<JobCounts> {
  const unfinished = await sql<{ background: boolean; count: number; dueAt: number; running: number }[]>`
    SELECT background, count(*), min(due_at) AS due_at,
      count(*) FILTER (WHERE due_at > ${now} AND state = 'claimed') AS running
    FROM jobs WHERE account_id = ${account} AND due_at IS NOT NULL GROUP BY background`;
  const failed = await sql<{ code: string; items: number }[]>`
    SELECT coalesce(j.failure_code, 'internal') AS code, count(*) AS items
    FROM items i JOIN jobs j ON j.account_id = ${account} AND j.item = i.seq
    WHERE i.account_id = ${account} AND i.deleted_at IS NULL AND i.state = 'failed' GROUP BY 1 ORDER BY 2 DESC, 1`;
  const ofPeople = unfinished.find(({ background }) => !background);
  const running = ofPeople?.running ?? 0;
  return {
    waiting: (ofPeople?.count ?? 0) - running,
    running,
    background: unfinished.find(({ background }) => background)?.count ?? 0,
    oldestDueAt: ofPeople === undefined || ofPeople.dueAt > now ? null : ofPeople.dueAt,
    failed: Object.fromEntries(failed.map(({ code, items }) => [code, items])),
  };
}

export async function listFailed({ sql, account }: AccountTx): Promise<{ id: string; code: string }[]> {
  return [
    ...(await sql<{ id: string; code: string }[]>`
      SELECT i.id, coalesce(j.failure_code, 'internal') AS code
      FROM items i JOIN jobs j ON j.account_id = ${account} AND j.item = i.seq
      WHERE i.account_id = ${account} AND i.deleted_at IS NULL AND i.state = 'failed'
      ORDER BY i.created_at DESC, i.seq DESC`),
  ];
}
