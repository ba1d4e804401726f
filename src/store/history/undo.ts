import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Scope } from '../../domain/records/account.ts';
import { invalidInput, conflict } from '../../errors.ts';
import type { UndoConflict } from '../../domain/records/history-entry.ts';
import type { ChangeNeeds, UndoCall, UndoOutcome } from '../history.ts';
import type { ChangedRow } from './changed-rows.ts';
import type { RowConflict } from './conflicts.ts';

/* How a change is undone, in one write or in several. The engines look rows up and restore them. */

/** Rows that are undone in one write. An entry with more of them is undone in several, because other writes wait meanwhile. */
export const maxRowsAtOnce = 2_000;
const maxShown = 20;
/** Greater than every id. */
export const fromEnd = Number.MAX_SAFE_INTEGER;

export interface UndoneEntry {
  seq: number;
  operation: string;
  scopes: readonly Scope[];
  rows: number;
  undoes: string | null;
  undoneBy: string | null;
  /** The rows with this id and greater ones were undone. */
  undoneFrom: number | null;
  isRestored: boolean;
}

export interface UndoPart extends UndoOutcome {
  isDone: boolean;
  /** Present when nothing was written: the id of the change that began to undo the entry, as which the call goes on. */
  joins?: string;
}

/** The answer to a call that finds an undo which the same caller began, and which was interrupted or goes on. */
export function joinedUndo({ operation }: UndoneEntry, joins: string): UndoPart {
  return { outcome: 'undone', operation, rows: 0, conflicts: [], conflictsTotal: 0, isDone: false, joins };
}

export interface PartConflicts {
  conflicts: UndoConflict[];
  total: number;
  /** Where to continue; null at the end. */
  next: number | null;
}

export function partConflicts(rows: readonly ChangedRow[], found: readonly RowConflict[]): PartConflicts {
  return {
    conflicts: found.slice(0, maxShown).map(shown),
    total: found.length,
    next: rows.length < maxRowsAtOnce ? null : (rows.at(-1)?.id ?? null),
  };
}

interface PlannedPart {
  part: UndoPart;
  /** The rows to restore; null when nothing may be written. */
  restore: readonly ChangedRow[] | null;
  /** How far the entry is undone then. */
  undoneFrom: number;
}

/** The answer for an entry that was undone before; null for another one. */
export function undoneBefore({ operation, undoneBy }: UndoneEntry): UndoPart | null {
  if (undoneBy === null) return null;
  return { outcome: 'undone_before', operation, rows: 0, conflicts: [], conflictsTotal: 0, isDone: true };
}

/**
 * Plans one part: the last rows of the entry that are not undone yet. With conflicts and without `force` nothing is
 * changed; with `force` what is impossible is left out.
 */
export function planPart(
  { operation, undoneFrom }: UndoneEntry,
  rows: readonly ChangedRow[],
  found: readonly RowConflict[],
  force: boolean,
): PlannedPart {
  const conflicts = { conflicts: found.slice(0, maxShown).map(shown), conflictsTotal: found.length };
  const from = rows.at(-1)?.id ?? undoneFrom ?? 0;
  if (found.length > 0 && !force)
    return {
      part: { outcome: 'changed_since', operation, rows: 0, ...conflicts, isDone: false },
      restore: null,
      undoneFrom: from,
    };
  const impossible = new Set(found.filter(({ canForce }) => !canForce).map(({ row }) => row));
  const restore = rows.filter((row) => !impossible.has(row));
  const isDone = rows.length < maxRowsAtOnce;
  return {
    part: { outcome: 'undone', operation, rows: restore.length, ...conflicts, isDone },
    restore,
    undoneFrom: from,
  };
}

/** Kinds of rows by the permission to delete that they require. */
export const kindsRemoved: Readonly<Record<ChangeNeeds['removes'][number], readonly ChangedRow['kind'][]>> = {
  content: ['item', 'highlight', 'list', 'source'],
  goals: ['goal'],
};

interface UndoSteps {
  entry: UndoneEntry;
  conflictsBelow: (below: number) => Promise<PartConflicts>;
  /** In one write each. */
  undoPart: () => Promise<UndoPart | null>;
  /** The change that records this undo from now on. */
  join: (change: string) => void;
}

/** @throws {AppError} `invalid_input` for an entry that came with an export */
export async function undoEntry(
  { entry, conflictsBelow, undoPart, join }: UndoSteps,
  { force, onProgress }: UndoCall,
): Promise<UndoOutcome | null> {
  if (entry.isRestored)
    throw invalidInput(
      'This change came with an export, to be read. It can be undone only in the library in which it was made.',
    );
  let rows = 0;
  if (entry.rows > maxRowsAtOnce && entry.undoneBy === null) onProgress?.(rows, entry.rows);
  // Conflicts are looked for in the whole entry before any of it is undone.
  if (entry.rows > maxRowsAtOnce && !force && entry.undoneBy === null) {
    const { shown: conflicts, total: conflictsTotal } = await allConflicts(conflictsBelow, entry.undoneFrom);
    if (conflictsTotal > 0)
      return { outcome: 'changed_since', operation: entry.operation, rows: 0, conflicts, conflictsTotal };
  }
  const parts: UndoPart[] = [];
  for (;;) {
    const part = await undoPart();
    if (part === null) return parts.length === 0 ? null : restIsGone();
    if (part.joins !== undefined) {
      join(part.joins);
      continue;
    }
    parts.push(part);
    rows += part.rows;
    if (entry.rows > maxRowsAtOnce) onProgress?.(rows, entry.rows);
    if (part.isDone || part.outcome !== 'undone') return together(parts, part);
  }
}

/** Pruning keeps an entry that is being undone, but not when the history is switched off or its items are purged. */
function restIsGone(): never {
  throw conflict(
    'A part of this change was undone. The rest stays as it is, because its history was removed meanwhile.',
  );
}

async function allConflicts(
  conflictsBelow: UndoSteps['conflictsBelow'],
  from: number | null,
): Promise<{ shown: UndoConflict[]; total: number }> {
  const shown: UndoConflict[] = [];
  let total = 0;
  for (let below: number | null = from ?? fromEnd; below !== null;) {
    const part: PartConflicts = await conflictsBelow(below);
    shown.push(...part.conflicts.slice(0, maxShown - shown.length));
    total += part.total;
    below = part.next;
    // Others have their turn, also where a part is read in this thread.
    await nextTurn();
  }
  return { shown, total };
}

function together(parts: readonly UndoPart[], { outcome, operation }: UndoPart): UndoOutcome {
  return {
    outcome,
    operation,
    rows: parts.reduce((sum, { rows }) => sum + rows, 0),
    conflicts: parts.flatMap(({ conflicts }) => conflicts).slice(0, maxShown),
    conflictsTotal: parts.reduce((sum, { conflictsTotal }) => sum + conflictsTotal, 0),
  };
}

function shown(found: RowConflict): UndoConflict {
  const { row: _, ...conflict } = found;
  return conflict;
}
