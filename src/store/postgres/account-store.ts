import { undoEntry } from '../history/undo.ts';
import { conflictsBelow, findHistoryEntry, undoPart } from '../library/history/undo.ts';
import * as shared from '../library/methods.ts';
import { restorePackedItem, restorePackedItems } from '../library/transfer-in.ts';
import type { Store } from '../store.ts';
import type { AccountAccess, AccountTx } from './account-access.ts';
import { keepResources, keepResource, readBytes } from './blobs/kept-bytes.ts';
import { later } from './database.ts';
import { postgresDb, promised, runSteps } from './postgres-db.ts';
import { searchesOf } from './searching/account-searches.ts';
import type { IndexNode } from './searching/index-node.ts';
import type { ContentSummary } from '../../domain/records/content.ts';
import type { Original, Resource } from '../../domain/records/resource.ts';
import { importPackedContent } from '../library/items/import.ts';
import { readOriginal } from '../library/items/documents.ts';
import {
  findSameAddress,
  keepPackedCompanion,
  savePackedContent,
  updatePackedContent,
} from '../library/items/saving.ts';
import type * as records from '../records.ts';
import { unpackOriginal } from '../records/packed-originals.ts';
import { objectDamaged } from './blobs/object-store.ts';
import type { Db, Steps } from '../library/db.ts';
import { claimAnalysis, hasDueAnalysis } from '../library/queue/llm-analyses.ts';
import { keepChangedPage } from '../library/queue/refreshing.ts';
import { keepOriginal } from '../library/queue/stages.ts';
import type { Claim, RefreshedText } from '../records.ts';
import type { AnalysesToClaim, AnalysisClaim } from '../records/analysis-records.ts';

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
        // Plans of statements were made when these tables were nearly empty, and read all items of the account for each written
        // one. The database itself replans when it analyses the tables, once a minute.
        later(db.sql`DISCARD PLANS`);
        const packed = items.map(({ item }, at) => ({ item, originals: kept[at] ?? [] }));
        return runSteps(db, restorePackedItems(postgresDb(db), packed, 'any'));
      });
    },
  };
}

/** Each part of a large change is undone in a separate write. */
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

/** The methods for items that keep or read bytes outside of their transaction. A part of `createPostgresStore`. */
function itemsOf(access: AccountAccess) {
  const keep = (resource: Resource | undefined) => (resource === undefined ? null : keepResource(access, resource));
  return {
    async saveContent({ original, ...input }: records.SaveContent): Promise<records.SavedContent> {
      const kept = await keep(original);
      const ask = (db: AccountTx) => runSteps(db, findSameAddress(postgresDb(db), input.canonicalUrl));
      return access.askAndWriteWork(ask, (db, same) =>
        runSteps(db, savePackedContent(postgresDb(db), input, kept, same)),
      );
    },

    async importContent(entries: readonly records.ImportContent[]): Promise<records.ImportedContent[]> {
      const originals = entries.flatMap(({ original }) => original ?? []);
      const kept = (await keepResources(access, originals)).values();
      const packed = entries.map(({ original, ...entry }) => ({
        ...entry,
        original: original === undefined ? null : (kept.next().value ?? null),
      }));
      return access.writeWork((db) => runSteps(db, importPackedContent(postgresDb(db), packed)));
    },

    async updateContent(id: string, { original, ...changes }: records.ContentChanges): Promise<ContentSummary | null> {
      const kept = await keep(original);
      return access.writeWork((db) => runSteps(db, updatePackedContent(postgresDb(db), id, changes, kept)));
    },

    async readOriginal(contentId: string, name = ''): Promise<Original | null> {
      for (let isSecond = false; ; isSecond = true) {
        const placed = await access.read((db) => runSteps(db, readOriginal(postgresDb(db), contentId, name)));
        if (placed === null) return null;
        const bytes = await readBytes(access, placed);
        if (bytes !== null) {
          const { object: _object, ...original } = placed;
          return unpackOriginal({ ...original, bytes });
        }
        // Between the row and its object, the original may have been replaced.
        if (isSecond) throw objectDamaged();
      }
    },

    async keepCompanion(contentId: string, name: string, resource: Resource): Promise<void> {
      if (name === '') throw new Error('a companion needs a name: the empty one is that of the original');
      const kept = await keepResource(access, resource);
      await access.write((db) => runSteps(db, keepPackedCompanion(postgresDb(db), contentId, name, kept)));
    },
  };
}

/** The methods for jobs and analyses that differ from the shared ones. A part of `createPostgresStore`. */
function processingOf(access: AccountAccess) {
  const limits = access.historyLimits;
  const isDue = (due: (db: Db) => Steps<boolean>) => access.read((db) => runSteps(db, due(postgresDb(db, limits))));
  const write = <T>(work: (db: Db) => Steps<T>) => access.write((db) => runSteps(db, work(postgresDb(db, limits))));
  return {
    /** Work and its announcement commit together here, so there is nothing to settle. */
    settleWork: async (_generation: number): Promise<boolean> => !(await isDue(shared.hasWork)),
    hasMaintenance: (): Promise<boolean> => isDue(shared.hasMaintenance),
    maintain: async (): Promise<boolean> => (await isDue(shared.hasUpkeep)) && write(shared.maintain),

    async keepOriginalAndRelease(claim: Claim, original: Resource): Promise<void> {
      const kept = await keepResource(access, original);
      await write((db) => keepOriginal(db, claim, kept));
    },

    async keepChangedPage(
      claim: Claim,
      original: Resource,
      companions: readonly { name: string; resource: Resource }[],
      text: RefreshedText,
    ): Promise<void> {
      const [page, ...others] = await keepResources(access, [original, ...companions.map(({ resource }) => resource)]);
      if (page === undefined) throw new Error('a page that was just kept is not there');
      const named = others.map((kept, at) => ({ name: companions[at]?.name ?? '', kept }));
      await write((db) => keepChangedPage(db, claim, page, named, text));
    },

    async claimAnalysis(leaseMs: number, which: AnalysesToClaim = {}): Promise<AnalysisClaim | null> {
      // Read first, so that an idle worker does not make others wait.
      if (!(await isDue((db) => hasDueAnalysis(db, which)))) return null;
      return access.write((db) => runSteps(db, claimAnalysis(postgresDb(db), leaseMs, which)));
    },
  };
}
