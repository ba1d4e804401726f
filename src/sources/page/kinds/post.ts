import type { PageReading, WholePage } from '../reading.ts';
import { meta, tidy } from '../metadata/names.ts';

/** Address patterns of single posts on X, Bluesky, Threads and Mastodon. */
const posts: readonly [host: RegExp, path: RegExp][] = [
  [/^(?:x|twitter|www\.twitter|mobile\.twitter|www\.x)\.com$/, /^\/(?:\w{1,20}|i\/web)\/status\/\d+/],
  [/^bsky\.app$/, /^\/profile\/[^/]+\/post\/\w+/],
  [/^(?:www\.)?threads\.(?:net|com)$/, /^\/@[\w.]+\/post\/[\w-]+/],
  // Mastodon and software with the same addresses, on any host
  [/./, /^\/(?:@[\w.-]+(?:@[\w.-]+)?|users\/[\w.-]+\/statuses)\/\d{8,}\/?$/],
];

function isPostAddress(url: URL): boolean {
  return posts.some(([host, path]) => host.test(url.hostname) && path.test(url.pathname));
}

/** Reads a single post of a social network. Its page gives its text only in the metadata for other sites. */
export function readPost({ facts, url }: WholePage): PageReading | null {
  const address = URL.parse(url);
  if (address === null || !isPostAddress(address)) return null;
  const described = tidy(
    meta(facts, 'og:description') ?? meta(facts, 'twitter:description') ?? meta(facts, 'description'),
  );
  const named = tidy(meta(facts, 'og:title') ?? meta(facts, 'twitter:title') ?? facts.title);
  if (described === null || described.length < 3) return null;
  const author = (named === null ? '' : (authorInTitle(named) ?? named)).replace(/[([]@[^]*$/, '').trim();
  return postReading(author, described.replace(/^["“](.*)["”]$/su, '$1'), null);
}

/** Maximum characters of a name. */
const maxNameLength = 80;

/** Extracts `Ann` from `Ann on X: “What she wrote”`. */
function authorInTitle(title: string): string | null {
  for (const { 0: found, index } of title.matchAll(/ on (?:X|Twitter|Bluesky|Threads|Mastodon)(?=$|: ["“])/g)) {
    if (index > maxNameLength) break;
    const rest = title.slice(index + found.length);
    if (index > 0 && (rest === '' || (rest.length > 3 && /["”]$/.test(rest)))) return title.slice(0, index);
  }
  return null;
}

export function postReading(
  author: string,
  text: string,
  publishedAt: string | null,
): PageReading & { markdown: string } {
  const start = text.replaceAll(/\s+/g, ' ').slice(0, 80);
  const short = text.length <= 80 ? start : `${start.replace(/\s\S*$/, '')}…`;
  return {
    contentType: 'post',
    title: author === '' ? short : `${author}: ${short}`,
    author: author === '' ? null : author,
    publishedAt,
    // Keep the post's line breaks, and escape hashtags that would become headings.
    markdown: text
      .replaceAll(/^([^\S\n\r\u2028\u2029]*)([#>*+-]|\d+[.)])/gm, String.raw`$1\$2`)
      .replaceAll(/\n(?!\n)/g, '  \n'),
  };
}
