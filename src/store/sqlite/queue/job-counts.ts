import type { JobCounts } from '../../records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/* Unfinished jobs are counted from an index alone. Table rows are read only for claimed and failed jobs. */

const failedItems = `FROM items c JOIN jobs j ON j.item = c.seq WHERE c.deleted_at IS NULL AND c.state = 'failed'`;

export function countJobs(file: SqliteFile, now: number): JobCounts {
  return file.read(() => {
    const unfinished = file.all<{ background: 0 | 1; count: number; dueAt: number }>(
      `SELECT background, count(*) AS count, min(due_at) AS dueAt FROM jobs WHERE due_at IS NOT NULL GROUP BY background`,
    );
    const ofPeople = unfinished.find(({ background }) => background === 0);
    const running =
      file.get<{ count: number }>(
        `SELECT count(*) AS count FROM jobs WHERE background = 0 AND due_at IS NOT NULL AND due_at > ? AND state = 'claimed'`,
        now,
      )?.count ?? 0;
    return {
      waiting: (ofPeople?.count ?? 0) - running,
      running,
      background: unfinished.find(({ background }) => background === 1)?.count ?? 0,
      oldestDueAt: ofPeople === undefined || ofPeople.dueAt > now ? null : ofPeople.dueAt,
      failed: Object.fromEntries(
        file
          .all<{ code: string; items: number }>(
            `SELECT coalesce(j.failure_code, 'internal') AS code, count(*) AS items ${failedItems}
             GROUP BY 1 ORDER BY items DESC, code`,
          )
          .map(({ code, items }) => [code, items]),
      ),
    };
  });
}

export function listFailed(file: SqliteFile): { id: string; code: string }[] {
  return file.all(
    `SELECT c.id, coalesce(j.failure_code, 'internal') AS code ${failedItems} ORDER BY c.created_at DESC, c.seq DESC`,
  );
}
