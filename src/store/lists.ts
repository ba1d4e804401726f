import type { ItemList, ListChanges, ListedItems, ListEdits, NewList } from '../domain/records/lists/item-list.ts';

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
