import { z } from 'zod';
import { actionItem, actionState, actionTitle } from '../domain/records/action.ts';
import { contentId } from '../domain/records/content.ts';
import { goalId } from '../domain/records/goal.ts';
import { defineOperation } from './operation.ts';
import { budgetedListOf, clearable, cursor, listOf, maxTokens, someId } from './fields.ts';

export const listActions = defineOperation({
  name: 'list_actions',
  title: 'List action items',
  description:
    'Things to do that saved items ask for, each with the sentence it came from. completed=false: the open ones.',
  input: z.strictObject({
    completed: z.boolean().optional(),
    contentId: contentId.optional(),
    goalId: goalId.optional(),
    limit: z.int().min(1).max(100).optional(),
    offset: z.int().min(0).default(0),
  }),
  output: listOf(actionItem),
  assistant: {
    input: { limit: z.int().min(1).max(100).default(50), maxTokens: maxTokens(), cursor },
    output: budgetedListOf(actionItem),
  },
  scope: 'actions:read',
  set: 'core',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  http: {
    method: 'get',
    path: '/actions',
    about:
      'Lists the things to do that saved items ask for, each with the sentence it came from: the open ones first, of those the ones that serve a goal, then the newest. Without `limit` all of them come.',
    answers: { 200: 'The list. `total` counts all action items that match.' },
  },
  cli: { command: 'actions' },
  example: { input: { completed: false } },
  run: (input, { actions, account }) => actions.list(account, input),
});

export const completeAction = defineOperation({
  name: 'complete_action',
  title: 'Complete an action item',
  description: 'Marks an action item done, when the user says that it is.',
  input: z.strictObject({ id: someId }),
  output: actionItem,
  scope: 'actions:write',
  acknowledges: ['id', 'state', 'completed'],
  set: 'core',
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  http: {
    method: 'post',
    path: '/actions/:id/complete',
    about: 'Marks an action item completed. It takes no body; doing it twice changes nothing.',
    answers: { 200: 'The action item, completed.' },
  },
  cli: { command: 'complete <id>' },
  example: { input: { id: '$actionId' } },
  run: (input, { actions, account }) => actions.complete(account, input.id),
});

export const updateAction = defineOperation({
  name: 'update_action',
  title: 'Change an action item',
  description: 'Dismisses, reopens or renames an action item, or sets its goal (empty: none).',
  input: z.strictObject({
    id: someId,
    state: actionState.optional(),
    title: actionTitle.optional(),
    goalId: clearable(z.string().max(100)).optional(),
  }),
  output: actionItem,
  scope: 'actions:write',
  acknowledges: ['id', 'state', 'completed'],
  set: 'manage',
  // Not destructive: the sentence that the action came from is kept, and every change can be reversed.
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  cli: { command: 'action edit <id>' },
  example: { input: { id: '$actionId', state: 'open', goalId: '$goalId' } },
  run: ({ id, goalId, ...changes }, { actions, account }) =>
    actions.update(account, id, { ...changes, ...(goalId !== undefined && { goalId: goalId || null }) }),
});
