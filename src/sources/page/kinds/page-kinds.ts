import { readDiscussion } from './discussion.ts';
import type { PageReading, WholePage } from '../reading.ts';
import { meta, tidy } from '../metadata/names.ts';
import { parsePublished } from '../metadata/published-date.ts';

const readers = [readDiscussion, readRepository, readPost, readPaper];

/** Recognises kinds of pages by their structure, the most certain kind first. Null for any other page. */
export function readKnownKind(page: WholePage): PageReading | null {
  for (const read of readers) {
    const reading = read(page);
    if (reading !== null) return reading;
  }
  return null;
}

const forges = new Set(['github.com', 'gitlab.com', 'codeberg.org', 'gitea.com', 'bitbucket.org']);
/** Selectors of the README in the forges' software (GitHub, GitLab, Gitea and Forgejo). */
const readmes = [
  '#readme article',
  'article.markdown-body',
  '.file-view.markdown',
  '[data-testid="blob-viewer-file-content"] .md',
];

function readRepository({ root, facts, url, toMarkdown }: WholePage): PageReading | null {
  const path =
    URL.parse(url)
      ?.pathname.split('/')
      .filter((part) => part !== '') ?? [];
  const known = forges.has(URL.parse(url)?.hostname ?? '');
  const declared = facts.metas.has('go-import') || facts.metas.has('octolytics-dimension-repository_nwo');
  if (path.length < 2 || (!known && !declared) || (known && path.length > 2 && path[2] !== '-' && path[2] !== 'tree'))
    return null;
  const readme = readmes.map((selector) => root.querySelector(selector)).find((one) => one !== null);
  if (readme === undefined) return null;
  const text = toMarkdown(readme);
  if (text === '') return null;
  const name = path.slice(0, 2).join('/');
  const description = (tidy(meta(facts, 'og:description') ?? meta(facts, 'description')) ?? '')
    .replace(/ - [^\s/]+\/\S+$/, '')
    .replace(/\.? ?(?:Contribute to|Follow their code) [^]*$/i, '');
  const first = description === '' || text.includes(description) ? [] : [description];
  return { contentType: 'repo', title: name, author: path[0] ?? null, markdown: [...first, text].join('\n\n') };
}

const maxAuthors = 12;

/**
 * Reads the page of a paper, recognised by the `citation_…` tags for scholarly search engines. Its DOI and arXiv id are not used as
 * addresses of the page: any page could name another's, and would count as its duplicate.
 */
function readPaper({ facts, root, toMarkdown }: WholePage): PageReading | null {
  const title = tidy(meta(facts, 'citation_title'));
  const names = [
    'citation_arxiv_id',
    'citation_doi',
    'citation_pdf_url',
    'citation_journal_title',
    'citation_conference_title',
  ];
  if (title === null || !names.some((name) => facts.metas.has(name))) return null;
  const authors = (facts.metas.get('citation_author') ?? []).map(firstNameFirst);
  const abstract = root.querySelector('blockquote.abstract');
  return {
    contentType: 'paper',
    title,
    author: authors.length === 0 ? null : authors.slice(0, maxAuthors).join(', '),
    publishedAt: parsePublished(
      meta(facts, 'citation_publication_date') ?? meta(facts, 'citation_date') ?? meta(facts, 'citation_online_date'),
    ),
    // arXiv's page has little more than the abstract. Pages of other publishers may have the whole text.
    ...(abstract !== null && { markdown: abstractOf(toMarkdown(abstract)) }),
  };
}

function abstractOf(markdown: string): string {
  const text = markdown.replace(/^\s*\*{0,2}Abstract:?\*{0,2}:?\s*/i, '');
  return `## Abstract\n\n${text}`;
}

/** Turns `Holm, Marta` into `Marta Holm`. */
function firstNameFirst(name: string): string {
  const [last, first, ...more] = name.split(/,\s*/);
  return first === undefined || more.length > 0 ? name : `${first} ${last}`;
}

/** X, Bluesky, Threads, Mastodon. */
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
function readPost({ facts, url }: WholePage): PageReading | null {
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
