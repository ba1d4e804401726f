import type { ChangeNeeds, HistoryEntry, HistoryQuery, UndoCall, UndoOutcome } from '../../history.ts';
import { undoEntry } from '../../history/undo.ts';
import type { Page } from '../../records.ts';
import type * as port from '../../store.ts';
import type { AccountAccess } from '../files/account-access.ts';
import { listHistory } from './history-reading.ts';
import { findEntry, hasHighlights, removedByUndoing } from './undo.ts';

/** The methods for history and undo. A part of `createSqliteStore`. */
export function historyOf(access: AccountAccess) {
  return {
    async listHistory(query: HistoryQuery): Promise<Page<HistoryEntry> | null> {
      return access.use((file) => listHistory(file, query));
    },

    async needsOfChange(id: string): Promise<ChangeNeeds | null> {
      return access.use((file) =>
        file.read(() => {
          const entry = findEntry(file, id);
          return entry === null ? null : { scopes: entry.scopes, removes: removedByUndoing(file, entry) };
        }),
      );
    },

    async undo(id: string, how: UndoCall): Promise<UndoOutcome | null> {
      const entry = await access.use((file) => findEntry(file, id));
      if (entry === null) return null;
      const { recordedChange: change } = access;
      const undoing = access.undoing({ undoes: id, scopes: entry.scopes });
      const inThread =
        entry.rows >= access.largeSizes.passages || (await access.use((file) => hasHighlights(file, entry.seq)));
      const steps = {
        entry,
        conflictsBelow: (below: number) => access.read('conflictsBelow', entry.seq, below),
        undoPart: () =>
          undoing.announcing((generation) =>
            undoing.writeNamed(inThread, 'undoPart', generation, id, { force: how.force, undoneBy: change?.id ?? '' }),
          ),
        join: (begun: string) => {
          if (change !== undefined) change.id = begun;
        },
      };
      return undoEntry(steps, how);
    },
  } satisfies Partial<port.Store>;
}
