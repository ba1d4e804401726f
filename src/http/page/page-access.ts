import type { Config } from '../../settings/config.ts';
import { isLoopbackHost } from '../../domain/links/loopback.ts';

/**
 * How people reach the page: after they signed in; by the link that `commonplace open` makes, on their own machine, where nobody
 * signs in; or not at all.
 */
export type PageAccess = 'sign-in' | 'link' | 'none';

export function pageAccess(config: Pick<Config, 'signIn' | 'publicUrl' | 'httpHost'>): PageAccess {
  if (config.signIn !== 'off') return 'sign-in';
  return config.publicUrl === '' && isLoopbackHost(config.httpHost) ? 'link' : 'none';
}
