import { redditThreadId } from '../../domain/links/reddit-url.ts';
import { ProcessingError } from '../../errors.ts';
import type { Source } from '../source.ts';

/** Reddit threads. Scripts build their pages, so they are read from the site's JSON, or else from the old page. */
export const redditSource: Source = {
  name: 'reddit',
  matches: (url, mediaType) => redditThreadId(url) !== null && mediaType === 'application/json',
  open(url, { fetch }) {
    const id = redditThreadId(url);
    if (id === null) return null;
    return fetch(`https://www.reddit.com/comments/${id}.json?raw_json=1&limit=500`).catch((error: unknown) => {
      if (!(error instanceof ProcessingError) || error.retryable) throw error;
      return fetch(`https://old.reddit.com/comments/${id}/`);
    });
  },
  read: async (resource) => (await import('./read-reddit.ts')).readReddit(resource.text ?? ''),
};
