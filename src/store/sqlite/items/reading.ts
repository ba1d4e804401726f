import type { ClockReading } from '../../../domain/clock.ts';
import type { ContentItem, ContentSummary } from '../../../domain/records/content.ts';
import type { ItemWithoutText } from '../../records.ts';
import { itemColumns, type ItemRow, itemTables, toSummary } from './rows.ts';
import { expiredBy } from './deleted.ts';
import { readTextOf } from './bridged.ts';
import { listActionsOfItem } from '../../library/actions.ts';
import { listInsights } from '../../library/analyses.ts';
import { highlightsShownWith } from '../../library/highlights.ts';
import { bridge, runSteps } from '../library/sqlite-db.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

function readRow(file: SqliteFile, id: string): ItemRow | undefined {
  return file.get<ItemRow>(`SELECT ${itemColumns} FROM ${itemTables} WHERE c.id = ? AND c.deleted_at IS NULL`, id);
}

/** A deleted item that can still be restored. */
export function getDeletedSummary(
  file: SqliteFile,
  id: string,
  now: number,
  clock: ClockReading,
): ContentSummary | null {
  const row = file.get<ItemRow>(
    `SELECT ${itemColumns} FROM ${itemTables} WHERE c.id = ? AND c.deleted_passed > ?`,
    id,
    expiredBy(file, clock),
  );
  return row === undefined ? null : toSummary(row, now);
}

export function getContentSummary(file: SqliteFile, id: string, now: number): ContentSummary | null {
  const row = readRow(file, id);
  return row === undefined ? null : toSummary(row, now);
}

export function getContent(file: SqliteFile, id: string, now: number): ContentItem | null {
  return file.read(() => {
    const row = readRow(file, id);
    if (row === undefined) return null;
    const transcript = row.visibleDocument === null ? null : readTextOf(file, row.visibleDocument);
    return { ...toItem(file, row, now), ...(transcript !== null && { transcript }) };
  });
}

/** The item without its text, as a save returns it. */
export function getItem(file: SqliteFile, id: string, now: number): ItemWithoutText | null {
  return file.read(() => {
    const row = readRow(file, id);
    return row === undefined ? null : toItem(file, row, now);
  });
}

function toItem(file: SqliteFile, row: ItemRow, now: number): ItemWithoutText {
  const db = bridge(file);
  return {
    ...toSummary(row, now),
    keyInsights: runSteps(file, listInsights(db, row.seq, row.visibleDocument)),
    actions: runSteps(file, listActionsOfItem(db, row.seq)),
    ...runSteps(file, highlightsShownWith(db, row.seq)),
  };
}
