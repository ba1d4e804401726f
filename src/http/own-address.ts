import type { Config } from '../config.ts';
import { withoutTrailing } from '../domain/text/trailing.ts';
import { createProxyCheck } from './incoming/client-address.ts';
import { remoteAddress, type HttpContext } from './context.ts';
import { createHostCheck } from './incoming/host-check.ts';

const hostForm = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/** Of a list that every proxy adds to, what the nearest one wrote. */
function nearest(header: string | null): string {
  return header?.split(',').at(-1)?.trim() ?? '';
}

/** The address of the settings, without a slash at its end; empty when they name none. */
export function configuredAddress({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return withoutTrailing(publicUrl, '/');
}

/**
 * The address under which clients know this server, without a slash at its end: `https://kb.example.org`. It is that of
 * the settings; without one, what a trusted proxy says it was asked for, or what the request itself says.
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
      // Some proxies hand on what a client wrote: a foreign name is as good as none.
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
