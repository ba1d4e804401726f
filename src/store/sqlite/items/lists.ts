import type { ClockReading } from '../../../domain/clock.ts';
import type { ContentSummary, ItemOrder } from '../../../domain/records/content.ts';
import { titleOf, type TitleRecord } from '../../records/content-record.ts';
import type { ContentQuery, ItemTitle, KindCount, KnownNames, Page } from '../../records.ts';
import { itemColumns, type ItemRow, itemTables, isProcessing, toSummary } from './rows.ts';
import { deletedItems, expiredBy } from './deleted.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { hasTags } from './tags.ts';

/** Within one millisecond the item inserted last counts as newer. */
const orders: Readonly<Record<ItemOrder, string>> = {
  newest: 'ORDER BY c.created_at DESC, c.seq DESC',
  oldest: 'ORDER BY c.created_at, c.seq',
  title: 'ORDER BY coalesce(c.given_title, d.title, c.url) COLLATE NOCASE, c.seq DESC',
};

/** Newest first, unless the query says otherwise; deleted items by time of deletion. */
export function listContent(
  file: SqliteFile,
  query: ContentQuery,
  now: number,
  clock: ClockReading,
): Page<ContentSummary> {
  const { found, order, parameters } = listed(file, query, now, clock);
  return file.read(() => {
    // The items of the page are picked first: otherwise those that are skipped are read whole, too.
    const rows = file.all<ItemRow>(
      `SELECT ${itemColumns} FROM (SELECT c.seq FROM ${found} ${order} LIMIT ? OFFSET ?) AS page
       CROSS JOIN ${itemTables} WHERE c.seq = page.seq ${order}`,
      ...parameters,
      query.limit,
      query.offset,
    );
    return { items: rows.map((row) => toSummary(row, now)), total: countOf(file, found, parameters) };
  });
}

/** The same items in the same order as `listContent`. */
export function listTitles(file: SqliteFile, query: ContentQuery, now: number, clock: ClockReading): Page<ItemTitle> {
  const { found, order, parameters } = listed(file, query, now, clock);
  return file.read(() => {
    const rows = file.all<TitleRecord>(
      `SELECT c.id, coalesce(c.given_title, d.title, c.known ->> 'title') AS title, c.url, c.content_type AS contentType,
         c.created_at AS createdAt
       FROM (SELECT c.seq FROM ${found} ${order} LIMIT ? OFFSET ?) AS page
       CROSS JOIN items c LEFT JOIN documents d ON d.id = c.visible_document WHERE c.seq = page.seq ${order}`,
      ...parameters,
      query.limit,
      query.offset,
    );
    return { items: rows.map(titleOf), total: countOf(file, found, parameters) };
  });
}

function countOf(file: SqliteFile, found: string, parameters: readonly unknown[]): number {
  return file.get<{ total: number }>(`SELECT count(*) AS total FROM ${found}`, ...parameters)?.total ?? 0;
}

export function countKinds(file: SqliteFile): KindCount[] {
  return file.all<KindCount>(
    `SELECT c.content_type AS kind, count(*) AS count FROM items c
     WHERE c.deleted_at IS NULL AND c.content_type IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1`,
  );
}

export function listNames(file: SqliteFile, limit: number): KnownNames {
  return file.read(() => {
    const tags = file.all<{ tag: string }>(
      `SELECT min(t.tag) AS tag FROM item_tags t WHERE t.item NOT IN (${deletedItems})
       GROUP BY t.folded ORDER BY count(*) DESC, t.folded LIMIT ?`,
      limit,
    );
    const items = file.all<{ id: string; title: string }>(
      `SELECT c.id, coalesce(c.given_title, d.title) AS title
       FROM items c LEFT JOIN documents d ON d.id = c.visible_document
       WHERE c.deleted_at IS NULL AND coalesce(c.given_title, d.title) IS NOT NULL
       ORDER BY c.created_at DESC, c.seq DESC LIMIT ?`,
      limit,
    );
    return { tags: tags.map(({ tag }) => tag), items };
  });
}

/** SQL that finds the items of a list, and its order. */
function listed(
  file: SqliteFile,
  query: ContentQuery,
  now: number,
  clock: ClockReading,
): { found: string; order: string; parameters: unknown[] } {
  const { conditions, parameters } = listConditions(query, now);
  const { deleted = false, order = 'newest' } = query;
  if (deleted) {
    conditions.push('c.deleted_passed > ?');
    parameters.push(expiredBy(file, clock));
  }
  const found = `items c ${isAboutJob(query) ? 'JOIN jobs j ON j.item = c.seq' : ''}
    ${order === 'title' && !deleted ? 'LEFT JOIN documents d ON d.id = c.visible_document' : ''}
    WHERE ${conditions.join(' AND ')}`;
  return { found, order: deleted ? 'ORDER BY c.deleted_at DESC, c.seq DESC' : orders[order], parameters };
}

function isAboutJob(query: ContentQuery): boolean {
  return query.status === 'pending' || query.status === 'processing';
}

function listConditions(query: ContentQuery, now: number): { conditions: string[]; parameters: unknown[] } {
  const conditions = [query.deleted === true ? 'c.deleted_at IS NOT NULL' : 'c.deleted_at IS NULL'];
  const parameters: unknown[] = [];
  if (isAboutJob(query)) {
    conditions.push(`c.state = 'unfinished'`, query.status === 'processing' ? isProcessing : `NOT ${isProcessing}`);
    parameters.push(now);
  } else if (query.status !== undefined) {
    conditions.push('c.state = ?');
    parameters.push(query.status);
  }
  const times: [condition: string, value: number | undefined][] = [
    ['c.created_at >= ?', query.createdSince],
    ['c.created_at < ?', query.createdBefore],
    ['c.processed_at >= ?', query.processedSince],
  ];
  for (const [condition, value] of times) {
    if (value === undefined) continue;
    conditions.push(condition);
    parameters.push(value);
  }
  if (query.neverProcessed === true) conditions.push('c.processed_at IS NULL');
  if (query.contentType !== undefined) {
    conditions.push('c.content_type = ?');
    parameters.push(query.contentType);
  }
  const tagged = hasTags('c.seq', query.tags ?? []);
  conditions.push(...tagged.conditions);
  parameters.push(...tagged.parameters);
  return { conditions, parameters };
}
