import type { ContentType } from '../../../domain/records/content.ts';
import type { Facets } from '../../records/search-records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import type { RankedPassage } from '../../../domain/records/texts/passage.ts';

/*
 * A deleted item keeps all its rows until it is purged, so every query has to exclude it. Few items are deleted at a
 * time, so `NOT IN` this list costs a search almost nothing. Looking up each row's item would cost more than the search
 * itself.
 */

export const deletedItems = 'SELECT seq FROM items WHERE deleted_at IS NOT NULL';

export const deletedPassages =
  'SELECT gone.id FROM items c JOIN passages gone ON gone.item = c.seq WHERE c.deleted_at IS NOT NULL';

/** SQL for a JSON array of the tags of `item`, in the order in which they were given. */
export function tagsOf(item: string): string {
  return `(SELECT json_group_array(t.tag ORDER BY t.ordinal) FROM item_tags t WHERE t.item = ${item})`;
}

const maxTagsCounted = 20;

/**
 * Counts the items by type, tag and year. The year is that of publication, or of saving when that is unknown. Types and
 * tags: most frequent first; years: newest first.
 */
export function countFacets(file: SqliteFile, contentIds: readonly string[]): Facets {
  const ids = JSON.stringify(contentIds);
  // The cross join keeps SQLite from scanning all items and searching the list for each.
  const wanted = `json_each(?) wanted CROSS JOIN items c ON c.id = wanted.value AND c.deleted_at IS NULL`;
  return file.read(() => ({
    types: file.all<{ value: ContentType; count: number }>(
      `SELECT c.content_type AS value, count(*) AS count FROM ${wanted}
       WHERE c.content_type IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1`,
      ids,
    ),
    tags: file.all<{ value: string; count: number }>(
      `SELECT min(t.tag) AS value, count(*) AS count FROM ${wanted} JOIN item_tags t ON t.item = c.seq
       GROUP BY t.folded ORDER BY 2 DESC, t.folded LIMIT ?`,
      ids,
      maxTagsCounted,
    ),
    years: file.all<{ value: number; count: number }>(
      `SELECT CAST(coalesce(substr(d.published_at, 1, 4), strftime('%Y', c.created_at / 1000, 'unixepoch')) AS INTEGER) AS value,
         count(*) AS count
       FROM ${wanted} LEFT JOIN documents d ON d.id = c.visible_document GROUP BY 1 ORDER BY 1 DESC`,
      ids,
    ),
  }));
}

/*
 * Finds the items that own passages. Each search does this for two lists of two hundred passages, which takes as long
 * as finding them. Ids of passages and items are never reused, so cached results stay valid after writes.
 */

/** After lookups for one in this many items, all are read in one scan: that costs no more than the lookups did. */
const lookedUpOf = 32;
/** Greatest passage id in the cache. The items of passages with greater ids are looked up each time. */
const maxKeptId = 2 ** 27;

interface Ranked {
  passageId: number;
  score: number;
}

interface OfItem extends Ranked {
  item: number;
}

const namesOf = new WeakMap<SqliteFile, ItemNames>();

/** Adds the item's id to each passage. Passages that never existed are left out. */
export function nameItems(file: SqliteFile, found: readonly Ranked[]): RankedPassage[] {
  const names = openNames(file);
  return names.name(names.withItems(found));
}

/** Like `nameItems`, for passages whose item key is known. */
export function nameKnown(file: SqliteFile, found: readonly OfItem[]): RankedPassage[] {
  return openNames(file).name(found);
}

function openNames(file: SqliteFile): ItemNames {
  const names = namesOf.get(file) ?? new ItemNames(file);
  namesOf.set(file, names);
  names.forgetOutdated();
  return names;
}

class ItemNames {
  readonly #file: SqliteFile;
  #schema = 0;
  #itemCount = 0;
  /** Item keys, indexed by passage id; 0: not known. */
  #items = new Uint32Array(0);
  /** Item ids, indexed by item key. */
  #names: (string | undefined)[] = [];
  #itemsLookedUp = 0;
  #namesLookedUp = 0;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  forgetOutdated(): void {
    const schema = this.#file.schema();
    this.#itemCount = this.#file.remember(
      'last item',
      () => this.#file.get<{ last: number | null }>('SELECT max(seq) AS last FROM items')?.last ?? 0,
    );
    if (schema === this.#schema) return;
    this.#schema = schema;
    this.#items = new Uint32Array(0);
    this.#names = [];
  }

  withItems(found: readonly Ranked[]): OfItem[] {
    const unknown: number[] = [];
    for (const { passageId } of found) if (!this.#items[passageId]) unknown.push(passageId);
    const beyond = unknown.length === 0 ? null : this.#lookUpItems(unknown);
    const items = this.#items;
    const known: OfItem[] = [];
    for (const { passageId, score } of found) {
      const item = items[passageId] || beyond?.get(passageId);
      if (item !== undefined) known.push({ passageId, score, item });
    }
    return known;
  }

  name(found: readonly OfItem[]): RankedPassage[] {
    const names = this.#names;
    const unknown: number[] = [];
    for (const { item } of found) if (names[item] === undefined) unknown.push(item);
    if (unknown.length > 0) this.#lookUpNames(unknown);
    const named: RankedPassage[] = [];
    for (const { passageId, score, item } of found) {
      const contentId = names[item];
      if (contentId !== undefined) named.push({ passageId, contentId, score });
    }
    return named;
  }

  /** @returns the item keys of passages whose ids are too great for the cache */
  #lookUpItems(passageIds: readonly number[]): ReadonlyMap<number, number> {
    this.#itemsLookedUp += passageIds.length;
    if (this.#itemsLookedUp * lookedUpOf > this.#itemCount) {
      this.#itemsLookedUp = 0;
      this.#readAllItems();
    }
    const rows = this.#file.all<{ id: number; item: number }>(
      'SELECT p.id, p.item AS item FROM json_each(?) wanted JOIN passages p ON p.id = wanted.value',
      JSON.stringify(passageIds.filter((id) => !this.#items[id])),
    );
    const beyond = new Map<number, number>();
    for (const { id, item } of rows) {
      if (id > maxKeptId) beyond.set(id, item);
      else this.#keepItem(id, id, item);
    }
    return beyond;
  }

  /**
   * Reads the index on `passages.item`, a hundredth of the table's size. Most items have passages with consecutive
   * ids; the others are looked up one by one.
   */
  #readAllItems(): void {
    const rows = this.#file.all<{ item: number; first: number; last: number; passages: number }>(
      'SELECT item AS item, min(id) AS first, max(id) AS last, count(*) AS passages FROM passages GROUP BY item',
    );
    for (const { item, first, last, passages } of rows)
      if (last - first === passages - 1 && last <= maxKeptId) this.#keepItem(first, last, item);
  }

  #keepItem(first: number, last: number, item: number): void {
    if (last >= this.#items.length) {
      const wider = new Uint32Array(Math.ceil(last * 1.25) + 1);
      wider.set(this.#items);
      this.#items = wider;
    }
    this.#items.fill(item, first, last + 1);
  }

  #lookUpNames(items: readonly number[]): void {
    this.#namesLookedUp += items.length;
    const isMany = this.#namesLookedUp * lookedUpOf > this.#itemCount;
    if (isMany) this.#namesLookedUp = 0;
    const rows = isMany
      ? this.#file.all<{ item: number; name: string }>('SELECT seq AS item, id AS name FROM items')
      : this.#file.all<{ item: number; name: string }>(
          'SELECT c.seq AS item, c.id AS name FROM json_each(?) wanted JOIN items c ON c.seq = wanted.value',
          JSON.stringify(items),
        );
    for (const { item, name } of rows) this.#names[item] = name;
  }
}
