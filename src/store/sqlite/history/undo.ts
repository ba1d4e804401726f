import type { ClockReading } from '../../../domain/clock.ts';
import type { Scope } from '../../../domain/records/account.ts';
import type { ChangeNeeds } from '../../history.ts';
import { conflictsOf } from '../../history/conflicts.ts';
import {
  fromEnd,
  joinedUndo,
  kindsRemoved,
  maxRowsAtOnce,
  planPart,
  undoneBefore,
  type UndoneEntry,
  type UndoPart,
} from '../../history/undo.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { restoreRows } from './apply.ts';
import { libraryNow } from './library-now.ts';
import { changedRows } from './rows.ts';

export function findEntry(file: SqliteFile, id: string): UndoneEntry | null {
  const entry = file.get<Omit<UndoneEntry, 'scopes' | 'isRestored'> & { scopes: string; isRestored: 0 | 1 }>(
    `SELECT seq, operation, scopes, rows, undoes, undone_by AS undoneBy, undone_from AS undoneFrom,
       restored AS isRestored FROM history WHERE id = ?`,
    id,
  );
  if (entry === undefined) return null;
  return { ...entry, scopes: JSON.parse(entry.scopes) as Scope[], isRestored: entry.isRestored === 1 };
}

/** The change that began to undo an entry, through the same face and by the same caller as one that has done nothing yet. */
function findBegunUndo(file: SqliteFile, { seq }: UndoneEntry, undoneBy: string): string | null {
  const begun = file.get<{ id: string }>(
    `SELECT u.id FROM history x JOIN history u ON u.undoes = x.id JOIN history own ON own.id = ?
     WHERE x.seq = ? AND x.undone_from IS NOT NULL AND u.undone_from IS NULL AND u.restored = 0 AND u.rows > 0
       AND own.rows = 0 AND u.face = own.face AND u.token IS own.token
     ORDER BY u.seq DESC LIMIT 1`,
    undoneBy,
    seq,
  );
  return begun?.id ?? null;
}

/** Rows that undoing takes away: what the change made, or brought back from the trash. */
const removedRows = `before IS NOT after AND after IS NOT NULL
  AND (before IS NULL OR (json_extract(before, '$.deleted_at') IS NOT NULL AND json_extract(after, '$.deleted_at') IS NULL))`;

export function removedByUndoing(file: SqliteFile, { seq, rows }: UndoneEntry): ChangeNeeds['removes'] {
  return (['content', 'goals'] as const).filter(
    (resource) =>
      rows > maxRowsAtOnce ||
      file.get(
        `SELECT 1 FROM history_changes INDEXED BY history_changes_by_entry
         WHERE entry = ? AND kind IN (SELECT value FROM json_each(?)) AND ${removedRows} LIMIT 1`,
        seq,
        JSON.stringify(kindsRemoved[resource]),
      ) !== undefined,
  );
}

/**
 * Undoes the last rows of an entry that are not undone yet. With conflicts and without `force` it changes nothing.
 * @param undoneBy the change that undoes it
 */
export function undoPart(
  file: SqliteFile,
  id: string,
  { force, undoneBy }: { force: boolean; undoneBy: string },
  now: number,
  clock: ClockReading,
): UndoPart | null {
  const entry = findEntry(file, id);
  if (entry === null) return null;
  const before = undoneBefore(entry);
  if (before !== null) return before;
  const begun = findBegunUndo(file, entry, undoneBy);
  if (begun !== null) return joinedUndo(entry, begun);
  const rows = changedRows(file, entry.seq, entry.undoneFrom ?? fromEnd, maxRowsAtOnce);
  const { part, restore, undoneFrom } = planPart(entry, rows, conflictsOf(rows, libraryNow(file)), force);
  if (restore === null) return part;
  restoreRows({ file, now, clock }, restore);
  file.run(
    `UPDATE history SET undone_from = ?, undone_by = ?,
       passed = max(passed, coalesce((SELECT passed FROM history WHERE id = ?), passed))
     WHERE seq = ?`,
    undoneFrom,
    part.isDone ? undoneBy : null,
    undoneBy,
    entry.seq,
  );
  // What is redone can be undone again.
  if (part.isDone && entry.undoes !== null)
    file.run('UPDATE history SET undone_by = NULL, undone_from = NULL WHERE id = ?', entry.undoes);
  return part;
}
