import type { ClockReading } from '../../domain/clock.ts';
import type { Tx } from './database.ts';

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
