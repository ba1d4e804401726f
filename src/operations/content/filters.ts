import { z } from 'zod';
import { type ContentType, contentType, tags, type Shelf } from '../../domain/records/content.ts';
import { allOf, anyOf, type Filter, maxQueryLength, siteOf } from '../../domain/search/filter.ts';
import { modelWords, type SavedDates, savedTimes } from '../fields.ts';

/* Apart from `fields.ts`, which every command loads. */

const site = z
  .string()
  .max(300)
  .refine((value) => siteOf(value) !== null, 'give a host: example.com, example.com/blog or youtube');

/** Filters that lists and searches share, beside the type, the tags and the time of saving. */
export const furtherFilters = {
  list: z.string().trim().min(1).max(200).describe('Only items of this list: its name or its id.').optional(),
  not: z
    .strictObject({
      sites: z
        .array(site)
        .max(20)
        .describe('Sites: a host, its beginning of a path, or a part of its name.')
        .optional(),
      types: z.array(contentType).max(20).describe('Kinds of items.').optional(),
      tags: tags.describe('Tags.').optional(),
    })
    .describe('Only items that are of none of these sites and types, and have none of these tags.')
    .optional()
    // A person writes `-tag:x` into the query.
    .register(modelWords, { isForModels: true }),
};

export const listQuery = z.string().trim().min(1).max(maxQueryLength).optional();

interface Filters extends SavedDates {
  contentType?: ContentType | undefined;
  tags?: readonly string[] | undefined;
  shelf?: Shelf | undefined;
  list?: string | undefined;
  not?: { sites?: readonly string[]; types?: readonly ContentType[]; tags?: readonly string[] } | undefined;
}

/** In the inputs, a `*` is a part of a tag. */
const exactly = (tag: string): Filter => (tag.endsWith('*') ? { tag, isExact: true } : { tag });

/** The filter of the inputs; null when they are empty. */
export function filterOf({ contentType: type, tags: all = [], shelf, list, not, ...dates }: Filters): Filter | null {
  const saved = savedTimes(dates);
  const none = anyOf([
    ...(not?.sites ?? []).map((one) => ({ site: siteOf(one) ?? one })),
    ...(not?.types ?? []).map((one) => ({ type: one })),
    ...(not?.tags ?? []).map(exactly),
  ]);
  return allOf(
    type && { type },
    ...all.map(exactly),
    Object.values(saved).some((time) => time !== undefined) ? { saved } : null,
    shelf && { shelf },
    list === undefined ? null : { list },
    none && { not: none },
  );
}
