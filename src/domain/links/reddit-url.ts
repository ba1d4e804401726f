import { canonicalUrl } from './url.ts';

/** The id of the thread that an address on Reddit leads to; null for every other address. */
export function redditThreadId(url: URL): string | null {
  const canonical = URL.parse(canonicalUrl(url.href));
  if (canonical?.hostname !== 'www.reddit.com') return null;
  return /\/comments\/([a-z0-9]{1,12})(?:[/.]|$)/.exec(canonical.pathname)?.[1] ?? null;
}
