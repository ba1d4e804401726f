import type {
  ExportedGoal,
  ExportedHistoryEntry,
  ExportedItem,
  ExportedList,
  ExportedSource,
} from '../domain/records/transfers/exported.ts';
import type { Resource } from '../domain/records/resource.ts';
import type { ImportedContent } from './records.ts';

/** An item in the order in which items were saved. */
export interface ItemToExport {
  /** To go on after it. */
  seq: number;
  id: string;
  title: string | null;
  url: string | null;
  updatedAt: number;
}

/** Some entries of the history, the oldest first. */
export interface HistoryPage {
  entries: ExportedHistoryEntry[];
  /** To go on after the last one; null when there are no more. */
  next: { at: number; seq: number } | null;
}

/** Items that are there and may be replaced: those that were not changed later, or any. */
export type ReplacedItems = 'older' | 'any';

export interface ItemToRestore {
  item: ExportedItem;
  /** In the order of `item.originals`. */
  originals: readonly Resource[];
}

/** Whole records, to take a library along and bring it back. Everything belongs to one account. */
export interface Transfer {
  /** Items that are not deleted, in the order in which they were saved. */
  listToExport(after: number, limit: number): Promise<ItemToExport[]>;
  /** Another text whenever an item that is not deleted was changed, added or deleted. */
  stateToExport(): Promise<string>;
  /** Null when there is no such item. The `file` of each original is left for the caller to name. */
  readToExport(id: string): Promise<ExportedItem | null>;
  listGoalsToExport(): Promise<ExportedGoal[]>;
  /** In their order, without items in the trash. */
  listListsToExport(): Promise<ExportedList[]>;
  /** Their entries are read with `listSourceEntries`. */
  listSourcesToExport(): Promise<Omit<ExportedSource, 'entries'>[]>;
  /** Changes of what is in the library and not in the trash. @param since milliseconds since the epoch */
  readHistoryToExport(query: { after: HistoryPage['next']; since: number; limit: number }): Promise<HistoryPage>;
  /** Adds entries of the history that are not there yet, to be read and not undone. */
  restoreHistory(entries: readonly ExportedHistoryEntry[]): Promise<void>;
  /** Inserts goals that are not there by their id or title. @returns the id that each of them has here */
  restoreGoals(goals: readonly ExportedGoal[]): Promise<Map<string, string>>;
  /**
   * Inserts an item as it was exported. One that is there and was not changed later than the export is left as it is; an
   * older one is replaced. An item that has the address and another id gets what an import would add to it.
   * @param originals in the order of `item.originals`
   */
  restoreItem(item: ExportedItem, originals: readonly Resource[]): Promise<ImportedContent>;
  /**
   * Inserts several items, in fewer writes. Those that are there are replaced, newer ones and those in the trash, too.
   * When it fails, some of them may be there, each of them whole.
   */
  restoreItems(items: readonly ItemToRestore[]): Promise<void>;
  /**
   * Inserts lists, with those of their items that are there. A list that is there by its id or name gets the items that it
   * lacks (`older`), or the lists that are there make way (`any`). @returns the names of lists for which there was no room,
   *   or not for all their items, or of which there is one of the other kind
   */
  restoreLists(lists: readonly ExportedList[], replaces: ReplacedItems): Promise<string[]>;
  /**
   * Inserts sources with their entries. One that is there by its kind and address stays as it is, and gets the entries that it
   * lacks (`older`); or all that are there make way (`any`). A source with many entries comes several times, with some of
   * them each time. @returns for how many there was no room
   */
  restoreSources(sources: readonly ExportedSource[], replaces: ReplacedItems): Promise<number>;
  /** Makes actions stand for others again, where both are there. */
  restoreMerges(merges: readonly { id: string; into: string }[]): Promise<void>;
}
