import { createHash } from 'node:crypto';
import { type ClientBase, escapeLiteral, type PoolClient, type QueryArrayResult, types } from 'pg';
import { decodeText, type Rows, type Tag, tagFor } from './tag.ts';

/* Statements on one connection. */

/** How long making a connection, or waiting for a free one, may take. */
export const maxConnectMs = 15_000;

export const connectionOptions = (connectionString: string) => ({
  connectionString,
  application_name: 'commonplace',
  connectionTimeoutMillis: maxConnectMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 30_000,
});

/** The connection, or the server with it, went away. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
  readonly code = 'CONNECTION_LOST';
}

/** The driver reports a lost connection, and one that was not made in time, by errors that have no code. */
export function described(error: unknown): unknown {
  const isBare = error instanceof Error && error.constructor === Error && !('code' in error);
  return isBare ? new ConnectionLostError(error.message, { cause: error }) : error;
}

/** The server keeps prepared statements in its memory, for each connection. Lists of filters make ever new ones. */
const maxPrepared = 500;
/** By connection: names of prepared statements by their text. */
const preparedNames = new WeakMap<object, Map<string, string>>();

/** The same name on every connection and node: a pooler that knows prepared statements shares them. */
function nameOf(client: object, text: string): string | undefined {
  const names = preparedNames.get(client) ?? new Map<string, string>();
  preparedNames.set(client, names);
  const known = names.get(text);
  if (known !== undefined || names.size >= maxPrepared) return known;
  const name = `s${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}

/** Whether a pooler is in between: the server's process id from the greeting then differs from that of the answering process. */
export async function isPooled(client: ClientBase): Promise<boolean> {
  const { processID } = client as ClientBase & { processID: number | null };
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid !== processID;
}

/**
 * Behind a pooler, statements are not prepared: in its transaction mode the next transaction may run in another session,
 * and not every pooler prepares them there.
 */
const unprepared = new WeakSet<object>();

export async function notePooler(client: ClientBase): Promise<void> {
  if (await isPooled(client)) unprepared.add(client);
}

/** Sends it at once, behind what was sent before. */
export async function send(client: PoolClient, text: string, values: readonly unknown[]): Promise<Rows> {
  const name = values.length === 0 || unprepared.has(client) ? undefined : nameOf(client, text);
  // Statements of one turn share one packet.
  const { stream } = client.connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
  const statement = { text, values: [...values], types: columnTypes, rowMode: 'array' as const };
  try {
    return toRows(await client.query<unknown[]>(name === undefined ? statement : { ...statement, name }));
  } catch (error) {
    throw described(error);
  }
}

/* Results: values by the types of their columns, and columns under their TypeScript names. */

const textList = 1009;
const int8List = 1016;
const listOf = types.getTypeParser(textList as never, 'text') as unknown as (list: string) => (string | null)[];

const parsers = new Map<number, (value: string) => unknown>([
  [types.builtins.TEXT, decodeText],
  // Times, sizes and counts are whole numbers below 2^53.
  [types.builtins.INT8, Number],
  [textList, (list) => listOf(list).map((text) => (text === null ? null : decodeText(text)))],
  [int8List, (list) => listOf(list).map((number) => (number === null ? null : Number(number)))],
]);

const columnTypes = {
  getTypeParser: ((oid: number) => parsers.get(oid) ?? types.getTypeParser(oid, 'text')) as typeof types.getTypeParser,
};

const columns = new Map<string, string>();

/** `snake_case` in SQL, `camelCase` in rows. */
function nameInRows(column: string): string {
  const known = columns.get(column);
  if (known !== undefined) return known;
  const [first = '', ...rest] = column.split('_');
  const name = first + rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
  columns.set(column, name);
  return name;
}

/** The answer to several statements in one text is that to the last one. */
function toRows(answers: QueryArrayResult<unknown[]> | QueryArrayResult<unknown[]>[]): Rows {
  const answer = Array.isArray(answers) ? answers.at(-1) : answers;
  const names = (answer?.fields ?? []).map(({ name }) => nameInRows(name));
  const rows = (answer?.rows ?? []).map((values) =>
    Object.fromEntries(names.map((name, column) => [name, values[column]])),
  );
  // Not enumerable: rows are compared with plain lists.
  return Object.defineProperty(rows, 'count', { value: answer?.rowCount ?? 0 }) as unknown as Rows;
}

export type Tx = Tag;

export interface TransactionOptions {
  /** The text after `BEGIN`. */
  mode: string;
  /** The account whose rows row-level security allows; without it, none. */
  admitted: string | undefined;
  /** Of a statement, and of waiting for the next one. 0: no limit. */
  maxStatementMs: number;
  time: DatabaseTime;
}

/** Runs one transaction on an exclusive connection. Afterwards the connection is free, or discarded. */
export async function runTransaction<T>(
  client: PoolClient,
  options: TransactionOptions,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const transaction = new Transaction(client);
  try {
    const begun = transaction.begin(options);
    begun.catch(() => undefined);
    /*
     * If `BEGIN` failed and the next statement did not, that would run alone. With row-level security and no account it changes
     * nothing, because the account is named together with `BEGIN`. So only there the answer is not awaited.
     */
    if (options.admitted === undefined) await begun;
    const result = await work(tagFor((text, values) => transaction.send(text, values)));
    await transaction.commit();
    return result;
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

/** One message. Settings for the transaction only: behind a pooler, session settings are shared. */
function opening({ mode, admitted, maxStatementMs }: TransactionOptions): string {
  const settings: [name: string, value: string][] = [
    ['statement_timeout', String(maxStatementMs)],
    // Locks of a node that stopped in the middle are released after this time.
    ['idle_in_transaction_session_timeout', String(maxStatementMs)],
  ];
  if (admitted !== undefined) settings.push(['app.account', admitted]);
  const made = settings.map(([name, value]) => `set_config('${name}', ${escapeLiteral(value)}, true)`);
  return `BEGIN ${mode}; SELECT ${made.join(', ')}, extract(epoch FROM clock_timestamp())::float8 * 1000 AS now`;
}

class Transaction {
  readonly #client: PoolClient;
  #failure: { error: unknown } | null = null;
  #hasEnded = false;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  async begin(options: TransactionOptions): Promise<void> {
    const sentAt = options.time.elapsed();
    const [row] = await this.send(opening(options), []);
    options.time.note(Number(row?.['now']), sentAt);
  }

  send(text: string, values: readonly unknown[]): Promise<Rows> {
    const answer = this.#send(text, values);
    // A statement sent together with others may have no awaiting caller: `commit` reports its failure.
    answer.catch(() => undefined);
    return answer;
  }

  async #send(text: string, values: readonly unknown[]): Promise<Rows> {
    if (this.#hasEnded) throw new Error('a statement came after the end of its transaction');
    try {
      this.#requireUnfailed();
      return await send(this.#client, text, values);
    } catch (error) {
      // The server says of all that follow only that one before them failed.
      this.#failure ??= { error };
      throw this.#failure.error;
    }
  }

  #requireUnfailed(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  async commit(): Promise<void> {
    this.#requireUnfailed();
    this.#hasEnded = true;
    const { command } = await this.#client.query('COMMIT').catch((error: unknown) => {
      throw described(error);
    });
    // By now all statements before it have been answered.
    this.#requireUnfailed();
    if (command !== 'COMMIT') throw new Error(`the server answered a commit with ${command}`);
  }

  async rollback(): Promise<void> {
    this.#hasEnded = true;
    // A connection that does not even do this is closed by the pool.
    await this.#client.query('ROLLBACK').catch(() => undefined);
  }
}

/**
 * The time of day of the database, without asking for it: each transaction brings it along. Leases and due times that
 * one node writes are compared by others, whose own clocks may differ.
 */
export class DatabaseTime {
  /** Monotonic milliseconds of this process. */
  readonly elapsed: () => number;
  /** Values to be added to them. */
  #offset: number | null = null;

  constructor(elapsed: () => number = () => performance.now()) {
    this.elapsed = elapsed;
  }

  /** @param sentAt when the database was asked, in monotonic milliseconds */
  note(databaseNow: number, sentAt: number): void {
    const earliest = databaseNow - this.elapsed();
    const latest = databaseNow - sentAt;
    // Its clock was read between the two. While the known offset is possible, time goes on evenly.
    this.#offset = this.#offset === null ? (earliest + latest) / 2 : Math.min(latest, Math.max(earliest, this.#offset));
  }

  now(): number {
    if (this.#offset === null) throw new Error('there was no transaction yet that brought the time');
    return Math.round(this.#offset + this.elapsed());
  }
}
