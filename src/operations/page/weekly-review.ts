import { z } from 'zod';
import { contentStatus, contentType } from '../../domain/records/content.ts';
import { goalCategory } from '../../domain/records/goal.ts';
import { defineOperation } from '../operation.ts';

const counted = <Item extends z.ZodType>(item: Item) => z.object({ total: z.int(), items: z.array(item) });

const item = z.object({
  id: z.string(),
  title: z.string().nullable(),
  url: z.string().nullable(),
  contentType: contentType.nullable(),
  status: contentStatus,
  savedAt: z.string(),
  summary: z.string().optional(),
  problem: z.string().optional(),
});

const action = z.object({
  id: z.string(),
  title: z.string(),
  goal: z.string().nullable(),
  url: z.string().nullable(),
  createdAt: z.string(),
  completedAt: z.string().optional(),
  daysOpen: z.int().optional(),
});

const goal = z.object({
  id: z.string(),
  title: z.string(),
  category: goalCategory,
  openActions: z.int(),
  doneThisWeek: z.int(),
});

const review = z.object({
  from: z.string(),
  to: z.string(),
  saved: counted(item),
  finished: counted(item),
  failed: counted(item),
  stuck: counted(item),
  actionsDone: counted(action),
  actionsOpen: counted(action),
  actionsNeglected: counted(action),
  goalsWithProgress: counted(goal),
  goalsWithoutProgress: counted(goal),
});

const nothing = { total: 0, items: [] };
const maxTokens = 20_000;

/** Assistants have the prompt of the same name for it. */
export const weeklyReview = defineOperation({
  name: 'weekly_review',
  title: 'The last seven days',
  description: 'What was saved, done and left in the last seven days.',
  input: z.strictObject({}),
  output: review,
  permission: 'content:read',
  alsoPermissions: ['actions:read', 'goals:read'],
  set: null,
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  example: {
    input: {},
    output: {
      from: '2026-03-02T06:30:42.017Z',
      to: '2026-03-09T06:30:42.017Z',
      saved: nothing,
      finished: nothing,
      failed: nothing,
      stuck: nothing,
      actionsDone: nothing,
      actionsOpen: nothing,
      actionsNeglected: nothing,
      goalsWithProgress: nothing,
      goalsWithoutProgress: nothing,
    },
  },
  run: (_, { review: service, account }) => service.week(account, maxTokens),
});
