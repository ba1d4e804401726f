import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';

/** The proxy of the settings, and its exceptions. */
export interface Proxies {
  /** Empty: none. */
  proxy: string;
  /** Hosts that are reached without a proxy, in the syntax of NO_PROXY. */
  exceptions: readonly string[];
  /** Names are left to the proxy, because this machine cannot look them up. */
  resolves: boolean;
}

export const noProxies: Proxies = { proxy: '', exceptions: [], resolves: false };

/** Why a proxy led nowhere. */
export type ProxyTrouble = keyof typeof troubles;

const troubles = {
  unreachable: 'cannot be reached. Check its address (setting proxy, or HTTPS_PROXY) and your network.',
  slow: 'did not answer in time. Check its address (setting proxy, or HTTPS_PROXY) and your network.',
  garbled: 'does not answer as an HTTP proxy does. Check its address (setting proxy, or HTTPS_PROXY).',
  unauthorized:
    'wants a user name and a password. Put them into its address: http://user:password@proxy.example.org:3128.',
  refused:
    'does not connect to this address. It has to allow CONNECT to the port, and to IP addresses: names are looked up and checked here, unless the setting proxyResolves leaves that to the proxy.',
  unresolved:
    'is in use, but names are looked up on this machine, which does not know this one. If only the proxy can look names up, set proxyResolves.',
  unsupported: 'is of a kind that is not supported: its address has to begin with http:// or https://.',
};

/** A proxy did not lead to the server. The message is for people, and names the proxy without its user and password. */
export class ProxyError extends Error {
  readonly code = 'PROXY_FAILED';
  readonly trouble: ProxyTrouble;

  constructor(proxy: URL, trouble: ProxyTrouble, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(`The proxy ${proxy.host} ${troubles[trouble]}${status === undefined ? '' : ` (HTTP ${status})`}`, { cause });
    this.name = 'ProxyError';
    this.trouble = trouble;
  }
}

/** The failure at a proxy, if an error or its cause is one. */
export function proxyTrouble(error: unknown): ProxyError | null {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error; depth += 1) {
    if (inner instanceof ProxyError) return inner;
    inner = inner.cause;
  }
  return null;
}

/** The address of a proxy; the default scheme is `http://`. Null for an invalid address. */
export function proxyUrl(text: string): URL | null {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (url === null || url.hostname === '') return null;
  try {
    decodeURIComponent(url.username + url.password);
    return url;
  } catch {
    return null;
  }
}

/** The proxy through which an address is reached; null when it is reached directly. */
export function proxyFor(proxies: Proxies, { protocol, hostname, port }: URL): URL | null {
  const isEncrypted = protocol === 'https:';
  if (proxies.proxy === '') return null;
  const host = bareHost(hostname);
  const isException = proxies.exceptions.some((entry) => excepts(entry, host, port || (isEncrypted ? '443' : '80')));
  return isException ? null : proxyUrl(proxies.proxy);
}

/** The host of an address without the brackets of IPv6 and the dot of the root. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/(?<!\.)\.$/, '');
}

/**
 * Whether an entry of NO_PROXY names a host: `*`, `example.org` with its subdomains (as `.example.org` and
 * `*.example.org`), an IP address, a network (`10.0.0.0/8`) of addresses that are written as such, each with a port or
 * without.
 */
function excepts(entry: string, host: string, port: string): boolean {
  const { name, ofPort } = entryParts(entry.trim().toLowerCase());
  if (ofPort !== null && ofPort !== port) return false;
  if (name === '*') return true;
  if (name.includes('/')) return isAddress(host) && isInNetwork(host, name);
  if (isAddress(name)) return isAddress(host) && ipaddr.process(host).toString() === ipaddr.process(name).toString();
  const domain = bareHost(name.replace(/^\*?\./, ''));
  const ascii = domainToASCII(domain) || domain;
  return ascii !== '' && (host === ascii || host.endsWith(`.${ascii}`));
}

function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

function entryParts(entry: string): { name: string; ofPort: string | null } {
  if (isAddress(entry)) return { name: entry, ofPort: null };
  const colon = entry.lastIndexOf(':');
  const hasPort =
    colon >= 0 && /^\d{1,5}$/.test(entry.slice(colon + 1)) && !ipaddr.IPv6.isValid(entry.split('/')[0] ?? '');
  const name = hasPort ? entry.slice(0, colon) : entry;
  return { name: name.replace(/^\[|\]$/g, ''), ofPort: hasPort ? entry.slice(colon + 1) : null };
}

function isInNetwork(host: string, network: string): boolean {
  try {
    const [address, [range, bits]] = [ipaddr.process(host), ipaddr.parseCIDR(network)];
    if (address instanceof ipaddr.IPv4) return range instanceof ipaddr.IPv4 && address.match(range, bits);
    return range instanceof ipaddr.IPv6 && address.match(range, bits);
  } catch {
    return false;
  }
}
