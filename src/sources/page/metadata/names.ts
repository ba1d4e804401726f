import { decodeEntities } from '../../../domain/text/entities.ts';
import type { PageFacts } from '../html/html-scan.ts';

/** Hosts whose subdomains are named by their owners. */
const sharedHosts = new Set(
  (
    'github.io gitlab.io blogspot.com wordpress.com tumblr.com substack.com netlify.app vercel.app pages.dev web.app ' +
    'herokuapp.com firebaseapp.com weebly.com wixsite.com livejournal.com typepad.com readthedocs.io myshopify.com ' +
    'notion.site bearblog.dev neocities.org gitbook.io azurewebsites.net hatenablog.com'
  ).split(' '),
);

export function isOnSharedHost(host: string): boolean {
  return sharedHosts.has(host.split('.').slice(-2).join('.'));
}

/**
 * The last two labels of a host, or three below a short second-level domain (`co.uk`) or a shared host. Enough to find the
 * name of a site, and not to tell whose a page is.
 */
export function registrable(host: string): string {
  if (/^[\d.]+$|^\[/.test(host)) return host;
  const labels = host.split('.');
  const short = labels.length > 2 && (isOnSharedHost(host) || (labels.at(-2) ?? '').length <= 3);
  return labels.slice(short ? -3 : -2).join('.');
}

/** The first content of a `meta` of this name, property or itemprop. */
export function meta(facts: PageFacts, name: string): string | null {
  return facts.metas.get(name)?.[0] ?? null;
}

export function sameName(one: string, other: string): boolean {
  return bareName(one) === bareName(other);
}

export function bareName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Markup tags in text that should be plain. Other tags are kept: a title may mention them. */
const inlineTag =
  /<\/?(?:a|abbr|b|big|br|cite|code|div|em|font|h[1-6]|i|img|mark|p|q|s|small|span|strong|sub|sup|u|wbr)\b[^<>]*>/gi;

/** Longer text is not a name or title. It is cut before matching, so that no page can make matching slow. */
const maxNameLength = 2_000;

/** No tags, no double-encoded entities, single spaces. Null if nothing is left. */
export function tidy(text: string | null): string | null {
  if (text === null) return null;
  const bare = decodeEntities(text.slice(0, maxNameLength).replaceAll(inlineTag, ''))
    .replaceAll(/[\u200b\u00ad]/g, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replace(/ ?¶$/, '');
  return bare === '' ? null : bare;
}
