import { isIPv6 } from 'node:net';
import type { Config } from '../../settings/config.ts';
import { isLoopbackHost } from '../../domain/links/loopback.ts';
import { AppError } from '../../errors.ts';

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
    throw new AppError(
      'invalid_input',
      'The Host header is not a name of this server. Whoever runs it can add the name to allowedHosts, or set publicUrl.',
    );
  };
}
