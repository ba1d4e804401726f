import type { SqliteFile } from '../files/sqlite-file.ts';

/** Updates the title index at the end of a transaction, for the items that triggers noted as changed. */
export function refreshTitles(file: SqliteFile): void {
  const due = file.all<{ item: number }>('SELECT item FROM titles_due');
  if (due.length === 0) return;
  file.run('DELETE FROM titles_due');
  const items = JSON.stringify(due.map(({ item }) => item));
  // Look up existing rows in the index's content table first: deleting a missing row from the index itself is slow.
  const known = file.all<{ id: number }>(
    'SELECT id FROM item_titles_content WHERE id IN (SELECT value FROM json_each(?))',
    items,
  );
  for (const { id } of known) file.run('DELETE FROM item_titles WHERE rowid = ?', id);
  file.run(
    `INSERT INTO item_titles (rowid, title)
     SELECT c.seq, coalesce(c.given_title, d.title)
     FROM json_each(?) due CROSS JOIN items c ON c.seq = due.value LEFT JOIN documents d ON d.id = c.visible_document
     WHERE c.deleted_at IS NULL AND coalesce(c.given_title, d.title) IS NOT NULL`,
    items,
  );
}
