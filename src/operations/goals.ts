import { z } from 'zod';
import { goal } from '../domain/goal.ts';
import { defineOperation } from './operation.ts';
import { budgetedListOf, cursor, listOf, maxTokens } from './size.ts';

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
    input: { limit: z.int().min(1).max(100).default(50), maxTokens: maxTokens(8_000), cursor },
    output: budgetedListOf(goal),
  },
  scope: 'goals:read',
  set: 'core',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  http: {
    method: 'get',
    path: '/goals',
    about: "Lists the user's goals, which action items may serve. Without `limit` all of them come.",
    answers: { 200: 'The list.' },
  },
  cli: { command: 'goals' },
  example: { input: {} },
  run: (input, { goals, account }) => goals.list(account, input),
});
