import type {
  Highlight,
  HighlightChanges,
  ImportedHighlight,
  NewHighlight,
} from '../../../domain/records/highlights/highlight.ts';
import { maxHighlights } from '../../../domain/records/limits.ts';
import { newId } from '../../../domain/records/ids.ts';
import { AppError } from '../../../errors.ts';
import type { DeletedHighlight } from '../../highlights.ts';
import { touchItem } from '../items/touch.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { countHighlights, getHighlight } from './highlight-reading.ts';
import { markPassages } from './marks.ts';

interface Owner {
  seq: number;
  hasText: 0 | 1;
}

function findOwner(file: SqliteFile, contentId: string): Owner | undefined {
  return file.get<Owner>(
    'SELECT seq, visible_document IS NOT NULL AS hasText FROM items WHERE id = ? AND deleted_at IS NULL',
    contentId,
  );
}

/** @throws {AppError} `invalid_input` when the item has as many highlights as it can have */
export function addHighlight(file: SqliteFile, added: NewHighlight, now: number): Highlight | null {
  const owner = findOwner(file, added.contentId);
  if (owner === undefined) return null;
  const same = file.get<{ id: string }>(
    'SELECT id FROM highlights WHERE item = ? AND quote = ? AND deleted_at IS NULL ORDER BY seq LIMIT 1',
    owner.seq,
    added.quote,
  );
  if (same !== undefined) return updateHighlight(file, same.id, { note: added.note, colour: added.colour }, now);
  if (countHighlights(file, owner.seq) >= maxHighlights)
    throw new AppError(
      'invalid_input',
      `This item has ${maxHighlights} highlights, and cannot have more. Delete one that is no longer needed.`,
    );
  const id = newId('h');
  insert(file, owner, { id, source: null, note: null, colour: null, createdAt: now, ...added, now, touchedAt: now });
  touchItem(file, owner.seq, now);
  return getHighlight(file, id);
}

interface Inserted {
  id: string;
  source: string | null;
  quote: string;
  note?: string | null | undefined;
  colour?: string | null | undefined;
  createdAt: number;
  now: number;
  touchedAt: number | null;
}

function insert(file: SqliteFile, owner: Owner, row: Inserted): void {
  file.run(
    `INSERT INTO highlights (id, item, source, quote, note, colour, place_due, touched_at, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    owner.seq,
    row.source,
    row.quote,
    row.note || null,
    row.colour || null,
    owner.hasText,
    row.touchedAt,
    row.createdAt,
    row.now,
  );
}

/** A call that changes nothing is ignored. */
export function updateHighlight(
  file: SqliteFile,
  id: string,
  changes: HighlightChanges,
  now: number,
): Highlight | null {
  const before = getHighlight(file, id);
  if (before === null) return null;
  const { quote = before.quote } = changes;
  const note = changes.note === undefined ? before.note : changes.note || null;
  const colour = changes.colour === undefined ? before.colour : changes.colour || null;
  if (quote === before.quote && note === before.note && colour === before.colour) return before;
  change(file, id, { quote, note, colour }, now);
  file.run('UPDATE highlights SET touched_at = ? WHERE id = ?', now, id);
  return getHighlight(file, id);
}

/** Other words have another place; other notes are found by other words, and the place is looked for again with them. */
function change(
  file: SqliteFile,
  id: string,
  { quote, note, colour }: { quote: string; note: string | null; colour: string | null },
  now: number,
): void {
  const changed = file.get<{ item: number }>(
    `UPDATE highlights SET
       document = iif(quote = @quote, document, NULL),
       place_due = iif(quote = @quote AND note IS @note, place_due,
         (SELECT visible_document IS NOT NULL FROM items WHERE seq = item)),
       quote = @quote, note = @note, colour = @colour, updated_at = max(updated_at + 1, @now)
     WHERE id = @id RETURNING item`,
    { id, quote, note, colour, now },
  );
  if (changed !== undefined) touchItem(file, changed.item, now);
}

/**
 * Takes its words out of the index as well. It stays as a row without words, so that deleting again has the same answer,
 * and no later import brings it back.
 */
export function deleteHighlight(file: SqliteFile, id: string, now: number): DeletedHighlight | null {
  const row = file.get<{ item: number; contentId: string; deletedAt: number | null }>(
    `SELECT h.item, c.id AS contentId, h.deleted_at AS deletedAt FROM highlights h JOIN items c ON c.seq = h.item
     WHERE h.id = ? AND c.deleted_at IS NULL`,
    id,
  );
  if (row === undefined) return null;
  if (row.deletedAt === null) {
    file.run(
      `UPDATE highlights SET deleted_at = ?, quote = '', note = NULL, colour = NULL, document = NULL, start_at = NULL,
         end_at = NULL, locator = NULL, url = NULL, place_due = 0 WHERE id = ?`,
      now,
      id,
    );
    markPassages(file, row.item);
    touchItem(file, row.item, now);
  }
  return { id, contentId: row.contentId };
}

/** How many highlights of an import were new or changed, and how many did not fit. */
export interface ImportedHighlights {
  written: number;
  leftOut: number;
}

/**
 * Adds highlights of an import. One that is there by its source takes the words of the import, unless it was changed or
 * deleted here; one with the same words as another stays as it is.
 */
export function importHighlights(
  file: SqliteFile,
  item: number,
  highlights: readonly ImportedHighlight[],
  now: number,
): ImportedHighlights {
  if (highlights.length === 0) return { written: 0, leftOut: 0 };
  const hasText = file.get<{ hasText: 0 | 1 }>(
    'SELECT visible_document IS NOT NULL AS hasText FROM items WHERE seq = ?',
    item,
  );
  const owner: Owner = { seq: item, hasText: hasText?.hasText ?? 0 };
  let room = maxHighlights - countHighlights(file, item);
  const result: ImportedHighlights = { written: 0, leftOut: 0 };
  // All at once: to look for each in the file would read all others every time.
  const known = readKnown(file, item);
  const bySource = new Map(known.map((highlight) => [highlight.source, highlight]));
  const quotes = new Map<string, number>();
  const count = (quote: string, by: 1 | -1) => quotes.set(quote, (quotes.get(quote) ?? 0) + by);
  for (const { quote, isDeleted } of known) if (isDeleted === 0) count(quote, 1);
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
      insert(file, owner, { id, source, quote, note, colour, createdAt: createdAt ?? now, now, touchedAt: null });
      const kept = { quote, note: note || null, colour: colour || null };
      bySource.set(source, { id, source, ...kept, isTouched: 0, isDeleted: 0 });
    } else {
      const isSame = before.quote === quote && before.note === note && before.colour === colour;
      if (before.isTouched === 1 || before.isDeleted === 1 || isSame) continue;
      change(file, before.id, { quote, note, colour }, now);
      count(before.quote, -1);
      bySource.set(source, { ...before, quote, note, colour });
    }
    count(quote, 1);
    result.written += 1;
  }
  return result;
}

interface KnownHighlight {
  id: string;
  source: string | null;
  quote: string;
  note: string | null;
  colour: string | null;
  isTouched: 0 | 1;
  isDeleted: 0 | 1;
}

/** The highlights of an item, and those that an import must not bring back. There is an index for each part. */
function readKnown(file: SqliteFile, item: number): KnownHighlight[] {
  return file.all<KnownHighlight>(
    `SELECT id, source, quote, note, colour, touched_at IS NOT NULL AS isTouched, deleted_at IS NOT NULL AS isDeleted
     FROM highlights
     WHERE (item = @item AND deleted_at IS NULL) OR (item = @item AND source IS NOT NULL)`,
    { item },
  );
}
