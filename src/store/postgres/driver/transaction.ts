import { escapeLiteral, type PoolClient } from 'pg';
import { described, send } from './connection.ts';
import { type Rows, type Tag, tagFor } from './tag.ts';

/** The statements of one transaction. */
export type Tx = Tag;

export interface TransactionOptions {
  /** What follows `BEGIN`. */
  mode: string;
  /** The account whose rows row-level security lets through. Without it, those of none. */
  admitted: string | undefined;
  /** Of a statement, and of waiting for the next one. 0: no limit. */
  maxStatementMs: number;
  time: DatabaseTime;
}

/** Runs one transaction on a connection that nobody else uses. Afterwards the connection is free, or of no more use. */
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
     * If `BEGIN` failed and what was sent behind it did not, that would be done by itself. Where row-level security sees
     * no account it changes nothing, because the account is named together with `BEGIN`. So only there the answer is not waited for.
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

/** One message. Settings of the transaction alone: behind a pooler, those of a session are seen by others. */
function opening({ mode, admitted, maxStatementMs }: TransactionOptions): string {
  const settings: [name: string, value: string][] = [
    ['statement_timeout', String(maxStatementMs)],
    // What a node locked that stopped in the middle is free again after this time.
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
    // Nobody may be waiting for a statement of several that were sent together: `commit` tells of its failure.
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
  /** What has to be added to them. */
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
