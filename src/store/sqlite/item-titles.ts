import type { SqliteFile } from './sqlite-file.ts';

/** At the end of a transaction: brings the index of titles up to date with the items that it changed, as triggers noted them. */
export function refreshTitles(file: SqliteFile): void {
  const due = file.all<{ content: number }>('DELETE FROM titles_due RETURNING content');
  if (due.length === 0) return;
  const items = JSON.stringify(due.map(({ content }) => content));
  file.run('DELETE FROM item_titles WHERE rowid IN (SELECT value FROM json_each(?))', items);
  file.run(
    `INSERT INTO item_titles (rowid, title)
     SELECT c.seq, coalesce(c.given_title, d.title)
     FROM json_each(?) due CROSS JOIN content c ON c.seq = due.value LEFT JOIN documents d ON d.id = c.visible_document
     WHERE c.deleted_at IS NULL AND coalesce(c.given_title, d.title) IS NOT NULL`,
    items,
  );
}
