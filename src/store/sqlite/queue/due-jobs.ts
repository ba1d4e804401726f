import { type Work, works } from '../../../domain/records/stages.ts';
import type { JobsToClaim } from '../../records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/** `workOf` in SQL, word for word as the indexes have it (`schema.sql`). */
const workOfJob = `(CASE stage WHEN 'fetch' THEN 'fetch' WHEN 'extract' THEN 'read' WHEN 'split' THEN 'read' ELSE 'enrich' END)`;

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
  work: Work,
  { busyHosts = [], newestFirst = false }: JobsToClaim,
  now: number,
): DueJob | undefined {
  return file.get<DueJob>(
    `SELECT item, dueAt FROM
       (SELECT item, due_at AS dueAt, host FROM jobs
        WHERE background = ? AND ${workOfJob} = ? AND due_at IS NOT NULL AND ${newestFirst ? '+' : ''}due_at <= ?
        ORDER BY ${newestFirst ? 'item DESC' : 'due_at, item'} LIMIT ${maxExamined})
     WHERE host IS NULL OR host NOT IN (SELECT value FROM json_each(?)) LIMIT 1`,
    background,
    work,
    now,
    JSON.stringify(busyHosts),
  );
}

/** The item whose job is claimed next. Background jobs come only when no other job is due. */
export function findDueJob(file: SqliteFile, which: JobsToClaim, now: number): number | undefined {
  const kinds = which.work === undefined ? works : [which.work];
  for (const background of [0, 1] as const) {
    const due = kinds.flatMap((work) => findDueJobOf(file, background, work, which, now) ?? []);
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

export function nextJobDueAt(file: SqliteFile): number | null {
  // Reads the first entry of each part of the index; one `min` over all parts would read the whole index.
  const parts = works.flatMap((work) =>
    [0, 1].map(
      (background) =>
        `SELECT (SELECT min(due_at) FROM jobs
           WHERE due_at IS NOT NULL AND background = ${background} AND ${workOfJob} = '${work}') AS dueAt`,
    ),
  );
  const row = file.get<{ dueAt: number | null }>(`SELECT min(dueAt) AS dueAt FROM (${parts.join(' UNION ALL ')})`);
  return row?.dueAt ?? null;
}

export function nextLeaseEndsAt(file: SqliteFile): number | null {
  const row = file.get<{ endsAt: number | null }>(`SELECT min(due_at) AS endsAt FROM jobs WHERE state = 'claimed'`);
  return row?.endsAt ?? null;
}
