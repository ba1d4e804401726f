import type { Store } from '../store.ts';
import type { AccountAccess } from './account-access.ts';
import { analysesOf } from './analyses/account-analyses.ts';
import { highlightsOf } from './highlights/account-highlights.ts';
import { historyOf } from './history/account-history.ts';
import { itemsOf } from './items/account-items.ts';
import { processingOf } from './queue/account-processing.ts';
import { transferOf } from './transfer/account-transfer.ts';

/**
 * The store of one account, as far as it stands: README.md says which ports are left out. Every method is one
 * transaction.
 */
export function createPostgresStore(access: AccountAccess) {
  return {
    accountId: access.account,
    ...itemsOf(access),
    ...processingOf(access),
    ...analysesOf(access),
    ...highlightsOf(access),
    ...historyOf(access),
    ...transferOf(access),
    async close(): Promise<void> {
      // Connections belong to all stores.
    },
  } satisfies Partial<Store>;
}

export type PostgresStore = ReturnType<typeof createPostgresStore>;
