import type { ChangedRow, Values } from '../../history/changed-rows.ts';
import type { LibraryNow } from '../../history/conflicts.ts';
import { type FindItemName, subjectOf } from '../../history/shown-changes.ts';
import { findByTitle } from '../analyses/goal-titles.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { currentRow } from './rows.ts';

/** What rows that were recorded are called, and what stands against undoing them. Looked up when it is asked for. */
export function libraryNow(file: SqliteFile): LibraryNow {
  const findItem = itemNames(file);
  return {
    subjectOf: (row) => subjectOf(row, findItem),
    current: (row) => currentRow(file, row),
    hasItem: ({ item }) => file.get('SELECT 1 FROM items WHERE seq = ?', item) !== undefined,
    hasDocument: ({ before }) => before !== null && hasDocument(file, before),
    laterChange: (row) => laterChange(file, row),
    itemWithAddress: ({ key, before }) =>
      file.get<{ id: string }>(
        'SELECT id FROM items WHERE canonical_url = ? AND deleted_at IS NULL AND seq <> ?',
        before?.['canonical_url'] ?? null,
        key,
      )?.id ?? null,
    goalWithTitle: ({ before }) => findByTitle(file, String(before?.['title'])),
    isGoalUsed: (row) => isGoalUsed(file, row),
    mayComeBack: (row) => row.before !== null && mayComeBack(file, row, row.before),
  };
}

export function itemNames(file: SqliteFile): FindItemName {
  return (item) =>
    file.get(
      `SELECT c.id, coalesce(c.given_title, d.title) AS title, c.url
       FROM items c LEFT JOIN documents d ON d.id = c.visible_document WHERE c.seq = ?`,
      item,
    );
}

export function hasDocument(file: SqliteFile, { document }: Values): boolean {
  return document === null || file.get('SELECT 1 FROM documents WHERE id = ?', document) !== undefined;
}

/** Whether a highlight whose row is not there can be added again: an import may have added the same one meanwhile. */
export function mayComeBack(file: SqliteFile, { item, subject }: ChangedRow, { source }: Values): boolean {
  return (
    file.get(
      `SELECT 1 FROM items WHERE seq = @item AND NOT EXISTS (
         SELECT 1 FROM highlights WHERE id = @subject OR (item = @item AND source = @source))`,
      { item, subject, source },
    ) !== undefined
  );
}

/** SQL: a change that was neither undone nor undid another one. */
const stillCounts = 'x.before IS NOT x.after AND h.undone_by IS NULL AND h.undoes IS NULL';

/** Action items of items that the same change saved go with them. */
function isGoalUsed(file: SqliteFile, { entry, subject }: ChangedRow): boolean {
  return (
    file.get(
      `SELECT 1 FROM actions a WHERE a.goal = ? AND a.touched_at IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM history_changes x
         WHERE x.entry = ? AND x.kind = 'item' AND x.key = a.item AND x.before IS NULL)`,
      subject,
      entry,
    ) !== undefined ||
    file.get(
      `SELECT 1 FROM history_changes x JOIN history h ON h.seq = x.entry
       WHERE x.kind = 'goal' AND x.subject = ? AND x.entry > ? AND ${stillCounts}`,
      subject,
      entry,
    ) !== undefined
  );
}

function laterChange(file: SqliteFile, { entry, key }: ChangedRow): string | null {
  const later = file.get<{ operation: string }>(
    `SELECT h.operation FROM history_changes x JOIN history h ON h.seq = x.entry
     WHERE x.item = ? AND x.entry > ? AND ${stillCounts}
     ORDER BY x.entry DESC LIMIT 1`,
    key,
    entry,
  );
  return later?.operation ?? null;
}
