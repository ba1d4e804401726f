import type { ReadingThreads } from './reading-threads.ts';
import type { Source } from './source.ts';

const feedTypes = new Set(['application/rss+xml', 'application/atom+xml']);

/** RSS and Atom: what each entry says, show notes and all. */
export function createFeedSource(threads: ReadingThreads): Source {
  return {
    name: 'feed',
    matches: (_url, mediaType) => feedTypes.has(mediaType),
    read: (resource, { signal }) => threads.readText('feed', resource.text ?? '', resource.finalUrl, signal),
  };
}
