import { z } from 'zod';
import { goal, goalCategory, goalDescription, goalTitle } from '../domain/records/goal.ts';
import { defineOperation } from './operation.ts';
import { budgetedListOf, clearable, cursor, listOf, maxTokens, someId } from './fields.ts';

export const listGoals = defineOperation({
  name: 'list_goals',
  title: 'List goals',
  description: "The user's goals (Health, Wealth, Relationships) that action items serve.",
  input: z.strictObject({
    limit: z.int().min(1).max(100).optional(),
    offset: z.int().min(0).default(0),
  }),
  output: listOf(goal),
  assistant: {
    input: {
      limit: z.int().min(1).max(100).default(50),
      includeArchived: z.boolean().optional(),
      maxTokens: maxTokens(),
      cursor,
    },
    output: budgetedListOf(goal).extend({ hint: z.string().optional() }),
  },
  scope: 'goals:read',
  set: 'core',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  http: {
    method: 'get',
    path: '/goals',
    about: "Lists the user's goals, which action items may serve, newest first. Without `limit` all of them come.",
    answers: { 200: 'The list.' },
  },
  cli: { command: 'goals' },
  example: { input: {} },
  run: (input, { goals, account }) => goals.list(account, input),
});

export const addGoal = defineOperation({
  name: 'add_goal',
  title: 'Add a goal',
  description: 'Open action items are then linked to it.',
  input: z.strictObject({
    title: goalTitle,
    category: goalCategory,
    description: goalDescription.optional(),
  }),
  output: goal,
  scope: 'goals:write',
  acknowledges: ['id'],
  set: 'manage',
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  cli: { command: 'goal add <title>' },
  example: { input: { title: 'Sleep eight hours', category: 'Health' } },
  run: (input, { goals, account }) => goals.add(account, input),
});

export const updateGoal = defineOperation({
  name: 'update_goal',
  title: 'Change a goal',
  description: 'archived=true retires it: it gets no new action items.',
  input: z.strictObject({
    id: someId,
    title: goalTitle.optional(),
    category: goalCategory.optional(),
    description: clearable(goalDescription).optional(),
    archived: z.boolean().optional(),
  }),
  output: goal,
  scope: 'goals:write',
  acknowledges: ['id'],
  set: 'manage',
  // Destructive: the previous text is lost.
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  cli: { command: 'goal edit <id>' },
  example: { input: { id: '$goalId', description: 'Every night of the week' } },
  run: ({ id, ...changes }, { goals, account }) => goals.update(account, id, changes),
});
