import type { FoundFeed } from '../../domain/records/sources/feed.ts';
import { ProcessingError } from '../../errors.ts';
import type { FeedParts } from './feed.ts';

/** A page of a site, and the feed of what is on it. `$1` and `$2` are parts of the page's address. */
const feedsOfSites: readonly [page: RegExp, feed: string][] = [
  [
    /^https:\/\/(?:www\.|m\.)?youtube\.com\/channel\/(UC[\w-]{22})(?:[/?].*)?$/,
    'https://www.youtube.com/feeds/videos.xml?channel_id=$1',
  ],
  [
    /^https:\/\/(?:www\.|m\.)?youtube\.com\/playlist\?list=([\w-]{2,60})(?:&.*)?$/,
    'https://www.youtube.com/feeds/videos.xml?playlist_id=$1',
  ],
  [/^https:\/\/(?:www\.|old\.|new\.)?reddit\.com\/((?:r|user|u)\/[\w-]{1,60})\/?$/, 'https://www.reddit.com/$1/.rss'],
  [
    /^https:\/\/github\.com\/([\w.-]{1,100}\/[\w.-]{1,100})\/(releases|tags|commits(?:\/[\w./-]{1,200})?)\/?$/,
    'https://github.com/$1/$2.atom',
  ],
  [/^https:\/\/bsky\.app\/profile\/([\w.:-]{1,200})\/?$/, 'https://bsky.app/profile/$1/rss'],
];
/** A profile of Mastodon and its kin, on whatever host. */
const profile = /^(https?:\/\/[^/?#]+\/@\w{1,100})\/?$/;
/** Where many sites have their feed, when their pages do not name it. */
const usualPlaces = ['/feed', '/rss.xml', '/atom.xml', '/index.xml'];
const nothingAsked = { only: [], without: [], texts: [] };

/** Finds feeds: the address itself, those its page names, or usual places. @throws {ProcessingError} when the address cannot be read */
export function createFindFeeds({ fetch, read }: Pick<FeedParts, 'fetch' | 'read'>) {
  const feedsAt = async (address: string, signal: AbortSignal, accountId: string) => {
    const page = await fetch(address, signal, accountId);
    const found = await read(page, nothingAsked, signal, accountId);
    if (found.feed === null) return { isFeed: false, feeds: found.named };
    return { isFeed: true, feeds: [{ address: page.movedTo ?? address, title: found.feed.title }] };
  };
  return async (address: string, signal: AbortSignal, accountId: string): Promise<FoundFeed[]> => {
    const bare = address.slice(0, 2_048);
    const [page, feed] = feedsOfSites.find(([one]) => one.test(bare)) ?? [];
    const known = page === undefined || feed === undefined ? address : bare.replace(page, feed);
    const { isFeed, feeds } = await feedsAt(known, signal, accountId);
    if (isFeed || feeds.length > 0) return feeds;
    const [, person] = profile.exec(bare) ?? [];
    const guesses = person === undefined ? usualPlaces.map((path) => new URL(path, known).href) : [`${person}.rss`];
    for (const guess of guesses) {
      const found = await feedsAt(guess, signal, accountId).catch((error: unknown) => {
        if (error instanceof ProcessingError) return null;
        throw error;
      });
      if (found?.isFeed === true) return found.feeds;
    }
    return [];
  };
}
