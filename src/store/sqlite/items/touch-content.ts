import type { SqliteFile } from '../files/sqlite-file.ts';

/**
 * Notes that something shown of the item has changed. Two changes in one millisecond must not look like one state, and
 * the clock may be set back: so the time grows in any case.
 */
export function touchContent(file: SqliteFile, content: number, now: number): void {
  file.run('UPDATE content SET updated_at = max(updated_at + 1, ?) WHERE seq = ?', now, content);
}
