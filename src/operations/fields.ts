import { z } from 'zod';
import { refusedInput } from '../domain/refused-input.ts';
import { startOfDate, type TimeSpan } from '../domain/search/dates.ts';

/**
 * Descriptions of inputs for models. A model reads them in every conversation, so they are few and short: add one with
 * `.register(modelWords, { description })` where a name and its type do not say enough. `.describe()` is for people. An
 * input that `isUnlisted` is taken, and no model is told of it. One that `isForModels` is missing on the command line.
 * The choices of one that `isKnownChoice` stand in another tool, under the same name.
 */
export const modelWords = z.registry<{
  description?: string;
  isUnlisted?: true;
  isForModels?: true;
  isKnownChoice?: true;
}>();

export function unlisted<Schema extends z.ZodType>(schema: Schema): Schema {
  const copy = schema.clone();
  modelWords.add(copy as z.ZodType, { ...modelWords.get(schema), isUnlisted: true });
  return copy;
}

/** The input that asks for whole answers. A model pays for it in every conversation, so lists have none. */
export const detail = { detail: z.enum(['lean', 'full']).optional().register(modelWords, { isForModels: true }) };

/** Default token budget of an answer; searches have their own. */
export const standardTokens = 8_000;

const aboutMaxTokens = 'The longest answer, in tokens of about four characters.';

/** The input that limits an answer, for callers that pay for every token. */
export function maxTokens(standard = standardTokens, least = 500) {
  return z.int().min(least).max(20_000).describe(aboutMaxTokens).default(standard);
}

/** The fields that null clears. */
export const clearables = z.registry<{ isClearable: true }>();

/** A field that null clears, like an empty value. The JSON Schema that a model sees shows the plain field. */
export function clearable<Field extends z.ZodString | z.ZodArray>(field: Field) {
  const empty = field instanceof z.ZodArray ? [] : '';
  const schema = z.preprocess((value) => (value === null ? empty : value), field);
  clearables.add(schema, { isClearable: true });
  return schema;
}

/**
 * For models: names the fields to empty. Many hosts fill in every input, so an empty value or null from a model means
 * that nothing was given (`mcp/lenient-input.ts`).
 */
export function clear<const Names extends readonly [string, ...string[]]>(...names: Names) {
  return { clear: z.array(z.enum(names)).optional().register(modelWords, { isForModels: true }) };
}

/** Empties each field that `clear` names. @throws {AppError} `invalid_input` for one that is given as well */
export function withCleared<Changes extends { clear?: readonly string[] | undefined }>(
  changes: Changes,
): Omit<Changes, 'clear'> {
  const { clear: cleared = [], ...given } = changes;
  const twice = cleared.filter((name) => name in given);
  if (twice.length > 0) {
    const problems = twice.map((path) => ({ path, message: 'is given and in `clear`: leave one of them out' }));
    throw refusedInput('The change is not clear.', problems);
  }
  return { ...given, ...Object.fromEntries(cleared.map((name) => [name, name === 'tags' ? [] : ''])) };
}

/** The id of one record. Any text is accepted, so that a malformed id gets 404 (not found), not 400. */
export const someId = z.string().min(1).max(100).describe('The id of the record, as lists and searches show it.');

export const cursor = z
  .string()
  .min(1)
  .max(200)
  .describe('The nextCursor of the previous answer: continues after it.')
  .optional();

/** A date or a time in one of the W3C's formats (https://www.w3.org/TR/NOTE-datetime). The beginning of a date counts. */
export const date = z
  .string()
  .max(40)
  .refine(
    (value) => startOfDate(value) !== null,
    'give a year, a month, a day or a time: 2026, 2026-11, 2026-11-22, 2026-11-22T08:00:00Z',
  )
  // A regular expression cannot tell which days exist.
  .meta({ format: 'w3cdtf' });

export const savedDates = {
  savedAfter: date.describe('Only items saved on this date or later: 2026, 2026-11 or 2026-11-22, in UTC.').optional(),
  savedBefore: date.describe('Only items saved before this date.').optional(),
};

export interface SavedDates {
  savedAfter?: string | undefined;
  savedBefore?: string | undefined;
}

/** The two filters as milliseconds since the epoch. */
export function savedTimes({ savedAfter, savedBefore }: SavedDates): TimeSpan {
  const startOf = (value: string | undefined) => (value === undefined ? undefined : (startOfDate(value) ?? undefined));
  return { since: startOf(savedAfter), before: startOf(savedBefore) };
}

export const hint = z.string().optional();

/** The field that is added to the answer of every call that changed something. */
export const undo = {
  undo: z.string().optional().describe('Takes the change back, for 30 days. Absent when nothing was changed.'),
};

export const listLimit = z.int().min(1).max(100).describe('How many at most.');

export const listOffset = z.int().min(0).describe('How many to skip, counted from the newest.').default(0);

/** A list, in the form that every interface returns. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), total: z.int(), limit: z.int(), offset: z.int() });
}

/** A list that may stop at its token budget; `nextCursor` continues it. */
export function budgetedListOf<Item extends z.ZodType>(item: Item) {
  return listOf(item).extend({ nextCursor: z.string().optional() });
}

/** The description of a schema, or of one that it wraps. */
export function descriptionOf(schema: z.ZodType): string | undefined {
  if (schema.description !== undefined || !isWrapper(schema)) return schema.description;
  return descriptionOf(schema.unwrap() as z.ZodType);
}

function isWrapper(schema: z.ZodType): schema is z.ZodOptional | z.ZodDefault | z.ZodNullable {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable;
}

/** Unwraps `optional`, `default` and `nullable`, to see what kind of value a flag or query parameter holds. */
export function bareSchema(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (isWrapper(inner)) inner = inner.unwrap() as z.ZodType;
  // A preprocessed list is still a list.
  return inner instanceof z.ZodPipe && inner.out instanceof z.ZodArray ? inner.out : inner;
}
