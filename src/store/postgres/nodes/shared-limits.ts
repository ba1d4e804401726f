import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Pool } from '../database.ts';

/**
 * Limits that count what all nodes are asked together. While the database does not answer, each node counts for itself.
 * @returns makes a limiter; see `http/incoming/limits.ts`
 */
export function sharedLimiters(pool: Pool) {
  const storeClient = {
    async query({ text, values }: { text: string; values: (string | number)[] }) {
      const rows = await pool.unsafe(text, values);
      return { rows, rowCount: rows.count };
    },
  };
  return ({ name, points, duration }: { name: string; points: number; duration: number }): RateLimiterAbstract =>
    new RateLimiterPostgres({
      storeClient,
      storeType: 'client',
      tableName: 'rate_counts',
      tableCreated: true,
      keyPrefix: name,
      points,
      duration,
      // A node that was told once that there is no room does not ask again.
      ...(points > 0 && { inMemoryBlockOnConsumed: points + 1 }),
      insuranceLimiter: new RateLimiterMemory({ keyPrefix: name, points, duration }),
    });
}
