import type { Config } from '../settings/config.ts';
import { withoutTrailing } from '../domain/text/trailing.ts';
import { createProxyCheck } from './incoming/client-address.ts';
import { remoteAddress, type HttpContext } from './context.ts';
import { createHostCheck } from './incoming/host-check.ts';

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
