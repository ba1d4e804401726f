import { z } from 'zod';
import { instant } from './clock.ts';
import { idPattern } from './ids.ts';

export const goalCategories = ['Health', 'Wealth', 'Relationships'] as const;

/** A goal's category, matched without regard to case on input. */
export const goalCategory = z.preprocess(
  (value) =>
    typeof value === 'string'
      ? (goalCategories.find((name) => name.toLowerCase() === value.trim().toLowerCase()) ?? value)
      : value,
  z.enum(goalCategories),
);
export type GoalCategory = (typeof goalCategories)[number];

export const goalId = z.string().regex(idPattern('g'), 'is not a goal id (g_ and 16 characters)');

export const goal = z.object({
  id: z.string(),
  title: z.string(),
  category: z.enum(goalCategories),
  description: z.string().nullable(),
  createdAt: instant,
});
export type Goal = z.infer<typeof goal>;

export const newGoal = z.strictObject({
  title: z.string().trim().min(1).max(200),
  category: goalCategory,
  description: z.string().trim().max(2_000).optional(),
});
export type NewGoal = z.infer<typeof newGoal>;
