import type { HeldTo } from '../../../domain/access/held.ts';
import { numberedAddress } from '../../../domain/access/account-names.ts';
import { foldTag } from '../../../domain/records/item.ts';
import { type Filter, leavesOf } from '../../../domain/search/filter.ts';
import { parseQuery } from '../../../domain/search/query-language.ts';
import { AppError, invalidInput } from '../../../errors.ts';
import type { Coverage } from '../../records/search-records.ts';
import { all, type Db, first, isKey, join, sql, type Sql, type Steps, text } from '../db.ts';
import { conditionOf, resolveFilter } from './filter.ts';

/* The items that a held caller knows (`domain/access/held.ts`), those in the trash included. */

/** A query of their keys. */
export function* heldItems(db: Db, held: HeldTo): Steps<Sql> {
  const tags = sql`SELECT ht.item FROM item_tags ht WHERE ${db.of('ht')} AND ${isOneOf('ht.folded', held.tags.map(foldTag))}`;
  if (held.lists.length === 0) return tags;
  const byHand = sql`SELECT hi.item FROM lists hl CROSS JOIN list_items hi
    WHERE ${isHeldList(db, held)} AND hl.query IS NULL AND ${db.of('hi')} AND hi.list = hl.seq`;
  const queries = yield* all<{ query: string }>`
    SELECT hl.query FROM lists hl WHERE ${isHeldList(db, held)} AND hl.query IS NOT NULL`;
  const found: Sql[] = [];
  for (const { query } of queries) {
    const filter = yield* filterOfList(db, query);
    if (filter !== null) found.push(sql`SELECT i.seq FROM items i WHERE ${db.of('i')} AND ${conditionOf(db, filter)}`);
  }
  return join([tags, byHand, ...found], ' UNION ALL ');
}

const isHeldList = (db: Db, { lists }: HeldTo): Sql => sql`${db.of('hl')} AND ${isOneOf('hl.id', lists)}`;

/** They are few: with a table of them, the index of the column would not be used. */
function isOneOf(column: string, values: readonly string[]): Sql {
  return values.length === 0 ? sql`false` : sql`${text(column)} IN (${join(values)})`;
}

/** Null where the list defines no restriction: the words of pages, written by strangers, must not decide it. */
function* filterOfList(db: Db, query: string): Steps<Filter | null> {
  const { condition } = parseQuery(query, db.now);
  if (condition === null) return null;
  try {
    const filter = yield* resolveFilter(db, condition, true);
    return [...leavesOf(filter)].some((leaf) => 'word' in leaf) ? null : filter;
  } catch (error) {
    // It names a list that is gone, or too many.
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** The existing lists that a caller is restricted to. */
export function* listHeldLists(db: Db, held: HeldTo): Steps<{ id: string; name: string }[]> {
  return [
    ...(yield* all<{ id: string; name: string }>`SELECT hl.id, hl.name FROM lists hl WHERE ${isHeldList(db, held)}`),
  ];
}

/** The names of those by a query that hold nothing: words do not decide it, nor lists that are gone. */
export function* listEmptyHeldLists(db: Db, held: HeldTo): Steps<string[]> {
  const names: string[] = [];
  const lists = yield* all<{ name: string; query: string }>`
    SELECT hl.name, hl.query FROM lists hl WHERE ${isHeldList(db, held)} AND hl.query IS NOT NULL`;
  for (const { name, query } of lists) if ((yield* filterOfList(db, query)) === null) names.push(name);
  return names;
}

/** The condition that a column has the key of one of them; true for a caller that is not restricted. */
export function* isHeld(db: Db, column: Sql, held: HeldTo | undefined): Steps<Sql> {
  return held === undefined ? sql`true` : sql`${column} IN (${yield* heldItems(db, held)})`;
}

/** The ids, of items, highlights and action items, that this restricted caller may see. A merged action counts for its own item. */
export function* findHeld(db: Db, ids: readonly string[], held: HeldTo): Steps<string[]> {
  const asked = db.texts('asked', ids);
  const isKnown = yield* isHeld(db, sql`found.item`, held);
  const rows = yield* all<{ id: string }>`
    SELECT found.id FROM (
      SELECT i.id, i.seq AS item FROM ${asked} JOIN items i ON ${db.of('i')} AND i.id = asked.value
      UNION ALL SELECT h.id, h.item FROM ${asked} JOIN highlights h ON ${db.of('h')} AND h.id = asked.value
      UNION ALL SELECT a.id, a.item FROM ${asked} JOIN actions a ON ${db.of('a')} AND a.id = asked.value
    ) AS found WHERE ${isKnown}`;
  return rows.map(({ id }) => id);
}

/** The keys of all undeleted items that this restricted caller may see. */
export function* listHeld(db: Db, held: HeldTo): Steps<number[]> {
  const rows = yield* all<{ seq: number }>`
    SELECT i.seq FROM items i
    WHERE ${db.of('i')} AND i.deleted_at IS NULL AND ${yield* isHeld(db, sql`i.seq`, held)}`;
  return rows.map(({ seq }) => seq);
}

export function* coverage(db: Db, held?: HeldTo): Steps<Coverage> {
  const counts = yield* first<Coverage>`
    SELECT count(*) FILTER (WHERE passage_count > 0) AS searchable,
      count(*) FILTER (WHERE passage_count = 0 AND state = 'unfinished') AS pending,
      count(*) FILTER (WHERE passage_count = 0 AND state = 'failed') AS failed
    FROM items i WHERE ${db.of('i')} AND i.deleted_at IS NULL AND ${yield* isHeld(db, sql`i.seq`, held)}`;
  return counts ?? { searchable: 0, pending: 0, failed: 0 };
}

/** The language of a tag: `en-US` is `en`. */
export const primaryOf = (language: string): string => language.toLowerCase().split(/[-_]/, 1)[0] ?? '';

/** How many passages of these items there are in these languages (null: in any), and how many have a vector. */
export function* countHeldVectors(
  db: Db,
  languages: readonly string[] | null,
  held: HeldTo,
): Steps<{ passages: number; embedded: number }> {
  const rows = yield* all<{ language: string | null; passages: number; embedded: number }>`
    SELECT d.language, count(*) AS passages, count(v.passage) AS embedded
    FROM items i JOIN documents d ON ${db.of('d')} AND d.id = i.visible_document
      JOIN passages p ON ${db.of('p')} AND p.document = d.id
      LEFT JOIN vectors v ON ${db.of('v')} AND v.passage = p.id
    WHERE ${db.of('i')} AND i.deleted_at IS NULL AND ${yield* isHeld(db, sql`i.seq`, held)} GROUP BY d.language`;
  const wanted = languages === null ? null : new Set(languages.map(primaryOf));
  const readable = rows.filter(({ language }) => language === null || wanted?.has(primaryOf(language)) !== false);
  return {
    passages: readable.reduce((sum, { passages }) => sum + passages, 0),
    embedded: rows.reduce((sum, { embedded }) => sum + embedded, 0),
  };
}

export function* isHeldItem(db: Db, item: number, held: HeldTo): Steps<boolean> {
  const found = yield* first`
    SELECT 1 AS found FROM items i WHERE ${db.of('i')} AND i.seq = ${item} AND ${yield* isHeld(db, sql`i.seq`, held)}`;
  return found !== undefined;
}

/** @throws {AppError} `invalid_input`; the transaction must end with it */
export function* requireHeld(db: Db, item: number, held: HeldTo | undefined): Steps<void> {
  if (held === undefined || (yield* isHeldItem(db, item, held))) return;
  throw invalidInput(
    'This would take the item out of the lists and tags that this token or key is restricted to. Keep one of its tags.',
  );
}

/**
 * The address under which a restricted caller saves and finds: that of an item that it may see, or one that no item has. Deleted
 * items count like others.
 */
export function* addressFor(db: Db, canonicalUrl: string, held: HeldTo | undefined): Steps<string> {
  if (held === undefined) return canonicalUrl;
  for (let number = 1; ; number += 1) {
    const address = numberedAddress(canonicalUrl, number);
    const [same] = yield* all<{ seq: number }>`
      SELECT i.seq FROM items i
      WHERE ${db.of('i')} AND ${isKey(db, 'i', 'canonical_url', address)}
        AND (i.deleted_at IS NULL OR i.deleted_passed IS NOT NULL)
      ORDER BY i.deleted_at IS NOT NULL, i.deleted_passed DESC LIMIT 1`;
    if (same === undefined || (yield* isHeldItem(db, same.seq, held))) return address;
  }
}
