import { canonicalUrl } from '../../../domain/links/url.ts';
import { isPostOnX } from '../../../domain/links/x-url.ts';
import type { Source } from '../../source.ts';

/** Posts on X, read through oEmbed: their pages contain nothing without scripts and a login. */
export const embeddedPostSource: Source = {
  name: 'post',
  matches: (url, mediaType) =>
    mediaType === 'application/json' &&
    (isPostOnX(url) || url.hostname === 'publish.twitter.com' || url.hostname === 'publish.x.com'),
  open(url, { fetch }) {
    if (!isPostOnX(url)) return null;
    const address = canonicalUrl(url.href).replace('https://x.com/', 'https://twitter.com/');
    return fetch(`https://publish.twitter.com/oembed?omit_script=1&dnt=1&url=${encodeURIComponent(address)}`);
  },
  read: async (resource) =>
    (await import('./read-embedded-post.ts')).readEmbeddedPost(resource.text ?? '', resource.url),
};
