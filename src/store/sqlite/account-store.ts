import type { Change } from '../../domain/records/change.ts';
import type * as port from '../store.ts';
import { AccountAccess, type AccountParts } from './files/account-access.ts';
import { itemsOf } from './items/account-items.ts';
import { requestsAnsweredOf } from './queue/account-requests.ts';
import { historyOf } from './history/account-history.ts';
import { goalsOf } from './analyses/account-goals.ts';
import { highlightsOf } from './highlights/account-highlights.ts';
import { processingOf } from './queue/account-processing.ts';
import { transferOf } from './transfer/account-transfer.ts';
import { searchesOf } from './account-searches.ts';

/** The store of one account. Every method is one write or one read; the files it is assembled from say which. */
export function createSqliteStore(
  accountId: string,
  parts: AccountParts,
  { change, signal }: { change?: Change | undefined; signal?: AbortSignal | undefined } = {},
): port.Store {
  const access = new AccountAccess(accountId, parts, { change, signal });
  return {
    accountId,
    ...itemsOf(access),
    ...processingOf(access),
    ...searchesOf(access),
    ...goalsOf(access),
    ...transferOf(access),
    ...highlightsOf(access),
    ...requestsAnsweredOf(access),
    ...historyOf(access),
    // Another `Store` of this account reopens the file when it needs it.
    async close(): Promise<void> {
      access.close();
    },
  };
}
