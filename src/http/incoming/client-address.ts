import ipaddr from 'ipaddr.js';
import { AppError } from '../../errors.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

function parse(text: string): Address | null {
  // `process` makes an IPv4 address of one that is mapped into IPv6.
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

function parseNetwork(text: string): Network {
  const single = parse(text);
  if (single !== null) return [single, single.kind() === 'ipv4' ? 32 : 128];
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  throw new AppError(
    'invalid_input',
    'trustedProxies: each entry is an address (10.0.0.2) or a network (10.0.0.0/8, fd00::/8).',
  );
}

/** Whether the other end of a connection is one of the proxies whose word about their clients is believed. */
export type ProxyCheck = (remote: string | undefined) => boolean;

export function createProxyCheck(trustedProxies: readonly string[]): ProxyCheck {
  const isTrusted = createTrust(trustedProxies);
  return (remote) => {
    const address = remote === undefined ? null : parse(remote);
    return address !== null && isTrusted(address);
  };
}

function createTrust(trustedProxies: readonly string[]): (address: Address) => boolean {
  const networks = trustedProxies.map(parseNetwork);
  return (address) =>
    networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** The address as limits count it: somebody with IPv6 has a whole /64 to choose from. */
function countedAs(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  return `${address.toByteArray().slice(0, 8).join('.')}/64`;
}

/**
 * Finds out who is at the other end.
 * @param trustedProxies addresses and networks whose X-Forwarded-For is believed
 * @returns given the address of the connection and the header, the client's address as limits count it
 */
export function createAddressReader(
  trustedProxies: readonly string[],
): (remote: string | undefined, forwardedFor: string | undefined) => string {
  const isTrusted = createTrust(trustedProxies);

  return (remote, forwardedFor) => {
    let client = remote === undefined ? null : parse(remote);
    if (client === null) return 'unknown';
    // Each proxy appends whom it spoke to: from the right, everything up to the first stranger is believed.
    const hops = forwardedFor?.split(',') ?? [];
    while (isTrusted(client) && hops.length > 0) {
      // Some proxies write the port, too.
      const hop = parse(
        (hops.pop() ?? '')
          .trim()
          .replace(/^\[(.*)\](:\d+)?$/, '$1')
          .replace(/^([\d.]+):\d+$/, '$1'),
      );
      if (hop === null) break;
      client = hop;
    }
    return countedAs(client);
  };
}
