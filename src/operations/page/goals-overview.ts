import { z } from 'zod';
import { exampleGoal } from '../../domain/records/examples.ts';
import { goal } from '../../domain/records/goal.ts';
import { defineOperation } from '../operation.ts';

const counts = z.object({ open: z.int(), done: z.int(), dismissed: z.int() });

/** Others list goals and action items apart. */
export const goalsOverview = defineOperation({
  name: 'goals_overview',
  title: 'Goals and how much serves them',
  description: 'All goals, with counts of the action items that serve them.',
  input: z.strictObject({}),
  output: z.object({ goals: z.array(goal.extend({ counts })), withoutGoal: counts }),
  permission: 'goals:read',
  alsoPermissions: ['actions:read'],
  set: null,
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  example: {
    input: {},
    output: {
      goals: [{ ...exampleGoal, counts: { open: 2, done: 1, dismissed: 0 } }],
      withoutGoal: { open: 4, done: 0, dismissed: 3 },
    },
  },
  run: (_, { goals, account }) => goals.overview(account),
});
