import { createHash } from 'node:crypto';
import { foldedQuery, maxPastQueries } from '../../records/past-queries.ts';
import type { PastQuery } from '../../records/search-records.ts';
import type { AccountTx } from '../account-access.ts';

/** Queries may be longer than what an index holds: the key is a hash. */
export async function rememberQuery({ sql, account, now }: AccountTx, text: string): Promise<void> {
  const folded = foldedQuery(text);
  await sql`
    INSERT INTO past_queries AS q (account_id, folded_hash, folded, text, times, asked_at)
    VALUES (${account}, ${createHash('sha256').update(folded).digest()}, ${folded}, ${text}, 1, ${now})
    ON CONFLICT (account_id, folded_hash) DO UPDATE
      SET text = excluded.text, times = q.times + 1, asked_at = excluded.asked_at`;
  await sql`
    DELETE FROM past_queries WHERE account_id = ${account} AND folded_hash IN (
      SELECT folded_hash FROM past_queries WHERE account_id = ${account}
      ORDER BY asked_at DESC, folded COLLATE "C" OFFSET ${maxPastQueries})`;
}

export async function listPastQueries({ sql, account }: AccountTx): Promise<PastQuery[]> {
  const rows = await sql<PastQuery[]>`
    SELECT text, times, asked_at FROM past_queries WHERE account_id = ${account}
    ORDER BY asked_at DESC, folded COLLATE "C" LIMIT ${maxPastQueries}`;
  return [...rows];
}

export async function forgetQueries({ sql, account }: AccountTx): Promise<number> {
  const gone = await sql`DELETE FROM past_queries WHERE account_id = ${account}`;
  return gone.count;
}
