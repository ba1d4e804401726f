import type { ChangedRow, Values } from '../../history/changed-rows.ts';
import { requireRoomForHighlights, restoredHighlightColumns } from '../../history/restored-columns.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { markPassages } from '../highlights/marks.ts';
import { mayComeBack } from './library-now.ts';
import { currentRow } from './rows.ts';

/**
 * Where a highlight stands is not restored, but looked for again when its words are others. What it adds to the passages
 * of its item is written at once.
 * @throws {AppError} `invalid_input` when an item would have too many highlights
 */
export function restoreHighlights(file: SqliteFile, rows: readonly ChangedRow[], now: number): void {
  for (const { row, before } of rows) if (before === null) file.run('DELETE FROM highlights WHERE seq = ?', row);
  for (const one of rows) if (one.before !== null) restore(file, one, one.before, now);
  for (const content of new Set(rows.flatMap((row) => row.content ?? []))) {
    requireRoom(file, content);
    markPassages(file, content);
  }
}

function restore(file: SqliteFile, changed: ChangedRow, before: Values, now: number): void {
  const { row, content, subject, after } = changed;
  const there = currentRow(file, { kind: 'highlight', row, part: '' });
  if (there === null) {
    if (after !== null || !mayComeBack(file, changed, before)) return;
    const columns = Object.keys(before);
    file.run(
      `INSERT INTO highlights (seq, id, content, updated_at, ${columns.join(', ')})
       VALUES (?, ?, ?, ?, ${columns.map(() => '?').join(', ')})`,
      row,
      subject,
      content,
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
        row,
      );
    file.run(
      `UPDATE highlights SET updated_at = max(updated_at + 1, ?), ${columns.map((column) => `${column} = ?`).join(', ')}
       WHERE seq = ?`,
      now,
      ...columns.map((column) => before[column] ?? null),
      row,
    );
  }
  file.run(
    `UPDATE highlights SET place_due = deleted_at IS NULL AND (place_due = 1 OR EXISTS (SELECT 1 FROM content c
       WHERE c.seq = highlights.content AND c.visible_document IS NOT NULL AND c.visible_document IS NOT highlights.document))
     WHERE seq = ?`,
    row,
  );
}

function requireRoom(file: SqliteFile, content: number): void {
  const counted = file.get<{ total: number }>(
    'SELECT count(*) AS total FROM highlights WHERE content = ? AND deleted_at IS NULL',
    content,
  );
  requireRoomForHighlights(counted?.total ?? 0);
}
