import type { HeldTo } from '../domain/access/held.ts';
import type { ContentItem, ContentSummary } from '../domain/records/content.ts';
import type { ItemCounts, Reading } from '../domain/records/shelves.ts';
import type {
  ContentChanges,
  ContentQuery,
  ImportContent,
  ImportedContent,
  ItemTitle,
  KindCount,
  KnownNames,
  Page,
  RenamedTag,
  SaveContent,
  SavedContent,
  TagCount,
  TagQuery,
  StoredDocument,
} from './records.ts';
import type { Coverage } from './records/search-records.ts';
import type { ItemList, ListChanges, ListedItems, ListEdits, NewList } from '../domain/records/lists/item-list.ts';
import type { Transcript } from '../domain/records/document.ts';
import type { Original, Resource } from '../domain/records/resource.ts';
import type { ItemVersion, ReadVersion } from '../domain/records/versions.ts';

/** Saved items, the tags, notes and titles that people give them, and the trash. Everything belongs to one account. */
export interface Items {
  /**
   * Inserts the item and queues its job, or merges tags and notes into the item with the same canonical URL. That item
   * is queued again when it had failed, and when the given original differs from its own: the new bytes become its next
   * version, and the previous version stays visible until the new one has its passages. A deleted item is restored
   * first.
   */
  saveContent(input: SaveContent): Promise<SavedContent>;
  /**
   * Inserts entries of an export, in one write, and queues their jobs in the background. Of an entry whose address is
   * there already, tags, notes, a missing title and an earlier date are added to that item. Repeating it changes
   * nothing. Failed items are not queued again, and deleted ones not restored. @returns one outcome for each entry
   */
  importContent(entries: readonly ImportContent[]): Promise<ImportedContent[]>;
  getContent(id: string): Promise<ContentItem | null>;
  getContentSummary(id: string): Promise<ContentSummary | null>;
  /** The id of the item that was saved from this address and is not deleted. */
  findByAddress(canonicalUrl: string, held?: HeldTo): Promise<string | null>;
  /** Newest first, unless the query says otherwise. */
  listContent(query: ContentQuery): Promise<Page<ContentSummary>>;
  /** The titles of what `listContent` finds, in the same order: cheap enough for a thousand at once. */
  listTitles(query: ContentQuery): Promise<Page<ItemTitle>>;
  /** The tags of items that are not deleted, most used first. */
  listTags(query: TagQuery): Promise<Page<TagCount>>;
  /**
   * Gives every item that has the tag `from` the tag `to` in its place, and writes `to` everywhere in this spelling. Items
   * that have both keep one. Deleted items follow. Null when no item that is not deleted has `from`.
   */
  renameTag(from: string, to: string): Promise<RenamedTag | null>;
  /** The kinds of items that are not deleted, most frequent first. Items that were not fetched yet have none. */
  countKinds(held?: HeldTo): Promise<KindCount[]>;
  countItems(held?: HeldTo): Promise<ItemCounts>;
  /** At most `limit` tags, and the titles of at most `limit` items. */
  listNames(limit: number, held?: HeldTo): Promise<KnownNames>;
  /**
   * Queues a failed item, or one that waits for its next attempt, at once from the stage that failed. An item that
   * failed at `extract` is fetched again, unless its original was given with the save. False when there is nothing to
   * retry.
   */
  retryContent(id: string): Promise<boolean>;
  /**
   * Null when there is no such item. A note's new text queues it, and the text before stays visible until the new one has
   * its passages.
   * @throws {AppError} `invalid_input` for more tags than an item can have, and when another note has the text;
   *   `precondition_failed` when the item has changed since the version `unchangedSince`
   */
  updateContent(id: string, changes: ContentChanges): Promise<ContentSummary | null>;
  /**
   * Notes where reading stopped. That is no change of the item: neither its version nor its history says it.
   * @returns whether there is such an item
   */
  keepReading(id: string, reading: Reading): Promise<boolean>;
  /**
   * Hides the item from every other method and stops its job. Repeating it changes nothing. Null when there is no such
   * item, or when it can no longer be restored.
   * @throws {AppError} `precondition_failed` when the item has changed since the version `unchangedSince`
   */
  deleteContent(id: string, unchangedSince?: number): Promise<ContentSummary | null>;
  /** A number that grows with every change of the item. Null when there is no such item. */
  getContentVersion(id: string): Promise<number | null>;
  /** Shows a deleted item again; an item that is not deleted stays as it is. Null when there is no such item. */
  restoreContent(id: string): Promise<ContentSummary | null>;
  /** Ends the time in which these deleted items can be restored; null: all of them. @returns how many `purgeExpired` will remove for it */
  expireDeleted(ids: readonly string[] | null): Promise<number>;
  /**
   * Removes items that were deleted `restorableForMs` ago, with everything that belongs to them. @returns how many, at
   * most `limit`
   */
  purgeExpired(limit: number): Promise<number>;
  coverage(): Promise<Coverage>;
  /** Which of these ids, of items, highlights and action items, a caller held to these knows. Of a merged action, its own item counts. */
  findHeld(ids: readonly string[], held: HeldTo): Promise<string[]>;
  /** The keys of all items that a caller held to these knows. */
  listHeld(held: HeldTo): Promise<number[]>;
  /** The lists that a caller is held to, as far as they are there. */
  listHeldLists(held: HeldTo): Promise<{ id: string; name: string }[]>;
  /** The names of those by a query that hold nothing: words do not decide it, nor lists that are gone. */
  listEmptyHeldLists(held: HeldTo): Promise<string[]>;
  coverageOfHeld(held: HeldTo): Promise<Coverage>;
  /** How many passages of these items there are in these languages (null: in any), and how many have a vector. */
  countHeldVectors(languages: readonly string[] | null, held: HeldTo): Promise<{ passages: number; embedded: number }>;
}

/**
 * Lists of items: by hand, or by a query. Everything belongs to one account. A list is found by its id or by its name, in
 * any case. Items in the trash are in no list, and come back with their places. What a query finds is not counted here.
 */
export interface Lists {
  /** In their order. */
  listLists(): Promise<ItemList[]>;
  getList(list: string): Promise<ItemList | null>;
  /**
   * A list that has this name already is that list: it takes the given icon and query.
   * @throws {AppError} `invalid_input` when the account has `maxLists`, when that list is of the other kind, and for a query
   *   that is not understood or leads back to its list
   */
  addList(list: NewList): Promise<ItemList>;
  /**
   * Null when there is no such list.
   * @throws {AppError} `invalid_input` when another list has the name, and for a query of a list by hand
   */
  updateList(list: string, changes: ListChanges): Promise<ItemList | null>;
  /**
   * Several changes of one list, whole or not at all. One by hand or by the query is made where there is none with this
   * name. Null when there is none, and the edits make none.
   * @throws {AppError} as the others, and `not_found` when there is nothing to change but items that are not there
   */
  editList(list: string, edits: ListEdits): Promise<ListedItems | null>;
  /** Its items stay as they are. Null when there is no such list. */
  deleteList(list: string): Promise<ItemList | null>;
  /**
   * Puts items into a list by hand, in this order: at its end, or before the item at `position`. Those that are in it
   * already move there when a position is given, and stay where they are when none is. Null when there is no such list.
   * @throws {AppError} `invalid_input` when it is a list by a query, and when it would have more than `maxListItems`
   */
  addToList(list: string, contentIds: readonly string[], position?: number): Promise<ListedItems | null>;
  /** Null when there is no such list. @throws {AppError} `invalid_input` when it is a list by a query */
  removeFromList(list: string, contentIds: readonly string[]): Promise<ListedItems | null>;
}

/** Originals as they were fetched, and the documents extracted from them. Everything belongs to one account. */
export interface Documents {
  // The first three methods also work on deleted items: a worker may still hold one, and learns of the deletion when it
  // writes next.
  /**
   * The item's original as it was fetched; null before `fetch` has run. `name` is '' for the item itself, or a
   * companion's URL.
   */
  readOriginal(contentId: string, name?: string): Promise<Original | null>;
  /**
   * Keeps a resource that belongs to the item beside its original (captions, a player response); does nothing when the
   * item is gone.
   */
  keepCompanion(contentId: string, name: string, resource: Resource): Promise<void>;
  /** The newest version of the document; null before `extract` has run. */
  readDocument(contentId: string): Promise<StoredDocument | null>;
  /** The versions that can be read, the newest first; null without such an item. */
  listVersions(contentId: string): Promise<ItemVersion[] | null>;
  /** A version, and how it differs from another one, or from the visible one. Null when there is none of these. */
  readVersion(contentId: string, version: number, against?: number): Promise<ReadVersion | null>;
  /** Shows an earlier version again. False: there is none of this number. */
  restoreVersion(contentId: string, version: number): Promise<boolean>;
  /** The text of the visible version, to which passages and locators refer; null before there is one. */
  readTranscript(contentId: string): Promise<string | null>;
  /** The same text with the positions of its blocks. */
  readText(contentId: string): Promise<Transcript | null>;
}
