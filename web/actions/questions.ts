import type { ActionOrder, TodoState } from '../records.ts';

/** Action items that are asked for at once. */
export const actionsAtOnce = 100;

export const states: readonly TodoState[] = ['open', 'snoozed', 'done', 'dismissed'];

/** Which action items the address wants to see. */
export function stateOf(query: URLSearchParams): TodoState {
  return states.find((state) => state === query.get('state')) ?? 'open';
}

export const orders: readonly ActionOrder[] = ['goal', 'item', 'day', 'priority'];

/** By what they are grouped. */
export function orderOf(query: URLSearchParams): ActionOrder {
  return orders.find((order) => order === query.get('by')) ?? 'goal';
}

/** The goal that the address names: null for none of them, undefined for all. */
export function goalOf(query: URLSearchParams): string | null | undefined {
  const goal = query.get('goal');
  return goal === null ? undefined : goal === 'none' ? null : goal;
}

export function todoAddress(state: TodoState, goal: string | null | undefined, by: ActionOrder = 'goal'): string {
  const query = new URLSearchParams();
  if (state !== 'open') query.set('state', state);
  if (goal !== undefined) query.set('goal', goal ?? 'none');
  if (by !== 'goal') query.set('by', by);
  const text = query.toString();
  return text === '' ? '/app/actions' : `/app/actions?${text}`;
}

/** The input of `list_todo`. */
export function todoInput(query: URLSearchParams, offset = 0): object {
  const goalId = goalOf(query);
  const state = stateOf(query);
  return {
    // A snoozed action is open.
    ...(state === 'snoozed' ? { state: 'open', snoozed: true } : { state }),
    ...(goalId !== undefined && { goalId }),
    order: orderOf(query),
    limit: actionsAtOnce,
    offset,
  };
}
