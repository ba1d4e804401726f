import { utcDay, type Clock } from '../../domain/clock.ts';
import type { Writer } from '../../domain/records/change.ts';
import type { ActionChanges, ActionItem, NewAction } from '../../domain/records/analyses/action.ts';
import { type AppError, invalidInput, notFound } from '../../errors.ts';
import type { ActionQuery } from '../../store/records/analysis-records.ts';
import type { Stores } from '../../store/store.ts';
import { listWithinBudget, type BudgetedPage, type ListBudget } from '../library/listing.ts';

type ListedActions = Omit<ActionQuery, 'snoozed'> & {
  snoozed?: boolean | 'either' | undefined;
} & ListBudget<ActionItem>;

export type ActionsService = ReturnType<typeof createActionsService>;

export function createActionsService(stores: Stores, clock: Clock) {
  return {
    /**
     * Lists of open actions omit those snoozed until a later day, unless `snoozed` asks for them: true for them alone, `either` for
     * all. Days are in UTC.
     */
    async list(account: string, query: ListedActions): Promise<BudgetedPage<ActionItem>> {
      const store = await stores.open(account);
      return listWithinBudget<ActionItem, ListedActions>('list_actions', query, ({ snoozed, ...page }) => {
        const isOpenList = page.completed === false || page.state === 'open';
        const is = snoozed === 'either' ? undefined : (snoozed ?? (isOpenList ? false : undefined));
        return store.listActions({ ...page, ...(is !== undefined && { snoozed: { after: utcDay(clock.now()), is } }) });
      });
    },
    /** Adds an action that no analysis changes. The item's open one with this title is updated instead. */
    async add(writer: Writer, added: NewAction): Promise<ActionItem> {
      const action = await (await stores.open(writer)).addAction(added);
      if (action === null) throw notFound('There is no item with this `contentId`. Lists and searches show the ids.');
      return action;
    },
    /** Marks it done; doing so again changes nothing. */
    async complete(writer: Writer, id: string): Promise<ActionItem> {
      const action = await (await stores.open(writer)).updateAction(id, { state: 'done' });
      if (action === null) throw noSuchAction();
      return action;
    },
    /** Reopens, dismisses or renames it, or gives it a goal, days or a priority. No later analysis reverts that. */
    async update(writer: Writer, id: string, changes: ActionChanges): Promise<ActionItem> {
      if (Object.values(changes).every((change) => change === undefined))
        throw invalidInput(
          'Nothing to change was given. Give `state`, `title`, `goalId`, `due`, `priority` or `snoozedUntil`.',
        );
      const action = await (await stores.open(writer)).updateAction(id, changes);
      if (action === null) throw noSuchAction();
      return action;
    },
  };
}

function noSuchAction(): AppError {
  return notFound('There is no action item with this id. The list of actions shows the ids.');
}
