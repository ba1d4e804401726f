import type { Clock, ClockReading } from '../../domain/clock.ts';
import { noSuchAccount } from '../../errors.ts';
import {
  maxAnalysisLeaseMs,
  maxJobLeaseMs,
  neverNoted,
  nextNote,
  type NotedTime,
  passedSince,
} from '../passed-time.ts';
import { later, type Pool, transaction, type Tx } from './database.ts';

/** A transaction that sees one account. */
export interface AccountTx {
  readonly sql: Tx;
  /** Every statement names it; row-level security is the second defence. */
  readonly account: string;
  readonly now: number;
  readonly clock: ClockReading;
}

/** A transaction that writes. Others that write to the same account wait until it ends. */
export interface AccountWrite extends AccountTx {
  /** Milliseconds that have certainly passed since the first write (`store/passed-time.ts`). */
  readonly passed: number;
}

/** Reads and writes of one account, each in one transaction. */
export class AccountAccess {
  readonly account: string;
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #admitted: string;
  readonly #onWork: () => void;

  /**
   * @param admitted the account whose rows row-level security lets through: another one only where that is tried out
   * @param onWork is called after work was written
   */
  constructor(pool: Pool, clock: Clock, account: string, admitted = account, onWork: () => void = () => undefined) {
    this.#pool = pool;
    this.#clock = clock;
    this.account = account;
    this.#admitted = admitted;
    this.#onWork = onWork;
  }

  /** Sees one state of the account, however many statements it runs. */
  read<T>(work: (db: AccountTx) => Promise<T>): Promise<T> {
    return this.#run('isolation level repeatable read read only', work);
  }

  /** A statement that needs no order among the writes of the account: it changes single rows by compare-and-swap. */
  change<T>(work: (db: AccountTx) => Promise<T>): Promise<T> {
    return this.#run('', work);
  }

  /** @throws {AppError} `not_found` when the account was removed or is hidden */
  write<T>(work: (db: AccountWrite) => Promise<T>): Promise<T> {
    return this.#run('', async (db) => {
      const library = await lockLibrary(db);
      const passed = await noteTime(db, library);
      return work({ ...db, passed });
    });
  }

  /** A write that leaves work for a worker: it is announced in the same transaction. */
  async writeWork<T>(work: (db: AccountWrite) => Promise<T>): Promise<T> {
    const written = await this.write(async (db) => {
      const result = await work(db);
      announce(db);
      return result;
    });
    this.#onWork();
    return written;
  }

  #run<T>(mode: string, work: (db: AccountTx) => Promise<T>): Promise<T> {
    const { account } = this;
    const begun = (sql: Tx) => work({ sql, account, now: this.#clock.now(), clock: this.#clock });
    return transaction(this.#pool, mode, begun, this.#admitted);
  }
}

async function readLibrary({ sql, account }: AccountTx): Promise<NotedTime | undefined> {
  const [row] = await sql<NotedTime[]>`
    SELECT noted_at, noted_uptime, passed_ms FROM libraries
    WHERE account_id = ${account} AND NOT closed FOR NO KEY UPDATE`;
  return row;
}

/** The first write of an account makes its row. */
async function lockLibrary(db: AccountTx): Promise<NotedTime> {
  const { sql, account } = db;
  const known = await readLibrary(db);
  if (known !== undefined) return known;
  await sql`
    INSERT INTO libraries (account_id) SELECT id FROM accounts WHERE id = ${account} AND removed_at IS NULL
    ON CONFLICT DO NOTHING`;
  const made = await readLibrary(db);
  if (made === undefined) throw noSuchAccount();
  return made;
}

/** Notes the time, at most once a minute. @returns how much has passed */
async function noteTime({ sql, account, clock, now }: AccountTx, library: NotedTime): Promise<number> {
  const note = nextNote(library, clock);
  if (note === null) return passedSince(library, clock);
  await sql`
    UPDATE libraries SET noted_at = ${note.notedAt}, noted_uptime = ${note.notedUptime}, passed_ms = ${note.passedMs}
    WHERE account_id = ${account}`;
  if (note.wasSetBack) await pullInDueTimes({ sql, account, clock, now });
  return note.passedMs;
}

/**
 * Moves due times to an earlier time after the clock was set back. Waiting jobs become due now, some earlier than
 * planned. A claimed job stays with its holder as long as the holder renews the lease.
 */
async function pullInDueTimes({ sql, account, now }: AccountTx): Promise<void> {
  for (const [table, maxLeaseMs] of [
    ['jobs', maxJobLeaseMs],
    ['llm_analyses', maxAnalysisLeaseMs],
  ] as const) {
    const leaseEnd = now + maxLeaseMs;
    await sql`
      UPDATE ${sql(table)} SET due_at = ${now}
      WHERE account_id = ${account} AND state = 'waiting' AND due_at > ${now}`;
    await sql`
      UPDATE ${sql(table)} SET due_at = ${leaseEnd}
      WHERE account_id = ${account} AND state = 'claimed' AND due_at > ${leaseEnd}`;
  }
}

export async function readNotedTime({ sql, account }: AccountTx): Promise<NotedTime> {
  const [row] = await sql<NotedTime[]>`
    SELECT noted_at, noted_uptime, passed_ms FROM libraries WHERE account_id = ${account}`;
  return row ?? neverNoted;
}

/** Of a transaction that only reads. */
export async function passedTime(db: AccountTx): Promise<number> {
  return passedSince(await readNotedTime(db), db.clock);
}

/**
 * Tells workers that the account has work. It commits together with the work, so nothing has to be settled as between
 * SQLite's two files.
 */
export function announce({ sql, account }: AccountTx): void {
  later(sql`
    INSERT INTO waiting_work AS w (account_id, generation, waiting) VALUES (${account}, 1, true)
    ON CONFLICT (account_id) DO UPDATE SET generation = w.generation + 1, waiting = true`);
}
