import type { SqliteFile } from '../files/sqlite-file.ts';
import type { Coverage } from '../../records/search-records.ts';

/*
 * For a held caller (`domain/access/held.ts`), an index seems to consist of the items that the caller knows: what it counts, and
 * so its scores and corrections, say nothing of words that only other items have.
 */

export interface Narrowing {
  /** JSON, the keys of the items. */
  items: string;
  passages: ReadonlySet<number>;
}

const narrowings = new WeakMap<SqliteFile, Narrowing>();

/** Of the call that is running. */
export function narrowingOf(file: SqliteFile): Narrowing | undefined {
  return narrowings.get(file);
}

/** Runs reads, which answer at once, on an index of these items; undefined: of all. */
export function narrowedTo<T>(file: SqliteFile, keys: readonly number[] | undefined, run: () => T): T {
  if (keys === undefined) return run();
  return file.read(() => {
    const items = JSON.stringify(keys);
    const rows = file.all<{ id: number }>(
      `SELECT p.id FROM json_each(?) kept CROSS JOIN items c ON c.seq = kept.value AND c.deleted_at IS NULL
         CROSS JOIN passages p ON p.item = c.seq`,
      items,
    );
    narrowings.set(file, { items, passages: new Set(rows.map(({ id }) => id)) });
    try {
      return run();
    } finally {
      narrowings.delete(file);
    }
  });
}

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
