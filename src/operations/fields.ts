import { z } from 'zod';

/** Default token budget of an answer; searches have their own. */
export const standardTokens = 8_000;

/** The input that limits an answer, for callers that pay for every token. */
export function maxTokens(standard = standardTokens) {
  return z.int().min(500).max(20_000).default(standard);
}

/** A field that null clears, like an empty value. The JSON Schema that a model sees shows the plain field. */
export function clearable<Field extends z.ZodString | z.ZodArray>(field: Field) {
  const empty = field instanceof z.ZodArray ? [] : '';
  return z.preprocess((value) => (value === null ? empty : value), field);
}

/** The id of one record. Any text is accepted, so that a malformed id gets 404 (not found), not 400. */
export const someId = z.string().min(1).max(100);

export const cursor = z.string().min(1).max(200).optional();

/** A list, in the form that every interface returns. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), total: z.int(), limit: z.int(), offset: z.int() });
}

/** A list that may stop at its token budget; `nextCursor` continues it. */
export function budgetedListOf<Item extends z.ZodType>(item: Item) {
  return listOf(item).extend({ nextCursor: z.string().optional() });
}
