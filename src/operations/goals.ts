import { z } from 'zod';
import { goal, goalCategory, goalDescription, goalTitle, type Goal } from '../domain/records/analyses/goal.ts';
import { exampleGoal, exampleIds } from '../domain/records/examples.ts';
import { defineOperation } from './operation.ts';
import {
  budgetedListOf,
  clear,
  clearable,
  cursor,
  hint,
  listLimit,
  listOf,
  listOffset,
  maxTokens,
  modelWords,
  someId,
  undo,
  unlisted,
  withCleared,
} from './fields.ts';
import { indented, line, meta, oneLine, printList, title, type Printed } from './answers/printed.ts';

function printGoal(goal: Goal): Printed {
  const about = ` (${goal.category}${goal.archivedAt === undefined ? '' : ', archived'})`;
  return [
    line(meta(goal.id), '  ', title(oneLine(goal.title, 300)), meta(about)),
    ...(goal.description === null ? [] : indented('    ', [line(oneLine(goal.description, 160))])),
  ];
}

export const listGoals = defineOperation({
  name: 'list_goals',
  title: 'List goals',
  description: "The user's goals, which action items serve.",
  input: z.strictObject({
    limit: listLimit.optional(),
    // An account has few goals, and a cursor leads to the rest.
    offset: unlisted(listOffset),
  }),
  output: listOf(goal),
  assistant: {
    input: {
      limit: unlisted(listLimit.default(50)),
      includeArchived: z.boolean().describe('Archived goals, too.').optional(),
      maxTokens: unlisted(maxTokens()),
      cursor,
    },
    output: budgetedListOf(goal).extend({ hint }),
  },
  permission: 'goals:read',
  set: 'core',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  http: {
    method: 'get',
    path: '/goals',
    about:
      "Lists the user's goals, which action items may serve, newest first. Without `limit`, all of them are listed.",
    answers: { 200: 'The list.' },
  },
  cli: {
    command: 'goals',
    print: (list) =>
      list.hint === undefined
        ? printList(list, 'goal', printGoal)
        : [line('No goals yet. Add one: commonplace goal add "Sleep eight hours" --category Health')],
  },
  example: { input: {}, output: { items: [exampleGoal], total: 1, limit: 1, offset: 0 } },
  async run(input, { goals, account, tools }) {
    const list = await goals.list(account, input);
    return list.hint === undefined ? list : { ...list, hint: `${list.hint} ${howToAdd(tools)}` };
  },
});

function howToAdd(tools: ReadonlySet<string> | undefined): string {
  return tools?.has('add_goal') === true
    ? '`add_goal` adds what the user names.'
    : 'The user can: commonplace goal add "Sleep eight hours" --category Health';
}

export const addGoal = defineOperation({
  name: 'add_goal',
  title: 'Add a goal',
  description: 'Open action items are then linked.',
  input: z.strictObject({
    title: goalTitle.describe('What the user wants to reach.'),
    category: goalCategory.describe('Health, Wealth or Relationships.'),
    description: goalDescription.describe('More about it.').optional(),
  }),
  output: goal.extend(undo),
  permission: 'goals:write',
  acknowledges: ['id'],
  set: 'manage',
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'post',
    path: '/goals',
    about:
      'Adds a goal. An existing goal with this title gets the category and description, and is no longer archived.',
    answers: { 200: 'The goal.' },
  },
  cli: {
    command: 'goal add <title>',
    print: (added) => [
      ...printGoal(added),
      line(meta('A running server links action items that serve it, or do it now:  '), 'commonplace work'),
    ],
  },
  example: {
    input: { title: exampleGoal.title, category: 'Health', description: 'In bed by eleven on weekdays.' },
    output: exampleGoal,
  },
  run: (input, { goals, writer }) => goals.add(writer, input),
});

export const updateGoal = defineOperation({
  name: 'update_goal',
  title: 'Change a goal',
  description: 'archived=true: no new action items.',
  input: z.strictObject({
    id: someId,
    title: goalTitle.describe('Its new title.').optional(),
    category: goalCategory
      .describe('Its new category: Health, Wealth or Relationships.')
      .optional()
      .register(modelWords, { isKnownChoice: true }),
    description: clearable(goalDescription).describe('More about it; empty for nothing.').optional(),
    archived: z.boolean().describe('true: it gets no new action items; false: it gets them again.').optional(),
  }),
  output: goal.extend(undo),
  assistant: { input: { clear: unlisted(clear('description').clear) } },
  permission: 'goals:write',
  acknowledges: ['id'],
  set: 'manage',
  // Destructive: the previous text is lost.
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  apiV1: {
    method: 'put',
    path: '/goals/:id',
    bodyRules: { minProperties: 1 },
    about: 'Changes a goal. Fields that are left out stay as they are.',
    answers: { 200: 'The goal as it is now.' },
  },
  cli: { command: 'goal edit <id>', print: printGoal },
  example: {
    input: { id: exampleIds.goal, description: 'Every night of the week' },
    output: { ...exampleGoal, description: 'Every night of the week' },
  },
  run: ({ id, ...changes }, { goals, writer }) => goals.update(writer, id, withCleared(changes)),
});
