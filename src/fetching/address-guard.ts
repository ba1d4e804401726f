import dns from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { HeldPlace, SharedPlaces } from '../domain/turns/shared-places.ts';
import { withoutEndDots } from '../domain/links/youtube-url.ts';

export type AddressRule = (address: string) => boolean;

export class AddressRefusedError extends Error {
  readonly code = 'ADDRESS_REFUSED';

  constructor() {
    super('the address is not on the public internet');
    this.name = 'AddressRefusedError';
  }
}

const globalUnicast = ipaddr.IPv6.parse('2000::');
/**
 * Ranges inside 2000::/3 that no public web server uses, or that embed an IPv4 address and so would bypass the IPv4
 * rule: Teredo, ORCHID and other protocol assignments (RFC 2928), documentation (RFC 3849, 9637), 6to4 (RFC 3056).
 */
const refusedInside: readonly [ipaddr.IPv6, number][] = [
  [ipaddr.IPv6.parse('2001::'), 23],
  [ipaddr.IPv6.parse('2001:db8::'), 32],
  [ipaddr.IPv6.parse('3fff::'), 20],
  [ipaddr.IPv6.parse('2002::'), 16],
];

/**
 * True for addresses on the public internet. For IPv6 only the one public block is allowed, because private IPv4
 * addresses have too many mapped, compatible and translated forms to list (`::ffff:7f00:1`, `::7f00:1`, `64:ff9b::…`).
 */
export function isPublicAddress(address: string): boolean {
  // Only link-local addresses have a zone (`fe80::1%eth0`).
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast';
  if (!(parsed instanceof ipaddr.IPv6)) return false;
  return parsed.match(globalUnicast, 3) && !refusedInside.some(([range, bits]) => parsed.match(range, bits));
}

/** The IP address if the URL's host is one, in any notation (the URL parser normalises it), else null. */
export function literalAddress(url: URL): string | null {
  const host = withoutEndDots(url.hostname.replace(/^\[|\]$/g, ''));
  return isIP(host) === 0 ? null : host;
}

/** Fails unless every address of the name is allowed: a single private address among them means an attack. */
export function guardedLookup(allowed: AddressRule, resolve: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found, family) => {
      if (error) return callback(error, '', 0);
      const addresses = typeof found === 'string' ? [{ address: found, family: family ?? isIP(found) }] : found;
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => allowed(address)))
        return callback(new AddressRefusedError(), '', 0);
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Threads of the fetching process, for looking names up (half of them at most) and for decompressing. */
export const fetchingThreads = 32;

/**
 * libuv uses at most half of its threads for name lookups. One account has at most half of these slots, so that names whose servers
 * never answer delay no one else.
 */
export const lookupPlaces = { total: fetchingThreads / 2, reserved: fetchingThreads / 4 };

/** Its slot is held until the system has answered, which may take half a minute and cannot be cancelled. */
export function lookupInTurn(
  places: SharedPlaces,
  accountId: string,
  signal: AbortSignal,
  resolve: LookupFunction = dns.lookup,
): LookupFunction {
  return async (hostname, options, callback) => {
    let place: HeldPlace;
    try {
      place = await places.take(accountId, signal);
    } catch (error) {
      return callback(error as Error, '', 0);
    }
    resolve(hostname, options, (...found) => {
      place.leave();
      callback(...found);
    });
  };
}

/** Top-level names of private networks: RFC 6761, 6762, 7686, 8375 and the ones that ICANN leaves to private use. */
const privateNames = new Set(
  'local localhost internal intranet private lan home corp arpa test invalid onion alt'.split(' '),
);

/** Whether an address may be revealed to others. Public names may lead into a private network; one that no longer exists is public. */
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

export function isPrivateName(hostname: string): boolean {
  const labels = withoutEndDots(hostname).split('.');
  return labels.length < 2 || privateNames.has(labels.at(-1) ?? '');
}
