import { isIPv6 } from 'node:net';
import type { Config } from '../../config.ts';
import { isLoopbackHost } from '../../domain/links/loopback.ts';
import { AppError } from '../../errors.ts';

/** Names under which a machine knows itself. */
const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** Without its port, as a Host header has it: IPv6 in brackets, which settings may leave out. */
function nameOf(host: string): string {
  return isIPv6(host) ? `[${host.toLowerCase()}]` : host.replace(/:\d*$/, '').toLowerCase();
}

/**
 * Against DNS rebinding: a page of the web can make a browser on this machine call `http://its-own-name:7878`, which
 * leads here. Its Host header tells. A server that listens on this machine alone answers to the names of this machine
 * and to those that the settings name; one that is open to the network checks only when the settings name any.
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
