import { z } from 'zod';
import { cleanLine, cleanText } from '../../text/clean-text.ts';
import { instant } from '../instant.ts';
import { categoryAdvice, goalCategories, type GoalCategory } from './goal-categories.ts';
import { idPattern } from '../ids.ts';

/** A goal's category, matched without regard to case on input. */
export const goalCategory = z.preprocess(
  (value) =>
    typeof value === 'string'
      ? (goalCategories.find((name) => name.toLowerCase() === value.trim().toLowerCase()) ?? value)
      : value,
  z.enum(goalCategories, { error: ({ input }) => (input === undefined ? undefined : categoryAdvice(input)) }),
);
export type { GoalCategory };

export const goalId = z.string().regex(idPattern('g'), 'is not a goal id (g_ and 16 characters)');

export const goal = z.object({
  id: z.string(),
  title: z.string(),
  category: z.enum(goalCategories),
  description: z.string().nullable(),
  createdAt: instant,
  archivedAt: instant.optional().describe('Archived: listed on demand only, gets no further action items.'),
});
export type Goal = z.infer<typeof goal>;

export const goalTitle = z.string().overwrite(cleanLine).min(1).max(200);
export const goalDescription = z.string().overwrite(cleanText).trim().max(2_000);

export interface NewGoal {
  title: string;
  category: GoalCategory;
  description?: string | undefined;
}

/** Absent fields are not changed. */
export interface GoalChanges {
  title?: string | undefined;
  category?: GoalCategory | undefined;
  description?: string | null | undefined;
  archived?: boolean | undefined;
}
