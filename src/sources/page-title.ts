import type { Hint } from './html-metadata.ts';
import type { PageFacts } from './html-scan.ts';
import type { JsonLdArticle } from './json-ld.ts';
import { meta, registrable, tidy } from './page-names.ts';

/** The title as a reader would give it, without the site's name around it. */
export function chooseTitle(
  facts: PageFacts,
  jsonLd: JsonLdArticle | null,
  siteName: string | null,
  url: string,
  hints: readonly Hint[],
): string | null {
  const sites = [siteName, ...siteNames(url)].filter((name) => name !== null);
  const clean = (text: string | null | undefined): string | null => withoutSite(tidy(text ?? null), sites);
  const declared = [meta(facts, 'og:title'), facts.title, meta(facts, 'twitter:title')].map(clean);
  const headings = facts.headings.map(clean).filter((heading) => heading !== null);
  // A heading that the declared title repeats is the title without what sites put around it.
  const repeated = headings.find((heading) => declared.some((title) => title !== null && sameStart(title, heading)));
  const headline = jsonLd?.article === true ? clean(jsonLd.headline) : null;
  // An article's only heading is its title; elsewhere it is a slogan as often.
  const single = isArticle(facts, jsonLd) && headings.length === 1 ? headings[0] : null;
  const candidates = [single, repeated, headline, ...declared, headings[0], ...hints.map(({ title }) => clean(title))];
  for (const candidate of candidates) {
    if (candidate !== null && candidate !== undefined && !sites.some((site) => sameName(candidate, site)))
      return candidate;
  }
  return tidy(facts.title) ?? headings[0] ?? null;
}

function isArticle(facts: PageFacts, jsonLd: JsonLdArticle | null): boolean {
  return (
    jsonLd?.article === true ||
    meta(facts, 'og:type') === 'article' ||
    facts.bylines.length > 0 ||
    facts.times.length > 0
  );
}

function sameStart(title: string, heading: string): boolean {
  return bareName(title).startsWith(bareName(heading));
}

/** What a site may be called, told from its address: `www.some-site.co.uk` gives `some-site` and `some-site.co.uk`. */
function siteNames(url: string): string[] {
  const host = URL.parse(url)?.hostname.replace(/^www\./, '') ?? '';
  const site = registrable(host);
  return [host, site, site.split('.')[0] ?? ''].filter((name) => name !== '');
}

const separators = /\s+[|·•»«:–—-]+\s+|\s*\|\s*|\s*::\s*|: /g;

/** A site's name stands at an end; a text full of separators is no title with a name. */
const mostCuts = 6;

/** `Title | Site` and `Site | Title` without the site, as it names itself or its address does. */
function withoutSite(title: string | null, sites: readonly string[]): string | null {
  if (title === null) return null;
  const cuts = [...title.matchAll(separators)];
  for (const cut of cuts.slice(-mostCuts).toReversed()) {
    const end = title.slice(cut.index + cut[0].length);
    if (cut.index > 0 && cut[0] !== ': ' && sites.some((site) => sameName(end, site)))
      return title.slice(0, cut.index).trim();
  }
  const last = cuts.at(-1);
  // Behind a bar stands the site, also where nothing else names it so.
  if (last?.[0].includes('|') === true && title.slice(0, last.index).trim().split(' ').length >= 2) {
    return title.slice(0, last.index).trim();
  }
  const [first] = cuts;
  if (first === undefined || !sites.some((site) => sameName(title.slice(0, first.index), site))) return title;
  return title.slice(first.index + first[0].length).trim();
}

function sameName(one: string, other: string): boolean {
  return bareName(one) === bareName(other);
}

function bareName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
