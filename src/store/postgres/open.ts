import type { Clock } from '../../domain/clock.ts';
import { localAccountId } from '../../domain/records/account.ts';
import { AppError, noSuchAccount } from '../../errors.ts';
import { PostgresAccounts } from './control/accounts.ts';
import { PostgresControl } from './control/control.ts';
import { connect, type ConnectOptions, statement } from './database.ts';
import { AccountAccess } from './account-access.ts';
import { createPostgresStore, type PostgresStore } from './account-store.ts';
import { requireBoundRole, requireVersion } from './migrate.ts';

export interface PostgresStoresOptions extends ConnectOptions {
  clock: Clock;
}

/**
 * Connects to a database that `migratePostgres` has prepared.
 * @throws {AppError} `unavailable` when it does not answer, is not migrated yet, or the role of the connection could pass
 *   row-level security; `newer_data` when a newer program has migrated it
 */
export async function openPostgresStores(options: PostgresStoresOptions) {
  const pool = connect(options);
  try {
    await statement(async () => {
      await requireVersion(pool);
      await requireBoundRole(pool);
    });
    const accounts = new PostgresAccounts(pool, options.clock);
    await statement(() => accounts.ensureFirst());
    return {
      control: new PostgresControl(pool, options.clock, accounts),
      /** @throws {AppError} `not_found` when there is no such account */
      async open(accountId: string): Promise<PostgresStore> {
        if ((await statement(() => accounts.get(accountId))) === null) throw noSuchAccount();
        return createPostgresStore(new AccountAccess(pool, options.clock, accountId));
      },
      async removeAccount(id: string): Promise<void> {
        requireRemovable(id);
        await accounts.remove(id);
      },
      async setAsideAccount(id: string): Promise<void> {
        requireRemovable(id);
        await accounts.setAside(id);
      },
      bringBackAccount: (id: string) => accounts.bringBack(id),
      listSetAside: () => statement(() => accounts.listSetAside()),
      async removeExpiredAccounts(): Promise<void> {
        for (const id of await statement(() => accounts.listExpired())) await accounts.remove(id);
        await statement(() => accounts.finishRemovals());
      },
      close: () => pool.end({ timeout: 5 }),
    };
  } catch (error) {
    await pool.end({ timeout: 0 });
    throw error;
  }
}

function requireRemovable(id: string): void {
  if (id === localAccountId)
    throw new AppError(
      'invalid_input',
      'The local account belongs to this installation: the command line uses it. It goes when the database goes.',
    );
}
