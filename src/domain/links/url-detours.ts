import { withoutEndDots } from './youtube-url.ts';

/**
 * Resolves indirect addresses without the network: redirectors that carry their target, mobile and AMP copies, papers
 * with several addresses. Terminates, because each step gives a shorter address or one that no step changes.
 */
export function withoutDetours(url: URL): URL {
  let current = new URL(url);
  for (;;) {
    // Normalize first: recognition must not depend on the percent-encoding.
    current.pathname = spellPercent(current.pathname);
    const next = carriedTarget(current) ?? unpackedAmp(current);
    if (next === null || next.href.length >= current.href.length) return homeAddress(current);
    current = next;
  }
}

/** Decodes unreserved characters, writes other triplets in upper case and a stray `%` as `%25` (RFC 3986, 6.2.2). */
export function spellPercent(text: string): string {
  return text.replaceAll(/%(?![0-9a-f]{2})/gi, '%25').replaceAll(/%[0-9a-f]{2}/gi, (triplet) => {
    const character = String.fromCodePoint(Number.parseInt(triplet.slice(1), 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : triplet.toUpperCase();
  });
}

/** Redirectors: host (with a leading dot, a host suffix), path, and the parameters that may hold the target. */
const redirectors: readonly [host: string, path: RegExp, parameters: readonly string[]][] = [
  ['www.google.com', /^\/url$/, ['q', 'url']],
  ['google.com', /^\/url$/, ['q', 'url']],
  ['l.facebook.com', /^\/l\.php$/, ['u']],
  ['lm.facebook.com', /^\/l\.php$/, ['u']],
  ['l.instagram.com', /^\/$/, ['u']],
  ['l.threads.com', /^\/$/, ['u']],
  ['out.reddit.com', /^\//, ['url']],
  ['t.umblr.com', /^\/redirect$/, ['z']],
  ['www.linkedin.com', /^\/(?:redir\/redirect|safety\/go)\/?$/, ['url']],
  ['slack-redir.net', /^\/link$/, ['url']],
  ['steamcommunity.com', /^\/linkfilter\/?$/, ['url', 'u']],
  ['vk.com', /^\/away\.php$/, ['to']],
  ['getpocket.com', /^\/redirect$/, ['url']],
  ['duckduckgo.com', /^\/l\/?$/, ['uddg']],
  ['www.youtube.com', /^\/redirect$/, ['q']],
  ['disq.us', /^\/url$/, ['url']],
  ['exit.sc', /^\/$/, ['url']],
  ['.safelinks.protection.outlook.com', /^\/$/, ['url']],
];

function carriedTarget(url: URL): URL | null {
  const host = withoutEndDots(url.hostname);
  for (const [name, path, parameters] of redirectors) {
    if (!(name.startsWith('.') ? host.endsWith(name) : host === name) || !path.test(url.pathname)) continue;
    for (const parameter of parameters) {
      const target = webUrl(url.searchParams.get(parameter) ?? '');
      // Disqus appends its own suffix to the address.
      if (target !== null) return host === 'disq.us' ? webUrl(target.href.replace(/:[\w-]{10,}$/, '')) : target;
    }
  }
  if (host === 'href.li') return webUrl(url.search.slice(1));
  return null;
}

function webUrl(text: string): URL | null {
  if (!/^https?:\/\//i.test(text)) return null;
  return URL.parse(text);
}

/** Google's AMP copies have the page's address in their path: `/amp/s/host/path`, `/c/s/host/path`; `s` means https. */
function unpackedAmp(url: URL): URL | null {
  const host = withoutEndDots(url.hostname);
  const pattern = /^www\.google\.[a-z.]{2,6}$/.test(host)
    ? /^\/amp\/(s\/)?([^/][^/.]*\.[^/].*)$/
    : host.endsWith('.cdn.ampproject.org')
      ? /^\/[cv]\/(s\/)?([^/][^/.]*\.[^/].*)$/
      : null;
  const [, secure, rest] = pattern?.exec(url.pathname) ?? [];
  if (rest === undefined) return null;
  return URL.parse(`${secure === undefined ? 'http' : 'https'}://${rest}${url.search}`);
}

/** The same page at its usual address. Only for sites that are known to have it there. */
function homeAddress(url: URL): URL {
  const host = withoutEndDots(url.hostname);
  return paper(host, url) ?? thread(host, url) ?? moved(host, url) ?? url;
}

const hosts: Readonly<Record<string, string>> = {
  'twitter.com': 'x.com',
  'www.twitter.com': 'x.com',
  'mobile.twitter.com': 'x.com',
  'm.twitter.com': 'x.com',
  'www.x.com': 'x.com',
  'mobile.x.com': 'x.com',
  'm.facebook.com': 'www.facebook.com',
  'mbasic.facebook.com': 'www.facebook.com',
  'mobile.nytimes.com': 'www.nytimes.com',
  'm.imdb.com': 'www.imdb.com',
  'reddit.com': 'www.reddit.com',
  'old.reddit.com': 'www.reddit.com',
  'new.reddit.com': 'www.reddit.com',
  'np.reddit.com': 'www.reddit.com',
  'i.reddit.com': 'www.reddit.com',
  'm.reddit.com': 'www.reddit.com',
};

const wikis = /^([a-z-]+)\.m\.(wikipedia|wiktionary|wikiquote|wikibooks|wikisource|wikinews|wikivoyage)\.org$/;

function moved(host: string, url: URL): URL | null {
  const name = hosts[host] ?? (wikis.test(host) ? host.replace(wikis, '$1.$2.org') : null);
  return name === null ? null : URL.parse(`https://${name}${url.pathname}${url.search}${url.hash}`);
}

function thread(host: string, url: URL): URL | null {
  const name = hosts[host] ?? host;
  if (name === 'x.com') {
    const [, user, id] = /^\/(\w{1,20}|i\/web)\/status\/(\d{1,25})(?:\/|$)/.exec(url.pathname) ?? [];
    return id === undefined ? null : new URL(`https://x.com/${user}/status/${id}`);
  }
  if (name === 'www.reddit.com') {
    const [, id] = /^(?:\/r\/\w{1,30})?\/comments\/([a-z0-9]{1,12})(?:\/[^/]*)?\/?$/i.exec(url.pathname) ?? [];
    return id === undefined ? null : new URL(`https://www.reddit.com/comments/${id.toLowerCase()}/`);
  }
  return null;
}

const arxivHosts = new Set(['arxiv.org', 'www.arxiv.org', 'export.arxiv.org', 'ar5iv.org', 'ar5iv.labs.arxiv.org']);
const arxivId = String.raw`(\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[A-Z]{2})?\/\d{7})(?:v\d{1,3})?`;
const arxivPath = new RegExp(String.raw`^\/(?:abs|pdf|html|ps|format)\/${arxivId}(?:\.pdf)?\/?$`);
const arxivDoi = new RegExp(String.raw`^\/10\.48550\/arxiv\.${arxivId}$`, 'i');

/** The address of a paper: on arXiv its abstract page, for all versions and formats; elsewhere its lower-case DOI. */
function paper(host: string, url: URL): URL | null {
  if (arxivHosts.has(host)) {
    const id = arxivPath.exec(url.pathname)?.[1];
    return id === undefined ? null : new URL(`https://arxiv.org/abs/${id}`);
  }
  if (host !== 'doi.org' && host !== 'dx.doi.org' && host !== 'www.doi.org') return null;
  const id = arxivDoi.exec(url.pathname)?.[1];
  if (id !== undefined) return new URL(`https://arxiv.org/abs/${id}`);
  return /^\/10\.\d{4,9}\//.test(url.pathname) ? new URL(`https://doi.org${url.pathname.toLowerCase()}`) : null;
}

const ampEndings = ['/amp', '/amp/', '.amp'];

/** The path of the original page of an AMP copy on the same site. */
export function withoutAmpEnding(path: string): string {
  const ending = ampEndings.find((one) => path.endsWith(one));
  if (ending === undefined) return path;
  const page = path.slice(0, -ending.length);
  return isSlug(page.slice(page.lastIndexOf('/') + 1)) ? page : path;
}

/** A slug of at least three words, or a number: the end of an article's address, but not of a section's. */
function isSlug(segment: string): boolean {
  return segment.split('-', 3).length === 3 || /\d{5}/.test(segment);
}
