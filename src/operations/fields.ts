import { z } from 'zod';

/**
 * Descriptions of inputs for models. A model reads them in every conversation, so they are few and short: add one with
 * `.register(modelWords, { description })` where a name and its type do not say enough. `.describe()` is for people.
 */
export const modelWords = z.registry<{ description: string }>();

/** Default token budget of an answer; searches have their own. */
export const standardTokens = 8_000;

const aboutMaxTokens = 'The longest answer, in tokens of about four characters.';

/** The input that limits an answer, for callers that pay for every token. */
export function maxTokens(standard = standardTokens, least = 500) {
  return z.int().min(least).max(20_000).describe(aboutMaxTokens).default(standard);
}

/** A field that null clears, like an empty value. The JSON Schema that a model sees shows the plain field. */
export function clearable<Field extends z.ZodString | z.ZodArray>(field: Field) {
  const empty = field instanceof z.ZodArray ? [] : '';
  return z.preprocess((value) => (value === null ? empty : value), field);
}

/** The id of one record. Any text is accepted, so that a malformed id gets 404 (not found), not 400. */
export const someId = z.string().min(1).max(100).describe('The id of the record, as lists and searches show it.');

export const cursor = z
  .string()
  .min(1)
  .max(200)
  .describe('The nextCursor of the previous answer: continues after it.')
  .optional();

/** How many records of a list to answer. */
export const listLimit = z.int().min(1).max(100).describe('How many at most.');

export const listOffset = z.int().min(0).describe('How many to pass over, counted from the newest.').default(0);

/** A list, in the form that every interface returns. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), total: z.int(), limit: z.int(), offset: z.int() });
}

/** A list that may stop at its token budget; `nextCursor` continues it. */
export function budgetedListOf<Item extends z.ZodType>(item: Item) {
  return listOf(item).extend({ nextCursor: z.string().optional() });
}
