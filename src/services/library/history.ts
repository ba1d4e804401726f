import { isoTime } from '../../domain/clock.ts';
import { scopes as allScopes, type Scope } from '../../domain/records/account.ts';
import type { Writer } from '../../domain/records/change.ts';
import { AppError } from '../../errors.ts';
import type { HistoryEntry as StoredEntry, UndoConflict } from '../../store/history.ts';
import type { Stores } from '../../store/store.ts';
import { listWithinBudget, type BudgetedPage, type ListBudget } from './listing.ts';

export interface HistoryEntry extends Omit<StoredEntry, 'at' | 'undoneBy' | 'undoes'> {
  at: string;
  undoneBy?: string;
  undoes?: string;
}

export interface Undone {
  id: string;
  outcome: 'undone' | 'undone_before' | 'changed_since';
  operation: string;
  /** Rows that were restored. */
  rows: number;
  conflicts: UndoConflict[];
  conflictsTotal: number;
}

export interface HistoryService {
  /** Newest first: only changes of records that the caller may read. */
  list(
    account: string,
    query: {
      id?: string | undefined;
      limit: number;
      offset: number;
      scopes: ReadonlySet<Scope>;
    } & ListBudget<HistoryEntry>,
  ): Promise<BudgetedPage<HistoryEntry>>;
  /**
   * Undoes one change. Without `force` nothing is overwritten that was changed since: the answer says what would be.
   * @throws {AppError} `not_found`, and `insufficient_scope` for a caller who could not have made the change
   */
  undo(writer: Writer, id: string, how: { force: boolean; scopes: ReadonlySet<Scope> }): Promise<Undone>;
}

/** For each scope that writes, the one that reads the same records. */
const readScopes: Partial<Record<Scope, Scope>> = {
  'content:write': 'content:read',
  'actions:write': 'actions:read',
  'goals:write': 'goals:read',
};

const mayRead = (scopes: ReadonlySet<Scope>, needed: Scope) => scopes.has(readScopes[needed] ?? needed);

/** @param onUndone called after something was undone: an item may have to be read again */
export function createHistoryService(stores: Stores, onUndone: () => void): HistoryService {
  return {
    async list(account, { scopes, ...query }) {
      const store = await stores.open(account);
      const readable = allScopes.filter((scope) => mayRead(scopes, scope));
      return listWithinBudget<HistoryEntry, typeof query>('history', query, async (page) => {
        const found = await store.listHistory({
          ...page,
          limit: page.limit ?? query.limit,
          scopes: readable,
        });
        if (found === null)
          throw new AppError('not_found', 'There is no record and no change with this id. The lists show the ids.');
        return { items: found.items.map(toEntry), total: found.total };
      });
    },
    async undo(writer, id, { force, scopes }) {
      const store = await stores.open(writer);
      const needed = await store.scopesOfChange(id);
      if (needed === null) throw noSuchChange();
      const missing = needed
        .flatMap((scope) => [scope, readScopes[scope] ?? scope])
        .find((scope) => !scopes.has(scope));
      if (missing !== undefined)
        throw new AppError('insufficient_scope', `This token may not undo that: it lacks the scope ${missing}.`);
      const undone = await store.undo(id, { force });
      if (undone === null) throw noSuchChange();
      onUndone();
      return { id, ...undone };
    },
  };

  function toEntry({ at, undoneBy, undoes, ...entry }: StoredEntry): HistoryEntry {
    return {
      ...entry,
      at: isoTime(at),
      ...(undoneBy !== null && { undoneBy }),
      ...(undoes !== null && { undoes }),
    };
  }
}

function noSuchChange(): AppError {
  return new AppError(
    'not_found',
    'There is no change with this id that could be undone. The history lists those there are; it goes back 30 days, unless its settings say otherwise.',
  );
}
