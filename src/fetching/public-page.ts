import type { LookupFunction } from 'node:net';
import { AddressRefusedError, guardedLookup, isPublicAddress, literalAddress } from './address-guard.ts';

/**
 * Top-level names of private networks: RFC 6761, 6762, 7686, 8375 and the ones that ICANN leaves to private use.
 */
const privateNames = new Set(
  'local localhost internal intranet private lan home corp arpa test invalid onion alt'.split(' '),
);

/**
 * True if an address belongs to the public internet, so that others may be told it. The name is looked up, too, because
 * public names may lead into a private network; one that no longer exists counts as public.
 */
export async function isPublicPage(url: URL, lookup: LookupFunction): Promise<boolean> {
  const address = literalAddress(url);
  if (address !== null) return isPublicAddress(address);
  if (isPrivateName(url.hostname)) return false;
  return new Promise((resolve) => {
    guardedLookup(isPublicAddress, lookup)(url.hostname, { all: true }, (error) =>
      resolve(!(error instanceof AddressRefusedError)),
    );
  });
}

/** True if a name has a meaning in a private network alone. */
export function isPrivateName(hostname: string): boolean {
  const labels = hostname.replace(/(?<!\.)\.+$/, '').split('.');
  return labels.length < 2 || privateNames.has(labels.at(-1) ?? '');
}
