import type {
  AnalysisInfo,
  ContentItem,
  ContentSummary,
  ItemOrder,
  KeptWarning,
  ItemCounts,
  Reading,
  Shelf,
} from '../../../domain/records/content.ts';
import type { KnownMetadata } from '../../../domain/records/texts/document.ts';
import { AppError } from '../../../errors.ts';
import type { ContentQuery, ItemTitle, ItemWithoutText, KindCount, KnownNames, Page } from '../../records.ts';
import { type ContentRecord, summaryOf, titleOf, type TitleRecord } from '../../records/content-record.ts';
import { listActionsOfItem } from '../analyses/actions.ts';
import {
  all,
  type Db,
  expiredBy,
  first,
  fromJson,
  isKey,
  later,
  run,
  sql,
  type Sql,
  type Steps,
  together,
  unlimited,
} from '../db.ts';
import { readTextOf } from './documents.ts';
import { highlightsShownWith } from '../highlights.ts';
import { keptTags, listProposedTags } from './tags.ts';
import { listInsights } from '../analyses/analyses.ts';
import { findList, listsOfItem } from './item-lists.ts';
import type { HeldTo } from '../../../domain/access/held.ts';
import { isHeld } from './held.ts';
import { isoTime } from '../../../domain/clock.ts';
import { allOf, type Filter } from '../../../domain/search/filter.ts';
import { conditionOf, resolveFilter } from './filter.ts';

interface ItemRow extends Omit<ContentRecord, 'analysis' | 'tags' | 'warnings' | 'known'> {
  analysis: unknown;
  tags: unknown;
  warnings: unknown;
  known: unknown;
}

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
 * Summaries of the items of a page, in order.
 * @param page a query of their keys: with all columns, skipped rows would be read in full, too
 */
function* listSummaries(db: Db, page: Sql, order: Sql): Steps<ContentSummary[]> {
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
 * Notes where reading stopped. That is not a change of the item: neither its version nor its history says it.
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

/** Newest first, unless the query says otherwise. */
export function* listContent(db: Db, query: ContentQuery): Steps<Page<ContentSummary>> {
  const { page, order, total } = yield* listed(db, query);
  const [items, counted] = yield* together(listSummaries(db, page, order), total);
  return { items, total: counted?.total ?? 0 };
}

/** The titles of `listContent`, in the same order: cheap enough for a thousand at once. */
export function* listTitles(db: Db, query: ContentQuery): Steps<Page<ItemTitle>> {
  const { page, order, total } = yield* listed(db, query);
  const [rows, counted] = yield* together(
    all<TitleRecord>`
      SELECT i.id, coalesce(i.given_title, d.title, i.known ->> 'title') AS title, i.url, i.content_type, i.created_at
      FROM (${page}) AS page CROSS JOIN items i
        LEFT JOIN documents d ON ${db.of('d')} AND d.id = i.visible_document
      WHERE ${db.of('i')} AND i.seq = page.seq ${order}`,
    total,
  );
  return { items: rows.map(titleOf), total: counted?.total ?? 0 };
}

interface Listed {
  /** The keys of the items of the page. */
  page: Sql;
  order: Sql;
  total: Steps<{ total: number } | undefined>;
}

function* listed(db: Db, query: ContentQuery): Steps<Listed> {
  const { deleted = false, order = 'list', limit, offset } = query;
  const isByFetch = query.fetchedBefore !== undefined;
  const byHand = order === 'list' && !deleted && !isByFetch ? yield* listByHandIn(db, query.filter ?? null) : null;
  const list = byHand?.list ?? null;
  const filter = byHand === null ? query.filter : byHand.others;
  const conditions = conditionsOf(db, query);
  if (filter) conditions.push(conditionOf(db, yield* resolveFilter(db, filter)));
  if (query.held !== undefined) conditions.push(yield* isHeld(db, sql`i.seq`, query.held));
  conditions.push(
    deleted ? sql`i.deleted_at IS NOT NULL AND i.deleted_passed > ${yield* expiredBy(db)}` : sql`i.deleted_at IS NULL`,
  );
  const found = sql`${list === null ? sql`` : sql`list_items x CROSS JOIN`} items i
    ${isAboutJob(query) ? sql`JOIN jobs j ON ${db.of('j')} AND j.item = i.seq` : sql``}
    ${order === 'title' && !deleted ? sql`LEFT JOIN documents d ON ${db.of('d')} AND d.id = i.visible_document` : sql``}
    WHERE ${list === null ? sql`` : sql`${db.of('x')} AND x.list = ${list} AND i.seq = x.item AND`}
      ${conditions.reduce((some, one) => sql`${some} AND ${one}`)}`;
  const by = deleted
    ? sql`ORDER BY i.deleted_at DESC, i.seq DESC`
    : isByFetch
      ? sql`ORDER BY (SELECT c.checked_at FROM page_checks c WHERE ${db.of('c')} AND c.item = i.seq) NULLS FIRST, i.seq`
      : orderOf(db, order);
  return {
    page: sql`
      SELECT i.seq FROM ${found} ${list === null ? by : sql`ORDER BY x.ordinal, x.item`} LIMIT ${limit} OFFSET ${offset}`,
    order:
      list === null
        ? by
        : sql`ORDER BY (SELECT o.ordinal FROM list_items o WHERE ${db.of('o')} AND o.list = ${list} AND o.item = i.seq), i.seq`,
    total: first<{ total: number }>`
      SELECT count(*) AS total FROM (SELECT 1 AS one FROM ${found} LIMIT ${query.maxTotal ?? unlimited}) AS counted`,
  };
}

/** The key of the manual list that all items have to be in, and the remaining filter; null when there is no such list, or several. */
function* listByHandIn(db: Db, filter: Filter | null): Steps<{ list: number; others: Filter | null } | null> {
  const conditions = filter === null ? [] : 'all' in filter ? filter.all : [filter];
  const [named, ...more] = conditions.flatMap((one) => ('list' in one ? [one.list] : []));
  const list = named === undefined || more.length > 0 ? null : yield* findList(db, named);
  if (list === null || list.query !== null) return null;
  return { list: list.seq, others: allOf(...conditions.filter((one) => !('list' in one))) };
}

/** Within one millisecond the item inserted last counts as newer. */
function orderOf(db: Db, order: ItemOrder): Sql {
  if (order === 'newest' || order === 'list') return sql`ORDER BY i.created_at DESC, i.seq DESC`;
  if (order === 'oldest') return sql`ORDER BY i.created_at, i.seq`;
  // Only letters of ASCII count as the same in either case.
  return sql`ORDER BY lower(coalesce(i.given_title, d.title, i.url) ${db.bytewise}), i.seq DESC`;
}

const isAboutJob = ({ status }: ContentQuery): boolean => status === 'pending' || status === 'processing';

/** Without the filter, and the condition on deleted items. */
function conditionsOf(db: Db, query: ContentQuery): Sql[] {
  const conditions = [db.of('i')];
  // A worker holds the job with an unexpired lease.
  const isProcessing = sql`(j.state = 'claimed' AND j.due_at > ${db.now})`;
  if (isAboutJob(query))
    conditions.push(
      sql`i.state = 'unfinished'`,
      query.status === 'processing' ? isProcessing : sql`NOT ${isProcessing}`,
    );
  else if (query.status !== undefined) conditions.push(sql`i.state = ${query.status}`);
  if (query.processedSince !== undefined) conditions.push(sql`i.processed_at >= ${query.processedSince}`);
  if (query.fetchedBefore !== undefined) conditions.push(wasFetchedBefore(db, query.fetchedBefore));
  if (query.neverProcessed === true) conditions.push(sql`i.processed_at IS NULL`);
  return conditions;
}

function wasFetchedBefore(db: Db, time: number): Sql {
  return sql`i.state = 'completed' AND substr(i.canonical_url, 1, 4) = 'http'
    AND EXISTS (SELECT 1 FROM jobs j WHERE ${db.of('j')} AND j.item = i.seq AND j.state = 'done')
    AND NOT EXISTS (SELECT 1 FROM page_checks c WHERE ${db.of('c')} AND c.item = i.seq AND c.checked_at >= ${time})
    AND NOT EXISTS (SELECT 1 FROM originals o WHERE ${db.of('o')} AND o.item = i.seq AND ${isKey(db, 'o', 'name', '')}
      AND (o.given OR o.fetched_at ${db.bytewise} >= ${isoTime(time)}))`;
}

/** The kinds of items that are not deleted, most frequent first. Items that were not fetched yet have none. */
export function* countKinds(db: Db, held?: HeldTo): Steps<KindCount[]> {
  return yield* all<KindCount>`
    SELECT content_type AS kind, count(*) AS count FROM items i
    WHERE ${db.of('i')} AND deleted_at IS NULL AND content_type IS NOT NULL AND ${yield* isHeld(db, sql`i.seq`, held)}
    GROUP BY content_type ORDER BY 2 DESC, content_type ${db.bytewise}`;
}

/** At most `limit` tags, and the titles of at most `limit` items. */
export function* listNames(db: Db, limit: number, held?: HeldTo): Steps<KnownNames> {
  const isKnown = yield* isHeld(db, sql`i.seq`, held);
  const [tags, items] = yield* together(
    all<{ tag: string }>`
      SELECT min(t.tag ${db.bytewise}) AS tag FROM ${keptTags(db)} AND ${yield* isHeld(db, sql`t.item`, held)}
      GROUP BY t.folded ORDER BY count(*) DESC, t.folded ${db.bytewise} LIMIT ${limit}`,
    all<{ id: string; title: string }>`
      SELECT i.id, coalesce(i.given_title, d.title) AS title
      FROM items i LEFT JOIN documents d ON ${db.of('d')} AND d.id = i.visible_document
      WHERE ${db.of('i')} AND i.deleted_at IS NULL AND ${isKnown} AND coalesce(i.given_title, d.title) IS NOT NULL
      ORDER BY i.created_at DESC, i.seq DESC LIMIT ${limit}`,
  );
  return { tags: tags.map(({ tag }) => tag), items };
}
