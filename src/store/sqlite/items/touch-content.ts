import type { SqliteFile } from '../files/sqlite-file.ts';

/**
 * Updates the item's `updated_at` after a visible change. The value always grows, because two changes may happen in one
 * millisecond and the clock may be set back.
 */
export function touchContent(file: SqliteFile, content: number, now: number): void {
  file.run('UPDATE content SET updated_at = max(updated_at + 1, ?) WHERE seq = ?', now, content);
}
