import { createHash } from 'node:crypto';
import { canonicalUrl, parseSavableUrl } from '../../domain/links/url.ts';
import {
  type FeedEntry,
  type FeedHints,
  type FeedPage,
  type FeedQuestion,
  type FeedReading,
  type FoundFeed,
  maxFeedEntries,
} from '../../domain/records/sources/feed.ts';
import { maxEntryKey } from '../../domain/records/limits.ts';
import { cleanLine } from '../../domain/text/clean-text.ts';
import { shortened } from '../../domain/text/shortened.ts';
import { isWanted, maxSearched } from '../../domain/text/words/wanted-words.ts';
import type { DecodedResource } from '../decoding/sniff.ts';
import { parseJson } from '../../domain/json/bounded-json.ts';
import { readTokens } from '../page/html/html-tokens.ts';
import { tidy } from '../page/metadata/names.ts';
import { parsePublished } from '../page/metadata/published-date.ts';
import {
  authorOf,
  emptyEntry,
  type FeedEntry as RawEntry,
  parseFeed,
  type ParsedFeed,
  plainMarkdown,
  textMarkdown,
} from './read-feed.ts';

const maxTitle = 300;
const maxName = 200;
/** Characters of an entry's own text, and of all texts that are asked for together. */
const [maxText, maxTexts] = [100_000, 4_000_000];
/** Characters of a text that no other entry of a feed has by chance. */
const tellingLength = 200;
/** A link shared by this many entries is their site's. */
const maxSharing = 3;
/** Characters before the first element, such as a warning of the program that makes the feed. */
const maxBefore = 5_000;

/** Reads the entries of a feed for the program that follows it; of a page, the feeds that it names. */
export function readFeedPage(resource: DecodedResource, question: FeedQuestion): FeedPage {
  const { text, mediaType } = resource;
  // The query of a private feed may be its secret, and must be in no address that is relative to it.
  const finalUrl = resource.finalUrl.split(/[?#]/, 1)[0] ?? '';
  const parsed = text === null ? null : (jsonFeed(text) ?? xmlFeed(text, { ...resource, finalUrl }));
  if (parsed !== null) return { feed: readingOf(parsed, finalUrl, question) };
  return { feed: null, named: mediaType.includes('html') ? namedFeeds(text ?? '', finalUrl) : [] };
}

function xmlFeed(text: string, { mediaType, declaredType, finalUrl }: DecodedResource): ParsedFeed | null {
  const isDeclared = /[/+](?:xml|rss|atom)/i.test(declaredType ?? '');
  if (!/(?:rss|atom)\+xml$/.test(mediaType) && (!isDeclared || /html/i.test(declaredType ?? ''))) return null;
  const at = text.slice(0, maxBefore).search(/<(?:rss|feed|rdf:rdf)[\s>]/i);
  return at === -1 && !/(?:rss|atom)\+xml$/.test(mediaType)
    ? null
    : parseFeed(at > 0 ? text.slice(at) : text, finalUrl, maxFeedEntries);
}

/** JSON Feed 1 (jsonfeed.org/version/1.1). */
function jsonFeed(text: string): ParsedFeed | null {
  if (!/^\s*\{/.test(text)) return null;
  const feed = recordOf(parseJson(text.replace(/^\ufeff/, '')));
  if (!Array.isArray(feed['items']) || !textIn(feed, 'version').includes('jsonfeed.org')) return null;
  const items: unknown[] = feed['items'];
  const entries = items.slice(0, maxFeedEntries).map((item) => jsonEntry(recordOf(item)));
  const channel = { ...emptyEntry(), title: textIn(feed, 'title'), link: textIn(feed, 'home_page_url') };
  return { channel, rhythm: {}, entries, count: items.length, cut: 0, isWhole: true };
}

function jsonEntry(item: Record<string, unknown>): RawEntry {
  const [author] = [item['authors'], item['author']].flat().map((one) => textIn(recordOf(one), 'name'));
  const [attachment] = [item['attachments']].flat();
  const html = textIn(item, 'content_html');
  return {
    ...emptyEntry(),
    id: textIn(item, 'id'),
    title: plainMarkup(textIn(item, 'title')),
    link: textIn(item, 'url') || textIn(item, 'external_url'),
    enclosure: textIn(recordOf(attachment), 'url'),
    author: author ?? '',
    published: textIn(item, 'date_published'),
    updated: textIn(item, 'date_modified'),
    text: { value: html || textIn(item, 'content_text') || textIn(item, 'summary'), isHtml: html !== '', base: '' },
  };
}

const plainMarkup = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function textIn(record: Record<string, unknown>, name: string): string {
  const value = record[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function readingOf({ channel, entries, rhythm }: ParsedFeed, url: string, question: FeedQuestion): FeedReading {
  const texts = new Set(question.texts);
  const links = entries.map((entry) => linkOf(entry, url));
  const uses = new Map<string, number>();
  for (const link of links) if (link !== null) uses.set(link.canonicalUrl, (uses.get(link.canonicalUrl) ?? 0) + 1);
  const site = canonicalUrl(URL.parse(channel.link, url)?.href ?? url);
  const byKey = new Map<string, FeedEntry>();
  for (const [at, entry] of entries.entries()) {
    const given = links[at] ?? null;
    // Podcasts without pages link all episodes to their site.
    const isOwn = given !== null && given.canonicalUrl !== site && (uses.get(given.canonicalUrl) ?? 0) < maxSharing;
    const link = isOwn ? given : null;
    const hash = sha256(`${entry.title}\n${entry.text.value}`);
    const key = keyOf(entry.id.trim() || (link?.canonicalUrl ?? hash));
    if (byKey.has(key)) continue;
    const made = readEntry(entry, key, link, hash);
    made.isWanted = isWanted(`${made.known.title}\n${plainText(entry, maxSearched)}`, question);
    if (texts.has(key)) made.text = ownText(entry, made.known.title, url, Math.min(maxText, maxTexts / texts.size));
    byKey.set(key, made);
  }
  return { title: shortName(tidy(channel.title), maxName), entries: [...byKey.values()], hints: hintsOf(rhythm) };
}

function readEntry(entry: RawEntry, key: string, link: FeedEntry['link'], hash: string): FeedEntry {
  const publishedAt = timeOf(entry.published) ?? timeOf(entry.updated);
  const author = shortName(authorOf(entry), maxName);
  return {
    key,
    link,
    known: {
      title:
        shortName(tidy(entry.title), maxTitle) ?? titleOf(entry) ?? link?.url.slice(0, maxTitle) ?? 'Without a title',
      ...(author !== null && { author }),
      ...(publishedAt !== null && { publishedAt: new Date(publishedAt).toISOString() }),
    },
    publishedAt,
    fingerprint: hash.slice(0, 32),
    isTelling: entry.text.value.length >= tellingLength,
    isWanted: true,
  };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const keyOf = (name: string): string => (name.length > maxEntryKey || /[^\x20-\x7e]/.test(name) ? sha256(name) : name);

function linkOf({ link, id, isIdAddress }: RawEntry, feedUrl: string): FeedEntry['link'] {
  const written = link || (isIdAddress && /^https?:/i.test(id) ? id : '');
  if (written === '') return null;
  try {
    const url = parseSavableUrl(URL.parse(written.trim(), feedUrl)?.href ?? '').href;
    return { url, canonicalUrl: canonicalUrl(url) };
  } catch {
    return null;
  }
}

function timeOf(written: string): number | null {
  const text = written.trim().slice(0, 100);
  const time = /\d{4}/.test(text) ? Date.parse(text) : Number.NaN;
  const date = Number.isNaN(time) ? parsePublished(text) : null;
  const found = date === null ? time : Date.parse(date);
  return found > earliest && found < latest ? found : null;
}

const earliest = Date.UTC(1990);
const latest = Date.UTC(2100);

function shortName(name: string | null, length: number): string | null {
  const line = cleanLine((name ?? '').slice(0, length * 4));
  return line === '' ? null : shortened(line, length);
}

function titleOf(entry: RawEntry): string | null {
  return shortName(plainText(entry, 500), 80);
}

function plainText({ text }: RawEntry, length: number): string {
  if (!text.isHtml) return text.value.slice(0, length);
  let plain = '';
  readTokens(text.value.slice(0, length * 5), {
    open: () => void (plain += ' '),
    close: () => void (plain += ' '),
    text: (more) => void (plain += more),
  });
  return plain.slice(0, length);
}

function ownText(entry: RawEntry, title: string, url: string, length: number): string {
  const { value } = entry.text;
  const markdown = textMarkdown({ ...entry, text: { ...entry.text, value: value.slice(0, length) } }, url);
  const file = entry.enclosure === '' ? null : URL.parse(entry.enclosure, url);
  const recording = file !== null && /^https?:$/.test(file.protocol) ? `<${file.href}>` : '';
  return [`# ${plainMarkdown(title)}`, markdown.trim(), recording].filter((part) => part !== '').join('\n\n');
}

const minutesOf: Readonly<Record<string, number>> = {
  hourly: 60,
  daily: 1_440,
  weekly: 10_080,
  monthly: 43_200,
  yearly: 525_600,
};
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

function hintsOf(rhythm: ParsedFeed['rhythm']): FeedHints {
  const number = (name: string): number => Math.max(0, Number.parseInt(rhythm[name]?.[0] ?? '', 10) || 0);
  const period = minutesOf[rhythm['updateperiod']?.[0]?.toLowerCase() ?? ''] ?? 0;
  const hours = (rhythm['hour'] ?? []).map((hour) => Number.parseInt(hour, 10) % 24).filter((hour) => hour >= 0);
  return {
    minMinutes: Math.max(number('ttl'), period / Math.max(1, number('updatefrequency'))),
    skipHours: [...new Set(hours)],
    skipDays: (rhythm['day'] ?? []).map((day) => days.indexOf(day.slice(0, 3).toLowerCase())).filter((day) => day >= 0),
  };
}

const feedTypes = new Set(['application/rss+xml', 'application/atom+xml', 'application/feed+json']);
const maxNamed = 20;

/** The feeds that a page names, comments last. */
function namedFeeds(html: string, url: string): FoundFeed[] {
  const found: FoundFeed[] = [];
  let base = url;
  let title = '';
  let isTitle = false;
  readTokens(html, {
    open(name, attributes) {
      isTitle = name === 'title' && title === '';
      if (name === 'base') base = URL.parse(attributes['href'] ?? '', url)?.href ?? base;
      const { rel = '', type = '', href = '' } = attributes;
      if (name !== 'link' || href === '' || !rel.slice(0, 200).toLowerCase().split(/\s+/).includes('alternate')) return;
      const kind = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
      if (!feedTypes.has(kind)) return;
      const address = URL.parse(href.trim(), base);
      if (address === null || !/^https?:$/.test(address.protocol) || address.href.length > 2_000) return;
      if (address.username !== '' || address.password !== '') return;
      if (found.length < maxNamed) found.push({ address: address.href, title: attributes['title'] ?? '' });
    },
    close: () => void (isTitle = false),
    text: (more) => void (title += isTitle && title.length < 1_000 ? more.slice(0, 1_000) : ''),
  });
  const isOfComments = (feed: FoundFeed): boolean => /comment/i.test(`${feed.title ?? ''} ${feed.address}`);
  const byAddress = new Map(found.map((feed) => [feed.address, feed]));
  return [...byAddress.values()]
    .map((feed) => ({ address: feed.address, title: shortName(feed.title, maxName) ?? shortName(title, maxName) }))
    .toSorted((a, b) => Number(isOfComments(a)) - Number(isOfComments(b)));
}
