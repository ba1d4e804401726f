import { linkedAddress } from '../../../domain/links/archived-copy.ts';
import { shownAddress } from '../../../domain/links/shown-address.ts';
import type { ContentType, KeptWarning } from '../../../domain/records/content.ts';
import type { PlacedBlock } from '../../../domain/records/document.ts';
import { marksOfPassages } from '../../../domain/records/highlights/marks.ts';
import type { FoundPlace } from '../../../domain/records/highlights/place.ts';
import type { HighlightsToPlace } from '../../highlights.ts';
import type { AccountTx } from '../account-access.ts';
import { json } from '../database.ts';
import { touchItem } from '../items/touch.ts';

/* Highlights are looked for in the text of their item whenever that has become another one. */

export async function hasHighlightsDue({ sql, account }: AccountTx): Promise<boolean> {
  return (await sql`SELECT 1 FROM highlights WHERE account_id = ${account} AND place_due LIMIT 1`).length > 0;
}

/** Called when an item has another text, or the same one with new passages. */
export async function lookForHighlightsAgain({ sql, account }: AccountTx, item: number): Promise<void> {
  await sql`
    UPDATE highlights SET place_due = true
    WHERE account_id = ${account} AND item = ${item} AND deleted_at IS NULL`;
}

interface DueRow {
  seq: number;
  id: string;
  url: string;
  documentId: number;
  contentType: ContentType;
  warnings: KeptWarning[];
  text: string;
  blocks: PlacedBlock[];
}

export async function nextHighlightsToPlace(
  { sql, account }: AccountTx,
  limit: number,
  contentId: string | undefined,
): Promise<HighlightsToPlace | null> {
  const [due] = await sql<DueRow[]>`
    SELECT i.seq, i.id, i.url, d.id AS document_id, d.content_type, d.warnings, d.text, d.blocks
    FROM items i JOIN documents d ON d.account_id = ${account} AND d.id = i.visible_document
    WHERE i.account_id = ${account} ${contentId === undefined ? sql`` : sql`AND i.id = ${contentId}`}
      AND i.seq IN (SELECT h.item FROM highlights h WHERE h.account_id = ${account} AND h.place_due)
    ORDER BY i.seq LIMIT 1`;
  if (due === undefined) return null;
  const highlights = await sql<{ id: string; quote: string }[]>`
    SELECT id, quote FROM highlights WHERE account_id = ${account} AND item = ${due.seq} AND place_due
    ORDER BY seq LIMIT ${limit}`;
  return {
    contentId: due.id,
    item: { url: linkedAddress(shownAddress(due.url), due.warnings), contentType: due.contentType },
    documentId: due.documentId,
    transcript: { text: due.text, blocks: due.blocks },
    highlights: [...highlights],
  };
}

export async function keepHighlightPlaces(
  db: AccountTx,
  contentId: string,
  documentId: number,
  places: readonly { id: string; quote: string; place: FoundPlace | null }[],
): Promise<void> {
  const { sql, account } = db;
  const [item] = await sql<{ seq: number }[]>`
    SELECT seq FROM items WHERE account_id = ${account} AND id = ${contentId} AND visible_document = ${documentId}`;
  if (item === undefined) return;
  for (const { id, quote, place } of places)
    // With other words by now, it is looked for again.
    await sql`
      UPDATE highlights SET document = ${documentId}, start_at = ${place?.start ?? null}, end_at = ${place?.end ?? null},
        locator = ${place === null ? null : json(place.locator)}, url = ${place?.url ?? null},
        place_due = false
      WHERE account_id = ${account} AND id = ${id} AND quote = ${quote} AND deleted_at IS NULL`;
  await markPassages(db, item.seq);
  touchItem(db, item.seq);
}

/** Writes what highlights add to the passages of an item. */
export async function markPassages({ sql, account }: AccountTx, item: number): Promise<void> {
  const highlights = await sql<{ start: number | null; quote: string; note: string | null }[]>`
    SELECT h.start_at AS start, h.quote, h.note
    FROM highlights h JOIN items i ON i.account_id = ${account} AND i.seq = h.item
    WHERE h.account_id = ${account} AND h.item = ${item} AND h.deleted_at IS NULL AND h.document = i.visible_document
    ORDER BY h.start_at NULLS FIRST, h.seq`;
  const passages = await sql<{ id: number; start: number; marks: string[] | null }[]>`
    SELECT id, start_at AS start, marks FROM passages WHERE account_id = ${account} AND item = ${item} ORDER BY start_at`;
  const wanted = marksOfPassages(highlights, passages);
  for (const { id, marks } of passages) {
    const next = wanted.get(id) ?? null;
    if (JSON.stringify(next) === JSON.stringify(marks)) continue;
    await sql`
      UPDATE passages SET marks = ${next === null ? null : json(next)} WHERE account_id = ${account} AND id = ${id}`;
  }
}
