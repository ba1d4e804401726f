import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import { AppError } from '../../../errors.ts';
import { type Pool, statement, transaction } from '../database.ts';

/** What `doctor` says of the database. */
export interface DatabaseFacts {
  /** Of the server, such as 18.4. */
  version: string;
  database: string;
  role: string;
  /** The version of the schema. */
  schema: number;
  /** Time of one answer, in milliseconds: the middle one of several. */
  latencyMs: number;
  connections: number;
  maxConnections: number;
}

const timesAsked = 5;

/** @throws {AppError} `unavailable` when the database does not answer */
export async function readDatabaseFacts(pool: Pool): Promise<DatabaseFacts> {
  const [row] = await statement(
    () => pool<Omit<DatabaseFacts, 'latencyMs'>[]>`
      SELECT current_setting('server_version') AS version, current_database() AS database, current_user AS role,
        (SELECT version FROM schema_version) AS schema,
        (SELECT sum(numbackends)::integer FROM pg_stat_database) AS connections,
        current_setting('max_connections')::integer AS max_connections`,
  );
  if (row === undefined) throw new Error('a question without an answer');
  const times: number[] = [];
  for (let asked = 0; asked < timesAsked; asked += 1) {
    const before = performance.now();
    await statement(() => pool`SELECT 1 AS one`);
    times.push(performance.now() - before);
  }
  return { ...row, latencyMs: times.toSorted((a, b) => a - b)[Math.floor(timesAsked / 2)] ?? 0 };
}

/** @throws {AppError} `unavailable` when the database does not answer, or accepts no writes now */
export async function requireWritable(pool: Pool): Promise<void> {
  const [row] = await transaction(
    pool,
    '',
    (tx) => tx<{ isReadOnly: boolean }[]>`SELECT current_setting('transaction_read_only') = 'on' AS is_read_only`,
  );
  if (row?.isReadOnly === false) return;
  throw new AppError('unavailable', 'The database accepts no writes at the moment: it is a copy of another one.');
}

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
