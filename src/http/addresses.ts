import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { invalidInput } from '../errors.ts';
import type { Config } from '../settings/config.ts';
import { isLoopbackHost } from '../domain/links/configured-addresses.ts';
import { withoutTrailing } from '../domain/text/shortened.ts';
import { type HttpContext, remoteAddress } from './context.ts';

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;
type IpNetwork = [IpAddress, number];

function parse(text: string): IpAddress | null {
  // `process` turns an IPv4-mapped IPv6 address into plain IPv4.
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

function parseNetwork(text: string): IpNetwork {
  const single = parse(text);
  if (single !== null) return [single, single.kind() === 'ipv4' ? 32 : 128];
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  throw invalidInput('trustedProxies: each entry is an address (10.0.0.2) or a network (10.0.0.0/8, fd00::/8).');
}

/** Whether the remote address of a connection is a trusted proxy. */
type ProxyCheck = (remote: string | undefined) => boolean;

export function createProxyCheck(trustedProxies: readonly string[]): ProxyCheck {
  const isTrusted = createTrust(trustedProxies);
  return (remote) => {
    const address = remote === undefined ? null : parse(remote);
    return address !== null && isTrusted(address);
  };
}

function createTrust(trustedProxies: readonly string[]): (address: IpAddress) => boolean {
  const networks = trustedProxies.map(parseNetwork);
  return (address) =>
    networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/**
 * The key by which rate limits count an address. IPv6 is counted by /64 network, because one client usually has a whole
 * /64 to choose from.
 */
function countedAs(address: IpAddress): string {
  if (address.kind() === 'ipv4') return address.toString();
  return `${address.toByteArray().slice(0, 8).join('.')}/64`;
}

/** A part of the address that says where a client is, and not which one it is: 24 bits of an IPv4 address, 48 of an IPv6 one. */
function networkOf(address: IpAddress): string {
  const kept = address.kind() === 'ipv4' ? 3 : 6;
  const bytes = address.toByteArray().map((byte, at) => (at < kept ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${kept * 8}`;
}

export interface ClientAddress {
  /** As rate limits count it. */
  counted: string;
  /** The network that the address belongs to; null when the address is not known. */
  network: string | null;
}

/**
 * Builds a function that finds the client's address.
 * @param trustedProxies addresses and networks whose X-Forwarded-For is trusted
 * @returns given the remote address and the X-Forwarded-For header, the client's address
 */
export function createAddressReader(
  trustedProxies: readonly string[],
): (remote: string | undefined, forwardedFor: string | undefined) => ClientAddress {
  const isTrusted = createTrust(trustedProxies);

  return (remote, forwardedFor) => {
    let client = remote === undefined ? null : parse(remote);
    if (client === null) return { counted: 'unknown', network: null };
    // Each proxy appends the address it received the request from. Read from the right: the first address that is not a
    // trusted proxy is the client.
    const hops = forwardedFor?.split(',') ?? [];
    while (isTrusted(client) && hops.length > 0) {
      // Some proxies also write the port.
      const hop = parse(
        (hops.pop() ?? '')
          .trim()
          .replace(/^\[(.*)\](:\d+)?$/, '$1')
          .replace(/^([\d.]+):\d+$/, '$1'),
      );
      if (hop === null) break;
      client = hop;
    }
    return { counted: countedAs(client), network: networkOf(client) };
  };
}

/** Host names that always mean this machine. */
const loopback = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The host name in lower case and without its port, as a Host header writes it: IPv6 in brackets, which settings may
 * omit.
 */
function nameOf(host: string): string {
  return isIPv6(host) ? `[${host.toLowerCase()}]` : host.replace(/:\d*$/, '').toLowerCase();
}

/**
 * Protects against DNS rebinding: a web page can point its own host name at this machine, so that a browser here calls
 * `http://its-own-name:7878`. The Host header shows it. A server that listens on loopback only accepts the loopback
 * names and those in the settings. A server on other addresses checks only when the settings name a host.
 * @returns throws `invalid_input` for a Host header that is not ours
 */
export function createHostCheck(
  config: Pick<Config, 'httpHost' | 'publicUrl' | 'allowedHosts'>,
): (hostHeader: string | undefined) => void {
  const named = [
    ...config.allowedHosts.map(nameOf),
    ...(config.publicUrl === '' ? [] : [nameOf(new URL(config.publicUrl).host)]),
  ];
  if (named.length === 0 && !isLoopbackHost(config.httpHost)) return () => undefined;
  const allowed = new Set([...named, ...loopback, nameOf(config.httpHost)]);
  return (hostHeader) => {
    if (hostHeader === undefined || allowed.has(nameOf(hostHeader))) return;
    throw invalidInput(
      'The Host header is not a name of this server. Whoever runs it can add the name to allowedHosts, or set publicUrl.',
    );
  };
}

const hostForm = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/** The last entry of a forwarded header, which the nearest proxy wrote. */
function nearest(header: string | null): string {
  return header?.split(',').at(-1)?.trim() ?? '';
}

/** The `publicUrl` setting without a trailing slash; empty when it is not set. */
export function configuredAddress({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return withoutTrailing(publicUrl, '/');
}

/**
 * Finds the address under which clients reach this server, without a trailing slash: `https://kb.example.org`. It is
 * the `publicUrl` setting. Without one, it is what a trusted proxy forwarded, or what the request itself names.
 */
export function createOwnAddress(
  config: Pick<Config, 'publicUrl' | 'trustedProxies' | 'httpHost' | 'allowedHosts'>,
): (context: HttpContext) => string {
  const configured = configuredAddress(config);
  if (configured !== '') return () => configured;
  const isTrustedProxy = createProxyCheck(config.trustedProxies);
  const checkHost = createHostCheck(config);
  const isOurs = (host: string) => {
    try {
      checkHost(host);
      return hostForm.test(host);
    } catch {
      // Some proxies forward the client's own header, so ignore a host name that is not ours.
      return false;
    }
  };
  return (context) => {
    const asked = new URL(context.req.url);
    if (!isTrustedProxy(remoteAddress(context))) return asked.origin;
    const { headers } = context.req.raw;
    const scheme = nearest(headers.get('x-forwarded-proto')).toLowerCase();
    const host = nearest(headers.get('x-forwarded-host'));
    return `${scheme === 'https' || scheme === 'http' ? `${scheme}:` : asked.protocol}//${isOurs(host) ? host : asked.host}`;
  };
}
