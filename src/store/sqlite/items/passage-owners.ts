import type { RankedPassage } from '../../../domain/records/passage.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/*
 * Whose passages were found. Two lists of two hundred passages are named in each search, which costs as much as finding them. The
 * numbers of passages and items are never those of others, so what was looked up stays when somebody writes.
 */

/** All are read in a row when as many were looked up as one in so many items: then it costs no more. */
const lookedUpOf = 32;
/** Of passages with greater numbers the items are looked up each time. */
const greatestKept = 2 ** 27;

interface Ranked {
  passageId: number;
  score: number;
}

interface OfItem extends Ranked {
  item: number;
}

const namesOf = new WeakMap<SqliteFile, ItemNames>();

/** Names the items of passages that are in the file. One that never was there is left out. */
export function nameItems(file: SqliteFile, found: readonly Ranked[]): RankedPassage[] {
  const names = openNames(file);
  return names.name(names.withItems(found));
}

/** The same where the items' keys are known. */
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
  /** The keys of passages' items by the passages' numbers; 0: not known. */
  #items = new Uint32Array(0);
  /** By the items' keys. */
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
      () => this.#file.get<{ last: number | null }>('SELECT max(seq) AS last FROM content')?.last ?? 0,
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

  /** @returns those of passages whose numbers are too great to keep them */
  #lookUpItems(passageIds: readonly number[]): ReadonlyMap<number, number> {
    this.#itemsLookedUp += passageIds.length;
    if (this.#itemsLookedUp * lookedUpOf > this.#itemCount) {
      this.#itemsLookedUp = 0;
      this.#readAllItems();
    }
    const rows = this.#file.all<{ id: number; item: number }>(
      'SELECT p.id, p.content AS item FROM json_each(?) wanted JOIN passages p ON p.id = wanted.value',
      JSON.stringify(passageIds.filter((id) => !this.#items[id])),
    );
    const beyond = new Map<number, number>();
    for (const { id, item } of rows) {
      if (id > greatestKept) beyond.set(id, item);
      else this.#keepItem(id, id, item);
    }
    return beyond;
  }

  /** From the index of items' passages, which is a hundredth of the table: those of an item are mostly numbered in a row. */
  #readAllItems(): void {
    const rows = this.#file.all<{ item: number; first: number; last: number; passages: number }>(
      'SELECT content AS item, min(id) AS first, max(id) AS last, count(*) AS passages FROM passages GROUP BY content',
    );
    for (const { item, first, last, passages } of rows)
      if (last - first === passages - 1 && last <= greatestKept) this.#keepItem(first, last, item);
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
      ? this.#file.all<{ item: number; name: string }>('SELECT seq AS item, id AS name FROM content')
      : this.#file.all<{ item: number; name: string }>(
          'SELECT c.seq AS item, c.id AS name FROM json_each(?) wanted JOIN content c ON c.seq = wanted.value',
          JSON.stringify(items),
        );
    for (const { item, name } of rows) this.#names[item] = name;
  }
}
