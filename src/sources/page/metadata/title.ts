import type { Hint } from '../reading.ts';
import type { PageFacts } from '../html/html-scan.ts';
import type { JsonLdArticle } from './json-ld.ts';
import { bareName, meta, registrable, sameName, tidy } from './names.ts';

/** Without the site's name around it. A front page may keep a leading one. */
export function chooseTitle(
  facts: PageFacts,
  jsonLd: JsonLdArticle | null,
  siteName: string | null,
  url: string,
  hints: readonly Hint[],
): string | null {
  const sites = [
    siteName,
    tidy(facts.siteHeading),
    siteBeside(tidy(facts.title), tidy(meta(facts, 'og:title'))),
    ...siteNames(url),
  ].filter((name) => name !== null);
  const isFront = URL.parse(url)?.pathname === '/';
  const clean = (text: string | null | undefined): string | null => withoutSite(tidy(text ?? null), sites, isFront);
  const declared = [meta(facts, 'og:title'), facts.title, meta(facts, 'twitter:title')].map(clean);
  const headings = facts.headings
    .map(clean)
    .filter((heading) => heading !== null)
    .filter((heading) => !counted.test(heading));
  const headline = jsonLd?.article === true ? clean(jsonLd.headline) : null;
  // A heading with which the declared title begins is the title without the site's additions.
  const repeated = headings.find((heading) => declared.some((title) => title !== null && sameStart(title, heading)));
  // An article's only `h1` is its title. On other pages it is as often a slogan.
  const single = isArticle(facts, jsonLd) && headings.length === 1 ? headings[0] : null;
  const named = [
    single === null || single === undefined ? single : withoutSurroundings(single, declared),
    repeated,
    headline === null ? null : wholeHeadline(headline, declared),
  ];
  const candidates = [
    ...(isFront ? [...declared, ...named] : [...named, ...declared]),
    headings[0],
    ...hints.map(({ title }) => clean(title)),
  ];
  for (const candidate of candidates) {
    if (candidate !== null && candidate !== undefined && !sites.some((site) => sameName(candidate, site)))
      return candidate;
  }
  return tidy(facts.title) ?? headings[0] ?? null;
}

/** The site's name, if the page's title is its title for social networks with a name before or after it. */
function siteBeside(whole: string | null, bare: string | null): string | null {
  if (whole === null || bare === null || bare.length >= whole.length) return null;
  const rest = whole.endsWith(bare)
    ? whole.slice(0, -bare.length)
    : whole.startsWith(bare)
      ? whole.slice(bare.length)
      : '';
  const name = rest.replace(/^ ?[|·•»«:–—-]{1,3} /, '').replace(/ ?[|·•»«:–—-]{1,3} $/, '');
  return name === rest || name === '' ? null : name;
}

const counted = /^(?:\d{1,6}|no|one|leave a) (?:comments?|repl(?:y|ies)|responses?|thoughts?)(?: (?:on|to) .*)?$/i;

/** Prefers the declared title if the heading only adds a date, section or comment count to it. */
function withoutSurroundings(heading: string, declared: readonly (string | null)[]): string {
  const around = declared.find((title) => {
    if (title === null || title.length < minCharacters || title.length >= heading.length) return false;
    const at = heading.toLowerCase().indexOf(title.toLowerCase());
    const rest = heading.slice(at + title.length);
    return at > 0 ? rest === '' : at === 0 && /^ ?(?:\(|\W*\d|\p{L}+ \d{1,2},? \d{4})/u.test(rest);
  });
  return around ?? heading;
}

/** A shorter declared title may occur in a heading by chance. */
const minCharacters = 15;

/** Some sites cut headlines at 110 characters, as search engines want them. The declared titles may be whole. */
function wholeHeadline(headline: string, declared: readonly (string | null)[]): string {
  const bare = headline.replace(/(?:\.\.\.|…)$/, '');
  const isCut = headline.length > 90 || bare !== headline;
  return (
    (isCut ? declared.find((title) => title !== null && title.length > bare.length && title.startsWith(bare)) : null) ??
    headline
  );
}

const forumWords = /^(?:.{0,60} [•·] )?view (?:topic|thread) (?:[•·:–-] )?/i;

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

/** `www.some-site.co.uk` gives `some-site` and `some-site.co.uk`. */
function siteNames(url: string): string[] {
  const host = URL.parse(url)?.hostname.replace(/^www\./, '') ?? '';
  const site = registrable(host);
  return [host, site, site.split('.')[0] ?? ''].filter((name) => name !== '');
}

/** Separators in titles. Titles have single spaces here. */
const separators = / [|·•»«:–—-]+ | ?\| ?| ?:: ?|: /g;

/** Reduces `Title / Section / Some forum` to the title. */
function withoutForum(title: string): string {
  const [first, last] = [title.indexOf(' / ', 1), title.lastIndexOf(' / ')];
  return last > first + 3 && first !== -1 && /^[^/]*forums?$/i.test(title.slice(last + 3))
    ? title.slice(0, first)
    : title;
}

/** A site's name is at either end of a title. */
const maxCuts = 6;

/** Removes the site's name from `Title | Site` and `Site | Title`. */
function withoutSite(whole: string | null, sites: readonly string[], isFront: boolean): string | null {
  if (whole === null) return null;
  const title = withoutForum(whole.replace(forumWords, ''));
  const cuts = [...title.matchAll(separators)];
  for (const cut of cuts.slice(-maxCuts).toReversed()) {
    const end = title.slice(cut.index + cut[0].length);
    const start = title.slice(0, cut.index).trim();
    if (cut.index > 0 && cut[0] !== ': ' && !/^home$/i.test(start) && sites.some((site) => sameName(end, site)))
      return start;
  }
  const last = cuts.at(-1);
  // The text after a final bar is the site's name, even if nothing else says so.
  if (last?.[0].includes('|') === true && title.slice(0, last.index).trim().split(' ').length >= 2)
    return title.slice(0, last.index).trim();
  const [first] = cuts;
  if (first === undefined || isFront || !sites.some((site) => sameName(title.slice(0, first.index), site)))
    return title;
  return title.slice(first.index + first[0].length).trim();
}
