import { redditThreadId } from '../../domain/links/reddit-url.ts';
import { isPostOnX } from '../../domain/links/x-url.ts';
import { youtubePageName, youtubeVideoId } from '../../domain/links/youtube-url.ts';

/** Whether a source fetches this address in its own way (`Source.open`). Decided from the address alone. */
export function opensInItsOwnWay(url: URL): boolean {
  return (
    youtubeVideoId(url) !== null || youtubePageName(url) !== null || redditThreadId(url) !== null || isPostOnX(url)
  );
}
