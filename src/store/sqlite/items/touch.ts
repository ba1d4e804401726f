import type { SqliteFile } from '../files/sqlite-file.ts';

/**
 * Updates the item's `updated_at` after a visible change. The value always grows, because two changes may happen in one
 * millisecond and the clock may be set back.
 */
export function touchItem(file: SqliteFile, item: number, now: number): void {
  file.run('UPDATE items SET updated_at = max(updated_at + 1, ?) WHERE seq = ?', now, item);
}
