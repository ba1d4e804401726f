import type { ClockReading } from '../../../domain/clock.ts';
import { isoTime } from '../../../domain/clock.ts';
import type { ExportedHistoryEntry } from '../../../domain/records/transfers/exported.ts';
import { rowBytes } from '../../history/change-record.ts';
import type { ChangedRow } from '../../history/changed-rows.ts';
import {
  type EntryToExport,
  type ExportedChange,
  maxRowsExported,
  scopesOf,
  toExport,
  withinLength,
} from '../../history/exported-history.ts';
import { hasOwnName, shownChanges } from '../../history/shown-changes.ts';
import type { HistoryValue } from '../../history.ts';
import type { HistoryPage } from '../../transfer.ts';
import { passedTime } from '../files/account-time.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { itemNames } from './library-now.ts';
import { hasLostRows } from './pruning.ts';
import { firstRows } from './rows.ts';

/**
 * The next entries after a place, the oldest first. Left out are changes of what is in the trash or gone, and imports of an
 * export: they would make the export of a copy another one than that of the library.
 */
export function readHistoryToExport(
  file: SqliteFile,
  { after, since, limit }: { after: HistoryPage['next']; since: number; limit: number },
): HistoryPage {
  return file.read(() => {
    const rows = file.all<EntryToExport & { restored: 0 | 1 }>(
      `SELECT seq, id, at, face, token AS by, operation, rows, undone_by AS undoneBy, undoes, restored FROM history
       WHERE transfer = 0 AND NOT ${hasLostRows('id')} AND at >= @since AND (at, seq) > (@at, @seq)
       ORDER BY at, seq LIMIT @limit`,
      { since, limit, at: after?.at ?? Number.MIN_SAFE_INTEGER, seq: after?.seq ?? 0 },
    );
    const last = rows.at(-1);
    return {
      entries: rows.flatMap(({ seq, restored, at, ...entry }): ExportedHistoryEntry[] => {
        const changes = withinLength(restored === 1 ? restoredToExport(file, seq) : recordedToExport(file, seq));
        return changes.length === 0 ? [] : [{ ...entry, at: isoTime(at), changes }];
      }),
      next: last === undefined || rows.length < limit ? null : { at: last.at, seq: last.seq },
    };
  });
}

function recordedToExport(file: SqliteFile, entry: number): ExportedChange[] {
  const rows = firstRows(file, entry, null, maxRowsExported).filter((row) => isThere(file, row));
  return shownChanges(rows, itemNames(file)).map((change) => toExport(change, itemOf(file, change.id)));
}

function restoredToExport(file: SqliteFile, entry: number): ExportedChange[] {
  return restoredChanges(file, entry, null, maxRowsExported).filter(({ id }) => isRecordThere(file, id));
}

/** Of texts and tags of an item in the trash nothing is exported, nor of what was deleted from an item. */
function isThere(file: SqliteFile, { kind, item, subject }: ChangedRow): boolean {
  if (hasOwnName(kind)) return isRecordThere(file, subject ?? '');
  return file.get('SELECT 1 FROM items WHERE seq = ? AND deleted_at IS NULL', item) !== undefined;
}

function isRecordThere(file: SqliteFile, id: string): boolean {
  const found = file.get(
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM items WHERE id = @id AND deleted_at IS NULL)
       OR EXISTS (SELECT 1 FROM goals WHERE id = @id)
       OR EXISTS (SELECT 1 FROM actions a JOIN items c ON c.seq = a.item WHERE a.id = @id AND c.deleted_at IS NULL)
       OR EXISTS (SELECT 1 FROM highlights h JOIN items c ON c.seq = h.item
            WHERE h.id = @id AND h.deleted_at IS NULL AND c.deleted_at IS NULL)`,
    { id },
  );
  return found !== undefined;
}

/** The id of the item that an action item or a highlight belongs to. */
function itemOf(file: SqliteFile, id: string): string | null {
  const row = file.get<{ id: string }>(
    `SELECT c.id FROM items c JOIN (SELECT item FROM actions WHERE id = @id UNION ALL SELECT item FROM highlights WHERE id = @id)
     of ON of.item = c.seq`,
    { id },
  );
  return row?.id ?? null;
}

/** What an entry that came with an export says was changed: all, or of one item, or of one other record. */
export function restoredChanges(
  file: SqliteFile,
  entry: number,
  of: { id: string } | { subject: string } | null,
  limit: number,
): ExportedChange[] {
  const [condition, parameters] =
    of === null ? ['', []] : 'id' in of ? ['AND item = ?', [of.id]] : ['AND record = ?', [of.subject]];
  return file
    .all<Omit<ExportedChange, 'before' | 'after'> & { before: string; after: string }>(
      `SELECT record AS id, iif(item IS record, NULL, item) AS contentId, title, field, before, after FROM restored_changes
       WHERE entry = ? ${condition} ORDER BY restored_changes.id LIMIT ?`,
      entry,
      ...parameters,
      limit,
    )
    .map(({ before, after, ...change }) => ({
      ...change,
      before: JSON.parse(before) as HistoryValue,
      after: JSON.parse(after) as HistoryValue,
    }));
}

/** Adds entries that are not there yet, with their changes of what is in the library. They are as old as they were. */
export function restoreHistory(file: SqliteFile, entries: readonly ExportedHistoryEntry[], clock: ClockReading): void {
  for (const { id, at, face, by, operation, rows, undoneBy, undoes, changes } of entries) {
    const ofRecords = changes.filter((change) => isRecordThere(file, change.id));
    if (ofRecords.length === 0 || file.get('SELECT 1 FROM history WHERE id = ?', id) !== undefined) continue;
    const time = Date.parse(at);
    const { rowId: entry } = file.run(
      `INSERT INTO history (id, at, passed, face, token, operation, scopes, rows, undoes, undone_by, restored)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)`,
      id,
      time,
      passedTime(file, clock) - Math.max(0, clock.now() - time),
      face,
      by,
      operation,
      JSON.stringify(scopesOf(ofRecords)),
      rows,
      undoes,
      undoneBy,
    );
    let bytes = rowBytes;
    for (const { id: record, title, field, before, after } of ofRecords) {
      const values = [JSON.stringify(before), JSON.stringify(after)] as const;
      bytes += values[0].length + values[1].length + rowBytes;
      file.run(
        'INSERT INTO restored_changes (entry, record, item, title, field, before, after) VALUES (?, ?, ?, ?, ?, ?, ?)',
        entry,
        record,
        record.startsWith('c_') ? record : itemOf(file, record),
        title,
        field,
        ...values,
      );
    }
    file.run('UPDATE history SET bytes = ? WHERE seq = ?', bytes, entry);
    file.run('UPDATE libraries SET history_bytes = history_bytes + ?', bytes);
  }
}

/** Marks the change that is being recorded as one that takes back an export. */
export function noteTransfer(file: SqliteFile): void {
  file.run('UPDATE history SET transfer = 1 WHERE seq = (SELECT recording FROM libraries)');
}
