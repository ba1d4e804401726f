import type { ContentType } from '../../../domain/records/content.ts';
import type { Facets } from '../../records/search-records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

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
