import { newId } from '../../../domain/records/ids.ts';
import { type Work, works } from '../../../domain/records/stages.ts';
import { type Db, first, later, type Steps, text, touchItem } from '../../library/db.ts';
import type { Claim, JobsToClaim } from '../../records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/** `workOf` in SQL, word for word as the indexes have it (`schema.sql`). */
const work = `(CASE stage WHEN 'fetch' THEN 'fetch' WHEN 'extract' THEN 'read' WHEN 'split' THEN 'read' ELSE 'enrich' END)`;
export const workOfJob = text(work);

/** See `Db`. */
export function* claimDue(file: SqliteFile, db: Db, leaseMs: number, which: JobsToClaim): Steps<Claim | undefined> {
  const item = findDueJob(file, which, db.now);
  if (item === undefined) return undefined;
  yield* later`
    UPDATE jobs SET state = 'claimed', attempts = attempts + 1, lease_token = ${newId('j')}, due_at = ${db.now + leaseMs}
    WHERE item = ${item}`;
  yield* touchItem(db, item);
  return yield* first<Claim>`
    SELECT j.id AS job_id, i.id AS content_id, i.url, j.stage, j.attempts, j.lease_token, j.due_at AS lease_expires_at,
      j.host, j.refresh AS is_refresh
    FROM jobs j JOIN items i ON i.seq = j.item WHERE j.item = ${item}`;
}

/**
 * How many of an account's due jobs are searched for one whose host is not busy. It bounds the cost of a claim when
 * tens of thousands of jobs wait for one host. Later jobs are reached as earlier ones are done, and the newest ones at
 * every second claim.
 */
const maxExamined = 1_000;

/** The job of this kind that has been due longest, or that of the newest item. Both orders use a covering index. */
function findDueJobOf(
  file: SqliteFile,
  background: 0 | 1,
  kind: Work,
  { busyHosts = [], newestFirst = false }: JobsToClaim,
  now: number,
): DueJob | undefined {
  return file.get<DueJob>(
    `SELECT item, dueAt FROM
       (SELECT item, due_at AS dueAt, host FROM jobs
        WHERE background = ? AND ${work} = ? AND due_at IS NOT NULL AND ${newestFirst ? '+' : ''}due_at <= ?
        ORDER BY ${newestFirst ? 'item DESC' : 'due_at, item'} LIMIT ${maxExamined})
     WHERE host IS NULL OR host NOT IN (SELECT value FROM json_each(?)) LIMIT 1`,
    background,
    kind,
    now,
    JSON.stringify(busyHosts),
  );
}

/** The item whose job is claimed next. Background jobs come only when no other job is due. */
function findDueJob(file: SqliteFile, which: JobsToClaim, now: number): number | undefined {
  const kinds = which.work === undefined ? works : [which.work];
  for (const background of [0, 1] as const) {
    const due = kinds.flatMap((kind) => findDueJobOf(file, background, kind, which, now) ?? []);
    const byTurn = which.newestFirst === true ? laterContent : earlierDue;
    const [first] = due.toSorted(byTurn);
    if (first !== undefined) return first.item;
  }
  return undefined;
}

interface DueJob {
  item: number;
  dueAt: number;
}

const laterContent = (a: DueJob, b: DueJob): number => b.item - a.item;
const earlierDue = (a: DueJob, b: DueJob): number => a.dueAt - b.dueAt || a.item - b.item;

export function hasDueJob(file: SqliteFile, now: number, which: JobsToClaim = {}): boolean {
  return findDueJob(file, which, now) !== undefined;
}
