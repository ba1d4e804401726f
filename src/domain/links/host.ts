import { withoutEndDots } from './youtube-url.ts';

/** The name by which requests to a host are counted: with a port that is not the usual one, without the dots that some write at its end. Null where there is no host. */
export function hostOf(address: string | URL): string | null {
  const url = address instanceof URL ? address : URL.parse(address);
  if (url === null || url.hostname === '') return null;
  const port = url.port === '' ? '' : `:${url.port}`;
  return withoutEndDots(url.hostname) + port;
}
