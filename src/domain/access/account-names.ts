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

/** The restriction of the caller with this account name; null: none. */
export function heldToOf(name: string): HeldTo | null {
  const at = name.indexOf(mark);
  return at === -1 ? null : (JSON.parse(Buffer.from(name.slice(at + 1), 'base64url').toString()) as HeldTo);
}

/*
 * Two items have the same address only where a restricted caller saves it and must not learn of the other one. The second item's
 * address then has a number appended, which is never shown.
 */

export function numberedAddress(address: string, number: number): string {
  return number === 1 ? address : `${address} ${number}`;
}

export function withoutNumber(address: string): string {
  return address.split(' ', 1)[0] ?? address;
}

/** Whether everything within the restriction `inner` is also within `outer`. */
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
