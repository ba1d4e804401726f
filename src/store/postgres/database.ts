import type { Pool } from './driver/connection-pool.ts';
import type { Statement } from './driver/tag.ts';
import type { Tx } from './driver/transaction.ts';
import { explained, mayBeRepeated } from './errors.ts';
import type { ClockReading } from '../../domain/clock.ts';

/* Connections to one database, and the transactions that the rest of this folder is made of. */

export { connect, type ConnectOptions, type Pool } from './driver/connection-pool.ts';
export { json } from './driver/tag.ts';
export type { Tx } from './driver/transaction.ts';

/**
 * Sends a statement of a transaction whose answer nobody needs, and does not wait for it: what is sent next comes after
 * it, and if it fails, the transaction fails with its error.
 */
export function later(statement: Statement<readonly object[]>): void {
  void statement.execute();
}

const maxAttempts = 5;

/**
 * Runs one transaction; again when another one was in its way.
 * @param admitted the account whose rows row-level security lets through
 * @throws {AppError} `unavailable` when the database is away
 */
export async function transaction<T>(
  pool: Pool,
  mode: string,
  work: (tx: Tx) => Promise<T>,
  admitted?: string,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await pool.begin(mode, work, admitted);
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
