import type { Writer } from '../../domain/records/change.ts';
import type { Goal, GoalChanges, NewGoal } from '../../domain/records/analyses/goal.ts';
import type { ActionCount } from '../../store/records/analysis-records.ts';
import { utcDay, type Clock } from '../../domain/clock.ts';
import { type AppError, invalidInput, notFound } from '../../errors.ts';
import type { GoalQuery } from '../../store/records.ts';
import type { Stores } from '../../store/store.ts';
import { listWithinBudget, type BudgetedPage, type ListBudget } from '../library/listing.ts';

export type CountsByState = Record<ActionCount['state'], number>;

export interface GoalsOverview {
  goals: (Goal & { counts: CountsByState })[];
  withoutGoal: CountsByState;
}

export type GoalsService = ReturnType<typeof createGoalsService>;

const none: Readonly<CountsByState> = { open: 0, snoozed: 0, done: 0, dismissed: 0 };

const noGoals = 'No goals yet. Action items are tied to goals, so add one first.';

/** @param onChanged called after goals have changed, so that a worker in this process links action items at once */
export function createGoalsService(stores: Stores, clock: Clock, onChanged: () => void) {
  return {
    /** `hint` says how to add a goal while there is none. */
    async list(account: string, query: GoalQuery & ListBudget<Goal>): Promise<BudgetedPage<Goal> & { hint?: string }> {
      const store = await stores.open(account);
      const page = await listWithinBudget<Goal, GoalQuery & ListBudget<Goal>>('list_goals', query, (page) =>
        store.listGoals(page),
      );
      if (page.total > 0) return page;
      const { total } = await store.listGoals({ limit: 1, offset: 0, includeArchived: true });
      return total > 0 ? page : { ...page, hint: noGoals };
    },
    /** All goals, the archived ones last, and how many action items serve each of them. */
    async overview(account: string): Promise<GoalsOverview> {
      const store = await stores.open(account);
      const [{ items: goals }, counted] = await Promise.all([
        store.listGoals({ offset: 0, includeArchived: true }),
        store.countActions(utcDay(clock.now())),
      ]);
      const counts = new Map<string | null, CountsByState>();
      for (const { goalId, state, count } of counted) {
        const ofGoal = counts.get(goalId) ?? { ...none };
        counts.set(goalId, { ...ofGoal, [state]: count });
      }
      return {
        goals: goals
          .map((goal) => ({ ...goal, counts: counts.get(goal.id) ?? none }))
          .toSorted((a, b) => Number(a.archivedAt !== undefined) - Number(b.archivedAt !== undefined)),
        withoutGoal: counts.get(null) ?? none,
      };
    },
    /** Adds a goal. An existing goal with this title gets the category and description and is no longer archived. */
    async add(writer: Writer, goal: NewGoal): Promise<Goal> {
      const added = await (await stores.open(writer)).addGoal(goal);
      onChanged();
      return added;
    },
    /** Archived goals keep their action items and get no new ones. */
    async update(writer: Writer, id: string, changes: GoalChanges): Promise<Goal> {
      if (Object.values(changes).every((change) => change === undefined))
        throw invalidInput('Nothing to change was given. Give `title`, `category`, `description` or `archived`.');
      const goal = await (await stores.open(writer)).updateGoal(id, changes);
      if (goal === null) throw noSuchGoal();
      onChanged();
      return goal;
    },
    /** @throws {AppError} `not_found` when there is no such goal */
    async require(account: string, id: string): Promise<void> {
      const { items } = await (await stores.open(account)).listGoals({ offset: 0, includeArchived: true });
      if (!items.some((goal) => goal.id === id)) throw noSuchGoal();
    },
  };
}

function noSuchGoal(): AppError {
  return notFound('There is no goal with this id. The list of goals shows the ids.');
}
