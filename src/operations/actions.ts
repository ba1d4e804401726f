import { z } from 'zod';
import {
  actionDay,
  actionItem,
  actionOrder,
  actionPriority,
  actionState,
  actionTitle,
} from '../domain/records/analyses/action.ts';
import { contentId } from '../domain/records/content.ts';
import { exampleAction, exampleIds } from '../domain/records/examples.ts';
import { goalId } from '../domain/records/analyses/goal.ts';
import { defineOperation } from './operation.ts';
import { firstStep } from './answers/for-models.ts';
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
import { leanAction, leanActions } from './answers/lean.ts';
import { requirePermission } from './call.ts';
import { printAction } from './answers/print-item.ts';
import { printList } from './answers/printed.ts';

const listing = {
  order: actionOrder
    .describe(
      'What comes first: what serves a goal, the newest item, the earliest day on which it is due, or the highest priority.',
    )
    .optional(),
  snoozed: z
    .boolean()
    .describe('true: those that are snoozed until a later day in UTC; false: the others.')
    .optional()
    // With `completed` left out, a model is shown them as well.
    .register(modelWords, { isUnlisted: true }),
  limit: listLimit.optional(),
  // Models have `cursor`.
  offset: listOffset.clone().register(modelWords, { isUnlisted: true }),
};

const atActions = {
  method: 'get',
  path: '/actions',
  about:
    'Lists the things to do that saved items ask for, each with the sentence it came from. Open ones come first, and among those the ones that serve a goal; then the newest, unless `order` says otherwise. Without `limit`, all of them are listed.',
  answers: { 200: 'The list. `total` counts all action items that match.' },
} as const;

export const listActions = defineOperation({
  name: 'list_actions',
  title: 'List action items',
  description:
    'Things to do, for a goal first. completed=false: the open ones. Once an item: from, url (+ at: the place).',
  input: z.strictObject({
    completed: z.boolean().describe('true: those that are done; false: the open ones.').optional(),
    contentId: contentId.describe('Only those of this saved item.').optional(),
    goalId: goalId.describe('Only those that serve this goal.').optional(),
    ...listing,
  }),
  output: listOf(actionItem),
  assistant: {
    input: {
      limit: listLimit.default(50),
      maxTokens: unlisted(maxTokens()),
      cursor,
    },
    output: budgetedListOf(actionItem).extend({ hint }),
    lean: (list, { goalId }) => ({ ...list, items: leanActions(list.items, goalId) }),
  },
  permission: 'actions:read',
  set: 'core',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  http: atActions,
  apiV1: {
    ...atActions,
    about: `${atActions.about} Those that are snoozed are left out with \`completed=false\`.`,
  },
  cli: { command: 'actions', print: (list) => printList(list, 'action item', printAction) },
  example: { input: { completed: false }, output: { items: [exampleAction], total: 1, limit: 1, offset: 0 } },
  async run(input, { actions, library, account, isLean, tools }) {
    const list = await actions.list(account, { ...input, ...(isLean && { show: leanAction }) });
    return { ...list, ...(await firstStep(list, library, account, tools)) };
  },
});

export const completeAction = defineOperation({
  name: 'complete_action',
  title: 'Complete an action item',
  description: 'When the user says so.',
  input: z.strictObject({ id: someId }),
  output: actionItem.extend(undo),
  permission: 'actions:write',
  acknowledges: ['id', 'state', 'completed'],
  set: 'core',
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  http: {
    method: 'post',
    path: '/actions/:id/complete',
    about: 'Marks an action item completed; it is no longer snoozed. It takes no body; doing it twice changes nothing.',
    answers: { 200: 'The action item, completed.' },
  },
  cli: { command: 'complete <id>', print: printAction },
  example: {
    input: { id: exampleIds.action },
    output: { ...exampleAction, state: 'done', completed: true, completedAt: '2026-03-09T06:30:42.017Z' },
  },
  run: (input, { actions, writer }) => actions.complete(writer, input.id),
});

const openActions = z.strictObject(listing);

/** Only under /api/v1: everywhere else `list_actions` with `completed` false is the same. */
export const listPendingActions = defineOperation({
  name: 'list_pending_actions',
  title: 'List open action items',
  description: 'The action items that are still to be done.',
  input: openActions,
  output: listOf(actionItem),
  permission: 'actions:read',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'get',
    path: '/actions/pending',
    about:
      'Lists the action items that are neither done, dismissed nor snoozed; those that serve a goal first, then the newest.',
    answers: { 200: 'The list. `total` counts all of them.' },
  },
  example: { input: {}, output: { items: [exampleAction], total: 1, limit: 1, offset: 0 } },
  run: (input, { actions, account }) => actions.list(account, { ...input, completed: false }),
});

/** Only under /api/v1: everywhere else `list_actions` with `goalId` is the same. */
export const listGoalActions = defineOperation({
  name: 'list_goal_actions',
  title: 'List the action items of a goal',
  description: 'The action items that serve a goal.',
  input: openActions.extend({
    id: goalId,
    completed: z.boolean().describe('true: those that are done; false: the open ones.').optional(),
  }),
  output: listOf(actionItem),
  permission: 'actions:read',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'get',
    path: '/goals/:id/actions',
    about: 'Lists the action items that serve a goal, the open ones first.',
    answers: { 200: 'The list. `total` counts all that match.' },
  },
  example: { input: { id: exampleIds.goal }, output: { items: [exampleAction], total: 1, limit: 1, offset: 0 } },
  async run({ id, ...input }, { actions, goals, account }) {
    await goals.require(account, id);
    return actions.list(account, { ...input, goalId: id });
  },
});

export const addAction = defineOperation({
  name: 'add_action',
  title: 'Add an action item',
  description: 'To a saved item, or in a new note.',
  input: z.strictObject({
    title: actionTitle.describe('What is to be done.'),
    contentId: contentId
      .describe('The saved item that it belongs to; without one, a note in the archive is made for it.')
      .optional(),
    goalId: goalId.describe('The goal that it serves.').optional(),
    due: actionDay.min(1).describe('The day by which it is to be done: 2026-03-31.').optional(),
    priority: actionPriority.describe('How much it matters; normal when it is left out.').optional(),
    snoozedUntil: actionDay
      .min(1)
      .describe('Lists of open ones leave it out until this day.')
      .optional()
      .register(modelWords, { isUnlisted: true }),
  }),
  output: actionItem.extend(undo),
  permission: 'actions:write',
  acknowledges: ['id', 'contentId', 'state', 'completed'],
  set: 'manage',
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'post',
    path: '/actions',
    status: () => 201,
    mayMissRecord: true,
    about:
      'Adds an action item to a saved item. Without `contentId` it is added to a new note with the same words, which needs the permission to save. An open action item of the item with the same title takes the other fields instead. No analysis changes it.',
    answers: { 201: 'The action item.' },
  },
  cli: { command: 'action add <title>', print: printAction },
  example: {
    input: { title: exampleAction.title, contentId: exampleIds.content, goalId: exampleIds.goal },
    output: exampleAction,
  },
  async run({ contentId, ...given }, { actions, goals, library, caller, account, writer, signal }) {
    if (given.goalId !== undefined) await goals.require(account, given.goalId);
    if (contentId !== undefined) return actions.add(writer, { ...given, contentId });
    requirePermission({ permission: 'content:write' }, caller);
    const { id } = await library.saveNote(writer, { text: given.title, isFiled: true }, { signal });
    return actions.add(writer, { ...given, contentId: id });
  },
});

export const updateAction = defineOperation({
  name: 'update_action',
  title: 'Change an action item',
  description: 'Also dismisses, reopens, snoozes.',
  input: z.strictObject({
    id: someId,
    state: actionState.describe('Its new state.').optional(),
    title: actionTitle.describe('Its new title.').optional(),
    goalId: clearable(z.string().max(100)).describe('The goal that it serves; empty for none.').optional(),
    due: clearable(actionDay).describe('The day by which it is to be done; empty for none.').optional(),
    priority: actionPriority
      .describe('How much it matters. No later analysis changes it.')
      .optional()
      .register(modelWords, { isKnownChoice: true }),
    snoozedUntil: clearable(actionDay)
      .describe('Lists of open ones leave it out until this day; empty: it is in them at once.')
      .optional(),
  }),
  output: actionItem.extend(undo),
  assistant: { input: clear('goalId', 'due', 'snoozedUntil') },
  permission: 'actions:write',
  acknowledges: ['id', 'state', 'completed'],
  set: 'manage',
  // Not destructive: the sentence that the action came from is kept, and every change can be reversed.
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'put',
    path: '/actions/:id',
    bodyRules: { minProperties: 1 },
    about:
      'Dismisses, reopens, renames or snoozes an action item, or sets its goal, its day or its priority. Fields that are left out stay as they are.',
    answers: { 200: 'The action item as it is now.' },
  },
  cli: { command: 'action edit <id>', print: printAction },
  example: { input: { id: exampleIds.action, state: 'open', goalId: exampleIds.goal }, output: exampleAction },
  run({ id, ...given }, { actions, writer }) {
    const { goalId, due, snoozedUntil, ...changes } = withCleared(given);
    return actions.update(writer, id, {
      ...changes,
      ...(goalId !== undefined && { goalId: goalId || null }),
      ...(due !== undefined && { due: due || null }),
      ...(snoozedUntil !== undefined && { snoozedUntil: snoozedUntil || null }),
    });
  },
});
