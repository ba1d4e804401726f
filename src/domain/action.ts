import { z } from 'zod';
import { idPattern } from './ids.ts';
import { locator } from './locator.ts';

export const actionId = z.string().regex(idPattern('a'), 'is not an action id (a_ and 16 characters)');

export const actionState = z.enum(['open', 'done', 'dismissed']);
export type ActionState = z.infer<typeof actionState>;

/** Something to do that a saved item asks for. `completed` is `state === "done"`. */
export const actionItem = z.object({
  id: z.string(),
  contentId: z.string(),
  goalId: z.string().nullable(),
  title: z.string(),
  reason: z.string().nullable(),
  quote: z.string().nullable(),
  locator: locator.nullable(),
  url: z.string().nullable(),
  state: actionState,
  completed: z.boolean(),
  completedAt: z.string().nullable(),
  createdAt: z.string(),
});
export type ActionItem = z.infer<typeof actionItem>;
