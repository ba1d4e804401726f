import { isoTime } from '../../../domain/clock.ts';
import { idPattern, newId } from '../../../domain/records/ids.ts';
import type {
  ItemList,
  ListChanges,
  ListedItems,
  ListEdits,
  NamedList,
  NewList,
} from '../../../domain/records/list.ts';
import { cleanListName, problemOfListName, foldTag } from '../../../domain/records/item.ts';
import { maxListItems, maxLists } from '../../../domain/records/limits.ts';
import type { ExportedList } from '../../../domain/records/transfers/exported.ts';
import { listsIn, namesList } from '../../../domain/search/filter.ts';
import { parseQuery } from '../../../domain/search/query-language.ts';
import type { AppError } from '../../../errors.ts';
import { noSuchItem, invalidInput } from '../../../errors.ts';
import { all, assignments, type Db, first, grown, later, run, sql, type Sql, type Steps } from '../db.ts';
import { columnsOf, listFields, valuesOf } from '../fields.ts';
import { resolveFilter } from './filter.ts';

/* Lists of items. `reading.ts` beside it lists items. */

interface StoredList extends Omit<ExportedList, 'items'> {
  seq: number;
}

function* readLists(db: Db, condition: Sql): Steps<StoredList[]> {
  return yield* all<StoredList>`
    SELECT l.seq, ${columnsOf(listFields, 'l')} FROM lists l WHERE ${db.of('l')} AND ${condition}
    ORDER BY l.ordinal, l.seq`;
}

/** @param named its id, or its name in any case */
export function* findList(db: Db, named: string): Steps<StoredList | null> {
  const [found] = yield* readLists(db, sql`(l.id = ${named} OR l.folded = ${foldTag(named)})`);
  return found ?? null;
}

/** How many items each list by hand has, without those in the trash. */
function* countByHand(db: Db, condition: Sql): Steps<Map<number, number>> {
  // Few items are in the trash. To look up each item would cost more than these two counts.
  const counted = yield* all<{ list: number; count: number }>`
    SELECT x.list, count(*) AS count FROM list_items x WHERE ${db.of('x')} AND ${condition} GROUP BY x.list
    UNION ALL SELECT x.list, -count(*) FROM items i CROSS JOIN list_items x
    WHERE ${db.of('i')} AND i.deleted_at IS NOT NULL AND ${db.of('x')} AND x.item = i.seq AND ${condition}
    GROUP BY x.list`;
  const counts = new Map<number, number>();
  for (const { list, count } of counted) counts.set(list, (counts.get(list) ?? 0) + count);
  return counts;
}

function shown({ id, name, icon, query, createdAt, updatedAt }: StoredList, items: number): ItemList {
  return { id, name, icon, query, items, createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt) };
}

function* shownList(db: Db, list: StoredList): Steps<ItemList> {
  return shown(list, (yield* countByHand(db, sql`x.list = ${list.seq}`)).get(list.seq) ?? 0);
}

export function* listLists(db: Db): Steps<ItemList[]> {
  const counts = yield* countByHand(db, sql`true`);
  return (yield* readLists(db, sql`true`)).map((list) => shown(list, counts.get(list.seq) ?? 0));
}

export function* getList(db: Db, named: string): Steps<ItemList | null> {
  const list = yield* findList(db, named);
  return list === null ? null : yield* shownList(db, list);
}

export const listsOfItem = (db: Db, item: number): Steps<NamedList[]> =>
  all<NamedList>`
    SELECT l.id, l.name FROM list_items x JOIN lists l ON ${db.of('l')} AND l.seq = x.list
    WHERE ${db.of('x')} AND x.item = ${item} ORDER BY l.ordinal, l.seq`;

/**
 * A list that has this name already is that list: it takes the given icon and query.
 * @throws {AppError} `invalid_input` when the account has `maxLists`, when that list is of the other kind, and for a query
 *   that is not understood or leads back to its list
 */
export function* addList(db: Db, { name, icon, query }: NewList): Steps<ItemList> {
  const known = yield* findList(db, name);
  if (known !== null) {
    if ((known.query === null) !== ((query ?? null) === null)) throw nameTaken();
    const given = { ...(icon !== undefined && { icon }), ...(query !== undefined && query !== null && { query }) };
    return yield* changeList(db, known, given);
  }
  if (query) yield* requireQuery(db, { id: '', name }, query);
  const lists = yield* readLists(db, sql`true`);
  if (lists.length >= maxLists)
    throw invalidInput(`There are ${maxLists} lists already, and no more are possible. Delete one first.`);
  const [ordinal = 0] = ordinalsBetween(lists.at(-1)?.ordinal ?? null, null, 1) ?? (yield* spreadLists(db, lists, 1));
  const id = newId('l');
  const times = { created_at: db.now, updated_at: db.now };
  yield* later`${db.row('lists', { id, name, folded: foldTag(name), icon: icon || null, query: query || null, ordinal, ...times })}`;
  return (yield* getList(db, id)) ?? unread();
}

/**
 * Null when there is no such list.
 * @throws {AppError} `invalid_input` when another list has the name, and for a query of a list by hand
 */
export function* updateList(db: Db, named: string, changes: ListChanges): Steps<ItemList | null> {
  const list = yield* findList(db, named);
  return list === null ? null : yield* changeList(db, list, changes);
}

function* changeList(db: Db, list: StoredList, { position, ...changes }: ListChanges): Steps<ItemList> {
  const { name = list.name, icon = list.icon, query = list.query } = changes;
  const other = yield* findList(db, name);
  if (other !== null && other.seq !== list.seq) throw nameTaken();
  if (query !== list.query && (list.query === null || !query))
    throw invalidInput(
      'A list by hand stays one, and so does a list by a query. Make another list, and delete this one.',
    );
  if (query && (query !== list.query || name !== list.name)) yield* requireQuery(db, { id: list.id, name }, query);
  const ordinal = position === undefined ? list.ordinal : yield* ordinalAt(db, list, position);
  const values = {
    ...(name !== list.name && { name, folded: foldTag(name) }),
    ...((icon || null) !== list.icon && { icon: icon || null }),
    ...(query !== list.query && { query }),
    ...(ordinal !== list.ordinal && { ordinal }),
  };
  if (Object.keys(values).length > 0)
    yield* later`
      UPDATE lists SET ${assignments({ ...values, updated_at: grown(db.now) })}
      WHERE ${db.of('lists')} AND seq = ${list.seq}`;
  if (name !== list.name) yield* touchItemsOf(db, list);
  return (yield* getList(db, list.id)) ?? unread();
}

/** @throws {AppError} `invalid_input` when a query is not understood, or leads back to its own list */
function* requireQuery(db: Db, self: Pick<StoredList, 'id' | 'name'>, query: string): Steps<void> {
  const { condition, hints } = parseQuery(query, db.now);
  if (condition === null || hints.length > 0)
    throw invalidInput(
      `The query of a list has to be understood. ${hints.join(' ') || 'This one has no word or operator to list by.'}`,
    );
  const lists = yield* readLists(db, sql`true`);
  const seen = new Set<string>();
  const queries = [query];
  for (let asked = queries.pop(); asked !== undefined; asked = queries.pop())
    for (const wanted of listsIn(parseQuery(asked, db.now).condition)) {
      if (namesList(wanted, self))
        throw invalidInput('The query leads back to its own list. Leave that list out of it.');
      for (const one of lists)
        if (one.query !== null && !seen.has(one.id) && namesList(wanted, one)) {
          seen.add(one.id);
          queries.push(one.query);
        }
    }
  yield* resolveFilter(db, condition);
}

/** The ordinal of a list at this position. Unchanged when it is already there. */
function* ordinalAt(db: Db, list: StoredList, wanted: number): Steps<number> {
  const lists = yield* readLists(db, sql`true`);
  const position = Math.min(wanted, lists.length - 1);
  if (lists.findIndex(({ seq }) => seq === list.seq) === position) return list.ordinal;
  const others = lists.filter(({ seq }) => seq !== list.seq);
  const [before, after] = [others[position - 1], others[position]];
  const [free] = ordinalsBetween(before?.ordinal ?? null, after?.ordinal ?? null, 1) ?? [];
  if (free !== undefined) return free;
  yield* spreadLists(db, lists, 0);
  return yield* ordinalAt(db, list, position);
}

/** Its items stay as they are. Null when there is no such list. */
export function* deleteList(db: Db, named: string): Steps<ItemList | null> {
  const list = yield* findList(db, named);
  if (list === null) return null;
  const deleted = yield* shownList(db, list);
  yield* touchItemsOf(db, list);
  yield* removeList(db, list.seq);
  return deleted;
}

/** The history records its items one by one, and their list while it exists. */
export function* removeList(db: Db, list: number): Steps<void> {
  yield* later`DELETE FROM list_items WHERE ${db.of('list_items')} AND list = ${list}`;
  yield* later`DELETE FROM lists WHERE ${db.of('lists')} AND seq = ${list}`;
}

/** An item says which lists it is in. */
function* touchItemsOf(db: Db, { seq }: StoredList): Steps<void> {
  yield* later`
    UPDATE items SET updated_at = ${grown(db.now)} WHERE ${db.of('items')} AND seq IN (
      SELECT x.item FROM list_items x WHERE ${db.of('x')} AND x.list = ${seq})`;
}

/**
 * Puts items into a list by hand, in this order: at its end, or before the item at `position`. Those that are in it
 * already move there when a position is given, and stay where they are when none is. Null when there is no such list.
 * @throws {AppError} `invalid_input` when it is a list by a query, and when it would have more than `maxListItems`
 */
export function* addToList(
  db: Db,
  named: string,
  contentIds: readonly string[],
  position?: number,
): Steps<ListedItems | null> {
  const list = yield* findListByHand(db, named);
  if (list === null) return null;
  const { items, missing } = yield* findItems(db, contentIds);
  const there = new Set(yield* itemsIn(db, list.seq, items));
  const put = position === undefined ? items.filter((item) => !there.has(item)) : items;
  yield* putItems(db, list.seq, put, position);
  return yield* afterChange(db, list, put, missing);
}

/** Null when there is no such list. @throws {AppError} `invalid_input` when it is a list by a query */
export function* removeFromList(db: Db, named: string, contentIds: readonly string[]): Steps<ListedItems | null> {
  const list = yield* findListByHand(db, named);
  if (list === null) return null;
  const { items, missing } = yield* findItems(db, contentIds);
  const taken = yield* itemsIn(db, list.seq, items);
  yield* run`
    DELETE FROM list_items WHERE ${db.of('list_items')} AND list = ${list.seq}
      AND item IN (SELECT k.value FROM ${db.numbers('k', taken)})`;
  return yield* afterChange(db, list, taken, missing);
}

/**
 * Several changes of one list, completely or not at all. Creates a manual or query list if there is none with this name. Null when
 * there is none, and the edits create none.
 * @throws {AppError} as the others, and `not_found` when the only items to change are missing
 */
export function* editList(
  db: Db,
  named: string,
  { add = [], remove = [], ...changes }: ListEdits,
): Steps<ListedItems | null> {
  const known = yield* findList(db, named);
  // Taking something out makes no list.
  if (known === null && (idPattern('l').test(named) || remove.length > 0)) return null;
  const list =
    known === null
      ? yield* addList(db, { ...changes, name: changes.name ?? nameFrom(named) })
      : yield* changeList(db, known, changes);
  const added = add.length === 0 ? null : yield* addToList(db, list.id, add);
  const removed = remove.length === 0 ? null : yield* removeFromList(db, list.id, remove);
  const missing = [...(added?.missing ?? []), ...(removed?.missing ?? [])];
  const isAllMissing = missing.length > 0 && missing.length === new Set(add).size + new Set(remove).size;
  if (isAllMissing && Object.values(changes).every((change) => change === undefined)) throw noSuchItem();
  return {
    list: removed?.list ?? added?.list ?? list,
    changed: (added?.changed ?? 0) + (removed?.changed ?? 0),
    missing,
  };
}

function nameFrom(named: string): string {
  const name = cleanListName(named);
  const message = problemOfListName(name);
  if (message === null) return name;
  throw invalidInput(`No list can have this name: ${message}.`, {
    fields: [{ path: 'list', message }],
  });
}

/** @throws {AppError} `invalid_input` for a query list */
function* findListByHand(db: Db, named: string): Steps<StoredList | null> {
  const list = yield* findList(db, named);
  if (list === null || list.query === null) return list;
  throw invalidInput(
    'A query says what is in this list, so nothing can be put into it or taken out. Change its query.',
  );
}

/** The keys of items, in the given order and each once. */
function* findItems(db: Db, ids: readonly string[]): Steps<{ items: number[]; missing: string[] }> {
  const wanted = [...new Set(ids)];
  const found = yield* all<{ id: string; seq: number }>`
    SELECT i.id, i.seq FROM items i
    WHERE ${db.of('i')} AND i.deleted_at IS NULL AND i.id IN (SELECT k.value FROM ${db.texts('k', wanted)})`;
  const keys = new Map(found.map(({ id, seq }) => [id, seq]));
  return { items: wanted.flatMap((id) => keys.get(id) ?? []), missing: wanted.filter((id) => !keys.has(id)) };
}

/** Those of the items that are in the list; all that are in it where none are named. */
function* itemsIn(db: Db, list: number, items?: readonly number[]): Steps<number[]> {
  const named = items && sql`AND x.item IN (SELECT k.value FROM ${db.numbers('k', items)})`;
  const rows = yield* all<{ item: number }>`
    SELECT x.item FROM list_items x WHERE ${db.of('x')} AND x.list = ${list} ${named ?? sql``}`;
  return rows.map(({ item }) => item);
}

function* afterChange(db: Db, list: StoredList, items: readonly number[], missing: string[]): Steps<ListedItems> {
  if (items.length > 0) {
    yield* later`UPDATE lists SET updated_at = ${grown(db.now)} WHERE ${db.of('lists')} AND seq = ${list.seq}`;
    yield* later`
      UPDATE items SET updated_at = ${grown(db.now)}
      WHERE ${db.of('items')} AND seq IN (SELECT k.value FROM ${db.numbers('k', items)})`;
  }
  return { list: (yield* getList(db, list.id)) ?? unread(), changed: items.length, missing };
}

/**
 * Puts items into a list, before the item at `position` or at its end.
 * @throws {AppError} `invalid_input` when it would have more than `maxListItems`
 */
export function* putItems(db: Db, list: number, items: readonly number[], position?: number): Steps<void> {
  if (items.length === 0) return;
  const ordinals = (yield* freeOrdinals(db, list, items, position)) ?? (yield* spreadItems(db, list, items, position));
  for (const [at, item] of items.entries())
    yield* later`${db.row('list_items', { list, item, ordinal: ordinals[at] ?? 0, added_at: db.now })}
      ON CONFLICT ${db.key('list', 'item')} DO UPDATE SET ordinal = excluded.ordinal`;
  yield* requireRoom(db, list);
}

/** @throws {AppError} `invalid_input` when the list has more than `maxListItems` */
export function* requireRoom(db: Db, list: number): Steps<void> {
  const counted = yield* first<{ count: number }>`
    SELECT count(*) AS count FROM list_items x WHERE ${db.of('x')} AND x.list = ${list}`;
  if ((counted?.count ?? 0) > maxListItems)
    throw invalidInput(
      `A list has at most ${maxListItems.toLocaleString('en')} items, those in the trash included. Make another list, or one by a query.`,
    );
}

/** Null when there is no room between the neighbours. */
function* freeOrdinals(
  db: Db,
  list: number,
  items: readonly number[],
  position: number | undefined,
): Steps<number[] | null> {
  const others = sql`list_items x WHERE ${db.of('x')} AND x.list = ${list}
    AND x.item NOT IN (SELECT k.value FROM ${db.numbers('k', items)})`;
  const last = yield* first<{ ordinal: number }>`SELECT x.ordinal FROM ${others} ORDER BY x.ordinal DESC LIMIT 1`;
  if (position === undefined || last === undefined) return ordinalsBetween(last?.ordinal ?? null, null, items.length);
  // Those in the trash are not seen, and have places nevertheless.
  const neighbours = yield* all<{ ordinal: number }>`
    SELECT x.ordinal FROM ${others} AND NOT EXISTS (
      SELECT 1 FROM items i WHERE ${db.of('i')} AND i.seq = x.item AND i.deleted_at IS NOT NULL)
    ORDER BY x.ordinal, x.item LIMIT 2 OFFSET ${Math.max(0, position - 1)}`;
  const [one, other] = neighbours.map(({ ordinal }) => ordinal);
  if (position === 0) return ordinalsBetween(null, one ?? null, items.length);
  return ordinalsBetween(one ?? last.ordinal, other ?? null, items.length);
}

/** Ordinals have gaps, so that one can be inserted between two others and the history records only that one. */
const gap = 65_536;
const maxOrdinal = 2 ** 31 - 1;

/** Ordinals between two neighbours; null when there is no room. */
function ordinalsBetween(before: number | null, after: number | null, count: number): number[] | null {
  const width = gap * (count + 1);
  const low = before ?? (after === null ? 0 : after - width);
  const high = after ?? low + width;
  const step = Math.floor((high - low) / (count + 1));
  if (step < 1 || low < -maxOrdinal || high > maxOrdinal) return null;
  return Array.from({ length: count }, (_, at) => low + step * (at + 1));
}

/** Renumbers all items of the list with gaps. @returns the ordinals of the items to insert */
function* spreadItems(db: Db, list: number, items: readonly number[], position: number | undefined): Steps<number[]> {
  yield* later`
    UPDATE list_items SET ordinal = n.place * ${gap} FROM (
      SELECT x.item, row_number() OVER (ORDER BY x.ordinal, x.item) AS place FROM list_items x
      WHERE ${db.of('x')} AND x.list = ${list}) n
    WHERE ${db.of('list_items')} AND list_items.list = ${list} AND list_items.item = n.item`;
  return (yield* freeOrdinals(db, list, items, position)) ?? unread();
}

/** The same for lists. @returns the ordinals behind them */
function* spreadLists(db: Db, lists: readonly StoredList[], count: number): Steps<number[]> {
  for (const [at, { seq }] of lists.entries())
    yield* later`UPDATE lists SET ordinal = ${(at + 1) * gap} WHERE ${db.of('lists')} AND seq = ${seq}`;
  return Array.from({ length: count }, (_, at) => (lists.length + at + 1) * gap);
}

/** Adds lists of an export, and the missing items of existing ones. */
export function* insertLists(db: Db, lists: readonly ExportedList[]): Steps<string[]> {
  const leftOut: string[] = [];
  const there = yield* readLists(db, sql`true`);
  for (const { items: ids, ...exported } of lists) {
    const { id, name, query } = exported;
    const known = there.find((one) => one.id === id) ?? there.find((one) => foldTag(one.name) === foldTag(name));
    const isOther = known !== undefined && (known.query === null) !== (query === null);
    if (isOther || (known === undefined && there.length >= maxLists)) {
      leftOut.push(name);
      continue;
    }
    if (known === undefined) {
      const last = there.at(-1)?.ordinal ?? null;
      const [ordinal = 0] =
        last === null || exported.ordinal > last
          ? [exported.ordinal]
          : (ordinalsBetween(last, null, 1) ?? (yield* spreadLists(db, there, 1)));
      yield* later`${db.row('lists', { ...valuesOf(listFields, { ...exported, ordinal }), folded: foldTag(name) })}`;
    }
    const list = known ?? (yield* findList(db, id)) ?? unread();
    if (known === undefined) there.push(list);
    if (query !== null) continue;
    const { items } = yield* findItems(db, ids ?? []);
    const inIt = new Set(yield* itemsIn(db, list.seq));
    const lacking = items.filter((item) => !inIt.has(item));
    if (inIt.size + lacking.length > maxListItems) leftOut.push(name);
    yield* putItems(db, list.seq, lacking.slice(0, Math.max(0, maxListItems - inIt.size)));
  }
  return leftOut;
}

function nameTaken(): AppError {
  return invalidInput('Another list has this name. Choose another name, or change that list.');
}

function unread(): never {
  throw new Error('a list that was just written is not there');
}
