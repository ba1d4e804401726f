import type { Scope } from '../../../domain/records/account.ts';
import { AppError } from '../../../errors.ts';
import type { ChangeNeeds, HistoryEntry, HistoryQuery, UndoConflict, UndoOutcome } from '../../history.ts';
import type { Page } from '../../records.ts';
import type * as port from '../../store.ts';
import type { AccountAccess } from '../files/account-access.ts';
import { listHistory } from './history-reading.ts';
import { conflictsBelow, findEntry, hasHighlights, maxRowsAtOnce, removedByUndoing, type UndoPart } from './undo.ts';

const maxShown = 20;

/** The methods for history and undo. A part of `createSqliteStore`. */
export function historyOf(access: AccountAccess) {
  /** Looks for conflicts in the whole entry before any of it is undone. */
  const allConflicts = async (
    entry: number,
    from: number | null,
  ): Promise<{ shown: UndoConflict[]; total: number }> => {
    const shown: UndoConflict[] = [];
    let total = 0;
    for (let below: number | null = from ?? Number.MAX_SAFE_INTEGER; below !== null;) {
      const before: number = below;
      const part = await access.use((file) => file.read(() => conflictsBelow(file, entry, before)));
      shown.push(...part.conflicts.slice(0, maxShown - shown.length));
      total += part.conflicts.length;
      below = part.next;
    }
    return { shown, total };
  };

  return {
    async listHistory(query: HistoryQuery): Promise<Page<HistoryEntry> | null> {
      return access.use((file) => listHistory(file, query));
    },

    async needsOfChange(id: string): Promise<ChangeNeeds | null> {
      return access.use((file) =>
        file.read(() => {
          const entry = findEntry(file, id);
          if (entry === null) return null;
          return { scopes: JSON.parse(entry.scopes) as Scope[], removes: removedByUndoing(file, entry) };
        }),
      );
    },

    async undo(id: string, { force }: { force: boolean }): Promise<UndoOutcome | null> {
      const entry = await access.use((file) => findEntry(file, id));
      if (entry === null) return null;
      if (entry.isRestored === 1)
        throw new AppError(
          'invalid_input',
          'This change came with an export, to be read. It can be undone only in the library in which it was made.',
        );
      const isLarge = entry.rows > maxRowsAtOnce;
      if (isLarge && !force && entry.undoneBy === null) {
        const { shown, total } = await allConflicts(entry.seq, entry.undoneFrom);
        if (total > 0)
          return {
            outcome: 'changed_since',
            operation: entry.operation,
            rows: 0,
            conflicts: shown,
            conflictsTotal: total,
          };
      }
      const undoing = access.undoing(id, JSON.parse(entry.scopes) as Scope[]);
      const parts: UndoPart[] = [];
      const inThread =
        entry.rows >= access.largeSizes.passages || (await access.use((file) => hasHighlights(file, entry.seq)));
      for (;;) {
        const part = await undoing.announcing((generation) =>
          undoing.writeNamed(inThread, 'undoPart', generation, id, { force, undoneBy: undoing.changeId ?? '' }),
        );
        if (part === null) return null;
        parts.push(part);
        if (part.isDone || part.outcome !== 'undone') break;
      }
      return together(parts);
    },
  } satisfies Partial<port.Store>;
}

function together(parts: readonly UndoPart[]): UndoOutcome | null {
  const last = parts.at(-1);
  if (last === undefined) return null;
  return {
    outcome: last.outcome,
    operation: last.operation,
    rows: parts.reduce((sum, { rows }) => sum + rows, 0),
    conflicts: parts.flatMap(({ conflicts }) => conflicts).slice(0, maxShown),
    conflictsTotal: parts.reduce((sum, { conflictsTotal }) => sum + conflictsTotal, 0),
  };
}
