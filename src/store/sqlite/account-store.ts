import type * as port from '../store.ts';
import { AccountAccess, type AccountParts } from './account-access.ts';
import { itemsOf } from './account-content.ts';
import { goalsOf } from './account-goals.ts';
import { processingOf } from './account-processing.ts';
import { searchesOf } from './account-searches.ts';

/** One account's records. Every method is one write, or one read; its parts only say which. */
export function createSqliteStore(accountId: string, parts: AccountParts, signal?: AbortSignal): port.Store {
  const access = new AccountAccess(accountId, parts, signal);
  return {
    accountId,
    ...itemsOf(access),
    ...processingOf(access),
    ...searchesOf(access),
    ...goalsOf(access),
    // Another `Store` of the account opens the file again when it needs it.
    async close(): Promise<void> {
      access.close();
    },
  };
}
