import type { Coverage } from '../../records/search-records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

export function coverage(file: SqliteFile): Coverage {
  return file.remember('coverage', () => count(file));
}

function count(file: SqliteFile): Coverage {
  const counts = file.get<Coverage>(
    `SELECT count(*) FILTER (WHERE passage_count > 0) AS searchable,
       count(*) FILTER (WHERE passage_count = 0 AND state = 'unfinished') AS pending,
       count(*) FILTER (WHERE passage_count = 0 AND state = 'failed') AS failed
     FROM items WHERE deleted_at IS NULL`,
  );
  return counts ?? { searchable: 0, pending: 0, failed: 0 };
}
