import type { Clock } from '../../domain/clock.ts';
import type { Change } from '../../domain/records/change.ts';
import { noSuchAccount } from '../../errors.ts';
import type { HistoryLimits } from '../history.ts';
import { type ChangeRecord, recordOf, rowBytes, type Undoing, undoneMeanwhile } from '../history/recording.ts';
import type { NotedTime } from '../passed-time.ts';
import { noteTime } from '../library/db.ts';
import { postgresDb, runSteps } from './postgres-db.ts';
import { type AccountTx, type AccountWrite, json, later, type Pool, transaction, type Tx } from './database.ts';
import type { ObjectStore } from './blobs/object-store.ts';

export type { AccountTx, AccountWrite } from './database.ts';

export interface AccountParts {
  pool: Pool;
  clock: Clock;
  /** Null: no history is kept. */
  historyLimits: HistoryLimits | null;
  /** Where large originals go. Null: they stay in the database. */
  objects: ObjectStore | null;
  onWork?: () => void;
}

interface WriteOptions {
  change?: Change | undefined;
  undoing?: Undoing;
  /** The account whose rows row-level security lets through: another one only where that is tried out. */
  admitted?: string;
}

export class AccountAccess {
  readonly account: string;
  readonly #parts: AccountParts;
  readonly #writing: WriteOptions;
  /** Undefined when writes are not recorded. */
  readonly #change: Change | undefined;

  constructor(parts: AccountParts, account: string, writing: WriteOptions = {}) {
    this.#parts = parts;
    this.account = account;
    this.#writing = writing;
    this.#change = parts.historyLimits === null ? undefined : writing.change;
  }

  /** The same access, whose change undoes another one. */
  undoing(undoing: Undoing): AccountAccess {
    return new AccountAccess(this.#parts, this.account, { ...this.#writing, undoing });
  }

  get recordedChange(): Change | undefined {
    return this.#change;
  }

  get historyLimits(): HistoryLimits | null {
    return this.#parts.historyLimits;
  }

  get objects(): ObjectStore | null {
    return this.#parts.objects;
  }

  /** Sees one state of the account, however many statements it runs. */
  read<T>(work: (db: AccountTx) => Promise<T>): Promise<T> {
    return this.#run('isolation level repeatable read read only', work);
  }

  /** A statement that needs no order among the writes of the account: it changes single rows by compare-and-swap. */
  change<T>(work: (db: AccountTx) => Promise<T>): Promise<T> {
    return this.#run('', work);
  }

  /** A write of invisible data, which is not part of a change. @throws {AppError} like `write` */
  note<T>(work: (db: AccountTx) => Promise<T>): Promise<T> {
    return this.#run('', async (db) => {
      await lockLibrary(db);
      return work(db);
    });
  }

  /** @throws {AppError} `not_found` when the account was removed or is hidden */
  write<T>(work: (db: AccountWrite) => Promise<T>): Promise<T> {
    return this.#write(nothing, work);
  }

  async #write<A, T>(
    ask: (db: AccountTx) => Promise<A>,
    work: (db: AccountWrite, answer: A) => Promise<T>,
  ): Promise<T> {
    const change = this.#change;
    const record = change && recordOf(change, this.#writing.undoing);
    const { result, isRecorded } = await this.#run('', async (db) => {
      const [library, answer] = await lockAndAsk(db, ask);
      const write = { ...db, passed: await runSteps(db, noteTime(postgresDb(db), library)) };
      return record === undefined
        ? { result: await work(write, answer), isRecorded: false }
        : recorded(write, record, () => work(write, answer));
    });
    // After the commit.
    if (isRecorded && change !== undefined) change.isRecorded = true;
    return result;
  }

  /** A write that leaves work for a worker: it is announced in the same transaction. */
  writeWork<T>(work: (db: AccountWrite) => Promise<T>): Promise<T> {
    return this.askAndWriteWork(nothing, work);
  }

  /**
   * The same for a write that begins with a question: it is sent together with the lock, behind it, which saves a round
   * trip.
   * @param ask reads only, and may be called twice
   */
  async askAndWriteWork<A, T>(
    ask: (db: AccountTx) => Promise<A>,
    work: (db: AccountWrite, answer: A) => Promise<T>,
  ): Promise<T> {
    const written = await this.#write(ask, async (db, answer) => {
      const result = await work(db, answer);
      announce(db);
      return result;
    });
    this.#parts.onWork?.();
    return written;
  }

  #run<T>(mode: string, work: (db: AccountTx) => Promise<T>): Promise<T> {
    const { account } = this;
    const { pool, clock } = this.#parts;
    const begun = (sql: Tx) => work({ sql, account, now: clock.now(), clock });
    return transaction(pool, mode, begun, this.#writing.admitted ?? account);
  }
}

const nothing = (): Promise<undefined> => Promise.resolve(undefined);

/** Sent at once: what is asked next is answered as of when the lock was held. */
async function lockExisting({ sql, account }: AccountTx): Promise<NotedTime | undefined> {
  const locked = sql<NotedTime[]>`
    SELECT noted_at, noted_uptime, passed_ms FROM libraries
    WHERE account_id = ${account} AND NOT closed FOR NO KEY UPDATE`;
  const [row] = await locked.execute();
  return row;
}

async function lockAndAsk<A>(db: AccountTx, ask: (db: AccountTx) => Promise<A>): Promise<[NotedTime, A]> {
  const [known, answer] = await Promise.all([lockExisting(db), ask(db)]);
  // Without a row nothing was locked when the question was answered.
  return known === undefined ? [await makeLibrary(db), await ask(db)] : [known, answer];
}

async function lockLibrary(db: AccountTx): Promise<NotedTime> {
  return (await lockExisting(db)) ?? makeLibrary(db);
}

/** The first write of an account makes its row. */
async function makeLibrary(db: AccountTx): Promise<NotedTime> {
  const { sql, account } = db;
  await sql`
    INSERT INTO libraries (account_id) SELECT id FROM accounts WHERE id = ${account} AND removed_at IS NULL
    ON CONFLICT DO NOTHING`;
  const made = await lockExisting(db);
  if (made === undefined) throw noSuchAccount();
  return made;
}

/**
 * Tells workers that the account has work. It commits together with the work, so nothing has to be settled as between
 * SQLite's two files.
 */
function announce({ sql, account }: AccountTx): void {
  later(sql`
    INSERT INTO waiting_work AS w (account_id, generation, waiting) VALUES (${account}, 1, true)
    ON CONFLICT (account_id) DO UPDATE SET generation = w.generation + 1, waiting = true`);
}

/*
 * Triggers note what a transaction changes while `app.change` is set in it (`schema.sql`). It is a setting of the
 * transaction, as `app.account` is: behind a pooler, one of the session would be seen by the next client.
 */

export interface RecordedWrite<T> {
  result: T;
  isRecorded: boolean;
}

/**
 * Runs a part of a write transaction and records, as a part of `change`, what it changes of the records that people
 * write. So the write and its history are committed together or not at all.
 */
export async function recorded<T>(
  db: AccountWrite,
  change: ChangeRecord,
  work: () => Promise<T>,
): Promise<RecordedWrite<T>> {
  const entry = await openEntry(db, change);
  const result = await work();
  if (entry === null) return { result, isRecorded: false };
  return { result, isRecorded: await closeEntry(db, entry) };
}

interface OpenEntry {
  seq: number;
  undoneFrom: number | null;
  /** The last row that an earlier write of the same change has noted. */
  last: number;
}

/** Null when the entry is gone, and the rest of the change is not recorded. */
async function openEntry(db: AccountWrite, change: ChangeRecord): Promise<OpenEntry | null> {
  const { sql, account, now, passed } = db;
  const { id, face, by, operation, scopes, undoes, isContinued } = change;
  const [entry] = await sql<OpenEntry[]>`
    INSERT INTO history (account_id, id, at, passed, face, token, operation, scopes, undoes)
    SELECT ${account}, ${id}, ${now}, ${passed}, ${face}, ${by}, ${operation}, ${json(scopes)}, ${undoes ?? null}
    WHERE NOT ${isContinued} OR EXISTS (SELECT 1 FROM history WHERE account_id = ${account} AND id = ${id})
    ON CONFLICT (account_id, id) DO UPDATE SET passed = greatest(history.passed, excluded.passed)
    RETURNING seq, undone_from, set_config('app.change', history.seq::text, true), coalesce((
      SELECT max(c.id) FROM history_changes c WHERE c.account_id = ${account} AND c.entry = history.seq), 0) AS last`;
  if (entry === undefined && isContinued) return null;
  if (entry === undefined) throw new Error('an entry of the history that was just written has no key');
  if (entry.undoneFrom !== null) throw undoneMeanwhile();
  return entry;
}

/** Counts what was recorded. An entry without any change is removed. */
async function closeEntry({ sql, account }: AccountWrite, { seq, last }: OpenEntry): Promise<boolean> {
  const noted = sql`account_id = ${account} AND entry = ${seq} AND id > ${last}`;
  later(sql`
    WITH unchanged AS (
      DELETE FROM history_changes WHERE ${noted} AND before::text IS NOT DISTINCT FROM after::text
      RETURNING kind, key, part)
    DELETE FROM history_originals o USING unchanged u
    WHERE o.account_id = ${account} AND o.entry = ${seq} AND u.kind = 'original' AND o.item = u.key
      AND u.part = CASE WHEN o.name = '' THEN '' ELSE encode(o.name_hash, 'hex') END`);
  const [counted] = await sql<{ rows: number; bytes: number }[]>`
    SELECT count(*) AS rows, count(*) * ${rowBytes}::bigint + coalesce(sum(
        coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0)
        + coalesce((SELECT coalesce(octet_length(o.bytes), o.blob_size) FROM history_originals o WHERE o.account_id = ${account}
            AND c.kind = 'original' AND o.entry = ${seq} AND o.item = c.key
            AND c.part = CASE WHEN o.name = '' THEN '' ELSE encode(o.name_hash, 'hex') END), 0)), 0)::bigint AS bytes,
      set_config('app.change', '', true)
    FROM history_changes c WHERE ${noted}`;
  const { rows = 0, bytes = 0 } = counted ?? {};
  if (rows === 0) {
    const removed =
      await sql`DELETE FROM history WHERE account_id = ${account} AND seq = ${seq} AND rows = 0 RETURNING seq`;
    return removed.length === 0;
  }
  later(sql`
    WITH entry AS (
      UPDATE history SET rows = rows + ${rows}, bytes = bytes + ${bytes} WHERE account_id = ${account} AND seq = ${seq})
    UPDATE libraries SET history_bytes = history_bytes + ${bytes} WHERE account_id = ${account}`);
  return true;
}
