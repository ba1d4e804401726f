import type { Pool } from './driver/connection-pool.ts';
import type { Statement } from './driver/tag.ts';
import type { Tx } from './driver/connection.ts';
import type { ClockReading } from '../../domain/clock.ts';
import { DatabaseError } from 'pg';
import { codeOf, unavailable } from '../../errors.ts';

/* Connections to one database, and the transactions that the rest of this folder is made of. */

export { connect, type ConnectOptions, type Pool } from './driver/connection-pool.ts';
export { json } from './driver/tag.ts';
export type { Tx } from './driver/connection.ts';

/**
 * Sends a statement of a transaction without waiting for its answer: later statements run after it, and if it fails, the
 * transaction fails with its error.
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

const unreachable = 'The database does not answer. Nothing that was acknowledged is lost. Try again in a moment.';
const readOnly =
  'The database accepts no writes at the moment. Nothing that was acknowledged is lost. Try again in a moment.';
const full = 'The database has no room left. Whoever runs this installation has to give it more.';
const overloaded = 'The database has too many connections or too little memory. Try again in a moment.';
const refused =
  'The database refused the role or the password of this connection. Whoever runs this installation has to correct `databaseUrl`.';
const unknown =
  'There is no database of this name on that server. Whoever runs this installation has to make it, or correct `databaseUrl`.';
const forbidden =
  'The role of the database connection may not use a table that it needs. Whoever runs this installation has to run `commonplace migrate`.';
const untrusted =
  'The certificate of the database cannot be trusted. Whoever runs this installation has to name its authority: sslrootcert in `databaseUrl`.';
const slow = 'The database took too long. Nothing that was acknowledged is lost. Try again in a moment.';

/** By the beginning of the SQLSTATE, or of the code of Node.js or of the driver. */
const explanations: readonly (readonly [code: string, message: string])[] = [
  ['08', unreachable],
  // The server shuts down, was restarted after a crash, or is starting.
  ['57P', unreachable],
  // The server ended a transaction that did nothing for too long.
  ['25P03', unreachable],
  ['CONNECTION_LOST', unreachable],
  ['ECONN', unreachable],
  ['ENOENT', unreachable],
  ['ENOTFOUND', unreachable],
  ['EAI_AGAIN', unreachable],
  ['EHOSTUNREACH', unreachable],
  ['ETIMEDOUT', unreachable],
  ['EPIPE', unreachable],
  ['28', refused],
  ['3D000', unknown],
  ['42501', forbidden],
  ['ERR_TLS', untrusted],
  ['SELF_SIGNED', untrusted],
  ['DEPTH_ZERO', untrusted],
  ['UNABLE_TO_', untrusted],
  ['CERT_', untrusted],
  // Cancelled: it took longer than statements may.
  ['57014', slow],
  ['25006', readOnly],
  ['53100', full],
  ['53', overloaded],
];

/** The constraint that a row names an object of `blobs`. */
const named = 'originals_blob';
const givenUp =
  'Saving took so long that the bytes of the original were given up meanwhile. Nothing was changed. Try again.';

/** Another transaction was in the way, and this one was rolled back: it may be run again. */
const inTheWay = new Set(['40001', '40P01']);

function mayBeRepeated(error: unknown): boolean {
  return error instanceof DatabaseError && inTheWay.has(codeOf(error));
}

/** Says in words that the database is away, full or not writable. Other errors are returned as they are. */
export function explained(error: unknown): unknown {
  if (error instanceof DatabaseError && error.constraint === named) return unavailable(givenUp, { cause: error });
  const code = codeOf(error);
  const known = code === '' ? undefined : explanations.find(([beginning]) => code.startsWith(beginning));
  return known === undefined ? error : unavailable(known[1], { cause: error });
}
