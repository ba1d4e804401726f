import type { ClockReading } from '../../domain/clock.ts';
import { noSuchAccount } from '../../errors.ts';
import { first, type Sql, type Steps } from '../library/db.ts';

/*
 * The records of accounts are written once for both engines, like libraries (`library/db.ts`): SQLite has them in
 * `control.db`, PostgreSQL among the tables of the one database.
 */

/** Differences between the engines in statements on control's tables. */
export interface ControlDb {
  readonly now: number;
  readonly clock: ClockReading;
  /** Behind `SELECT … FROM`: holds the rows until the transaction ends. Writes of SQLite happen one after the other. */
  readonly forUpdate: Sql;
  /** Suffix of `SELECT … FROM`: locks the rows until the transaction ends. */
  readonly forShare: Sql;
  /** Like `forUpdate`, without rows that another transaction holds. */
  readonly forUpdateOfFree: Sql;
  /** The column that grows from row to row of the table `alias`. */
  madeOrder(alias: string): Sql;
  /** Behind a table, in a statement of SQLite that would read more with another index. */
  byIndex(name: string): Sql;
}

export interface ControlAccess {
  /** Reads. Each statement sees the current state. */
  read<T>(work: (db: ControlDb) => Steps<T>): Promise<T>;
  /** Reads that all see the same state. */
  readTogether<T>(work: (db: ControlDb) => Steps<T>): Promise<T>;
  /** A write of one statement, whose answer is awaited. */
  change<T>(work: (db: ControlDb) => Steps<T>): Promise<T>;
  /** A write of several statements. */
  write<T>(work: (db: ControlDb) => Steps<T>): Promise<T>;
}

/** Holds the account's row until the transaction ends: others that do this wait. @throws {AppError} `not_found` */
export function* holdAccount(db: ControlDb, id: string): Steps<void> {
  const found = yield* first`
    SELECT 1 AS found FROM accounts WHERE id = ${id} AND removed_at IS NULL ${db.forUpdate}`;
  if (found === undefined) throw noSuchAccount();
}
