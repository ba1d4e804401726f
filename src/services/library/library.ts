import type { Writer } from '../../domain/records/change.ts';
import type { Clock } from '../../domain/clock.ts';
import type { ManyChanged } from '../../domain/records/answers.ts';
import { canonicalUrl } from '../../domain/links/url.ts';
import type { ContentItem, ContentSummary, Warning, LibraryCounts, Reading } from '../../domain/records/content.ts';
import type { Original } from '../../domain/records/resource.ts';
import { invalidInput, noSuchItem, notFound } from '../../errors.ts';
import type {
  ContentChanges,
  ContentQuery,
  ItemTitle,
  ItemWithoutText,
  Page,
  PageRequest,
  RenamedTag,
  Reprocessing,
  ReprocessStage,
  TagCount,
} from '../../store/records.ts';
import type { Store, Stores } from '../../store/store.ts';
import type { GivenPushed, RequestThread } from '../../requests/request-thread.ts';
import { allOf } from '../../domain/search/filter.ts';
import { maxListedWords, parseQuery } from '../../domain/search/query-language.ts';
import { type RetriedItems, retryFailed } from '../operating/queue-figures.ts';
import { changeMany, type ManyChanges, refusedField } from './change-many.ts';
import {
  type GivenItem,
  type ItemBudget,
  type ItemPage,
  type ItemPages,
  pageOfItem,
  pagesOfItems,
  blocksOf,
  libraryState,
  type LibraryState,
  structuredItem,
  type StructuredItem,
  type TextPage,
  textPageOf,
} from './item-page.ts';
import { createProcessingWatch, type ProcessingWait, createSaving, originalOfNote } from './saving.ts';
import { createRefreshing, maxRefreshed } from './refreshing.ts';
import { countedLists } from './lists.ts';
import { type BudgetedPage, type ListBudget, listWithinBudget } from './listing.ts';

export type DeletedItem = Required<Pick<ContentSummary, 'id' | 'title' | 'url' | 'deletedAt' | 'restorableUntil'>>;

/** `query` is in the language of `query-language.ts`: items that match all of it. */
type ItemsQuery = ContentQuery & { query?: string | undefined };

export type LibraryService = ReturnType<typeof createLibraryService>;

/** The text is a note's. */
interface ItemChanges extends Pick<ContentChanges, 'title' | 'tags' | 'notes' | 'rejectTags' | 'shelf' | 'read'> {
  text?: GivenPushed['text'];
}

function stillAnExtract(why: string): Warning {
  const message = `The model has not analysed this yet: ${why.replace(/\.$/, '')}. The extracted summary stands in until then.`;
  return { code: 'analysis_waits', message };
}

/**
 * @param onQueued called after something was queued, so that a worker in this process begins at once
 * @param makeOriginal makes an original of the content that a client sent, outside the main thread
 * @param whyNoModel why the model analyses nothing now; null when it can, or when there is no model
 */
export function createLibraryService(
  stores: Stores,
  clock: Clock,
  onQueued: () => void,
  makeOriginal: RequestThread['makeOriginal'],
  whyNoModel: () => Promise<string | null>,
) {
  const watch = createProcessingWatch(clock);

  const existing = async (store: Store, id: string): Promise<ContentItem> => {
    const item = await store.getContent(id);
    if (item === null) throw noSuchItem();
    return withWarnings(item);
  };

  /** Does not read the text, which may be damaged. */
  const requireItem = async (store: Store, id: string): Promise<ContentSummary> => {
    const item = await store.getContentSummary(id);
    if (item === null) throw noSuchItem();
    return item;
  };

  const withWarnings = async <T extends ItemWithoutText>(item: T): Promise<T> => {
    const isWaiting = item.analysis?.by === 'extractive' && item.status === 'completed' && item.duplicateOf === null;
    const why = isWaiting ? await whyNoModel() : null;
    return why === null ? item : { ...item, warnings: [...item.warnings, stillAnExtract(why)] };
  };

  return {
    ...createSaving({ stores, clock, onQueued, makeOriginal, watch, withWarnings }),
    ...createRefreshing(stores, onQueued, async (writer, query) => {
      const asked = narrowed({ query, limit: maxRefreshed, offset: 0 }, clock);
      const { items, total } = await (await stores.open(writer)).listTitles({ ...asked, limit: maxRefreshed });
      return { ids: items.map(({ id }) => id), total };
    }),
    /** Waits until the item is processed, has failed, or waits for a retry. */
    async waitFor(account: string, id: string, waiting: ProcessingWait): Promise<Omit<ContentItem, 'transcript'>> {
      const store = await stores.open(account);
      await watch.untilProcessed(store, id, Number.POSITIVE_INFINITY, waiting);
      const { transcript: _, ...item } = await existing(store, id);
      return item;
    },
    /** @throws {AppError} `invalid_input` when the query has nothing to look for, or names a list that is not there */
    async list(
      account: string,
      query: ItemsQuery & ListBudget<ContentSummary>,
    ): Promise<BudgetedPage<ContentSummary> & { hint?: string }> {
      const store = await stores.open(account);
      const hints = query.query === undefined ? [] : parseQuery(query.query, clock.now()).hints;
      const list = await listWithinBudget<ContentSummary, AsFilter>('list_content', narrowed(query, clock), (page) =>
        store.listContent({ ...page, limit: page.limit ?? query.limit }),
      );
      return hints.length === 0 ? list : { ...list, hint: hints.join(' ') };
    },
    /** Their titles alone, in the same order. @throws {AppError} like `list` */
    async listTitles(account: string, query: ItemsQuery): Promise<Page<ItemTitle>> {
      return (await stores.open(account)).listTitles(narrowed(query, clock));
    },
    /** The tags of all items, most used first. */
    async listTags(account: string, page: PageRequest): Promise<BudgetedPage<TagCount>> {
      return { ...(await (await stores.open(account)).listTags(page)), ...page };
    },
    /** When items have the new tag already, the two become one. @throws {AppError} `not_found` */
    async renameTag(writer: Writer, from: string, to: string): Promise<RenamedTag> {
      const renamed = await (await stores.open(writer)).renameTag(from, to);
      if (renamed === null) throw notFound('No saved item has this tag. The list of tags shows those that exist.');
      return renamed;
    },
    async get(account: string, id: string): Promise<ContentItem> {
      return existing(await stores.open(account), id);
    },
    /** Those of the items that exist, without their texts. */
    async summaries(account: string, ids: readonly string[]): Promise<ContentSummary[]> {
      const store = await stores.open(account);
      return (await Promise.all(ids.map((id) => store.getContentSummary(id)))).filter((item) => item !== null);
    },
    /** The id of the item that was saved from an address, however it is spelt; null when none was. */
    findByAddress: async (account: string, address: string): Promise<string | null> =>
      (await stores.open(account)).findByAddress(canonicalUrl(address)),
    /** The item with the blocks of its text and its outline; both are empty without a text. */
    async getStructured(account: string, id: string): Promise<StructuredItem> {
      const store = await stores.open(account);
      return structuredItem(store, await existing(store, id));
    },
    /** The original of the item, as fetched or provided. @throws {AppError} `not_found` when it was not kept */
    async getOriginal(account: string, id: string): Promise<Original> {
      const store = await stores.open(account);
      await requireItem(store, id);
      const original = await store.readOriginal(id);
      if (original === null) throw notFound('The original of this item was not kept.');
      return original;
    },
    /** Items in progress, for an observer. */
    underWay: async (account: string, ids: readonly string[]): Promise<UnderWay> =>
      readUnderWay(await stores.open(account), ids),
    /** How many items are on each shelf, and how many are unread. */
    async count(account: string): Promise<LibraryCounts> {
      const store = await stores.open(account);
      const counts = await store.countItems();
      const lists = await countedLists(store, await store.listLists());
      return { ...counts, lists: lists.map(({ id, items }) => ({ id, count: items })) };
    },
    /** Notes where reading stopped, which is not a change of the item. */
    async keepReading(account: string, id: string, reading: Reading): Promise<void> {
      if (!(await (await stores.open(account)).keepReading(id, reading))) throw noSuchItem();
    },
    state: async (account: string): Promise<LibraryState> => libraryState(await stores.open(account)),
    async getPage(account: string, id: string, budget: ItemBudget): Promise<ItemPage> {
      const store = await stores.open(account);
      const item = await existing(store, id);
      return pageOfItem(item, await blocksOf(store, item), budget);
    },
    /** The first parts of several items, in at most `maxTokens` together. An id that no item has says so. */
    async getPages(account: string, ids: readonly string[], budget: Omit<ItemBudget, 'cursor'>): Promise<ItemPages> {
      const store = await stores.open(account);
      const given: GivenItem[] = [];
      for (const id of new Set(ids)) {
        const item = await store.getContent(id);
        given.push(
          item === null
            ? { id, message: noSuchItem().message }
            : { item: await withWarnings(item), blocks: await blocksOf(store, item) },
        );
      }
      return pagesOfItems(given, budget);
    },
    /** Only the item's text, in parts, in the format of research clients. */
    async getText(
      account: string,
      id: string,
      budget: { maxTokens: number; cursor?: string | undefined },
    ): Promise<TextPage> {
      return textPageOf(await existing(await stores.open(account), id), budget);
    },
    /** Queues one item or all again from a stage, using stored data. */
    async reprocess(account: string, from: ReprocessStage, id?: string): Promise<Reprocessing> {
      const store = await stores.open(account);
      if (id !== undefined) await requireItem(store, id);
      const reprocessing = await store.reprocess(from, id);
      if (reprocessing.queued > 0) onQueued();
      return reprocessing;
    },
    /**
     * Changes the title, tags, notes, shelf or whether it was read, or the text of a note; an empty or null title restores the page's own.
     * @param unchangedSince the version that the caller read
     * @throws {AppError} `precondition_failed` when the item has changed since that version
     */
    async update(
      writer: Writer,
      id: string,
      { title, tags, notes, shelf, read, text, rejectTags }: ItemChanges,
      unchangedSince?: number,
    ): Promise<ContentSummary> {
      if ([title, tags, notes, shelf, read, text, rejectTags].every((change) => change === undefined))
        throw invalidInput(
          'Nothing to change was given. Give `title`, `tags`, `rejectTags`, `notes`, `shelf` or `read`, or the `text` of a note.',
        );
      const store = await stores.open(writer);
      const before = text === undefined ? null : await store.getContentSummary(id);
      if (text !== undefined && before === null) throw noSuchItem();
      if (before !== null && before.url !== null)
        throw refusedField('text', 'is only for notes: save the url of a page again with its text');
      if (before?.fileName !== undefined)
        throw refusedField('text', 'is only for notes: this is a file that was uploaded');
      // The title stays, unless a new one is given.
      const named = title || before?.title || undefined;
      const changes = {
        ...(text !== undefined && { original: await originalOfNote(makeOriginal, clock, { title: named, text }) }),
        ...(title !== undefined && { title: title || null }),
        ...(tags !== undefined && { tags }),
        ...(rejectTags !== undefined && { rejectTags }),
        ...(notes !== undefined && { notes: notes || null }),
        ...(shelf !== undefined && { shelf }),
        ...(read !== undefined && { read }),
        ...(unchangedSince !== undefined && { unchangedSince }),
      };
      const item = await store.updateContent(id, changes);
      if (item === null) throw noSuchItem();
      if (text !== undefined) onQueued();
      return item;
    },
    /** Each item is changed whole or not at all, and the answer says which. @param titles own titles by id */
    updateMany: async (
      writer: Writer,
      ids: readonly string[],
      changes: ManyChanges,
      titles: ReadonlyMap<string, string> = new Map(),
    ): Promise<ManyChanged> => changeMany(() => stores.open(writer), ids, changes, titles),
    /** Hides the item. It can be restored for 30 days. Deleting again gives the same answer. */
    async delete(writer: Writer, id: string, unchangedSince?: number): Promise<DeletedItem> {
      const item = await (await stores.open(writer)).deleteContent(id, unchangedSince);
      if (item?.deletedAt === undefined || item.restorableUntil === undefined) throw noSuchItem();
      const { title, url, deletedAt, restorableUntil } = item;
      return { id, title, url, deletedAt, restorableUntil };
    },
    /** Purges deleted items without history; null: the whole trash. Returns how many. */
    async purge(account: string, ids: readonly string[] | null): Promise<number> {
      const store = await stores.open(account);
      const purged = await store.expireDeleted(ids);
      // Whatever is left if this process ends now is removed by maintenance.
      while ((await store.purgeExpired(4)) > 0);
      return purged;
    },
    /** Without its text, which may be long. */
    getSummary: async (account: string, id: string): Promise<ContentSummary> =>
      requireItem(await stores.open(account), id),
    /** The item's version: a number that grows with every change of the item. */
    async getVersion(account: string, id: string): Promise<number> {
      const version = await (await stores.open(account)).getContentVersion(id);
      if (version === null) throw noSuchItem();
      return version;
    },
    /** Restores a deleted item and continues its processing where it stopped. */
    async restore(writer: Writer, id: string): Promise<ContentSummary> {
      const item = await (await stores.open(writer)).restoreContent(id);
      if (item === null)
        throw notFound(
          'There is no deleted item with this id. Items can be restored for 30 days after they were deleted.',
        );
      onQueued();
      return item;
    },
    /** Queues all failed items again, or those with one of these codes. */
    async retryFailed(account: string, codes?: readonly string[]): Promise<RetriedItems> {
      const retried = await retryFailed(await stores.open(account), codes);
      onQueued();
      return retried;
    },
    async retry(account: string, id: string): Promise<ContentSummary> {
      const store = await stores.open(account);
      const item = await store.getContentSummary(id);
      if (item === null) throw noSuchItem();
      if (!(await store.retryContent(id))) {
        throw invalidInput(`There is nothing to retry: this item is ${item.status}.`);
      }
      onQueued();
      return (await store.getContentSummary(id)) ?? item;
    },
  };
}

type AsFilter = ContentQuery & ListBudget<ContentSummary>;

/** The list with its query as a filter. */
function narrowed({ query, ...list }: ItemsQuery & ListBudget<ContentSummary>, clock: Clock): AsFilter {
  if (query === undefined) return list;
  const { condition } = parseQuery(query, clock.now());
  if (condition === null)
    throw refusedField(
      'query',
      query.trim().split(/\s+/).length > maxListedWords
        ? `has more than ${maxListedWords} words: search finds passages`
        : 'has no word or operator to list by',
    );
  return { ...list, filter: allOf(list.filter, condition) };
}

export interface UnderWay {
  counts: { searchable: number; pending: number; failed: number };
  /** The newest unfinished items, and the requested ones in any state. */
  items: ContentSummary[];
}

const maxItems = 20;

/** @param ids further items to look at; missing ones are left out */
async function readUnderWay(store: Store, ids: readonly string[]): Promise<UnderWay> {
  const query = { limit: maxItems, offset: 0 };
  const [{ searchable, pending, failed }, processing, waiting] = await Promise.all([
    store.coverage(),
    store.listContent({ ...query, status: 'processing' }),
    store.listContent({ ...query, status: 'pending' }),
  ]);
  const listed = [...processing.items, ...waiting.items];
  const known = new Set(listed.map(({ id }) => id));
  const others = await Promise.all(ids.filter((id) => !known.has(id)).map((id) => store.getContentSummary(id)));
  return {
    counts: { searchable, pending, failed },
    items: [...listed, ...others.filter((item) => item !== null)],
  };
}
