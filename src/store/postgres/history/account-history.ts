import type { History } from '../../history.ts';
import { undoEntry } from '../../history/undo.ts';
import type { AccountAccess } from '../account-access.ts';
import { conflictsBelow, findHistoryEntry } from '../../library/history-undo.ts';
import { postgresDb, runSteps } from '../postgres-db.ts';
import { undoPart } from './undo.ts';

/** The methods for history and undo. A part of `createPostgresStore`. */
export function historyOf(access: AccountAccess): Pick<History, 'undo'> {
  return {
    async undo(id, how) {
      const entry = await access.read((db) => runSteps(db, findHistoryEntry(postgresDb(db), id)));
      if (entry === null) return null;
      const { recordedChange: change } = access;
      const undoing = access.undoing({ undoes: id, scopes: entry.scopes });
      const steps = {
        entry,
        conflictsBelow: (below: number) =>
          access.read((db) => runSteps(db, conflictsBelow(postgresDb(db), entry.seq, below))),
        undoPart: () => undoing.writeWork((db) => undoPart(db, id, { force: how.force, undoneBy: change?.id ?? '' })),
        join: (begun: string) => {
          if (change !== undefined) change.id = begun;
        },
      };
      return undoEntry(steps, how);
    },
  };
}
