import type { ChangeFace } from '../../../domain/records/change.ts';
import type { HistoryEntry, HistoryQuery } from '../../history.ts';
import { maxRowsShown, shownChanges, withoutItem } from '../../history/shown-changes.ts';
import type { Page } from '../../records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { restoredChanges } from './exported-history.ts';
import { itemNames } from './library-now.ts';
import { hasLostRows } from './pruning.ts';
import { firstRows } from './rows.ts';

interface EntryRow {
  seq: number;
  id: string;
  at: number;
  face: ChangeFace;
  token: string | null;
  operation: string;
  rows: number;
  undoneBy: string | null;
  undoes: string | null;
  restored: 0 | 1;
}

/** Whose changes are shown: of an item, by its key and its id, of another record, or of all. */
type About = { item: number; id: string } | { subject: string } | null;

interface HistoryCondition {
  sql: string;
  parameters: unknown[];
  about: About;
}

/** SQL, as in the index: kinds of records that have ids of their own beside those of items. */
const withSubjects = `'action', 'goal', 'highlight'`;

/** The condition that an entry concerns the record with this id, whatever its kind. Null when there is no such record. */
function conditionOf(file: SqliteFile, id: string | undefined): HistoryCondition | null {
  if (id === undefined) return { sql: '', parameters: [], about: null };
  if (file.get('SELECT 1 FROM history WHERE id = ?', id) !== undefined)
    return { sql: 'AND h.id = ?', parameters: [id], about: null };
  const item = file.get<{ seq: number }>('SELECT seq FROM items WHERE id = ?', id);
  if (item !== undefined)
    return {
      sql: `AND h.seq IN (SELECT entry FROM history_changes WHERE item = ? AND before IS NOT after
        UNION ALL SELECT entry FROM restored_changes WHERE item = ?)`,
      parameters: [item.seq, id],
      about: { item: item.seq, id },
    };
  const known = file.get(
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM actions WHERE id = @id) OR EXISTS (SELECT 1 FROM goals WHERE id = @id)
       OR EXISTS (SELECT 1 FROM highlights WHERE id = @id)
       OR EXISTS (SELECT 1 FROM history_changes WHERE subject = @id AND kind IN (${withSubjects}))
       OR EXISTS (SELECT 1 FROM restored_changes WHERE record = @id)`,
    { id },
  );
  if (known === undefined) return null;
  return {
    sql: `AND h.seq IN (SELECT entry FROM history_changes WHERE subject = ? AND kind IN (${withSubjects}) AND before IS NOT after
      UNION ALL SELECT entry FROM restored_changes WHERE record = ?)`,
    parameters: [id, id],
    about: { subject: id },
  };
}

/** Newest first. */
export function listHistory(file: SqliteFile, { id, scopes, limit, offset }: HistoryQuery): Page<HistoryEntry> | null {
  return file.read(() => {
    const condition = conditionOf(file, id);
    if (condition === null) return null;
    const { sql, parameters, about } = condition;
    const from = `FROM history h
      WHERE NOT ${hasLostRows('h.id')} AND NOT EXISTS (SELECT 1 FROM json_each(h.scopes) needed WHERE needed.value NOT IN (SELECT value FROM json_each(?))) ${sql}`;
    const given = [JSON.stringify(scopes), ...parameters];
    const rows = file.all<EntryRow>(
      `SELECT h.seq, h.id, h.at, h.face, h.token, h.operation, h.rows, h.undone_by AS undoneBy, h.undoes,
         h.restored ${from}
       ORDER BY h.at DESC, h.seq DESC LIMIT ? OFFSET ?`,
      ...given,
      limit,
      offset,
    );
    const maxRows = maxRowsShown(id);
    return {
      items: rows.map(({ seq, token, restored, ...entry }) => ({
        ...entry,
        by: token,
        isRestored: restored === 1,
        changes:
          restored === 1
            ? restoredChanges(file, seq, about, maxRows).map(withoutItem)
            : shownChanges(firstRows(file, seq, about, maxRows), itemNames(file)),
      })),
      total: file.get<{ total: number }>(`SELECT count(*) AS total ${from}`, ...given)?.total ?? 0,
    };
  });
}
