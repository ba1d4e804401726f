import type { AnalysedItem } from '../../../domain/records/analysis.ts';
import type { ContentType, KeptWarning } from '../../../domain/records/content.ts';
import { marksOfPassages } from '../../../domain/records/highlights/marks.ts';
import type { FoundPlace } from '../../../domain/records/highlights/place.ts';
import { linkedAddress } from '../../../domain/links/archived-copy.ts';
import { shownAddress } from '../../../domain/links/shown-address.ts';
import type { HighlightsToPlace } from '../../highlights.ts';
import { reindexWords } from '../index/index.ts';
import { transcriptOf } from '../items/documents.ts';
import { touchItem } from '../items/touch.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/*
 * Highlights are looked for in the text of their item whenever that has become another one. Then each passage is given
 * the words that its highlights add to it (`domain/records/highlights/marks.ts`).
 */

export function hasHighlightsDue(file: SqliteFile): boolean {
  return file.get('SELECT 1 FROM highlights WHERE place_due = 1 LIMIT 1') !== undefined;
}

/** Called when an item has another text, or the same one with new passages. */
export function lookForHighlightsAgain(file: SqliteFile, item: number): void {
  file.run('UPDATE highlights SET place_due = 1 WHERE item = ? AND deleted_at IS NULL', item);
}

export function nextHighlightsToPlace(
  file: SqliteFile,
  limit: number,
  contentId: string | undefined,
): HighlightsToPlace | null {
  return file.read(() => {
    const due = file.get<{
      seq: number;
      id: string;
      url: string;
      contentType: ContentType;
      warnings: string;
      documentId: number;
      text: string;
      blocks: string;
    }>(
      `SELECT c.seq, c.id, c.url, d.content_type AS contentType, d.warnings,
         d.id AS documentId, d.text, d.blocks
       FROM highlights h CROSS JOIN items c ON c.seq = h.item JOIN documents d ON d.id = c.visible_document
       WHERE h.place_due = 1 AND (@contentId IS NULL OR h.item = (SELECT seq FROM items WHERE id = @contentId))
       ORDER BY h.item LIMIT 1`,
      { contentId: contentId ?? null },
    );
    if (due === undefined) return null;
    const highlights = file.all<{ id: string; quote: string }>(
      'SELECT id, quote FROM highlights WHERE item = ? AND place_due = 1 ORDER BY seq LIMIT ?',
      due.seq,
      limit,
    );
    return {
      contentId: due.id,
      item: {
        url: linkedAddress(shownAddress(due.url), JSON.parse(due.warnings) as KeptWarning[]),
        contentType: due.contentType,
      } satisfies AnalysedItem,
      documentId: due.documentId,
      transcript: transcriptOf(due),
      highlights,
    };
  });
}

export function keepHighlightPlaces(
  file: SqliteFile,
  contentId: string,
  documentId: number,
  places: readonly { id: string; quote: string; place: FoundPlace | null }[],
  now: number,
): void {
  const item = file.get<{ seq: number }>(
    'SELECT seq FROM items WHERE id = ? AND visible_document = ?',
    contentId,
    documentId,
  );
  if (item === undefined) return;
  for (const { id, quote, place } of places)
    // With other words by now, it is looked for again.
    file.run(
      `UPDATE highlights SET document = ?, start_at = ?, end_at = ?, locator = ?, url = ?, place_due = 0
       WHERE id = ? AND quote = ? AND deleted_at IS NULL`,
      documentId,
      place?.start ?? null,
      place?.end ?? null,
      place === null ? null : JSON.stringify(place.locator),
      place?.url ?? null,
      id,
      quote,
    );
  markPassages(file, item.seq);
  touchItem(file, item.seq, now);
}

interface MarkedRow {
  id: number;
  marks: string | null;
}

/** Writes what highlights add to the passages of an item, and makes those findable by it. */
export function markPassages(file: SqliteFile, item: number): void {
  const highlights = file.all<{ start: number | null; quote: string; note: string | null }>(
    `SELECT h.start_at AS start, h.quote, h.note FROM highlights h JOIN items c ON c.seq = h.item
     WHERE h.item = ? AND h.deleted_at IS NULL AND h.document = c.visible_document ORDER BY h.start_at, h.seq`,
    item,
  );
  const passages =
    highlights.length === 0
      ? []
      : file.all<{ id: number; start: number }>(
          'SELECT id, start_at AS start FROM passages WHERE item = ? ORDER BY start_at',
          item,
        );
  const wanted = marksOfPassages(highlights, passages);
  const before = file.all<MarkedRow>('SELECT id, marks FROM passages WHERE item = ? AND marks IS NOT NULL', item);
  const changes = new Map<number, string | null>(before.map(({ id }) => [id, null]));
  for (const [id, marks] of wanted) changes.set(id, JSON.stringify(marks));
  for (const { id, marks } of before) if (changes.get(id) === marks) changes.delete(id);
  if (changes.size === 0) return;
  for (const [id, marks] of changes) file.run('UPDATE passages SET marks = ? WHERE id = ?', marks, id);
  reindexWords(file, item);
}
