import type { Source } from '../source.ts';

const feedTypes = new Set(['application/rss+xml', 'application/atom+xml']);

/** RSS and Atom feeds: the text of each entry, show notes included. */
export const feedSource: Source = {
  name: 'feed',
  matches: (_url, mediaType) => feedTypes.has(mediaType),
  async read({ text, finalUrl }, { report }) {
    report.loading();
    const { readFeed } = await import('./read-feed.ts');
    report.begun('feed');
    return readFeed(text ?? '', finalUrl, report.progress);
  },
};
