import { idPattern } from '../records/ids.ts';
import { foldTag } from '../records/item.ts';
import type { HeldTo } from './held.ts';

/* Names of accounts and addresses where a caller is held. Apart from the schema: library threads need none. */

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

/** The account that a fresh install has and that stdio and the CLI use without a token. */
export const localAccountId = 'local';

const accountIdPattern = idPattern('u');

/** Whether an account id may become a file name. */
export function isAccountId(id: string): boolean {
  return id === localAccountId || accountIdPattern.test(id);
}
