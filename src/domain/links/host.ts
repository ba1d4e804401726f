import { withoutEndDots } from './youtube-url.ts';

/** The key for counting requests per host: with a non-default port, without trailing dots. Null without a host. */
export function hostOf(address: string | URL): string | null {
  const url = address instanceof URL ? address : URL.parse(address);
  if (url === null || url.hostname === '') return null;
  const port = url.port === '' ? '' : `:${url.port}`;
  return withoutEndDots(url.hostname) + port;
}
