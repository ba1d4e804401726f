import postgres from 'postgres';
import { explained, mayBeRepeated } from './errors.ts';
import { decodeText, encodeText } from './text-codec.ts';

/* Connections to one database, and the transactions that the rest of this folder is made of. */

/** Times, sizes and counts are whole numbers below 2^53. */
const numbers = { to: 20, from: [20], parse: Number, serialize: String };

const texts = { to: 25, from: [25], parse: decodeText, serialize: (value: unknown) => encodeText(String(value)) };

/** The statements of one transaction. */
export type Tx = postgres.TransactionSql<{ bigint: number }>;
export type Pool = postgres.Sql<{ bigint: number }>;

/**
 * A parameter for a column of the type `json`. (The driver's own `sql.json` sends `jsonb`, which changes the order of keys
 * and refuses some characters.)
 */
export function json(sql: Pool | Tx, value: unknown): postgres.Parameter<unknown> {
  return sql.typed(value as never, 114);
}

export interface ConnectOptions {
  url: string;
  /** Of this process; the database's `max_connections` are for all nodes together. */
  maxConnections?: number | undefined;
}

/** Names of columns are `snake_case` in SQL and `camelCase` in rows. */
export function connect({ url, maxConnections = 8 }: ConnectOptions): Pool {
  const host = socketFolder(url);
  return postgres(url, {
    ...(host !== null && { host }),
    max: maxConnections,
    connect_timeout: 10,
    types: { bigint: numbers, text: texts },
    transform: { column: { from: postgres.toCamel } },
    connection: { application_name: 'commonplace' },
    // Statements that create what is there already say so. Nobody reads it.
    onnotice: () => undefined,
  });
}

/** A percent-encoded path in place of a host is the folder of a socket, as in libpq. The driver does not decode it. */
function socketFolder(url: string): string | null {
  const { hostname } = new URL(url);
  return hostname.startsWith('%2F') ? decodeURIComponent(hostname) : null;
}

const maxAttempts = 5;

/** Runs one transaction; again when another one was in its way. @throws {AppError} `unavailable` when the database is away */
export async function transaction<T>(pool: Pool, mode: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await pool.begin(mode, work)) as T;
    } catch (error) {
      if (attempt < maxAttempts && mayBeRepeated(error)) continue;
      throw explained(error);
    }
  }
}

/** Runs statements that each are complete by themselves. @throws {AppError} `unavailable` when the database is away */
export async function statement<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explained(error);
  }
}
