import type { Coverage } from '../../records/search-records.ts';
import { narrowingOf } from './narrowing.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

export function coverage(file: SqliteFile): Coverage {
  const items = narrowingOf(file)?.items;
  return items === undefined ? file.remember('coverage', () => count(file)) : count(file, items);
}

/** @param items JSON, the keys of the only ones that count */
function count(file: SqliteFile, items?: string): Coverage {
  const counts = file.get<Coverage>(
    `SELECT count(*) FILTER (WHERE passage_count > 0) AS searchable,
       count(*) FILTER (WHERE passage_count = 0 AND state = 'unfinished') AS pending,
       count(*) FILTER (WHERE passage_count = 0 AND state = 'failed') AS failed
     FROM items WHERE deleted_at IS NULL ${items === undefined ? '' : 'AND seq IN (SELECT value FROM json_each(?))'}`,
    ...(items === undefined ? [] : [items]),
  );
  return counts ?? { searchable: 0, pending: 0, failed: 0 };
}
