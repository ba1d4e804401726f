import type { ClockReading } from '../../../domain/clock.ts';
import type { ChangeNeeds, UndoConflict, UndoOutcome } from '../../history.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { restoreRows } from './apply.ts';
import { conflictsOf, type RowConflict } from './conflicts.ts';
import { changedRows } from './rows.ts';

/** Rows that are undone in one write. An entry with more of them is undone in several, because other writes wait meanwhile. */
export const maxRowsAtOnce = 2_000;
const maxShown = 20;
/** Greater than every id. */
const fromEnd = Number.MAX_SAFE_INTEGER;

export interface UndoneEntry {
  seq: number;
  operation: string;
  scopes: string;
  rows: number;
  undoes: string | null;
  undoneBy: string | null;
  undoneFrom: number | null;
  isRestored: 0 | 1;
}

export function findEntry(file: SqliteFile, id: string): UndoneEntry | null {
  return (
    file.get<UndoneEntry>(
      `SELECT seq, operation, scopes, rows, undoes, undone_by AS undoneBy, undone_from AS undoneFrom,
         restored AS isRestored FROM history WHERE id = ?`,
      id,
    ) ?? null
  );
}

/** Rows that undoing takes away: those that the change made, and those that it brought back from the trash. */
const removedRows = `before IS NOT after AND after IS NOT NULL
  AND (before IS NULL OR (json_extract(before, '$.deleted_at') IS NOT NULL AND json_extract(after, '$.deleted_at') IS NULL))`;

export function removedByUndoing(file: SqliteFile, { seq, rows }: UndoneEntry): ChangeNeeds['removes'] {
  const kindsOf = { content: `'content', 'highlight'`, goals: `'goal'` } as const;
  return (['content', 'goals'] as const).filter(
    (resource) =>
      rows > maxRowsAtOnce ||
      file.get(
        `SELECT 1 FROM history_changes INDEXED BY history_changes_by_entry
         WHERE entry = ? AND kind IN (${kindsOf[resource]}) AND ${removedRows} LIMIT 1`,
        seq,
      ) !== undefined,
  );
}

/** Whether undoing it indexes items anew by what is said of them in highlights: of a long item, that is much work. */
export function hasHighlights(file: SqliteFile, entry: number): boolean {
  return (
    file.get(
      `SELECT 1 FROM history_changes INDEXED BY history_changes_by_entry WHERE entry = ? AND kind = 'highlight' LIMIT 1`,
      entry,
    ) !== undefined
  );
}

export interface UndoPart extends UndoOutcome {
  /** Whether nothing is left to undo. */
  isDone: boolean;
}

/** The conflicts of one part of an entry, for an entry that is undone in several writes. */
export function conflictsBelow(
  file: SqliteFile,
  entry: number,
  below: number,
): { conflicts: UndoConflict[]; next: number | null } {
  const rows = changedRows(file, entry, below, maxRowsAtOnce);
  return {
    conflicts: conflictsOf(file, rows).map(shown),
    next: rows.length < maxRowsAtOnce ? null : (rows.at(-1)?.id ?? null),
  };
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
  const { operation } = entry;
  const none = { operation, rows: 0, conflicts: [], conflictsTotal: 0 };
  if (entry.undoneBy !== null) return { outcome: 'undone_before', ...none, isDone: true };
  const rows = changedRows(file, entry.seq, entry.undoneFrom ?? fromEnd, maxRowsAtOnce);
  const found = conflictsOf(file, rows);
  const conflicts = { conflicts: found.slice(0, maxShown).map(shown), conflictsTotal: found.length };
  if (found.length > 0 && !force) return { outcome: 'changed_since', operation, rows: 0, ...conflicts, isDone: false };
  const impossible = new Set(found.filter(({ canForce }) => !canForce).map(({ row }) => row));
  const possible = rows.filter((row) => !impossible.has(row));
  restoreRows({ file, now, clock }, possible);
  const isDone = rows.length < maxRowsAtOnce;
  file.run(
    'UPDATE history SET undone_from = ?, undone_by = ? WHERE seq = ?',
    rows.at(-1)?.id ?? entry.undoneFrom ?? 0,
    isDone ? undoneBy : null,
    entry.seq,
  );
  // What is redone can be undone again.
  if (isDone && entry.undoes !== null)
    file.run('UPDATE history SET undone_by = NULL, undone_from = NULL WHERE id = ?', entry.undoes);
  return { outcome: 'undone', operation, rows: possible.length, ...conflicts, isDone };
}

function shown(found: RowConflict): UndoConflict {
  const { row: _, ...conflict } = found;
  return conflict;
}
