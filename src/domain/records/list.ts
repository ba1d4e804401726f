import { z } from 'zod';
import { cleanLine } from '../text/clean-text.ts';
import { instant } from './instant.ts';
import { maxLists } from './limits.ts';
import { maxListNameLength, problemOfListName } from './item.ts';

/** A list: a person adds items by hand, in an order, or a query determines them. */
export const itemList = z.object({
  id: z.string(),
  name: z.string(),
  icon: z.string().nullable().describe('An emoji.'),
  query: z.string().nullable().describe('What finds its items, newest first; null: they are put into it by hand.'),
  items: z
    .int()
    .describe('How many items are in it, without those in the trash. What a query finds is counted up to 1,000.'),
  createdAt: instant,
  updatedAt: instant,
});
export type ItemList = z.infer<typeof itemList>;

/** An item's data about one of its lists. */
export const namedList = z.object({ id: z.string(), name: z.string() });
export type NamedList = z.infer<typeof namedList>;

/** One line without quotes, so that `list:"…"` names it. */
export const listName = z
  .string()
  .max(1_000, { abort: true })
  .overwrite(cleanLine)
  .min(1)
  .max(maxListNameLength)
  .refine((name) => problemOfListName(name) === null, { error: ({ input }) => problemOfListName(String(input)) ?? '' });
/** Room for emoji that are made of several. */
export const listIcon = z.string().max(100, { abort: true }).overwrite(cleanLine).max(32);
export const listQuery = z.string().max(5_000, { abort: true }).overwrite(cleanLine).max(1_000);
/** Its place among the lists. */
export const listPosition = z.int().min(0).max(maxLists);

export interface NewList {
  name: string;
  icon?: string | null | undefined;
  query?: string | null | undefined;
}

/** Absent fields stay as they are. */
export interface ListChanges {
  name?: string | undefined;
  icon?: string | null | undefined;
  query?: string | undefined;
  /** How many lists precede it. */
  position?: number | undefined;
}

export interface ListEdits extends Omit<ListChanges, 'position'> {
  /** Ids of items to put at its end, and to take out. */
  add?: readonly string[] | undefined;
  remove?: readonly string[] | undefined;
}

/** Items that were put into a list, moved in it, or taken out of it. */
export interface ListedItems {
  list: ItemList;
  /** How many of the items that changed. */
  changed: number;
  /** Ids of missing ones. */
  missing: string[];
}
