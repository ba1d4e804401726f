import { shownAddress } from '../../../domain/links/shown-address.ts';
import { isoTime } from '../../../domain/clock.ts';
import type {
  Highlight,
  HighlightChanges,
  ImportedHighlight,
  NewHighlight,
} from '../../../domain/records/highlights/highlight.ts';
import { maxHighlights, maxShownHighlights } from '../../../domain/records/limits.ts';
import { newId } from '../../../domain/records/ids.ts';
import type { Locator } from '../../../domain/records/locator.ts';
import { AppError } from '../../../errors.ts';
import type { DeletedHighlight, HighlightQuery } from '../../highlights.ts';
import type { Page } from '../../records.ts';
import type { AccountTx } from '../account-access.ts';
import { touchItem } from '../items/touch.ts';
import { markPassages } from './marks.ts';

interface HighlightRow extends Omit<Highlight, 'place' | 'createdAt' | 'updatedAt'> {
  isPlaced: boolean;
  start: number | null;
  locator: Locator | null;
  createdAt: number;
  updatedAt: number;
}

/** A place in another version of the text does not exist in the visible one. */
const selected = ({ sql, account }: AccountTx) => sql`
  SELECT h.id, i.id AS content_id, coalesce(i.given_title, d.title) AS content_title, h.quote, h.note, h.colour, h.source,
    h.document IS NOT NULL AND h.document IS NOT DISTINCT FROM i.visible_document AS is_placed,
    h.start_at AS start, h.locator, h.url, h.created_at, h.updated_at
  FROM highlights h JOIN items i ON i.account_id = ${account} AND i.seq = h.item
    LEFT JOIN documents d ON d.account_id = ${account} AND d.id = i.visible_document
  WHERE h.account_id = ${account} AND h.deleted_at IS NULL`;

function toHighlight({ isPlaced, start, locator, url, createdAt, updatedAt, ...row }: HighlightRow): Highlight {
  const isFound = isPlaced && start !== null;
  return {
    ...row,
    place: isFound ? 'found' : isPlaced ? 'missing' : 'unread',
    locator: isFound ? locator : null,
    url: isFound ? shownAddress(url) : null,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}

/** In the order of the text; those that are not in it come last. */
const inOrderOfText = ({ sql }: AccountTx) => sql`ORDER BY h.start_at NULLS LAST, h.seq`;

export async function listHighlights(db: AccountTx, query: HighlightQuery): Promise<Page<Highlight>> {
  const { sql, account } = db;
  const ofItem = query.contentId === undefined ? sql`` : sql`AND i.id = ${query.contentId}`;
  // Only the letters of ASCII are folded, as in SQLite. Other letters are found as they are written.
  const inText = (column: 'quote' | 'note', text: string) =>
    sql`strpos(lower(h.${sql(column)} COLLATE "C"), lower(${text}::text COLLATE "C")) > 0`;
  const withText =
    query.text === undefined ? sql`` : sql`AND (${inText('quote', query.text)} OR ${inText('note', query.text)})`;
  const wanted = sql`AND i.deleted_at IS NULL ${ofItem} ${withText}`;
  const order = query.contentId === undefined ? sql`ORDER BY h.created_at DESC, h.seq DESC` : inOrderOfText(db);
  const rows = await sql<HighlightRow[]>`
    ${selected(db)} ${wanted} ${order} LIMIT ${query.limit ?? null} OFFSET ${query.offset}`;
  const [counted] = await sql<{ total: number }[]>`
    SELECT count(*) AS total FROM highlights h JOIN items i ON i.account_id = ${account} AND i.seq = h.item
    WHERE h.account_id = ${account} AND h.deleted_at IS NULL ${wanted}`;
  return { items: rows.map(toHighlight), total: counted?.total ?? 0 };
}

/** The first highlights of an item, and how many it has when these are not all; nothing for an item without any. */
export async function highlightsShownWith(
  db: AccountTx,
  item: number,
): Promise<{ highlights?: Highlight[]; highlightsTotal?: number }> {
  const rows = await db.sql<HighlightRow[]>`
    ${selected(db)} AND h.item = ${item} ${inOrderOfText(db)} LIMIT ${maxShownHighlights}`;
  if (rows.length === 0) return {};
  const total = rows.length < maxShownHighlights ? rows.length : await countHighlights(db, item);
  return { highlights: rows.map(toHighlight), ...(total > rows.length && { highlightsTotal: total }) };
}

async function countHighlights({ sql, account }: AccountTx, item: number): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    SELECT count(*) AS total FROM highlights WHERE account_id = ${account} AND item = ${item} AND deleted_at IS NULL`;
  return row?.total ?? 0;
}

export async function getHighlight(db: AccountTx, id: string): Promise<Highlight | null> {
  const [row] = await db.sql<HighlightRow[]>`${selected(db)} AND h.id = ${id} AND i.deleted_at IS NULL`;
  return row === undefined ? null : toHighlight(row);
}

interface Owner {
  seq: number;
  hasText: boolean;
}

/** @throws {AppError} `invalid_input` when the item has as many highlights as it can have */
export async function addHighlight(db: AccountTx, added: NewHighlight): Promise<Highlight | null> {
  const { sql, account, now } = db;
  const [owner] = await sql<Owner[]>`
    SELECT seq, visible_document IS NOT NULL AS has_text FROM items
    WHERE account_id = ${account} AND id = ${added.contentId} AND deleted_at IS NULL`;
  if (owner === undefined) return null;
  const [same] = await sql<{ id: string }[]>`
    SELECT id FROM highlights
    WHERE account_id = ${account} AND item = ${owner.seq} AND quote = ${added.quote} AND deleted_at IS NULL
    ORDER BY seq LIMIT 1`;
  if (same !== undefined) return updateHighlight(db, same.id, { note: added.note, colour: added.colour });
  if ((await countHighlights(db, owner.seq)) >= maxHighlights)
    throw new AppError(
      'invalid_input',
      `This item has ${maxHighlights} highlights, and cannot have more. Delete one that is no longer needed.`,
    );
  const id = newId('h');
  await insert(db, owner, { id, source: null, note: null, colour: null, createdAt: now, ...added, touchedAt: now });
  touchItem(db, owner.seq);
  return getHighlight(db, id);
}

interface Inserted {
  id: string;
  source: string | null;
  quote: string;
  note?: string | null | undefined;
  colour?: string | null | undefined;
  createdAt: number;
  touchedAt: number | null;
}

async function insert({ sql, account, now }: AccountTx, { seq, hasText }: Owner, row: Inserted): Promise<void> {
  await sql`
    INSERT INTO highlights (account_id, id, item, source, quote, note, colour, place_due, touched_at, created_at,
      updated_at)
    VALUES (${account}, ${row.id}, ${seq}, ${row.source}, ${row.quote}, ${row.note || null}, ${row.colour || null},
      ${hasText}, ${row.touchedAt}, ${row.createdAt}, ${now})`;
}

/** A call that changes nothing is ignored. */
export async function updateHighlight(db: AccountTx, id: string, changes: HighlightChanges): Promise<Highlight | null> {
  const before = await getHighlight(db, id);
  if (before === null) return null;
  const { quote = before.quote } = changes;
  const note = changes.note === undefined ? before.note : changes.note || null;
  const colour = changes.colour === undefined ? before.colour : changes.colour || null;
  if (quote === before.quote && note === before.note && colour === before.colour) return before;
  await change(db, id, { quote, note, colour });
  await db.sql`UPDATE highlights SET touched_at = ${db.now} WHERE account_id = ${db.account} AND id = ${id}`;
  return getHighlight(db, id);
}

/** Other words have another place; other notes are found by other words, and the place is looked for again with them. */
async function change(
  db: AccountTx,
  id: string,
  { quote, note, colour }: { quote: string; note: string | null; colour: string | null },
): Promise<void> {
  const { sql, account, now } = db;
  const [changed] = await sql<{ item: number }[]>`
    UPDATE highlights h SET document = CASE WHEN quote = ${quote} THEN document END,
      place_due = CASE WHEN quote = ${quote} AND note IS NOT DISTINCT FROM ${note} THEN place_due ELSE (
        SELECT i.visible_document IS NOT NULL FROM items i WHERE i.account_id = ${account} AND i.seq = h.item) END,
      quote = ${quote}, note = ${note}, colour = ${colour}, updated_at = greatest(updated_at + 1, ${now})
    WHERE h.account_id = ${account} AND h.id = ${id} RETURNING h.item`;
  if (changed !== undefined) touchItem(db, changed.item);
}

/**
 * It stays as a row without words, so that deleting again has the same answer, and no later import brings it back.
 */
export async function deleteHighlight(db: AccountTx, id: string): Promise<DeletedHighlight | null> {
  const { sql, account, now } = db;
  const [row] = await sql<{ item: number; contentId: string; deletedAt: number | null }[]>`
    SELECT h.item, i.id AS content_id, h.deleted_at
    FROM highlights h JOIN items i ON i.account_id = ${account} AND i.seq = h.item
    WHERE h.account_id = ${account} AND h.id = ${id} AND i.deleted_at IS NULL`;
  if (row === undefined) return null;
  if (row.deletedAt === null) {
    await sql`
      UPDATE highlights SET deleted_at = ${now}, quote = '', note = NULL, colour = NULL, document = NULL,
        start_at = NULL, end_at = NULL, locator = NULL, url = NULL, place_due = false
      WHERE account_id = ${account} AND id = ${id}`;
    await markPassages(db, row.item);
    touchItem(db, row.item);
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
export async function importHighlights(
  db: AccountTx,
  item: number,
  highlights: readonly ImportedHighlight[],
): Promise<ImportedHighlights> {
  const result: ImportedHighlights = { written: 0, leftOut: 0 };
  if (highlights.length === 0) return result;
  const { sql, account, now } = db;
  const [owner] = await sql<Owner[]>`
    SELECT seq, visible_document IS NOT NULL AS has_text FROM items WHERE account_id = ${account} AND seq = ${item}`;
  if (owner === undefined) return result;
  let room = maxHighlights - (await countHighlights(db, item));
  for (const { source, quote, note, colour, createdAt } of highlights) {
    const isSameSource = sql`source IS NOT DISTINCT FROM ${source}`;
    const [known] = await sql<{ id: string; isOurs: boolean; isSame: boolean }[]>`
      SELECT id, touched_at IS NOT NULL OR deleted_at IS NOT NULL OR NOT ${isSameSource} AS is_ours,
        quote = ${quote} AND note IS NOT DISTINCT FROM ${note} AND colour IS NOT DISTINCT FROM ${colour} AS is_same
      FROM highlights
      WHERE account_id = ${account} AND item = ${item} AND (source = ${source} OR (quote = ${quote} AND deleted_at IS NULL))
      ORDER BY NOT ${isSameSource} LIMIT 1`;
    if (known === undefined) {
      if (room <= 0) {
        result.leftOut += 1;
        continue;
      }
      room -= 1;
      const row = { id: newId('h'), source, quote, note, colour, createdAt: createdAt ?? now, touchedAt: null };
      await insert(db, owner, row);
    } else {
      if (known.isOurs || known.isSame) continue;
      await change(db, known.id, { quote, note, colour });
    }
    result.written += 1;
  }
  return result;
}
