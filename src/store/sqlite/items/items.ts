import type { ContentType } from '../../../domain/records/content.ts';
import type { Facets } from '../../records/search-records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import type { RankedPassage } from '../../../domain/records/texts/passage.ts';

/*
 * A deleted item keeps all its rows until it is purged, so every query has to exclude it. Few items are deleted at a
 * time, so `NOT IN` this list costs a search almost nothing. Looking up each row's item would cost more than the search
 * itself.
 */

export const deletedItems = 'SELECT seq FROM items WHERE deleted_at IS NOT NULL';

export const deletedPassages =
  'SELECT gone.id FROM items c JOIN passages gone ON gone.item = c.seq WHERE c.deleted_at IS NOT NULL';

/** SQL for a JSON array of the tags of `item`, in the order in which they were given. */
export function tagsOf(item: string): string {
  return `(SELECT json_group_array(t.tag ORDER BY t.ordinal) FROM item_tags t WHERE t.item = ${item})`;
}

const maxTagsCounted = 20;

/**
 * Counts the items by type, tag and year. The year is that of publication, or of saving when that is unknown. Types and
 * tags: most frequent first; years: newest first.
 */
export function countFacets(file: SqliteFile, contentIds: readonly string[]): Facets {
  const ids = JSON.stringify(contentIds);
  // The cross join keeps SQLite from scanning all items and searching the list for each.
  const wanted = `json_each(?) wanted CROSS JOIN items c ON c.id = wanted.value AND c.deleted_at IS NULL`;
  return file.read(() => ({
    types: file.all<{ value: ContentType; count: number }>(
      `SELECT c.content_type AS value, count(*) AS count FROM ${wanted}
       WHERE c.content_type IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1`,
      ids,
    ),
    tags: file.all<{ value: string; count: number }>(
      `SELECT min(t.tag) AS value, count(*) AS count FROM ${wanted} JOIN item_tags t ON t.item = c.seq
       GROUP BY t.folded ORDER BY 2 DESC, t.folded LIMIT ?`,
      ids,
      maxTagsCounted,
    ),
    years: file.all<{ value: number; count: number }>(
      `SELECT CAST(coalesce(substr(d.published_at, 1, 4), strftime('%Y', c.created_at / 1000, 'unixepoch')) AS INTEGER) AS value,
         count(*) AS count
       FROM ${wanted} LEFT JOIN documents d ON d.id = c.visible_document GROUP BY 1 ORDER BY 1 DESC`,
      ids,
    ),
  }));
}

/** Ids of items by passage that are kept for each open file. */
const maxKept = 50_000;

/** Ids of passages and items are never reused, so what was found stays valid after writes. */
const keptOf = new WeakMap<SqliteFile, { schema: number; ids: Map<number, string> }>();

/** Adds the item's id to each passage. Passages that never existed are left out. */
export function nameItems(file: SqliteFile, found: readonly { passageId: number; score: number }[]): RankedPassage[] {
  const schema = file.schema();
  let kept = keptOf.get(file);
  if (kept?.schema !== schema || kept.ids.size > maxKept) kept = { schema, ids: new Map() };
  keptOf.set(file, kept);
  const { ids } = kept;
  const unknown = found.flatMap(({ passageId }) => (ids.has(passageId) ? [] : [passageId]));
  const rows =
    unknown.length === 0
      ? []
      : file.all<{ passageId: number; contentId: string }>(
          `SELECT p.id AS passageId, c.id AS contentId
           FROM json_each(?) wanted JOIN passages p ON p.id = wanted.value JOIN items c ON c.seq = p.item`,
          JSON.stringify(unknown),
        );
  for (const { passageId, contentId } of rows) ids.set(passageId, contentId);
  return found.flatMap(({ passageId, score }) => {
    const contentId = ids.get(passageId);
    return contentId === undefined ? [] : [{ passageId, contentId, score }];
  });
}
