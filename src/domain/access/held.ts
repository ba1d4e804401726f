import { z } from 'zod';
import { tag } from '../records/content.ts';
import { idPattern } from '../records/ids.ts';

/*
 * A token or a key may be restricted to some lists and tags: it reads and changes only items in one of these lists or with one of
 * these tags. The restriction is part of the caller's account name. Only `Stores.open` understands that name: it returns a store
 * that knows nothing else (`store/held-store.ts`). Code that does not expect it finds no such account.
 */

const maxHeld = 20;

export const heldTo = z
  .strictObject({
    lists: z
      .array(z.string().regex(idPattern('l')))
      .max(maxHeld)
      .default([])
      .describe('Ids of lists.'),
    tags: z.array(tag).max(maxHeld).default([]).describe('Tags.'),
  })
  .refine(({ lists, tags }) => lists.length + tags.length > 0, 'must name a list or a tag')
  .describe(
    'It reads and changes only items in one of these lists or with one of these tags. What it saves gets the first tag, or goes into the first list.',
  );
export type HeldTo = z.infer<typeof heldTo>;

/** For people; empty without a restriction. */
export function heldWords(held: HeldTo | null): string {
  return held === null ? '' : `restricted to ${[...held.tags.map((one) => `#${one}`), ...held.lists].join(', ')}`;
}
