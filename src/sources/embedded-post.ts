import { canonicalUrl } from '../domain/url.ts';
import type { ReadingThreads } from './reading-threads.ts';
import type { Source } from './source.ts';

/** Posts on X, whose pages hold nothing without scripts and a login. */
export function createEmbeddedPostSource(threads: ReadingThreads): Source {
  return {
    name: 'post',
    matches: (url, mediaType) =>
      mediaType === 'application/json' &&
      (isPost(url) || url.hostname === 'publish.twitter.com' || url.hostname === 'publish.x.com'),
    open(url, { fetch }) {
      if (!isPost(url)) return null;
      const address = canonicalUrl(url.href).replace('https://x.com/', 'https://twitter.com/');
      return fetch(`https://publish.twitter.com/oembed?omit_script=1&dnt=1&url=${encodeURIComponent(address)}`);
    },
    read: (resource, { signal }) => threads.readText('embedded-post', resource.text ?? '', resource.url, signal),
  };
}

function isPost(url: URL): boolean {
  return /^https:\/\/x\.com\/(?:\w+|i\/web)\/status\/\d+$/.test(canonicalUrl(url.href));
}
