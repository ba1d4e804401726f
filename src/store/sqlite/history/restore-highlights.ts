import type { ChangedRow, Values } from '../../history/changed-rows.ts';
import { requireRoomForHighlights, restoredHighlightColumns } from '../../history/restored-columns.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { currentRows } from '../../library/history-rows.ts';
import { markPassages } from '../../library/marks.ts';
import { bridge, runSteps } from '../library/sqlite-db.ts';

/**
 * Where a highlight stands is not restored, but looked for again when its words are others. What it adds to the passages
 * of its item is written at once.
 * @throws {AppError} `invalid_input` when an item would have too many highlights
 */
export function restoreHighlights(file: SqliteFile, rows: readonly ChangedRow[], now: number): void {
  for (const { key, before } of rows) if (before === null) file.run('DELETE FROM highlights WHERE seq = ?', key);
  for (const one of rows) if (one.before !== null) restore(file, one, one.before, now);
  for (const item of new Set(rows.flatMap((row) => row.item ?? []))) {
    requireRoom(file, item);
    runSteps(file, markPassages(bridge(file), item));
  }
}

function restore(file: SqliteFile, changed: ChangedRow, before: Values, now: number): void {
  const { key, item, subject, after } = changed;
  const there = runSteps(file, currentRows(bridge(file), [changed]))(changed);
  if (there === null) {
    if (after !== null || !mayComeBack(file, changed, before)) return;
    const columns = Object.keys(before);
    file.run(
      `INSERT INTO highlights (seq, id, item, updated_at, ${columns.join(', ')})
       VALUES (?, ?, ?, ?, ${columns.map(() => '?').join(', ')})`,
      key,
      subject,
      item,
      now,
      ...Object.values(before),
    );
  } else {
    const columns = restoredHighlightColumns(changed, there);
    if (columns.length === 0) return;
    if (columns.includes('quote'))
      file.run(
        `UPDATE highlights SET document = NULL, start_at = NULL, end_at = NULL, locator = NULL, url = NULL
         WHERE seq = ?`,
        key,
      );
    file.run(
      `UPDATE highlights SET updated_at = max(updated_at + 1, ?), ${columns.map((column) => `${column} = ?`).join(', ')}
       WHERE seq = ?`,
      now,
      ...columns.map((column) => before[column] ?? null),
      key,
    );
  }
  file.run(
    `UPDATE highlights SET place_due = deleted_at IS NULL AND (place_due = 1 OR EXISTS (SELECT 1 FROM items c
       WHERE c.seq = highlights.item AND c.visible_document IS NOT NULL AND c.visible_document IS NOT highlights.document))
     WHERE seq = ?`,
    key,
  );
}

/** An import may have added the same one meanwhile. */
function mayComeBack(file: SqliteFile, { item, subject }: ChangedRow, { source }: Values): boolean {
  return (
    file.get(
      `SELECT 1 FROM items WHERE seq = @item AND NOT EXISTS (
         SELECT 1 FROM highlights WHERE id = @subject OR (item = @item AND source = @source))`,
      { item, subject, source },
    ) !== undefined
  );
}

function requireRoom(file: SqliteFile, item: number): void {
  const counted = file.get<{ total: number }>(
    'SELECT count(*) AS total FROM highlights WHERE item = ? AND deleted_at IS NULL',
    item,
  );
  requireRoomForHighlights(counted?.total ?? 0);
}
