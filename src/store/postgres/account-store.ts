import { undoEntry } from '../history/undo.ts';
import { conflictsBelow, findHistoryEntry, undoPart } from '../library/history/undo.ts';
import * as shared from '../library/methods.ts';
import { restorePackedItem, restorePackedItems } from '../library/transfer/transfer-in.ts';
import type { Store } from '../store.ts';
import type { AccountAccess } from './account-access.ts';
import { keepResources } from './blobs/kept-bytes.ts';
import { later } from './database.ts';
import { itemsOf } from './account-items.ts';
import { processingOf } from './queue/account-processing.ts';
import { postgresDb, promised, runSteps } from './postgres-db.ts';
import { searchesOf } from './searching/account-searches.ts';
import type { IndexNode } from './searching/index-node.ts';

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
    ...transferOf(access),
    undo: undoOf(access),
    ...searchesOf(access, index, signal),
    async close(): Promise<void> {
      // Connections belong to all stores.
    },
  } satisfies Store;
}

export type PostgresStore = ReturnType<typeof createPostgresStore>;

function transferOf(access: AccountAccess): Pick<Store, 'restoreItem' | 'restoreItems'> {
  return {
    async restoreItem(item, originals) {
      const kept = await keepResources(access, originals);
      return access.writeWork((db) => runSteps(db, restorePackedItem(postgresDb(db), item, kept, 'older')));
    },
    async restoreItems(items) {
      const kept = await Promise.all(items.map(({ originals }) => keepResources(access, originals)));
      await access.writeWork((db) => {
        // Plans of statements were made when these tables were as good as empty, and read all items of the account for
        // each one that is written. The database itself makes them anew when it looks at the tables, once a minute.
        later(db.sql`DISCARD PLANS`);
        const packed = items.map(({ item }, at) => ({ item, originals: kept[at] ?? [] }));
        return runSteps(db, restorePackedItems(postgresDb(db), packed, 'any'));
      });
    },
  };
}

/** Each part of a large change is undone in a write of its own. */
function undoOf(access: AccountAccess): Store['undo'] {
  return async (id, how) => {
    const entry = await access.read((db) => runSteps(db, findHistoryEntry(postgresDb(db), id)));
    if (entry === null) return null;
    const { recordedChange: change } = access;
    const undoing = access.undoing({ undoes: id, scopes: entry.scopes });
    const steps = {
      entry,
      conflictsBelow: (below: number) =>
        access.read((db) => runSteps(db, conflictsBelow(postgresDb(db), entry.seq, below))),
      undoPart: () =>
        undoing.writeWork((db) =>
          runSteps(db, undoPart(postgresDb(db), id, { force: how.force, undoneBy: change?.id ?? '' })),
        ),
      join: (begun: string) => {
        if (change !== undefined) change.id = begun;
      },
    };
    return undoEntry(steps, how);
  };
}
