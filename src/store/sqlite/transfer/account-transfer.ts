import type { ExportedGoal, ExportedHistoryEntry, ExportedItem } from '../../../domain/records/transfers/exported.ts';
import type { Resource } from '../../../domain/records/resource.ts';
import type { ImportedContent } from '../../records.ts';
import type * as port from '../../store.ts';
import type { HistoryPage, ItemToExport, ItemToRestore, ReplacedItems } from '../../transfer.ts';
import type { AccountAccess } from '../files/account-access.ts';
import { readHistoryToExport, restoreHistory } from '../history/exported-history.ts';
import { packResource, type PackedResource } from '../../records/packed-originals.ts';
import { listGoalsToExport, listToExport, readToExport } from './read-item.ts';
import { restoreGoals, restoreMerges } from './restore-item.ts';

/** The methods that export a whole library and restore it. A part of `createSqliteStore`. */
export function transferOf(access: AccountAccess) {
  const restorePacked = (item: ExportedItem, packed: PackedResource[], replaces: ReplacedItems) => {
    const bytes = packed.reduce((sum, one) => sum + one.bytes.length, 0);
    const rows = item.passages.length + item.highlights.length;
    const isLarge = bytes >= access.largeSizes.bytes || rows >= access.largeSizes.passages;
    return access.announcing((generation) =>
      access.writeNamed(isLarge, 'restoreItem', generation, item, packed, replaces),
    );
  };

  return {
    async listToExport(after: number, limit: number): Promise<ItemToExport[]> {
      return access.use((file) => listToExport(file, after, limit));
    },

    async readToExport(id: string): Promise<ExportedItem | null> {
      return access.use((file) => readToExport(file, id));
    },

    async listGoalsToExport(): Promise<ExportedGoal[]> {
      return access.use(listGoalsToExport);
    },

    async readHistoryToExport(query: {
      after: HistoryPage['next'];
      since: number;
      limit: number;
    }): Promise<HistoryPage> {
      return access.use((file) => readHistoryToExport(file, query));
    },

    async restoreHistory(entries: readonly ExportedHistoryEntry[]): Promise<void> {
      // Where no history is kept, none is restored.
      if (access.historyLimits !== null)
        await access.write((file, _now, clock) => restoreHistory(file, entries, clock));
    },

    async restoreGoals(goals: readonly ExportedGoal[]): Promise<Map<string, string>> {
      return access.writeWork((file) => restoreGoals(file, goals));
    },

    async restoreItem(item: ExportedItem, originals: readonly Resource[]): Promise<ImportedContent> {
      return restorePacked(item, await Promise.all(originals.map(packResource)), 'older');
    },

    async restoreItems(items: readonly ItemToRestore[]): Promise<void> {
      const packed = await Promise.all(items.map(({ originals }) => Promise.all(originals.map(packResource))));
      for (const [at, { item }] of items.entries()) await restorePacked(item, packed[at] ?? [], 'any');
    },

    async restoreMerges(merges: readonly { id: string; into: string }[]): Promise<void> {
      await access.write((file) => restoreMerges(file, merges));
    },
  } satisfies Partial<port.Store>;
}
