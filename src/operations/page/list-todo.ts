import { z } from 'zod';
import { actionItem, actionOrder, actionState } from '../../domain/records/action.ts';
import { exampleAction } from '../../domain/records/examples.ts';
import { listLimit, listOf, listOffset } from '../fields.ts';
import { defineOperation } from '../operation.ts';

/** Only the page calls it. Other clients have `list_actions`, which cannot list dismissed actions or those without a goal. */
export const listTodo = defineOperation({
  name: 'list_todo',
  title: 'Action items in one state',
  description: 'Action items that are open, done or dismissed, in the order of goals, items or days.',
  input: z.strictObject({
    state: actionState,
    goalId: z.string().max(100).nullable().describe('Only those that serve this goal; null: no goal.').optional(),
    order: actionOrder.default('goal'),
    limit: listLimit.default(100),
    offset: listOffset,
  }),
  output: listOf(actionItem),
  permission: 'actions:read',
  set: null,
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  example: { input: { state: 'open' }, output: { items: [exampleAction], total: 1, limit: 100, offset: 0 } },
  run: (input, { actions, account }) => actions.list(account, input),
});
