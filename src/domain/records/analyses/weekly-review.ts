import { z } from 'zod';
import { actionPriority } from './action.ts';
import { contentStatus, contentType } from '../content.ts';
import { goalCategory } from './goal.ts';

/** A list that may show fewer than there are. */
const counted = <Item extends z.ZodType>(item: Item) => z.object({ total: z.int(), items: z.array(item) });

const reviewedItem = z.object({
  id: z.string(),
  title: z.string().nullable(),
  url: z.string().nullable(),
  contentType: contentType.nullable(),
  status: contentStatus,
  savedAt: z.string(),
  summary: z.string().optional(),
  /** Why it failed or waits. */
  problem: z.string().optional(),
});

const reviewedAction = z.object({
  id: z.string(),
  title: z.string(),
  /** The title of the goal that it serves. */
  goal: z.string().nullable(),
  url: z.string().nullable(),
  createdAt: z.string(),
  completedAt: z.string().optional(),
  daysOpen: z.int().optional(),
  due: z.string().optional(),
  /** Absent where it is normal. */
  priority: actionPriority.optional(),
});

const reviewedGoal = z.object({
  id: z.string(),
  title: z.string(),
  category: goalCategory,
  openActions: z.int(),
  doneThisWeek: z.int(),
});

/** The last seven days, from stored records only: the same records and the same time give the same review. */
export const weeklyReview = z.object({
  from: z.string(),
  to: z.string(),
  /** Without failed items, which have a separate list. */
  saved: counted(reviewedItem),
  /** Saved before these days and completed in them. */
  finished: counted(reviewedItem),
  /** All failed items, whenever they were saved: they wait for the person. */
  failed: counted(reviewedItem),
  /** Unfinished for more than a day. */
  stuck: counted(reviewedItem),
  /** Open, and due before today. Days are in UTC; snoozed ones are in no list. */
  actionsOverdue: counted(reviewedAction),
  /** Open, and due today or in the six days after it. */
  actionsDue: counted(reviewedAction),
  actionsDone: counted(reviewedAction),
  /** Open for at most 14 days and not due this week; those that serve a goal first. */
  actionsOpen: counted(reviewedAction),
  /** Open for more than 14 days, not due in this week. */
  actionsNeglected: counted(reviewedAction),
  goalsWithProgress: counted(reviewedGoal),
  /** Goals without an action item that was done in this time. */
  goalsWithoutProgress: counted(reviewedGoal),
});

export type WeeklyReview = z.infer<typeof weeklyReview>;
export type ReviewedItem = z.infer<typeof reviewedItem>;
export type ReviewedAction = z.infer<typeof reviewedAction>;
