import type { Writer } from '../../domain/records/change.ts';
import type { ItemList, ListChanges, ListedItems, ListEdits, NewList } from '../../domain/records/list.ts';
import { listsIn, namesList } from '../../domain/search/filter.ts';
import { parseQuery } from '../../domain/search/query-language.ts';
import { AppError, invalidInput, noSuchItem, notFound } from '../../errors.ts';
import type { Page, PageRequest } from '../../store/records.ts';
import type { Store, Stores } from '../../store/store.ts';

/** Lists of items: by hand, or by a query. Each is named by its id or its name, in any case. */
export type ListsService = ReturnType<typeof createListsService>;

/** A query's items are counted up to this number, since people read no further. */
const maxCounted = 1_000;

/** The list with the number of items that its query finds; without any where the query names a list that is gone. */
async function counted<L extends ItemList>(store: Store, list: L): Promise<L> {
  if (list.query === null) return list;
  const query = { filter: { list: list.id }, limit: 1, offset: 0, maxTotal: maxCounted };
  const found = await store.listTitles(query).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'invalid_input') return { total: 0 };
    throw error;
  });
  // A held caller is not shown the query.
  return { ...list, query: list.query || null, items: found.total };
}

/** Whether the query names this list itself, and not only a beginning that it shares with others. */
function isNamedIn(query: string, list: ItemList): boolean {
  return listsIn(parseQuery(query, 0).condition).some((wanted) => !wanted.endsWith('*') && namesList(wanted, list));
}

/** These lists with the numbers of their items, one after the other: there may be hundreds. */
export async function countedLists(store: Store, lists: readonly ItemList[]): Promise<ItemList[]> {
  const all: ItemList[] = [];
  for (const list of lists) all.push(await counted(store, list));
  return all;
}

export function createListsService(stores: Stores) {
  const found = <T>(list: T | null): T => {
    if (list === null)
      throw notFound('There is no list with this id or name. The list of lists shows those there are.');
    return list;
  };
  const someThere = (listed: ListedItems | null, contentIds: readonly string[]): ListedItems => {
    const answer = found(listed);
    if (contentIds.length > 0 && answer.missing.length === new Set(contentIds).size) throw noSuchItem();
    return answer;
  };
  return {
    /** In their order. */
    async list(account: string, { limit, offset }: PageRequest): Promise<Page<ItemList>> {
      const store = await stores.open(account);
      const lists = await store.listLists();
      return { items: await countedLists(store, lists.slice(offset, offset + limit)), total: lists.length };
    },
    /** @throws {AppError} `not_found`, like the others, when there is no such list */
    async get(account: string, list: string): Promise<ItemList> {
      const store = await stores.open(account);
      return counted(store, found(await store.getList(list)));
    },
    async add(writer: Writer, list: NewList): Promise<ItemList> {
      const store = await stores.open(writer);
      return counted(store, await store.addList(list));
    },
    async update(writer: Writer, list: string, changes: ListChanges): Promise<ItemList> {
      if (Object.values(changes).every((change) => change === undefined))
        throw invalidInput('Nothing to change was given. Give `name`, `icon`, `query` or `position`.');
      const store = await stores.open(writer);
      return counted(store, found(await store.updateList(list, changes)));
    },
    /** Its items stay as they are. @throws {AppError} `invalid_input` where the query of another list names it */
    async delete(writer: Writer, named: string): Promise<ItemList> {
      const store = await stores.open(writer);
      const list = found(await store.getList(named));
      const follower = (await store.listLists()).find(({ query }) => query !== null && isNamedIn(query, list));
      if (follower !== undefined)
        throw invalidInput(
          `The query of the list "${follower.name}" names this list, and would find nothing without it. Change that query first, or delete that list.`,
        );
      return found(await store.deleteList(list.id));
    },
    /** @throws {AppError} `not_found` also when none of the items exists */
    async addItems(
      writer: Writer,
      list: string,
      contentIds: readonly string[],
      position?: number,
    ): Promise<ListedItems> {
      return someThere(await (await stores.open(writer)).addToList(list, contentIds, position), contentIds);
    },
    async removeItems(writer: Writer, list: string, contentIds: readonly string[]): Promise<ListedItems> {
      return someThere(await (await stores.open(writer)).removeFromList(list, contentIds), contentIds);
    },
    /** Several of these at once. Creates the list, manual or by a query, if there is none with this name. */
    async change(writer: Writer, list: string, edits: ListEdits): Promise<ListedItems> {
      const store = await stores.open(writer);
      const edited = found(await store.editList(list, edits));
      return { ...edited, list: await counted(store, edited.list) };
    },
  };
}
