import { z } from 'zod';
import { tag } from '../records/content.ts';
import { idPattern } from '../records/ids.ts';
import { foldTag } from '../records/tags.ts';

/*
 * A token or a key may be held to some lists and tags: it reads and changes only items that are in one of these lists or
 * have one of these tags. Its caller has a name of the account that says so. Only `Stores.open` understands that name: it
 * gives a store that knows nothing else (`store/held/held-store.ts`). Code that does not expect it finds no such account.
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

const mark = '~';

/** The name of an account for a caller that is held. It has no characters that mean something in a path. */
export function heldAccount(account: string, held: HeldTo | null): string {
  return held === null ? account : `${account}${mark}${Buffer.from(JSON.stringify(held)).toString('base64url')}`;
}

/** The id of the account, by either name. */
export function accountIdOf(name: string): string {
  return name.split(mark, 1)[0] ?? name;
}

/** What the caller with this name of an account is held to; null: nothing. */
export function heldToOf(name: string): HeldTo | null {
  const at = name.indexOf(mark);
  return at === -1 ? null : (JSON.parse(Buffer.from(name.slice(at + 1), 'base64url').toString()) as HeldTo);
}

/** For people; empty for what is held to nothing. */
export function heldWords(held: HeldTo | null): string {
  return held === null ? '' : `held to ${[...held.tags.map((one) => `#${one}`), ...held.lists].join(', ')}`;
}

/*
 * Two items have one address only where a held caller saves it and may not know the other one. The address of the second
 * item has a number behind it, which nobody is shown.
 */

export function numberedAddress(address: string, number: number): string {
  return number === 1 ? address : `${address} ${number}`;
}

export function withoutNumber(address: string): string {
  return address.split(' ', 1)[0] ?? address;
}

/** Whether what is held to `inner` is held to `outer`, too. */
export function isWithinHeld(inner: HeldTo | null, outer: HeldTo | null): boolean {
  if (outer === null) return true;
  if (inner === null) return false;
  const tags = new Set(outer.tags.map(foldTag));
  return inner.lists.every((id) => outer.lists.includes(id)) && inner.tags.every((one) => tags.has(foldTag(one)));
}
