import { believableClaim } from './canonical-claim.ts';
import type { Marked, PageFacts } from './html-scan.ts';
import type { JsonLdArticle } from './json-ld.ts';
import { meta, tidy } from './page-names.ts';
import { chooseTitle } from './page-title.ts';
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
    title: chooseTitle(facts, jsonLd, siteName, url, hints),
    author: chooseAuthor(facts, jsonLd, siteName, hints),
    siteName,
    publishedAt: choosePublished(facts, jsonLd, url, hints),
    canonicalUrl: chooseCanonical(facts, url),
  };
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
    leadAuthor.exec(facts.lead)?.[1],
    meta(facts, 'twitter:creator'),
    ...hints.map(({ author }) => author),
  ];
  for (const candidate of candidates) {
    const author = asAuthor(candidate ?? null);
    if (author !== null) return author;
  }
  return siteName !== null && jsonLd?.author !== undefined ? asAuthor(jsonLd.author) : null;
}

const leadAuthor = /(?:\b[Bb]y|BY):? +((?:\p{Lu}[\p{L}.'’-]+ +){1,3}\p{Lu}[\p{L}'’-]+)/u;

function bylineOf(facts: PageFacts): string | null {
  const named = facts.bylines.filter(({ text }) => asAuthor(text) !== null);
  return best(named)?.text ?? null;
}

/** Characters of text between a headline and what still belongs to it. */
const nearby = 600;

/** The surest marking, one near the headline among equals, the first among those. */
function best(marks: readonly Marked[]): Marked | undefined {
  return marks.toSorted((a, b) => b.strength - a.strength || near(a) - near(b))[0];
}

function near({ distance }: Marked): number {
  return distance < nearby ? 0 : 1;
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
    firstOf(hints, (hint) => parsePublished(hint.publishedAt)) ??
    parsePublished(facts.lead)
  );
}

function chooseCanonical(facts: PageFacts, url: string): string | null {
  const claimed = URL.parse(facts.canonical ?? meta(facts, 'og:url') ?? '', facts.baseHref ?? url);
  if (claimed === null) return null;
  return believableClaim(claimed.href, url, `${facts.title ?? ''} ${facts.headings[0] ?? ''}`);
}

function firstOf<T, R>(items: readonly T[], read: (item: T) => R | null): R | null {
  for (const item of items) {
    const value = read(item);
    if (value !== null) return value;
  }
  return null;
}
