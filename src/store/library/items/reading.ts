import type { AnalysisInfo, ContentItem, ContentSummary, KeptWarning } from '../../../domain/records/content.ts';
import type { KnownMetadata } from '../../../domain/records/document.ts';
import { AppError } from '../../../errors.ts';
import type { ItemWithoutText } from '../../records.ts';
import { type ContentRecord, summaryOf } from '../../records/content-record.ts';
import { listActionsOfItem } from '../analyses/actions.ts';
import { all, type Db, first, fromJson, sql, type Sql, type Steps, together, later, run } from '../db.ts';
import { readTextOf } from './documents.ts';
import { highlightsShownWith } from '../highlights/highlights.ts';
import { listProposedTags } from './tag-proposals.ts';
import { listInsights } from '../analyses/analyses.ts';
import { listsOfItem } from './item-lists.ts';
import { expiredBy } from '../time.ts';
import type { HeldTo } from '../../../domain/access/held.ts';
import type { ItemCounts, Reading, Shelf } from '../../../domain/records/shelves.ts';
import { isHeld } from './held.ts';

/** As `itemColumns` selects it. */
interface ItemRow extends Omit<ContentRecord, 'analysis' | 'tags' | 'warnings' | 'known'> {
  analysis: unknown;
  tags: unknown;
  warnings: unknown;
  known: unknown;
}

/** Of the item `i`. */
const itemColumns = (db: Db): Sql => sql`
  i.seq, i.id, i.url, i.canonical_url, i.state, i.notes, i.shelf, i.read_at, i.reading_start, i.reading_share, i.summary, i.analysis, i.duplicate_of, i.known, i.deleted_at,
  i.created_at, i.processed_at, i.visible_document, i.content_type, coalesce(i.given_title, d.title) AS title,
  (SELECT ${db.listOf('t.tag', 't.ordinal')} FROM item_tags t WHERE ${db.of('t')} AND t.item = i.seq) AS tags,
  d.author, d.site_name, d.published_at, d.language, d.word_count, d.duration_seconds, d.page_count, d.warnings,
  j.stage, j.state AS job_state, j.attempts, j.due_at, j.failure_code, j.failure_message,
  j.failure_retryable AS is_retryable,
  c.checked_at, c.changed_at, c.failure_code AS check_code, c.failure_message AS check_message,
  b.given_up AS is_given_up, b.failure_code AS llm_failure_code, b.failure_message AS llm_failure_message`;

const itemTables = (db: Db): Sql => sql`
  items i LEFT JOIN documents d ON ${db.of('d')} AND d.id = i.visible_document
  LEFT JOIN jobs j ON ${db.of('j')} AND j.item = i.seq
  LEFT JOIN page_checks c ON ${db.of('c')} AND c.item = i.seq
  LEFT JOIN llm_analyses b ON ${db.of('b')} AND b.item = i.seq`;

function toSummary(row: ItemRow, now: number): ContentSummary {
  // Changed in place: a copy of so many fields takes longer than reading them.
  const record: ContentRecord = Object.assign(row, {
    analysis: fromJson<AnalysisInfo | null>(row.analysis),
    tags: fromJson<string[]>(row.tags),
    warnings: fromJson<KeptWarning[] | null>(row.warnings),
    known: fromJson<KnownMetadata | null>(row.known),
  });
  return summaryOf(record, now);
}

/**
 * Summaries of the items of a page, in its order.
 * @param page a query of their keys: with all columns, those that are skipped would be read whole, too
 */
export function* listSummaries(db: Db, page: Sql, order: Sql): Steps<ContentSummary[]> {
  const rows = yield* all<ItemRow>`
    SELECT ${itemColumns(db)} FROM (${page}) AS page CROSS JOIN ${itemTables(db)}
    WHERE ${db.of('i')} AND i.seq = page.seq ${order}`;
  return rows.map((row) => toSummary(row, db.now));
}

function* readRow(db: Db, id: string, condition: Sql): Steps<ItemRow | undefined> {
  return yield* first<ItemRow>`
    SELECT ${itemColumns(db)} FROM ${itemTables(db)} WHERE ${db.of('i')} AND i.id = ${id} AND ${condition}`;
}

const readLive = (db: Db, id: string): Steps<ItemRow | undefined> => readRow(db, id, sql`i.deleted_at IS NULL`);

/** A deleted item that can still be restored. */
export function* getDeletedSummary(db: Db, id: string): Steps<ContentSummary | null> {
  const row = yield* readRow(db, id, sql`i.deleted_passed > ${yield* expiredBy(db)}`);
  return row === undefined ? null : toSummary(row, db.now);
}

export function* getContentSummary(db: Db, id: string): Steps<ContentSummary | null> {
  const row = yield* readLive(db, id);
  return row === undefined ? null : toSummary(row, db.now);
}

export function* getContent(db: Db, id: string): Steps<ContentItem | null> {
  const row = yield* readLive(db, id);
  if (row === undefined) return null;
  const { visibleDocument } = row;
  const item = yield* toItem(db, row);
  const transcript = visibleDocument === null ? null : yield* readTextOf(db, visibleDocument);
  return { ...item, ...(transcript !== null && { transcript }) };
}

/** The item without its text, as a save returns it. */
export function* getItem(db: Db, id: string): Steps<ItemWithoutText | null> {
  const row = yield* readLive(db, id);
  return row === undefined ? null : yield* toItem(db, row);
}

/** One that was just made: nothing was found in it yet. */
export function* getNewItem(db: Db, id: string): Steps<ItemWithoutText | null> {
  const summary = yield* getContentSummary(db, id);
  return summary === null ? null : { ...summary, keyInsights: [], actions: [] };
}

function* toItem(db: Db, row: ItemRow): Steps<ItemWithoutText> {
  const [keyInsights, actions, highlights, lists, proposedTags] = yield* together(
    listInsights(db, row.seq, row.visibleDocument),
    listActionsOfItem(db, row.seq),
    highlightsShownWith(db, row.seq),
    listsOfItem(db, row.seq),
    listProposedTags(db, row.seq),
  );
  const inLists = lists.length > 0 && { lists };
  const proposed = proposedTags.length > 0 && { proposedTags };
  return { ...toSummary(row, db.now), keyInsights, actions, ...highlights, ...inLists, ...proposed };
}

/** The key of an item, or null when there is no such item. */
export function* findItem(db: Db, id: string): Steps<number | null> {
  const row = yield* first<{ seq: number }>`
    SELECT seq FROM items i WHERE ${db.of('i')} AND id = ${id} AND deleted_at IS NULL`;
  return row?.seq ?? null;
}

/** A number that grows with every change of the item. Null when there is no such item. */
export function* getContentVersion(db: Db, id: string): Steps<number | null> {
  const row = yield* first<{ version: number }>`
    SELECT updated_at AS version FROM items i WHERE ${db.of('i')} AND id = ${id} AND deleted_at IS NULL`;
  return row?.version ?? null;
}

/** @throws {AppError} `precondition_failed` when the item has changed since this version */
export function* requireUnchanged(db: Db, id: string, version: number | undefined): Steps<void> {
  if (version === undefined || (yield* getContentVersion(db, id)) === version) return;
  throw new AppError(
    'precondition_failed',
    'The item has changed since it was read. Read it again, then send the change with its new ETag.',
  );
}

export function* setShelf(db: Db, item: number, shelf: Shelf): Steps<void> {
  yield* later`UPDATE items SET shelf = ${shelf} WHERE ${db.of('items')} AND seq = ${item}`;
}

export function* setRead(db: Db, item: number, read: boolean): Steps<void> {
  const readAt = read ? sql`coalesce(read_at, ${db.now})` : sql`NULL`;
  yield* later`UPDATE items SET read_at = ${readAt} WHERE ${db.of('items')} AND seq = ${item}`;
}

/**
 * Notes where reading stopped. That is no change of the item: neither its version nor its history says it.
 * @returns whether there is such an item
 */
export function* keepReading(db: Db, id: string, { start, share }: Reading): Steps<boolean> {
  const kept = yield* run`
    UPDATE items SET reading_start = ${start}, reading_share = ${share}
    WHERE ${db.of('items')} AND id = ${id} AND deleted_at IS NULL`;
  return kept > 0;
}

export function* countItems(db: Db, held?: HeldTo): Steps<ItemCounts> {
  const rows = yield* all<{ shelf: Shelf; count: number; unread: number }>`
    SELECT shelf, count(*) AS count, count(*) - count(read_at) AS unread FROM items i
    WHERE ${db.of('i')} AND deleted_at IS NULL AND ${yield* isHeld(db, sql`i.seq`, held)}
    GROUP BY shelf`;
  const of = (shelf: Shelf) => rows.find((row) => row.shelf === shelf)?.count ?? 0;
  return {
    shelves: { inbox: of('inbox'), later: of('later'), archive: of('archive') },
    unread: rows.reduce((sum, { unread }) => sum + unread, 0),
  };
}
