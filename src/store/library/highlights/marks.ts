import type { AnalysedItem } from '../../../domain/records/analysis.ts';
import { linkedAddress } from '../../../domain/links/archived-copy.ts';
import { shownAddress } from '../../../domain/links/shown-address.ts';
import type { ContentType, KeptWarning } from '../../../domain/records/content.ts';
import type { PlacedBlock } from '../../../domain/records/document.ts';
import { marksOfPassages } from '../../../domain/records/highlights/marks.ts';
import type { FoundPlace } from '../../../domain/records/highlights/place.ts';
import type { HighlightsToPlace } from '../../records.ts';
import { all, type Db, first, fromJson, later, run, sql, type Steps, toJson } from '../db.ts';
import { touchItem } from '../time.ts';

/*
 * Highlights are looked for in the text of their item whenever that has become another one. Then each passage is given
 * the words that its highlights add to it (`domain/records/highlights/marks.ts`).
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
 * Keeps where highlights stand (null: not in this text), and makes them findable. Nothing is kept when the item has
 * another text by now: they are due again then.
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
