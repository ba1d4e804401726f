import type { Clock } from '../../domain/clock.ts';
import { type Account, localAccountId } from '../../domain/records/account.ts';
import { type Control, controlRecords, forgetAccess, hideAccount, showAccount } from '../control/control.ts';
import { type Pool, statement, transaction, type Tx } from './database.ts';
import { noteRemoval } from './blobs/kept-bytes.ts';
import { runSteps } from './postgres-db.ts';
import type { ControlAccess, ControlDb } from '../control/control-db.ts';
import { sql, type Steps, text } from '../library/db.ts';

async function admit(tx: Tx, id: string): Promise<void> {
  await tx`SELECT set_config('app.account', ${id}, true)`;
}

/**
 * Refuses writes from now on. It waits for a write that is under way, whose row it needs; so it comes before the row of
 * the account is taken, as in every write.
 */
async function closeLibrary(tx: Tx, id: string): Promise<void> {
  await admit(tx, id);
  await tx`
    INSERT INTO libraries (account_id, closed) SELECT id, true FROM accounts WHERE id = ${id}
    ON CONFLICT (account_id) DO UPDATE SET closed = true`;
}

export class PostgresAccounts {
  readonly #pool: Pool;
  readonly #clock: Clock;

  constructor(pool: Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  /** Creates the first account of a new database, which stdio and the command line use. */
  async ensureFirst(): Promise<void> {
    await this.#pool`
      INSERT INTO accounts (id, name, plan, created_at)
      SELECT ${localAccountId}, 'Local', 'pro', ${this.#clock.now()} WHERE NOT EXISTS (SELECT 1 FROM accounts)
      ON CONFLICT DO NOTHING`;
  }

  async setAside(id: string): Promise<void> {
    await transaction(this.#pool, '', async (tx) => {
      await closeLibrary(tx, id);
      await runSteps({ sql: tx }, hideAccount(controlDb(this.#clock), id));
    });
  }

  async bringBack(id: string): Promise<Account | null> {
    return transaction(this.#pool, '', async (tx) => {
      const account = await runSteps({ sql: tx }, showAccount(controlDb(this.#clock), id));
      if (account === null) return null;
      await admit(tx, id);
      await tx`UPDATE libraries SET closed = false WHERE account_id = ${id}`;
      return account;
    });
  }

  /**
   * Removes an account permanently: first revokes all access and prevents writes, then deletes its rows. `finishRemovals` completes
   * the work of a killed process. The row of the account stays, without a name, so that its id is never reused.
   */
  async remove(id: string): Promise<void> {
    await transaction(this.#pool, '', async (tx) => {
      await closeLibrary(tx, id);
      await tx`
        UPDATE accounts SET removed_at = coalesce(removed_at, ${this.#clock.now()}), removed_passed = NULL, name = '',
          rows_due = true
        WHERE id = ${id}`;
      await runSteps({ sql: tx }, forgetAccess(id));
      await noteRemoval(tx, id, this.#clock.now());
    });
    await this.#removeRows(id);
  }

  /** Those of the accounts that are there, hidden or not. */
  async whichOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#pool<{ id: string }[]>`
      SELECT id FROM accounts WHERE id = ANY(${[...ids]}::text[])
        AND (removed_at IS NULL OR removed_passed IS NOT NULL)`;
    return new Set(rows.map(({ id }) => id));
  }

  async finishRemovals(): Promise<void> {
    for (const { id } of await this.#pool<{ id: string }[]>`SELECT id FROM accounts WHERE rows_due`)
      await this.#removeRows(id);
  }

  async #removeRows(id: string): Promise<void> {
    for (const table of libraryTables)
      await transaction(this.#pool, '', async (tx) => {
        await admit(tx, id);
        await tx`DELETE FROM ${tx(table)} WHERE account_id = ${id}`;
      });
    await this.#pool`UPDATE accounts SET rows_due = false WHERE id = ${id}`;
  }
}

/** The tables that have rows of an account, in the order in which these can be deleted. */
export const libraryTables: readonly string[] = (
  'restored_changes history_originals history_changes history past_queries vectors requests_answered ' +
  'highlights llm_analyses action_words actions insights goals passages fingerprint_bands fingerprints ' +
  'addresses originals jobs page_checks source_entries sources item_tags list_items lists tag_proposals ' +
  'items documents ' +
  // Deleting the others notes changes.
  'index_changes libraries blobs dead_objects'
).split(' ');

const controlDb = (clock: Clock): ControlDb => ({
  now: clock.now(),
  clock,
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
