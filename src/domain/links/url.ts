import { invalidInput } from '../../errors.ts';
import type { Locator } from '../records/texts/locator.ts';
import { spellPercent, withoutAmpEnding, withoutDetours } from './url-detours.ts';
import { withoutEndDots, youtubeVideoId } from './youtube-url.ts';

/** Maximum characters of a percent-encoded address: sitemaps allow as much, and every browser and server accepts it. */
export const maxUrlLength = 2_048;

const trackingNames = new Set(
  (
    'fbclid gclid gclsrc dclid gbraid wbraid msclkid twclid ttclid yclid li_fat_id igshid igsh epik ' +
    'mc_cid mc_eid _hsenc _hsmi __hstc __hssc __hsfp hsctatracking mkt_tok vero_id vero_conv oly_anon_id oly_enc_id ' +
    'wickedid ml_subscriber ml_subscriber_hash rb_clickid s_cid _openstat ref_src ref_url _ga _gl spm scm ' +
    'guccounter guce_referrer guce_referrer_sig cmpid ncid sr_share fb_action_ids fb_action_types fb_source fb_ref ' +
    'srsltid gad_source gad_campaignid mc_tc mibextid sfnsn xtor ocid _branch_match_id _branch_referrer ' +
    '__twitter_impression ck_subscriber_id _bhlid'
  ).split(' '),
);
const trackingPrefixes = ['utm_', 'pk_', 'mtm_', 'matomo_', 'piwik_', 'hsa_', 'at_campaign', 'at_medium'];
const indexPage = /\/(?:index\.(?:html?|xhtml|php)|default\.(?:aspx?|html?))$/i;

/**
 * One canonical spelling for all addresses of the same page: two saves with the same result are the same item.
 * Pure and idempotent. Removes the fragment (except the route of a script-driven page, `#!` or `#/`), tracking
 * parameters, an index page, default ports and the host's trailing dots. Normalizes percent-encoding. Maps every form
 * of a YouTube address to its watch page; redirectors, AMP copies and mobile hosts to their targets; and papers to one
 * address. Keeps `www.`, the scheme and the order of parameters, because some servers distinguish them. Input that is
 * not an absolute address is returned trimmed.
 */
export function canonicalUrl(input: string): string {
  const given = URL.parse(input.trim());
  if (given === null) return input.trim();
  if (given.protocol !== 'http:' && given.protocol !== 'https:') return withoutFragment(given.href);
  const url = withoutDetours(given);
  const video = youtubeVideoId(url);
  if (video !== null) return `https://www.youtube.com/watch?v=${video}`;

  const bareHost = withoutEndDots(url.hostname);
  // Parse again: without its trailing dots the host may be a number, which the parser turns into an IPv4 address.
  const host = URL.parse(`http://${bareHost}/`)?.hostname ?? bareHost;
  const credentials = url.username === '' ? '' : `${url.username}${url.password === '' ? '' : `:${url.password}`}@`;
  const port = url.port === '' ? '' : `:${url.port}`;
  let path = withoutAmpEnding(spellPercent(url.pathname));
  const query = keptParameters(spellPercent(url.search.slice(1)));
  if (query === '') path = path.replace(indexPage, '/');
  return `${url.protocol}//${credentials}${host}${port}${path}${query === '' ? '' : `?${query}`}${keptFragment(url.hash)}`;
}

function withoutFragment(href: string): string {
  const hash = href.indexOf('#');
  return hash === -1 ? href : href.slice(0, hash);
}

function keptParameters(query: string): string {
  return query
    .split('&')
    .filter((parameter) => {
      const name = (parameter.split('=', 1)[0] ?? '').toLowerCase();
      return (
        parameter !== '' &&
        !/^(?:amp(?:=1?)?|outputtype=amp)$/i.test(parameter) &&
        !trackingNames.has(name) &&
        !trackingPrefixes.some((prefix) => name.startsWith(prefix))
      );
    })
    .join('&');
}

function keptFragment(hash: string): string {
  const route = hash.replace(/:~:.*$/s, '');
  return /^#(?:!|\/.)/.test(route) ? route : '';
}

/**
 * Parses the address that a person wants to save.
 * @throws {AppError} `invalid_input`, with advice on what to do, unless the input is an absolute http or https address
 * without user name and password, at most {@link maxUrlLength} characters long when it is percent-encoded.
 */
export function parseSavableUrl(input: string): URL {
  const text = input.trim();
  const refuse = (problem: string): never => {
    throw invalidInput(`url ${problem}`, { fields: [{ path: 'url', message: problem }] });
  };
  if (text === '') return refuse('is empty: give the full address of a page, such as https://example.com/page');
  const tooLong = `is longer than ${maxUrlLength} characters: save a shorter address of the same page`;
  if (text.length > maxUrlLength) return refuse(tooLong);
  const url = URL.parse(text);
  if (url === null || /^[\w-]+(?:\.[\w-]+)*:\d{1,5}(?:[/?#]|$)/.test(text)) {
    return /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*(?::\d{1,5})?(?:[/?#]|$)/u.test(text)
      ? refuse('has no scheme: put https:// in front of it')
      : refuse('is not a web address: give the full address of a page, such as https://example.com/page');
  }
  if (url.protocol === 'file:') {
    return refuse('is a file on this computer: only the command line can save files (commonplace save <file>)');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return refuse('must begin with https:// or http://: other kinds of addresses cannot be saved');
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('holds a user name or password: remove the part before the @, it would be stored and shown');
  }
  // The encoded address is stored and fetched: a letter outside ASCII becomes six characters or more.
  if (url.href.length > maxUrlLength) return refuse(tooLong);
  return url;
}

/**
 * The address that opens a source at a locator: `t=` for whole seconds of a video, `#page=` for a page, a text fragment
 * (`#:~:text=`) for text. `directive` is the value of the text fragment, null without one.
 * An address that is not http or https is returned unchanged.
 */
export function deepLink(url: string, locator: Locator, directive: string | null): string {
  const parsed = URL.parse(url);
  if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return url;
  const hash = url.indexOf('#');
  const base = hash === -1 ? url : url.slice(0, hash);
  const fragment = hash === -1 ? '' : url.slice(hash + 1).replace(/:~:.*$/s, '');

  if (locator.kind === 'page') return `${base}#page=${locator.page}`;
  if (locator.kind === 'time') {
    const seconds = Math.floor(locator.seconds);
    const video = youtubeVideoId(parsed);
    if (video === null) return `${base}#t=${seconds}`;
    // Shorts, embedded players and redirects ignore `t=`: use the watch page.
    if (!/^\/watch\/?$|^\/[\w-]{11}$/.test(parsed.pathname))
      return `https://www.youtube.com/watch?v=${video}&t=${seconds}`;
    const [path = '', query = ''] = splitOnce(base, '?');
    const kept = query
      .split('&')
      .filter((parameter) => parameter !== '' && !/^(?:t|start|time_continue)=/.test(parameter));
    return `${path}?${[...kept, `t=${seconds}`].join('&')}`;
  }
  if (directive === null) return url;
  return `${base}#${fragment}:~:text=${directive}`;
}

/** A link that `deepLink` made, without what it adds for the place. */
export function pageAddress(link: string, locator: Locator | null): string {
  return locator === null ? link : link.slice(0, link.length - placeLength(link, locator));
}

/** The part that `deepLink` adds to an address for a locator; null when it adds nothing. */
export function completionOf(link: string, locator: Locator): string | null {
  const length = placeLength(link, locator);
  return length === 0 ? null : link.slice(link.length - length);
}

function placeLength(link: string, locator: Locator): number {
  if (locator.kind === 'text') {
    const at = link.indexOf(':~:');
    if (at === -1) return 0;
    return link.length - (link[at - 1] === '#' ? at - 1 : at);
  }
  const ends =
    locator.kind === 'page'
      ? [`#page=${locator.page}`]
      : ['#', '&', '?'].map((before) => `${before}t=${Math.floor(locator.seconds)}`);
  return ends.find((end) => link.endsWith(end))?.length ?? 0;
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** The id of the thread that an address on Reddit leads to; null for every other address. */
export function redditThreadId(url: URL): string | null {
  const canonical = URL.parse(canonicalUrl(url.href));
  if (canonical?.hostname !== 'www.reddit.com') return null;
  return /\/comments\/([a-z0-9]{1,12})(?:[/.]|$)/.exec(canonical.pathname)?.[1] ?? null;
}

/** Whether an address leads to a single post on X. */
export function isPostOnX(url: URL): boolean {
  return /^https:\/\/x\.com\/(?:\w+|i\/web)\/status\/\d+$/.test(canonicalUrl(url.href));
}

/** The key for counting requests per host: with a non-default port, without trailing dots. Null without a host. */
export function hostOf(address: string | URL): string | null {
  const url = address instanceof URL ? address : URL.parse(address);
  if (url === null || url.hostname === '') return null;
  const port = url.port === '' ? '' : `:${url.port}`;
  return withoutEndDots(url.hostname) + port;
}
