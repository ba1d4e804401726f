import { isoTime } from '../../../domain/clock.ts';
import type { ContentSummary, ItemOrder } from '../../../domain/records/content.ts';
import type { HeldTo } from '../../../domain/access/held.ts';
import { allOf, type Filter } from '../../../domain/search/filter.ts';
import type { ContentQuery, ItemTitle, KindCount, KnownNames, Page } from '../../records.ts';
import { titleOf, type TitleRecord } from '../../records/content-record.ts';
import { all, type Db, first, isKey, sql, type Sql, type Steps, together, unlimited } from '../db.ts';
import { conditionOf, resolveFilter } from './filter.ts';
import { findList } from './item-lists.ts';
import { listSummaries } from './reading.ts';
import { isHeld } from './held.ts';
import { keptTags } from './tags.ts';
import { expiredBy } from '../time.ts';

/** Newest first, unless the query says otherwise. */
export function* listContent(db: Db, query: ContentQuery): Steps<Page<ContentSummary>> {
  const { page, order, total } = yield* listed(db, query);
  const [items, counted] = yield* together(listSummaries(db, page, order), total);
  return { items, total: counted?.total ?? 0 };
}

/** The titles of what `listContent` finds, in the same order: cheap enough for a thousand at once. */
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

/** The key of the list by hand that all items have to be in, and what else they have to be; null when there is no such list, or several. */
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
