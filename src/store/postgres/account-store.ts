import * as shared from '../library/methods.ts';
import type { Store } from '../store.ts';
import type { AccountAccess } from './account-access.ts';
import { historyOf } from './history/account-history.ts';
import { itemsOf } from './items/account-items.ts';
import { processingOf } from './queue/account-processing.ts';
import { promised } from './postgres-db.ts';
import { searchesOf } from './searching/account-searches.ts';
import type { IndexNode } from './searching/index-node.ts';
import { transferOf } from './transfer/account-transfer.ts';

/**
 * The store of one account. Every method is one transaction, but searches, which read this node's copy of the index.
 * @param index null on a node that does not search
 */
export function createPostgresStore(access: AccountAccess, index: IndexNode | null = null, signal?: AbortSignal) {
  return {
    accountId: access.account,
    ...itemsOf(access),
    ...promised(shared.reads, (work) => access.read(work), access.historyLimits),
    ...promised(shared.writes, (work) => access.write(work), access.historyLimits),
    ...promised(shared.works, (work) => access.writeWork(work), access.historyLimits),
    ...promised(shared.swaps, (work) => access.change(work), access.historyLimits),
    ...processingOf(access),
    ...historyOf(access),
    ...transferOf(access),
    ...searchesOf(access, index, signal),
    async close(): Promise<void> {
      // Connections belong to all stores.
    },
  } satisfies Store;
}

export type PostgresStore = ReturnType<typeof createPostgresStore>;
