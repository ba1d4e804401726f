import { indexDueItems } from '../index/index.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/** Updates the indexes at the end of a transaction, for the items that triggers noted as changed. */
export function indexChangedItems(file: SqliteFile): void {
  const due = file.all<{ item: number; about: 0 | 1 }>('SELECT item, about FROM items_due');
  if (due.length === 0) return;
  file.run('DELETE FROM items_due');
  const keysOf = (rows: typeof due) => rows.map(({ item }) => item);
  indexDueItems(file, keysOf(due), keysOf(due.filter(({ about }) => about === 1)));
  refreshTitles(file, keysOf(due));
}

function refreshTitles(file: SqliteFile, due: readonly number[]): void {
  const items = JSON.stringify(due);
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
