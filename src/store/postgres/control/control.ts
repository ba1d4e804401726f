import type { Clock } from '../../../domain/clock.ts';
import { type Control, controlRecords } from '../../control/control.ts';
import type { ControlAccess, ControlDb } from '../../control/control-db.ts';
import { sql, type Steps, text } from '../../library/db.ts';
import { type Pool, statement, transaction } from '../database.ts';
import { runSteps } from '../postgres-db.ts';

const controlDb = (clock: Clock): ControlDb => ({
  now: clock.now(),
  forUpdate: text('FOR NO KEY UPDATE'),
  forShare: text('FOR SHARE'),
  // Rows that another node is removing are left to it.
  forUpdateOfFree: text('FOR UPDATE SKIP LOCKED'),
  madeOrder: (alias) => text(`${alias}.seq`),
  byIndex: () => sql``,
});

/**
 * Accounts, tokens, sign-in, and which accounts have work waiting.
 * @param onWork is called after work was announced
 */
export function createPostgresControl(pool: Pool, clock: Clock, onWork: () => void): Control {
  const one = <T>(work: (db: ControlDb) => Steps<T>): Promise<T> =>
    statement(() => runSteps({ sql: pool, isAlone: true }, work(controlDb(clock))));
  const within =
    (mode: string) =>
    <T>(work: (db: ControlDb) => Steps<T>): Promise<T> =>
      transaction(pool, mode, (tx) => runSteps({ sql: tx }, work(controlDb(clock))));
  const access: ControlAccess = {
    read: one,
    readTogether: within('isolation level repeatable read read only'),
    change: one,
    write: within(''),
  };
  const records = controlRecords(access);
  return {
    ...records,
    async announceWork(accountId, above) {
      const generation = await records.announceWork(accountId, above);
      onWork();
      return generation;
    },
  };
}
