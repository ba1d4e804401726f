import type { Config } from '../settings/config.ts';
import { withoutTrailing } from '../domain/text/trailing.ts';

/**
 * The address of a link that lets somebody in: by the page of links, on a server on which people sign in, or by another one.
 * @param serverUrl where the server listens, if that is known; else where the settings say that it does
 */
export function linkAddress(
  { publicUrl, httpPort, serverUrl }: Pick<Config, 'publicUrl' | 'httpPort'> & { serverUrl?: string },
  code: string,
  path = '/sign-in/link',
): string {
  const base = publicUrl === '' ? (serverUrl ?? `http://127.0.0.1:${httpPort}`) : withoutTrailing(publicUrl, '/');
  return `${base}${path}?code=${code}`;
}
