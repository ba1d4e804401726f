import type { Reprocessing, ReprocessStage } from '../../records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/** SQL conditions that an item must meet for its job to start at a stage. */
const prerequisites: Readonly<Record<ReprocessStage, string>> = {
  extract: `EXISTS (SELECT 1 FROM originals o WHERE o.item = c.seq AND o.name = '')`,
  split: 'EXISTS (SELECT 1 FROM documents d WHERE d.item = c.seq)',
  embed: 'c.passage_count > 0',
  analyse: 'EXISTS (SELECT 1 FROM documents d WHERE d.item = c.seq)',
};

/** The stages after each stage: a job that is in one of them has passed the requested stage. */
const laterStages: Readonly<Record<ReprocessStage, readonly string[]>> = {
  extract: ['split', 'embed', 'analyse'],
  split: ['embed', 'analyse'],
  embed: ['analyse'],
  analyse: [],
};

/** Restarts jobs at a stage, in the background. Jobs that have not reached that stage yet are left as they are. */
export function reprocess(
  file: SqliteFile,
  from: ReprocessStage,
  contentId: string | undefined,
  now: number,
): Reprocessing {
  const asked = `c.deleted_at IS NULL AND (@contentId IS NULL OR c.id = @contentId)`;
  const parameters = { contentId: contentId ?? null };
  const lacking = file.get<{ count: number }>(
    `SELECT count(*) AS count FROM items c WHERE ${asked} AND NOT ${prerequisites[from]}`,
    parameters,
  );
  const queued = file.all<{ item: number }>(
    `UPDATE jobs SET state = 'waiting', stage = @from, attempts = 0, due_at = @now, lease_token = NULL, background = 1,
       failure_code = NULL, failure_message = NULL, failure_retryable = NULL
     WHERE item IN (SELECT c.seq FROM items c WHERE ${asked} AND ${prerequisites[from]})
       AND (state IN ('done', 'failed') OR stage IN (SELECT value FROM json_each(@later)))
     RETURNING item`,
    { ...parameters, from, now, later: JSON.stringify(laterStages[from]) },
  );
  const items = JSON.stringify(queued.map(({ item }) => item));
  if (from === 'embed') {
    file.run(
      `DELETE FROM vectors WHERE passage IN
         (SELECT p.id FROM json_each(?) item JOIN passages p ON p.item = item.value)`,
      items,
    );
  }
  file.run(
    `UPDATE items SET state = 'unfinished', updated_at = max(updated_at + 1, ?)
     WHERE seq IN (SELECT value FROM json_each(?))`,
    now,
    items,
  );
  return { queued: queued.length, lacking: lacking?.count ?? 0 };
}
