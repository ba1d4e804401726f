import type { ActionItem } from '../domain/action.ts';
import { AppError } from '../errors.ts';
import type { ActionQuery, Stores } from '../store/store.ts';
import { listWithinBudget, type BudgetedPage, type ListBudget } from './listing.ts';

export interface ActionsService {
  list(account: string, query: ActionQuery & ListBudget): Promise<BudgetedPage<ActionItem>>;
  /** Marks it done; doing so again changes nothing. */
  complete(account: string, id: string): Promise<ActionItem>;
}

export function createActionsService(stores: Stores): ActionsService {
  return {
    async list(account, query) {
      const store = await stores.open(account);
      return listWithinBudget('list_actions', query, (page) => store.listActions(page));
    },
    async complete(account, id) {
      const action = await (await stores.open(account)).setActionState(id, 'done');
      if (action === null)
        throw new AppError('not_found', 'There is no action item with this id. `list_actions` shows the ids.');
      return action;
    },
  };
}
