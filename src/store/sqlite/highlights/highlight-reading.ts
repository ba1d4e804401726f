import { shownAddress } from '../../../domain/links/shown-address.ts';
import { isoTime } from '../../../domain/clock.ts';
import type { Highlight } from '../../../domain/records/highlights/highlight.ts';
import { maxShownHighlights } from '../../../domain/records/limits.ts';
import type { Locator } from '../../../domain/records/locator.ts';
import type { HighlightQuery } from '../../highlights.ts';
import type { Page } from '../../records.ts';
import { deletedItems } from '../items/deleted.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

interface HighlightRow {
  id: string;
  contentId: string;
  contentTitle: string | null;
  quote: string;
  note: string | null;
  colour: string | null;
  source: string | null;
  isPlaced: 0 | 1;
  start: number | null;
  locator: string | null;
  url: string | null;
  createdAt: number;
  updatedAt: number;
}

/** A place in another version of the text does not exist in the visible one. */
const columns = `h.id, c.id AS contentId,
  coalesce(c.given_title, (SELECT d.title FROM documents d WHERE d.id = c.visible_document)) AS contentTitle,
  h.quote, h.note, h.colour, h.source, h.document IS NOT NULL AND h.document IS c.visible_document AS isPlaced,
  h.start_at AS start, h.locator, h.url, h.created_at AS createdAt, h.updated_at AS updatedAt`;

function toHighlight({ isPlaced, start, locator, url, createdAt, updatedAt, ...row }: HighlightRow): Highlight {
  const isFound = isPlaced === 1 && start !== null;
  return {
    ...row,
    place: isPlaced === 0 ? 'unread' : isFound ? 'found' : 'missing',
    locator: isFound && locator !== null ? (JSON.parse(locator) as Locator) : null,
    url: isFound ? shownAddress(url) : null,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}

/** In the order of the text; those that are not in it come last. */
const inOrderOfText = 'h.start_at IS NULL, h.start_at, h.seq';

export function listHighlights(file: SqliteFile, query: HighlightQuery): Page<Highlight> {
  const conditions = ['h.deleted_at IS NULL'];
  const parameters: unknown[] = [];
  if (query.contentId === undefined) conditions.push(`h.item NOT IN (${deletedItems})`);
  else {
    conditions.push('h.item = (SELECT seq FROM items WHERE id = ? AND deleted_at IS NULL)');
    parameters.push(query.contentId);
  }
  if (query.text !== undefined) {
    // SQLite folds the letters of ASCII alone. Other letters are found as they are written.
    conditions.push("(instr(lower(h.quote), lower(?)) > 0 OR instr(lower(coalesce(h.note, '')), lower(?)) > 0)");
    parameters.push(query.text, query.text);
  }
  const where = `WHERE ${conditions.join(' AND ')}`;
  const order = query.contentId === undefined ? 'h.created_at DESC, h.seq DESC' : inOrderOfText;
  return file.read(() => {
    const rows = file.all<HighlightRow>(
      `SELECT ${columns} FROM highlights h CROSS JOIN items c ON c.seq = h.item ${where}
       ORDER BY ${order} LIMIT ? OFFSET ?`,
      ...parameters,
      query.limit ?? -1,
      query.offset,
    );
    const counted = file.get<{ total: number }>(`SELECT count(*) AS total FROM highlights h ${where}`, ...parameters);
    return { items: rows.map(toHighlight), total: counted?.total ?? 0 };
  });
}

/** The first highlights of an item, and how many it has when these are not all; nothing for an item without any. */
export function highlightsShownWith(
  file: SqliteFile,
  item: number,
): { highlights?: Highlight[]; highlightsTotal?: number } {
  const rows = file.all<HighlightRow>(
    `SELECT ${columns} FROM highlights h CROSS JOIN items c ON c.seq = h.item
     WHERE h.item = ? AND h.deleted_at IS NULL ORDER BY ${inOrderOfText} LIMIT ?`,
    item,
    maxShownHighlights,
  );
  if (rows.length === 0) return {};
  const total = rows.length < maxShownHighlights ? rows.length : countHighlights(file, item);
  return { highlights: rows.map(toHighlight), ...(total > rows.length && { highlightsTotal: total }) };
}

export function countHighlights(file: SqliteFile, item: number): number {
  const sql = 'SELECT count(*) AS total FROM highlights WHERE item = ? AND deleted_at IS NULL';
  return file.get<{ total: number }>(sql, item)?.total ?? 0;
}

export function getHighlight(file: SqliteFile, id: string): Highlight | null {
  const row = file.get<HighlightRow>(
    `SELECT ${columns} FROM highlights h JOIN items c ON c.seq = h.item
     WHERE h.id = ? AND h.deleted_at IS NULL AND c.deleted_at IS NULL`,
    id,
  );
  return row === undefined ? null : toHighlight(row);
}
