import { canonicalUrl } from '../domain/url.ts';
import { ProcessingError } from '../errors.ts';
import type { ReadingThreads } from './reading-threads.ts';
import type { Source } from './source.ts';

/** Threads of Reddit, whose pages are built by scripts: read from the data that the site gives of each, else from its old page. */
export function createRedditSource(threads: ReadingThreads): Source {
  return {
    name: 'reddit',
    matches: (url, mediaType) => threadId(url) !== null && mediaType === 'application/json',
    open(url, { fetch }) {
      const id = threadId(url);
      if (id === null) return null;
      return fetch(`https://www.reddit.com/comments/${id}.json?raw_json=1&limit=500`).catch((error: unknown) => {
        if (!(error instanceof ProcessingError) || error.retryable) throw error;
        return fetch(`https://old.reddit.com/comments/${id}/`);
      });
    },
    read: (resource, { signal }) => threads.readText('reddit', resource.text ?? '', resource.finalUrl, signal),
  };
}

function threadId(url: URL): string | null {
  const canonical = URL.parse(canonicalUrl(url.href));
  if (canonical?.hostname !== 'www.reddit.com') return null;
  return /\/comments\/([a-z0-9]{1,12})(?:[/.]|$)/.exec(canonical.pathname)?.[1] ?? null;
}
