import { z } from 'zod';
import { spanOfDate } from '../../search/dates.ts';
import { cleanLine } from '../../text/clean-text.ts';
import { instant } from '../instant.ts';
import { locator } from '../texts/locator.ts';

export const actionState = z.enum(['open', 'done', 'dismissed']);
export type ActionState = z.infer<typeof actionState>;

/** Another place in a saved item that asks for the same action. */
const actionSource = z.object({
  contentId: z.string(),
  quote: z.string().nullable(),
  locator: locator.nullable(),
  url: z.string().nullable(),
});
export type ActionSource = z.infer<typeof actionSource>;

export const actionPriority = z.enum(['high', 'normal', 'low']);
export type ActionPriority = z.infer<typeof actionPriority>;

/** In which order action items are listed, each then newest first: those with a goal, by saved item, by the day on which they are due, or by priority. */
export const actionOrder = z.enum(['goal', 'item', 'day', 'priority']);
export type ActionOrder = z.infer<typeof actionOrder>;

/** Something to do that a saved item asks for. `completed` is `state === "done"`. */
export const actionItem = z.object({
  id: z.string(),
  contentId: z.string().describe('The saved item that asks for it.'),
  contentTitle: z.string().nullable().describe('The title of that item.'),
  goalId: z.string().nullable().describe('The goal that it serves, if any.'),
  title: z.string(),
  goalReason: z.string().nullable().describe('Why it serves that goal.'),
  reason: z.string().nullable().describe('Why it is worth doing, in the words of the text.'),
  quote: z
    .string()
    .nullable()
    .describe(
      'The sentence it came from, an exact slice of the stored text, or of a note on the item (then without a place).',
    ),
  quoteGone: z.literal(true).optional().describe('Present when the text was replaced by one without the quote.'),
  locator: locator.nullable().describe('The place of the quote in the text.'),
  url: z.string().nullable().describe('Opens the source at that place.'),
  state: actionState,
  completed: z.boolean().describe('True when `state` is `done`.'),
  completedAt: instant.nullable(),
  due: z.string().nullable().describe('The day by which it is to be done: 2026-03-31.'),
  priority: actionPriority.describe('A guess of the analysis, until a person sets it.'),
  snoozedUntil: z.string().nullable().describe('Lists of open action items leave it out until this day: 2026-03-31.'),
  createdAt: instant,
  alsoIn: z.array(actionSource).optional().describe('Further items that ask for the same.'),
  alsoInTotal: z.int().optional().describe('How many those are, when not all are shown.'),
});
export type ActionItem = z.infer<typeof actionItem>;

/** A title that a person enters. */
export const actionTitle = z.string().overwrite(cleanLine).min(1).max(300);

/** A day that a person enters, `2026-03-31`, or nothing. */
export const actionDay = z
  .string()
  .max(10)
  .refine((value) => value === '' || (value.length === 10 && spanOfDate(value) !== null), 'give a day: 2026-03-31')
  .meta({ format: 'date' });

/** An action that a person adds. */
export interface NewAction {
  contentId: string;
  title: string;
  goalId?: string | undefined;
  due?: string | undefined;
  priority?: ActionPriority | undefined;
  snoozedUntil?: string | undefined;
}

/** Changes by a person. Absent fields are not changed. */
export interface ActionChanges {
  state?: ActionState | undefined;
  title?: string | undefined;
  /** Null removes the goal. */
  goalId?: string | null | undefined;
  /** Null: on no certain day. */
  due?: string | null | undefined;
  priority?: ActionPriority | undefined;
  /** Null: it is in lists at once. An action that is done or dismissed is not snoozed. */
  snoozedUntil?: string | null | undefined;
}
