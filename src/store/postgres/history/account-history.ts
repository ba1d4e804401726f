import type { History } from '../../history.ts';
import { undoEntry } from '../../history/undo.ts';
import type { AccountAccess } from '../account-access.ts';
import { listHistory } from './history-reading.ts';
import { conflictsBelow, findEntry, removedByUndoing, undoPart } from './undo.ts';

/** The methods for history and undo. A part of `createPostgresStore`. */
export function historyOf(access: AccountAccess): History {
  return {
    listHistory: (query) => access.read((db) => listHistory(db, query)),

    needsOfChange: (id) =>
      access.read(async (db) => {
        const entry = await findEntry(db, id);
        return entry === null ? null : { scopes: entry.scopes, removes: await removedByUndoing(db, entry) };
      }),

    async undo(id, how) {
      const entry = await access.read((db) => findEntry(db, id));
      if (entry === null) return null;
      const { recordedChange: change } = access;
      const undoing = access.undoing({ undoes: id, scopes: entry.scopes });
      const steps = {
        entry,
        conflictsBelow: (below: number) => access.read((db) => conflictsBelow(db, entry.seq, below)),
        undoPart: () => undoing.writeWork((db) => undoPart(db, id, { force: how.force, undoneBy: change?.id ?? '' })),
        join: (begun: string) => {
          if (change !== undefined) change.id = begun;
        },
      };
      return undoEntry(steps, how);
    },
  };
}
