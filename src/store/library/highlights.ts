import { isoTime } from '../../domain/clock.ts';
import { shownAddress } from '../../domain/links/shown-address.ts';
import type {
  Highlight,
  HighlightChanges,
  ImportedHighlight,
  NewHighlight,
} from '../../domain/records/highlights/highlight.ts';
import { newId } from '../../domain/records/ids.ts';
import { maxHighlights, maxShownHighlights } from '../../domain/records/limits.ts';
import type { Locator } from '../../domain/records/texts/locator.ts';
import { invalidInput } from '../../errors.ts';
import type { DeletedHighlight, HighlightQuery, HighlightsToPlace, Page } from '../records.ts';
import {
  all,
  type Db,
  first,
  fromJson,
  grown,
  later,
  run,
  sql,
  type Steps,
  toJson,
  touchItem,
  unlimited,
} from './db.ts';
import { isHeld } from './items/held.ts';
import { highlightFields, valuesOf } from './fields.ts';
import type { ExportedHighlight } from '../../domain/records/transfers/exported.ts';
import type { AnalysedItem } from '../../domain/records/analyses/analysis.ts';
import { linkedAddress } from '../../domain/links/archived-copy.ts';
import type { ContentType, KeptWarning } from '../../domain/records/content.ts';
import type { PlacedBlock } from '../../domain/records/texts/document.ts';
import { marksOfPassages, type FoundPlace } from '../../domain/records/highlights/highlight-words.ts';

interface HighlightRow extends Omit<Highlight, 'place' | 'createdAt' | 'updatedAt' | 'locator'> {
  isPlaced: boolean;
  start: number | null;
  locator: unknown;
  createdAt: number;
  updatedAt: number;
}

/** Highlights `h` with their items `i`. A place in another version of the text does not exist in the visible one. */
const selected = (db: Db) => sql`
  SELECT h.id, i.id AS content_id, coalesce(i.given_title, d.title) AS content_title, h.quote, h.note, h.colour, h.source,
    h.document IS NOT NULL AND h.document IS NOT DISTINCT FROM i.visible_document AS is_placed,
    h.start_at AS start, h.locator, h.url, h.created_at, h.updated_at
  FROM highlights h CROSS JOIN items i LEFT JOIN documents d ON ${db.of('d')} AND d.id = i.visible_document
  WHERE ${db.of('h')} AND ${db.of('i')} AND i.seq = h.item AND h.deleted_at IS NULL`;

function toHighlight({ isPlaced, start, locator, url, createdAt, updatedAt, ...row }: HighlightRow): Highlight {
  const isFound = isPlaced && start !== null;
  return {
    ...row,
    place: isFound ? 'found' : isPlaced ? 'missing' : 'unread',
    locator: isFound ? fromJson<Locator | null>(locator) : null,
    url: isFound ? shownAddress(url) : null,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}

/** In text order, with missing ones last. */
const inOrderOfText = sql`ORDER BY h.start_at NULLS LAST, h.seq`;

/** Newest first, or in the order of the text of one item. */
export function* listHighlights(db: Db, query: HighlightQuery): Steps<Page<Highlight>> {
  // Few items are deleted at a time. Highlights of all others are read in the order of an index.
  const ofItem =
    query.contentId === undefined
      ? sql`h.item NOT IN (SELECT gone.seq FROM items gone WHERE ${db.of('gone')} AND gone.deleted_at IS NOT NULL)`
      : sql`h.item = (SELECT one.seq FROM items one
          WHERE ${db.of('one')} AND one.id = ${query.contentId} AND one.deleted_at IS NULL)`;
  const withText =
    query.text === undefined
      ? sql``
      : sql`AND (${db.positionIn('h.quote', query.text)} > 0 OR ${db.positionIn('h.note', query.text)} > 0)`;
  const wanted = sql`AND ${ofItem} ${withText} AND ${yield* isHeld(db, sql`h.item`, query.held)}`;
  const order = query.contentId === undefined ? sql`ORDER BY h.created_at DESC, h.seq DESC` : inOrderOfText;
  const rows = yield* all<HighlightRow>`
    ${selected(db)} ${wanted} ${order} LIMIT ${query.limit ?? unlimited} OFFSET ${query.offset}`;
  const counted = yield* first<{ total: number }>`
    SELECT count(*) AS total FROM highlights h WHERE ${db.of('h')} AND h.deleted_at IS NULL ${wanted}`;
  return { items: rows.map(toHighlight), total: counted?.total ?? 0 };
}

/** The first highlights of an item, and how many it has when these are not all; nothing for an item without any. */
export function* highlightsShownWith(
  db: Db,
  item: number,
): Steps<{ highlights?: Highlight[]; highlightsTotal?: number }> {
  const rows = yield* all<HighlightRow>`
    ${selected(db)} AND h.item = ${item} ${inOrderOfText} LIMIT ${maxShownHighlights}`;
  if (rows.length === 0) return {};
  const total = rows.length < maxShownHighlights ? rows.length : yield* countHighlights(db, item);
  return { highlights: rows.map(toHighlight), ...(total > rows.length && { highlightsTotal: total }) };
}

function* countHighlights(db: Db, item: number): Steps<number> {
  const row = yield* first<{ total: number }>`
    SELECT count(*) AS total FROM highlights h WHERE ${db.of('h')} AND item = ${item} AND deleted_at IS NULL`;
  return row?.total ?? 0;
}

export function* getHighlight(db: Db, id: string): Steps<Highlight | null> {
  const row = yield* first<HighlightRow>`${selected(db)} AND h.id = ${id} AND i.deleted_at IS NULL`;
  return row === undefined ? null : toHighlight(row);
}

interface Owner {
  seq: number;
  hasText: boolean;
}

/**
 * The same words of the same item again are the same highlight: it takes the given note and colour.
 * Null when there is no such item. @throws {AppError} `invalid_input` when the item has `maxHighlights`
 */
export function* addHighlight(db: Db, added: NewHighlight): Steps<Highlight | null> {
  const owner = yield* first<Owner>`
    SELECT seq, visible_document IS NOT NULL AS has_text FROM items i
    WHERE ${db.of('i')} AND id = ${added.contentId} AND deleted_at IS NULL`;
  if (owner === undefined) return null;
  const same = yield* first<{ id: string }>`
    SELECT id FROM highlights h
    WHERE ${db.of('h')} AND item = ${owner.seq} AND quote = ${added.quote} AND deleted_at IS NULL ORDER BY seq LIMIT 1`;
  if (same !== undefined) return yield* updateHighlight(db, same.id, { note: added.note, colour: added.colour });
  if ((yield* countHighlights(db, owner.seq)) >= maxHighlights)
    throw invalidInput(
      `This item has ${maxHighlights} highlights, and cannot have more. Delete one that is no longer needed.`,
    );
  const id = newId('h');
  const { quote, note, colour } = added;
  yield* insert(db, owner, { id, source: null, quote, note, colour, createdAt: db.now, touchedAt: db.now });
  yield* touchItem(db, owner.seq);
  return yield* getHighlight(db, id);
}

type Inserted = Pick<ExportedHighlight, 'id' | 'source' | 'quote' | 'createdAt' | 'touchedAt'> & {
  note?: string | null | undefined;
  colour?: string | null | undefined;
};

function* insert(db: Db, { seq, hasText }: Owner, highlight: Inserted): Steps<void> {
  const { note, colour } = highlight;
  const words = { note: note || null, colour: colour || null, updatedAt: db.now };
  yield* run`${db.row('highlights', {
    ...valuesOf(highlightFields, { ...highlight, ...words }),
    item: seq,
    place_due: hasText,
  })}`;
}

/** Null when there is no such highlight. A call that changes nothing is ignored. */
export function* updateHighlight(db: Db, id: string, changes: HighlightChanges): Steps<Highlight | null> {
  const before = yield* getHighlight(db, id);
  if (before === null) return null;
  const { quote = before.quote } = changes;
  const note = changes.note === undefined ? before.note : changes.note || null;
  const colour = changes.colour === undefined ? before.colour : changes.colour || null;
  if (quote === before.quote && note === before.note && colour === before.colour) return before;
  yield* change(db, id, { quote, note, colour });
  yield* run`UPDATE highlights SET touched_at = ${db.now} WHERE ${db.of('highlights')} AND id = ${id}`;
  return yield* getHighlight(db, id);
}

/** Other words have another place; other notes are found by other words, and the place is looked for again with them. */
function* change(
  db: Db,
  id: string,
  { quote, note, colour }: { quote: string; note: string | null; colour: string | null },
): Steps<void> {
  const changed = yield* first<{ item: number }>`
    UPDATE highlights AS h SET document = CASE WHEN quote = ${quote} THEN document END,
      place_due = CASE WHEN quote = ${quote} AND note IS NOT DISTINCT FROM ${note} THEN place_due ELSE (
        SELECT i.visible_document IS NOT NULL FROM items i WHERE ${db.of('i')} AND i.seq = h.item) END,
      quote = ${quote}, note = ${note}, colour = ${colour},
      updated_at = ${grown(db.now)}
    WHERE ${db.of('h')} AND h.id = ${id} RETURNING item`;
  if (changed !== undefined) yield* touchItem(db, changed.item);
}

/**
 * Takes its words out of the index as well. It stays as a row without words, so that deleting again has the same answer,
 * and no later import brings it back. Null when there never was one.
 */
export function* deleteHighlight(db: Db, id: string): Steps<DeletedHighlight | null> {
  const row = yield* first<{ item: number; contentId: string; deletedAt: number | null }>`
    SELECT h.item, i.id AS content_id, h.deleted_at
    FROM highlights h JOIN items i ON ${db.of('i')} AND i.seq = h.item
    WHERE ${db.of('h')} AND h.id = ${id} AND i.deleted_at IS NULL`;
  if (row === undefined) return null;
  if (row.deletedAt === null) {
    yield* run`
      UPDATE highlights SET deleted_at = ${db.now}, quote = '', note = NULL, colour = NULL, document = NULL,
        start_at = NULL, end_at = NULL, locator = NULL, url = NULL, place_due = false
      WHERE ${db.of('highlights')} AND id = ${id}`;
    yield* markPassages(db, row.item);
    yield* touchItem(db, row.item);
  }
  return { id, contentId: row.contentId };
}

/** How many highlights of an import were new or changed, and how many did not fit. */
interface ImportedHighlights {
  written: number;
  leftOut: number;
}

interface KnownHighlight {
  id: string;
  source: string | null;
  quote: string;
  note: string | null;
  colour: string | null;
  isTouched: boolean;
  isDeleted: boolean;
}

/**
 * Adds highlights of an import. An existing one with the same source takes the import's words, unless it was changed or deleted
 * here; one with the same words as another is unchanged.
 */
export function* importHighlights(
  db: Db,
  item: number,
  highlights: readonly ImportedHighlight[],
): Steps<ImportedHighlights> {
  const result: ImportedHighlights = { written: 0, leftOut: 0 };
  if (highlights.length === 0) return result;
  const owner = yield* first<Owner>`
    SELECT seq, visible_document IS NOT NULL AS has_text FROM items i WHERE ${db.of('i')} AND seq = ${item}`;
  if (owner === undefined) return result;
  let room = maxHighlights - (yield* countHighlights(db, item));
  // All at once: to look for each in the table would read all others every time. There is an index for each part.
  const known = yield* all<KnownHighlight>`
    SELECT id, source, quote, note, colour, touched_at IS NOT NULL AS is_touched, deleted_at IS NOT NULL AS is_deleted
    FROM highlights h
    WHERE ${db.of('h')} AND ((item = ${item} AND deleted_at IS NULL) OR (item = ${item} AND source IS NOT NULL))`;
  const bySource = new Map(known.map((highlight) => [highlight.source, highlight]));
  const quotes = new Map<string, number>();
  const count = (quote: string, by: 1 | -1) => quotes.set(quote, (quotes.get(quote) ?? 0) + by);
  for (const { quote, isDeleted } of known) if (!isDeleted) count(quote, 1);
  for (const { source, quote, note, colour, createdAt } of highlights) {
    const before = bySource.get(source);
    if (before === undefined) {
      if ((quotes.get(quote) ?? 0) > 0) continue;
      if (room <= 0) {
        result.leftOut += 1;
        continue;
      }
      room -= 1;
      const id = newId('h');
      yield* insert(db, owner, { id, source, quote, note, colour, createdAt: createdAt ?? db.now, touchedAt: null });
      const kept = { quote, note: note || null, colour: colour || null };
      bySource.set(source, { id, source, ...kept, isTouched: false, isDeleted: false });
    } else {
      const isSame = before.quote === quote && before.note === note && before.colour === colour;
      if (before.isTouched || before.isDeleted || isSame) continue;
      yield* change(db, before.id, { quote, note, colour });
      count(before.quote, -1);
      bySource.set(source, { ...before, quote, note, colour });
    }
    count(quote, 1);
    result.written += 1;
  }
  return result;
}

/*
 * Highlights are looked for in the text of their item whenever that has become another one. Then each passage is given
 * the words that its highlights add to it (`domain/records/highlight-words.ts`).
 */

export function* hasHighlightsDue(db: Db): Steps<boolean> {
  return (
    (yield* first`SELECT 1 AS due FROM highlights h WHERE ${db.of('h')} AND place_due = ${db.yes} LIMIT 1`) !==
    undefined
  );
}

/** Called when an item has another text, or the same one with new passages. */
export function* lookForHighlightsAgain(db: Db, item: number): Steps<void> {
  yield* later`
    UPDATE highlights SET place_due = true WHERE ${db.of('highlights')} AND item = ${item} AND deleted_at IS NULL`;
}

interface DueRow {
  seq: number;
  id: string;
  url: string;
  documentId: number;
  contentType: ContentType;
  warnings: unknown;
  text: string;
  blocks: unknown;
}

/**
 * An item with highlights that were not yet looked for in the text that it has now, with at most `limit` of them.
 * @param contentId only of this item
 */
export function* nextHighlightsToPlace(db: Db, limit: number, contentId?: string): Steps<HighlightsToPlace | null> {
  const due = yield* first<DueRow>`
    SELECT i.seq, i.id, i.url, d.id AS document_id, d.content_type, d.warnings, d.text, d.blocks
    FROM items i JOIN documents d ON ${db.of('d')} AND d.id = i.visible_document
    WHERE ${db.of('i')} ${contentId === undefined ? sql`` : sql`AND i.id = ${contentId}`}
      AND i.seq IN (SELECT h.item FROM highlights h WHERE ${db.of('h')} AND h.place_due = ${db.yes})
    ORDER BY i.seq LIMIT 1`;
  if (due === undefined) return null;
  const highlights = yield* all<{ id: string; quote: string }>`
    SELECT id, quote FROM highlights h WHERE ${db.of('h')} AND item = ${due.seq} AND place_due = ${db.yes}
    ORDER BY seq LIMIT ${limit}`;
  return {
    contentId: due.id,
    item: {
      url: linkedAddress(shownAddress(due.url), fromJson<KeptWarning[]>(due.warnings)),
      contentType: due.contentType,
    } satisfies AnalysedItem,
    documentId: due.documentId,
    transcript: { text: due.text, blocks: fromJson<PlacedBlock[]>(due.blocks) },
    highlights,
  };
}

/**
 * Stores the locations of highlights (null: not in this text), and makes them findable. Nothing is stored when the item has another
 * text by now: they are due again then.
 */
export function* keepHighlightPlaces(
  db: Db,
  contentId: string,
  documentId: number,
  places: readonly { id: string; quote: string; place: FoundPlace | null }[],
): Steps<void> {
  const item = yield* first<{ seq: number }>`
    SELECT seq FROM items i WHERE ${db.of('i')} AND id = ${contentId} AND visible_document = ${documentId}`;
  if (item === undefined) return;
  for (const { id, quote, place } of places)
    // With other words by now, it is looked for again.
    yield* run`
      UPDATE highlights SET document = ${documentId}, start_at = ${place?.start ?? null}, end_at = ${place?.end ?? null},
        locator = ${toJson(place?.locator)}, url = ${place?.url ?? null}, place_due = false
      WHERE ${db.of('highlights')} AND id = ${id} AND quote = ${quote} AND deleted_at IS NULL`;
  yield* markPassages(db, item.seq);
  yield* touchItem(db, item.seq);
}

/** Writes what highlights add to the passages of an item, and makes those findable by it. */
export function* markPassages(db: Db, item: number): Steps<void> {
  const highlights = yield* all<{ start: number | null; quote: string; note: string | null }>`
    SELECT h.start_at AS start, h.quote, h.note FROM highlights h JOIN items i ON ${db.of('i')} AND i.seq = h.item
    WHERE ${db.of('h')} AND h.item = ${item} AND h.deleted_at IS NULL AND h.document = i.visible_document
    ORDER BY h.start_at NULLS FIRST, h.seq`;
  const passages =
    highlights.length === 0
      ? []
      : yield* all<{ id: number; start: number }>`
          SELECT id, start_at AS start FROM passages p WHERE ${db.of('p')} AND item = ${item} ORDER BY start_at`;
  const wanted = marksOfPassages(highlights, passages);
  const before = yield* all<{ id: number; marks: unknown }>`
    SELECT id, marks FROM passages p WHERE ${db.of('p')} AND item = ${item} AND marks IS NOT NULL`;
  const changes = new Map<number, readonly string[] | null>(before.map(({ id }) => [id, null]));
  for (const [id, marks] of wanted) changes.set(id, marks);
  for (const { id, marks } of before)
    if (JSON.stringify(changes.get(id)) === JSON.stringify(fromJson(marks))) changes.delete(id);
  if (changes.size === 0) return;
  for (const [id, marks] of changes)
    yield* run`UPDATE passages SET marks = ${toJson(marks)} WHERE ${db.of('passages')} AND id = ${id}`;
  db.indexing.wordsChanged(item);
}
