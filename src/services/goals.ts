import type { Goal, NewGoal } from '../domain/goal.ts';
import type { Page, Stores } from '../store/store.ts';
import { listWithinBudget, type BudgetedPage, type ListBudget } from './listing.ts';

export interface GoalsService {
  list(
    account: string,
    query: ListBudget & { limit?: number | undefined; offset: number },
  ): Promise<BudgetedPage<Goal>>;
  add(account: string, goal: NewGoal): Promise<Goal>;
}

export function createGoalsService(stores: Stores): GoalsService {
  return {
    async list(account, query) {
      const store = await stores.open(account);
      return listWithinBudget('list_goals', query, (page): Promise<Page<Goal>> => store.listGoals(page));
    },
    async add(account, goal) {
      return (await stores.open(account)).addGoal(goal);
    },
  };
}
