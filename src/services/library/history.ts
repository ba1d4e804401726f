import { isoTime } from '../../domain/clock.ts';
import { scopes as allScopes, type Caller } from '../../domain/records/account.ts';
import type { Writer } from '../../domain/records/change.ts';
import type { ListedHistoryEntry, Undone } from '../../domain/records/history-entry.ts';
import { readingOf, scopeOf, type Permission } from '../../domain/access/permission.ts';
import { AppError, notFound } from '../../errors.ts';
import type { HistoryEntry as StoredEntry, UndoCall } from '../../store/history.ts';
import type { Stores } from '../../store/store.ts';
import { listWithinBudget, type BudgetedPage, type ListBudget } from './listing.ts';

export type HistoryService = ReturnType<typeof createHistoryService>;

/** The records that an id belongs to, by its kind. The history does not tell who may not read them whether there are any. */
const readBy: Readonly<Record<string, Permission>> = {
  c: 'content:read',
  h: 'content:read',
  l: 'content:read',
  a: 'actions:read',
  g: 'goals:read',
};

/** As many changes as a budget may hold are read for it. */
const readAtOnce = 50;

/** @param onUndone called after something was undone: an item may have to be read again */
export function createHistoryService(stores: Stores, onUndone: () => void) {
  return {
    /** Newest first: only changes of records that the caller may read. */
    async list(
      account: string,
      {
        permissions,
        ...query
      }: {
        id?: string | undefined;
        /** Undefined: to the end, in parts of the budget. */
        limit?: number | undefined;
        offset: number;
        permissions: ReadonlySet<Permission>;
      } & ListBudget<ListedHistoryEntry>,
    ): Promise<BudgetedPage<ListedHistoryEntry>> {
      const store = await stores.open(account);
      const readable = allScopes.filter((scope) => permissions.has(readingOf(scope)));
      const needed = readBy[query.id?.split('_')[0] ?? ''];
      const isHidden = needed !== undefined && !permissions.has(needed);
      return listWithinBudget<ListedHistoryEntry, typeof query>('history', query, async (page) => {
        const limit = page.limit ?? readAtOnce;
        const found = isHidden ? null : await store.listHistory({ ...page, limit, scopes: readable });
        const isChange = query.id?.startsWith('x_') === true;
        if (found === null || (isChange && found.total === 0))
          throw notFound('There is no record and no change with this id. The lists show the ids.');
        return { items: found.items.map(toEntry), total: found.total };
      });
    },
    /**
     * Undoes one change. Without `force` nothing is overwritten that was changed since: the answer reports the conflicts.
     * @throws {AppError} `not_found`, also for a caller who may not read what was changed; `insufficient_scope` for one who could
     * not have made the change, or may not delete what undoing removes
     */
    async undo(
      writer: Writer,
      id: string,
      { force, onProgress, caller }: UndoCall & { caller: Caller },
    ): Promise<Undone> {
      const store = await stores.open(writer);
      const needs = await store.needsOfChange(id);
      const isHidden = needs?.scopes.some((scope) => !caller.permissions.has(readingOf(scope))) ?? true;
      if (needs === null || isHidden) throw noSuchChange();
      const needed = [...needs.scopes, ...needs.removes.map((resource): Permission => `${resource}:delete`)];
      const missing = needed.find((one) => !caller.permissions.has(one));
      if (missing !== undefined) throw mayNotUndo(missing, caller);
      const undone = await store.undo(id, { force, onProgress });
      if (undone === null) throw noSuchChange();
      onUndone();
      return { id, ...undone };
    },
  };

  function toEntry({ at, undoneBy, undoes, isRestored, ...entry }: StoredEntry): ListedHistoryEntry {
    return {
      ...entry,
      at: isoTime(at),
      ...(undoneBy !== null && { undoneBy }),
      ...(undoes !== null && { undoes }),
      ...(isRestored && { isRestored }),
    };
  }
}

function mayNotUndo(missing: Permission, { credential }: Caller): AppError {
  const lacks =
    credential?.isKey === true
      ? `key may not undo that: it lacks the permission ${missing}.`
      : `token may not undo that: it lacks the scope ${scopeOf(missing) ?? missing}.`;
  return new AppError('insufficient_scope', `This ${lacks}`);
}

function noSuchChange(): AppError {
  return notFound(
    'There is no change with this id that could be undone. The history lists those there are; it goes back 30 days, unless its settings say otherwise.',
  );
}
