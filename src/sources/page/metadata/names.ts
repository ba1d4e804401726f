import { decodeEntities } from '../../../domain/text/entities.ts';
import type { PageFacts } from '../html/html-scan.ts';

/** Hosts under which each name is somebody else's. */
const sharedHosts = new Set(
  (
    'github.io gitlab.io blogspot.com wordpress.com tumblr.com substack.com netlify.app vercel.app pages.dev web.app ' +
    'herokuapp.com firebaseapp.com weebly.com wixsite.com livejournal.com typepad.com readthedocs.io myshopify.com ' +
    'notion.site bearblog.dev neocities.org gitbook.io azurewebsites.net hatenablog.com'
  ).split(' '),
);

/** The last two labels of a host, or three under a short second level (`co.uk`) or a shared host: enough to tell sites apart here. */
export function registrable(host: string): string {
  if (/^[\d.]+$|^\[/.test(host)) return host;
  const labels = host.split('.');
  const shared = sharedHosts.has(labels.slice(-2).join('.'));
  const short = labels.length > 2 && (shared || (labels.at(-2) ?? '').length <= 3);
  return labels.slice(short ? -3 : -2).join('.');
}

/** The first content of a `meta` of this name, property or itemprop. */
export function meta(facts: PageFacts, name: string): string | null {
  return facts.metas.get(name)?.[0] ?? null;
}

export function sameName(one: string, other: string): boolean {
  return bareName(one) === bareName(other);
}

/** Letters and digits alone. */
export function bareName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Tags in what should be text; a title may name other tags. */
const inlineTag =
  /<\/?(?:a|abbr|b|big|br|cite|code|div|em|font|h[1-6]|i|img|mark|p|q|s|small|span|strong|sub|sup|u|wbr)\b[^<>]*>/gi;

/** Longer names and titles are none; what is looked at of them is cut here, so that no page can make it slow. */
const maxNameLength = 2_000;

/** Text as a person would write it: no tags, no twice encoded entities, single spaces; null when nothing is left. */
export function tidy(text: string | null): string | null {
  const bare = text
    ?.slice(0, maxNameLength)
    .replaceAll(inlineTag, '')
    .replaceAll(/&[^;&\s]{1,32};/g, decodeEntities)
    .replaceAll(/[\u200b\u00ad]/g, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replace(/ ?¶$/, '');
  return bare === undefined || bare === '' ? null : bare;
}
