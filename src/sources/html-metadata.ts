import type { Marked, PageFacts } from './html-scan.ts';
import type { JsonLdArticle } from './json-ld.ts';
import { dateInPath, parsePublished } from './published-date.ts';

export interface PageMetadata {
  title: string | null;
  author: string | null;
  siteName: string | null;
  publishedAt: string | null;
  canonicalUrl: string | null;
}

/** What an extractor said by the way. */
export interface Hint {
  title: string | null;
  author: string | null;
  siteName: string | null;
  publishedAt: string | null;
}

/**
 * Chooses title, author, site and date: what the page declares first (JSON-LD, meta tags, marked-up byline and `time`, the
 * date in the address), then what the extractors guessed, best one first.
 */
export function readMetadata(
  facts: PageFacts,
  jsonLd: JsonLdArticle | null,
  url: string,
  hints: readonly Hint[],
): PageMetadata {
  const siteName =
    tidy(meta(facts, 'og:site_name')) ??
    tidy(jsonLd?.siteName ?? null) ??
    tidy(meta(facts, 'application-name')) ??
    firstOf(hints, (hint) => tidy(hint.siteName));
  return {
    title: chooseTitle(facts, jsonLd, siteName, hints),
    author: chooseAuthor(facts, jsonLd, siteName, hints),
    siteName,
    publishedAt: choosePublished(facts, jsonLd, url, hints),
    canonicalUrl: chooseCanonical(facts, url),
  };
}

function chooseTitle(
  facts: PageFacts,
  jsonLd: JsonLdArticle | null,
  siteName: string | null,
  hints: readonly Hint[],
): string | null {
  const candidates = [
    facts.headings.length === 1 ? facts.headings[0] : null,
    jsonLd?.headline,
    meta(facts, 'og:title'),
    meta(facts, 'twitter:title'),
    ...hints.map(({ title }) => title),
    facts.title,
    facts.headings[0],
  ];
  for (const candidate of candidates) {
    const title = withoutSite(tidy(candidate ?? null), siteName);
    if (title !== null && title !== siteName) return title;
  }
  return tidy(facts.title);
}

/** `Title | Site` without the site, when it names itself so elsewhere too. */
function withoutSite(title: string | null, siteName: string | null): string | null {
  if (title === null || siteName === null) return title;
  const separators = [' | ', ' - ', ' – ', ' — ', ' · ', ' :: ', ' » ', ' • '];
  for (const separator of separators) {
    const at = title.lastIndexOf(separator);
    if (at > 0 && sameName(title.slice(at + separator.length), siteName)) return title.slice(0, at).trim();
  }
  return title;
}

function sameName(one: string, other: string): boolean {
  const bare = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return bare(one) === bare(other);
}

function chooseAuthor(
  facts: PageFacts,
  jsonLd: JsonLdArticle | null,
  siteName: string | null,
  hints: readonly Hint[],
): string | null {
  const candidates = [
    jsonLd?.author,
    meta(facts, 'author'),
    meta(facts, 'parsely-author'),
    meta(facts, 'sailthru.author'),
    meta(facts, 'dc.creator'),
    meta(facts, 'citation_author'),
    meta(facts, 'article:author'),
    bylineOf(facts),
    meta(facts, 'twitter:creator'),
    ...hints.map(({ author }) => author),
  ];
  for (const candidate of candidates) {
    const author = asAuthor(candidate ?? null);
    if (author !== null) return author;
  }
  return siteName !== null && jsonLd?.author !== undefined ? asAuthor(jsonLd.author) : null;
}

function bylineOf(facts: PageFacts): string | null {
  const named = facts.bylines.filter(({ text }) => asAuthor(text) !== null);
  return best(named)?.text ?? null;
}

/** The surest marking, the nearest to the headline among equals. */
function best(marks: readonly Marked[]): Marked | undefined {
  return marks.toSorted((a, b) => b.strength - a.strength || near(a) - near(b))[0];
}

function near({ distance }: Marked): number {
  return Math.min(distance, 1e9);
}

/** A person's name as a byline gives it: without "By", dates and addresses; null when it is no name. */
function asAuthor(text: string | null): string | null {
  const bare = tidy(text)
    ?.replace(/^(?:(?:written|posted|published|authored|reviewed|story|article|words|text)\s+)?by:?\s+/i, '')
    .replace(/^(?:author|writer|von|par|por|de)s?:\s*/i, '')
    .replace(/\s*(?:[|•·–—]|\s-\s|,?\s+(?:on|updated|published|posted)\s+).*$/i, '')
    .trim();
  if (bare === undefined || bare.length < 2 || bare.length > 120 || !/\p{L}/u.test(bare)) return null;
  if (
    /^(?:https?:|www\.|@|\d)|@.*\.|^(?:admin|administrator|author|authors|by|unknown|anonymous|guest|editor|staff|null|undefined|about the author|share|follow)$/i.test(
      bare,
    )
  ) {
    return null;
  }
  return bare.split(/\s+/).length > 14 ? null : bare;
}

function choosePublished(
  facts: PageFacts,
  jsonLd: JsonLdArticle | null,
  url: string,
  hints: readonly Hint[],
): string | null {
  const names = [
    'article:published_time',
    'og:article:published_time',
    'datepublished',
    'date',
    'dc.date',
    'dc.date.issued',
    'dcterms.created',
    'dcterms.date',
    'parsely-pub-date',
    'sailthru.date',
    'publish-date',
    'publishdate',
    'pubdate',
    'publication_date',
    'citation_publication_date',
    'citation_online_date',
    'article.published',
    'cxenseparse:recs:publishtime',
    'og:published_time',
  ];
  const candidates = [jsonLd?.publishedAt, ...names.map((name) => meta(facts, name))];
  for (const candidate of candidates) {
    const date = parsePublished(candidate ?? null);
    if (date !== null) return date;
  }
  const marked = best(
    facts.times.filter(({ text, value }) => parsePublished(value) !== null || parsePublished(text) !== null),
  );
  return (
    (marked === undefined ? null : (parsePublished(marked.value) ?? parsePublished(marked.text))) ??
    dateInPath(URL.parse(url)?.pathname ?? '') ??
    firstOf(hints, (hint) => parsePublished(hint.publishedAt))
  );
}

/** Believed only where it stays on the site and does not lead every page to the front page. */
function chooseCanonical(facts: PageFacts, url: string): string | null {
  const own = URL.parse(url);
  const claimed = URL.parse(facts.canonical ?? meta(facts, 'og:url') ?? '', facts.baseHref ?? url);
  if (own === null || claimed === null || !/^https?:$/.test(claimed.protocol)) return null;
  if (registrable(own.hostname) !== registrable(claimed.hostname)) return null;
  if (claimed.pathname === '/' && claimed.search === '' && (own.pathname !== '/' || own.search !== '')) return null;
  return claimed.href;
}

/** The last two labels of a host, or three under a short second level (`co.uk`): enough to tell sites apart here. */
function registrable(host: string): string {
  const labels = host.split('.');
  const short = (labels.at(-2) ?? '').length <= 3 && labels.length > 2;
  return labels.slice(short ? -3 : -2).join('.');
}

function meta(facts: PageFacts, name: string): string | null {
  return facts.metas.get(name)?.[0] ?? null;
}

function tidy(text: string | null): string | null {
  const bare = text
    ?.replaceAll(/<[^>]{1,200}>/g, '')
    .replaceAll(/&(amp|quot|#0?39|#8217|apos|lt|gt|nbsp);/g, (whole, name: string) => decoded[name] ?? whole)
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return bare === undefined || bare === '' ? null : bare;
}

/** Entities that pages encode twice. */
const decoded: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  '#39': "'",
  '#039': "'",
  '#8217': '’',
  apos: "'",
  lt: '<',
  gt: '>',
  nbsp: ' ',
};

function firstOf<T, R>(items: readonly T[], read: (item: T) => R | null): R | null {
  for (const item of items) {
    const value = read(item);
    if (value !== null) return value;
  }
  return null;
}
