import type { Writer } from '../../domain/records/change.ts';
import type { ActionChanges, ActionItem, NewAction } from '../../domain/records/action.ts';
import { AppError } from '../../errors.ts';
import type { ActionQuery } from '../../store/records/analysis-records.ts';
import type { Stores } from '../../store/store.ts';
import { listWithinBudget, type BudgetedPage, type ListBudget } from '../library/listing.ts';

export interface ActionsService {
  /** Adds one that no analysis changes. The item's open one with this title takes the goal and day instead. */
  add(writer: Writer, added: NewAction): Promise<ActionItem>;
  list(account: string, query: ActionQuery & ListBudget<ActionItem>): Promise<BudgetedPage<ActionItem>>;
  /** Marks it done; doing so again changes nothing. */
  complete(writer: Writer, id: string): Promise<ActionItem>;
  /** Reopens, dismisses or renames it, or gives it a goal or a day. No later analysis reverts that. */
  update(writer: Writer, id: string, changes: ActionChanges): Promise<ActionItem>;
}

export function createActionsService(stores: Stores): ActionsService {
  return {
    async list(account, query) {
      const store = await stores.open(account);
      return listWithinBudget('list_actions', query, (page) => store.listActions(page));
    },
    async add(writer, added) {
      const action = await (await stores.open(writer)).addAction(added);
      if (action === null)
        throw new AppError('not_found', 'There is no item with this `contentId`. Lists and searches show the ids.');
      return action;
    },
    async complete(writer, id) {
      const action = await (await stores.open(writer)).updateAction(id, { state: 'done' });
      if (action === null) throw noSuchAction();
      return action;
    },
    async update(writer, id, changes) {
      if (Object.values(changes).every((change) => change === undefined))
        throw new AppError('invalid_input', 'Nothing to change was given. Give `state`, `title`, `goalId` or `due`.');
      const action = await (await stores.open(writer)).updateAction(id, changes);
      if (action === null) throw noSuchAction();
      return action;
    },
  };
}

function noSuchAction(): AppError {
  return new AppError('not_found', 'There is no action item with this id. The list of actions shows the ids.');
}
