import { z } from 'zod';

/** Where a person keeps an item: not looked at yet, wanted for later, or put away. Whether it was read is another thing. */
export const shelf = z.enum(['inbox', 'later', 'archive']);
export type Shelf = z.infer<typeof shelf>;

/** Where reading stopped. */
export const reading = z.object({
  start: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .nullable()
    .describe(
      'Offset of the passage in `transcript`; null when only the share is known, as after a new version of it.',
    ),
  share: z.number().min(0).max(1).describe('How much was read: 0 to 1.'),
});
export type Reading = z.infer<typeof reading>;

/** How many items that are not deleted there are. */
export const itemCounts = z.object({
  shelves: z.object({ inbox: z.int(), later: z.int(), archive: z.int() }),
  unread: z.int().describe('On all shelves: those without `readAt`.'),
});
export type ItemCounts = z.infer<typeof itemCounts>;

export const libraryCounts = itemCounts.extend({
  lists: z
    .array(z.object({ id: z.string(), count: z.int() }))
    .describe('In their order. What a query finds is counted up to 1,000.'),
});
export type LibraryCounts = z.infer<typeof libraryCounts>;
