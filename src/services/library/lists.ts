import type { Writer } from '../../domain/records/change.ts';
import { idPattern } from '../../domain/records/ids.ts';
import {
  type ItemList,
  type ListChanges,
  type ListedItems,
  listName,
  type NewList,
} from '../../domain/records/item-list.ts';
import { AppError, noSuchItem } from '../../errors.ts';
import type { Stores } from '../../store/store.ts';

/** Lists of items: by hand, or by a query. Each is named by its id or its name, in any case. */
export interface ListsService {
  /** In their order. */
  list(account: string): Promise<ItemList[]>;
  /** @throws {AppError} `not_found`, like the others, when there is no such list */
  get(account: string, list: string): Promise<ItemList>;
  add(writer: Writer, list: NewList): Promise<ItemList>;
  update(writer: Writer, list: string, changes: ListChanges): Promise<ItemList>;
  /** Its items stay as they are. */
  delete(writer: Writer, list: string): Promise<ItemList>;
  /** @throws {AppError} `not_found` also when none of the items is there */
  addItems(writer: Writer, list: string, contentIds: readonly string[], position?: number): Promise<ListedItems>;
  removeItems(writer: Writer, list: string, contentIds: readonly string[]): Promise<ListedItems>;
  /** Several of these at once. A list by hand or by the query is made where there is none with this name. */
  change(
    writer: Writer,
    list: string,
    changes: Omit<ListChanges, 'position'> & { add?: readonly string[]; remove?: readonly string[] },
  ): Promise<ListedItems>;
}

export function createListsService(stores: Stores): ListsService {
  const found = <T>(list: T | null): T => {
    if (list === null)
      throw new AppError(
        'not_found',
        'There is no list with this id or name. The list of lists shows those there are.',
      );
    return list;
  };
  const someThere = (listed: ListedItems | null, contentIds: readonly string[]): ListedItems => {
    const answer = found(listed);
    if (contentIds.length > 0 && answer.missing.length === new Set(contentIds).size) throw noSuchItem();
    return answer;
  };
  return {
    list: async (account) => (await stores.open(account)).listLists(),
    get: async (account, list) => found(await (await stores.open(account)).getList(list)),
    add: async (writer, list) => (await stores.open(writer)).addList(list),
    async update(writer, list, changes) {
      if (Object.values(changes).every((change) => change === undefined))
        throw new AppError('invalid_input', 'Nothing to change was given. Give `name`, `icon`, `query` or `position`.');
      return found(await (await stores.open(writer)).updateList(list, changes));
    },
    delete: async (writer, list) => found(await (await stores.open(writer)).deleteList(list)),
    async addItems(writer, list, contentIds, position) {
      return someThere(await (await stores.open(writer)).addToList(list, contentIds, position), contentIds);
    },
    async removeItems(writer, list, contentIds) {
      return someThere(await (await stores.open(writer)).removeFromList(list, contentIds), contentIds);
    },
    async change(writer, named, { add = [], remove = [], ...changes }) {
      const store = await stores.open(writer);
      const known = await store.getList(named);
      const isByQuery = (known?.query ?? changes.query ?? null) !== null;
      if (isByQuery && add.length + remove.length > 0)
        throw new AppError('invalid_input', 'A list by a query has what that finds. Leave out `add` and `remove`.');
      // Taking something out makes no list.
      if (known === null && (idPattern('l').test(named) || remove.length > 0)) found(null);
      const name = changes.name ?? listName.parse(named);
      const list =
        known === null ? await store.addList({ ...changes, name }) : found(await store.updateList(known.id, changes));
      const added = add.length === 0 ? null : someThere(await store.addToList(list.id, add), add);
      const removed = remove.length === 0 ? null : someThere(await store.removeFromList(list.id, remove), remove);
      return {
        list: removed?.list ?? added?.list ?? list,
        changed: (added?.changed ?? 0) + (removed?.changed ?? 0),
        missing: [...(added?.missing ?? []), ...(removed?.missing ?? [])],
      };
    },
  };
}
