import { z } from 'zod';

/** The budget of an answer that is no search, unless the caller names another. */
export const standardTokens = 8_000;

/** The input that bounds an answer for callers that pay for every token. */
export function maxTokens(standard = standardTokens) {
  return z.int().min(500).max(20_000).default(standard);
}

/** A field that null clears as an empty one does; a model is shown the plain field. */
export function clearable<Field extends z.ZodString | z.ZodArray>(field: Field) {
  const empty = field instanceof z.ZodArray ? [] : '';
  return z.preprocess((value) => (value === null ? empty : value), field);
}

/** The id of one record. What is not an id of ours is simply not found: the answer to a wrong one is 404, not 400. */
export const someId = z.string().min(1).max(100);

export const cursor = z.string().min(1).max(200).optional();

/** A list as every face answers it. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), total: z.int(), limit: z.int(), offset: z.int() });
}

/** A list that may end at its budget. */
export function budgetedListOf<Item extends z.ZodType>(item: Item) {
  return listOf(item).extend({ nextCursor: z.string().optional() });
}
