import type { Reprocessing, ReprocessStage } from '../../records.ts';
import type { AccountTx } from '../account-access.ts';
import { forgetVectors } from '../searching/vectors.ts';

/** The stages after each stage: a job that is in one of them has passed the requested stage. */
const laterStages: Readonly<Record<ReprocessStage, readonly string[]>> = {
  extract: ['split', 'embed', 'analyse'],
  split: ['embed', 'analyse'],
  embed: ['analyse'],
  analyse: [],
};

/** SQL condition that an item `i` must meet for its job to start at a stage. */
function hasWhatItNeeds({ sql, account }: AccountTx, from: ReprocessStage) {
  if (from === 'extract')
    return sql`EXISTS (SELECT 1 FROM originals o WHERE o.account_id = ${account} AND o.item = i.seq AND o.name = '')`;
  if (from === 'embed')
    return sql`EXISTS (SELECT 1 FROM passages p WHERE p.account_id = ${account} AND p.item = i.seq)`;
  return sql`EXISTS (SELECT 1 FROM documents d WHERE d.account_id = ${account} AND d.item = i.seq)`;
}

/** Restarts jobs at a stage, in the background. Jobs that have not reached that stage yet are left as they are. */
export async function reprocess(
  db: AccountTx,
  from: ReprocessStage,
  contentId: string | undefined,
): Promise<Reprocessing> {
  const { sql, account, now } = db;
  const asked = sql`i.account_id = ${account} AND i.deleted_at IS NULL
    ${contentId === undefined ? sql`` : sql`AND i.id = ${contentId}`}`;
  const able = hasWhatItNeeds(db, from);
  const [lacking] = await sql<{ count: number }[]>`SELECT count(*) FROM items i WHERE ${asked} AND NOT ${able}`;
  const queued = await sql<{ item: number }[]>`
    UPDATE jobs SET state = 'waiting', stage = ${from}, attempts = 0, due_at = ${now}, lease_token = NULL,
      background = true, failure_code = NULL, failure_message = NULL, failure_retryable = NULL
    WHERE account_id = ${account} AND item IN (SELECT i.seq FROM items i WHERE ${asked} AND ${able})
      AND (state IN ('done', 'failed') OR stage = ANY(${[...laterStages[from]]}::text[]))
    RETURNING item`;
  if (from === 'embed')
    await forgetVectors(
      db,
      queued.map(({ item }) => item),
    );
  await sql`
    UPDATE items SET state = 'unfinished', updated_at = greatest(updated_at + 1, ${now})
    WHERE account_id = ${account} AND seq = ANY(${queued.map(({ item }) => item)}::bigint[])`;
  return { queued: queued.length, lacking: lacking?.count ?? 0 };
}
