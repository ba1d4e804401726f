import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import { unavailable } from '../../errors.ts';
import { type Pool, statement, transaction } from './database.ts';
import type { Clock } from '../../domain/clock.ts';

export interface DatabaseFacts {
  /** Of the server, such as 18.4. */
  version: string;
  database: string;
  role: string;
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
  throw unavailable('The database accepts no writes at the moment: it is a copy of another one.');
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
      // After one refusal, a node does not ask again.
      ...(points > 0 && { inMemoryBlockOnConsumed: points + 1 }),
      insuranceLimiter: new RateLimiterMemory({ keyPrefix: name, points, duration }),
    });
}

const channel = 'commonplace_work';

/**
 * At most one notice in this time from each node, whatever it saves: while transactions with notices commit, the
 * server lets no other one commit. For the same reason notices are not part of the writes. One that is lost is made up for by polling.
 */
const betweenNoticesMs = 250;
/** Before a lost connection is made again. */
const betweenAttemptsMs = 1_000;

/** Tells other nodes that there is work, and hears it from them. */
export class WorkNotices {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #ending = new AbortController();
  #isDue = false;
  #telling: Promise<void> | null = null;
  #listening: Promise<void> | null = null;

  constructor(pool: Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  tell(): void {
    this.#isDue = true;
    this.#telling ??= this.#tellWhileDue();
  }

  async #tellWhileDue(): Promise<void> {
    while (this.#isDue && !this.#ending.signal.aborted) {
      this.#isDue = false;
      await this.#pool.unsafe(`NOTIFY ${channel}`).catch(() => undefined);
      await this.#pause(betweenNoticesMs);
    }
    this.#telling = null;
  }

  /** Calls `wake` for each notice, and when some may have been missed. */
  listen(wake: () => void): void {
    this.#listening ??= this.#listenUntilEnded(wake);
  }

  async #listenUntilEnded(wake: () => void): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const isPossible = await this.#pool.listen(channel, wake, signal).catch(() => true);
      if (!isPossible) return;
      await this.#pause(betweenAttemptsMs);
    }
  }

  async #pause(ms: number): Promise<void> {
    await this.#clock.sleep(ms, this.#ending.signal).catch(() => undefined);
  }

  async end(): Promise<void> {
    this.#ending.abort();
    await Promise.all([this.#telling, this.#listening]);
  }
}
