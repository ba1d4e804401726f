import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxEntryKey } from '../../src/domain/records/limits.ts';
import { type FeedPage, type FeedReading, maxFeedEntries } from '../../src/domain/records/sources/feed.ts';
import { readFeedPage } from '../../src/sources/feed/feed-entries.ts';
import { growthOf, maxGrowth } from '../support/texts/growth.ts';

const url = 'https://lamp.example/feed?key=secret';
const everything = { only: [], without: [], texts: [] };

function page(text: string, mediaType: string, question = {}): FeedPage {
  const resource = {
    url,
    finalUrl: url,
    bytes: new Uint8Array(),
    declaredType: mediaType,
    declaredLanguage: null,
    fetchedAt: '',
  };
  return readFeedPage({ ...resource, mediaType, charset: 'utf-8', text }, { ...everything, ...question });
}

function feed(text: string, mediaType: string, question = {}): FeedReading {
  const found = page(text, mediaType, question);
  if (found.feed === null) throw new Error('no feed was found');
  return found.feed;
}

const rss = (inside: string): string => `<rss version="2.0"><channel><title>Lamps</title>${inside}</channel></rss>`;
const readRss = (inside: string, question = {}): FeedReading => feed(rss(inside), 'application/rss+xml', question);
const json = (feed: object): string => JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', ...feed });
const readJson = (items: unknown[], question = {}): FeedReading =>
  feed(json({ title: 'Lamps', items }), 'application/feed+json', question);
const keysOf = ({ entries }: FeedReading): string[] => entries.map(({ key }) => key);
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

describe('An entry of a followed feed', () => {
  it('is known by its id, else by its address, else by its text, each once', () => {
    const entries = [
      '<item><guid>a-1</guid><link>/one</link></item>',
      '<item><link>/two?utm_source=x</link></item>',
      '<item><description>Only words.</description></item>',
      '<item><guid>a-1</guid><link>/again</link></item>',
    ];
    const [id, address, hash, ...others] = keysOf(readRss(entries.join('')));
    expect([id, address, others]).toEqual(['a-1', 'https://lamp.example/two', []]);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('has no page of its own when it shares its address with others, or links its site', () => {
    const item = (n: number, link: string): string => `<item><guid>${n}</guid><link>${link}</link></item>`;
    const shared = [1, 2, 3].map((n) => item(n, '/episodes')).join('');
    const { entries } = readRss(
      `<link>https://lamp.example/</link>${shared}${item(4, '/')}${item(5, '/own')}${item(6, 'javascript:x')}`,
    );
    expect(entries.map(({ link }) => link?.url ?? null)).toEqual([
      null,
      null,
      null,
      null,
      'https://lamp.example/own',
      null,
    ]);
  });

  it('of a JSON feed is read like one of XML', () => {
    const { title, entries } = readJson(
      [
        {
          id: 7,
          url: 'https://lamp.example/7?ref=feed',
          title: 'Oil & <wick>',
          content_html: '<p>Trim the wick.</p>',
          date_published: '2026-03-01T10:00:00Z',
          authors: [{ name: 'Ada Marsh' }],
        },
        { id: 'sound', content_text: 'An hour.', attachments: [{ url: 'https://lamp.example/a.mp3' }] },
        'no entry',
      ],
      { texts: ['7', 'sound'] },
    );
    expect(title).toBe('Lamps');
    expect(entries.slice(0, 2)).toMatchObject([
      {
        key: '7',
        known: { title: 'Oil & <wick>', author: 'Ada Marsh', publishedAt: '2026-03-01T10:00:00.000Z' },
        text: expect.stringContaining('Trim the wick.') as string,
      },
      { key: 'sound', link: null, text: expect.stringContaining('<https://lamp.example/a.mp3>') as string },
    ]);
    expect(entries[2]?.known.title).toBe('Without a title');
  });

  it('has the first words of its text as its title when it has none, and no date that nobody can have meant', () => {
    const { entries } = readRss(
      '<item><guid>a</guid><description>&lt;p&gt;A short &lt;b&gt;message&lt;/b&gt;&lt;/p&gt;</description><pubDate>Thu, 01 Jan 1970 00:00:00 GMT</pubDate></item>',
    );
    expect(entries[0]?.known).toEqual({ title: 'A short message' });
    expect(entries[0]?.publishedAt).toBeNull();
  });

  it('of 1,001 is left out, and a long or foreign id becomes a hash', () => {
    const ids = Array.from({ length: maxFeedEntries + 1 }, (_, n) => ({ id: n === 0 ? 'é' : 'x'.repeat(900) + n }));
    const keys = keysOf(readJson(ids));
    expect(keys).toHaveLength(maxFeedEntries);
    expect(keys.filter((key) => !/^[0-9a-f]{64}$/.test(key))).toEqual([]);
  });

  it.each([
    ['lamp', 'A lamp, lit', true],
    ['lamp', 'Lamps', false],
    ['LÁMP', 'a lamp', true],
    ['street lamp', 'The street\n lamp', true],
    ['c++', 'C++ and lamps', true],
    ['灯', '街灯と道', true],
    ['', 'anything', false],
  ])('is wanted for "%s" when its title is "%s": %s', (word, title, isWanted) => {
    const item = `<item><guid>a</guid><title>${escaped(title)}</title></item>`;
    const [only, without] = [readRss(item, { only: [word] }), readRss(item, { without: [word] })];
    expect([only.entries[0]?.isWanted, without.entries[0]?.isWanted]).toEqual([isWanted, !isWanted]);
  });

  it('keeps the limits of its fields, whatever a feed says', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 1_000 });
    const item = fc.record(
      { id: text, url: text, title: text, content_html: text, content_text: text, date_published: text },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(item, { maxLength: 5 }), (items) => {
        const { entries } = readJson(items);
        expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
        for (const { key, known, link, publishedAt, fingerprint } of entries) {
          expect(key).toMatch(new RegExp(`^[\\x20-\\x7e]{1,${maxEntryKey}}$`));
          expect(known.title).not.toBe('');
          expect(known.title.length).toBeLessThanOrEqual(300);
          expect(fingerprint).toMatch(/^[0-9a-f]{32}$/);
          expect(link?.url ?? 'http:').toMatch(/^https?:/);
          expect(publishedAt ?? Infinity).toBeGreaterThan(Date.UTC(1989));
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('A followed feed', () => {
  it('says how often it is worth asking for', () => {
    const { hints } = readRss(
      '<ttl>30</ttl><sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency><skipHours><hour>3</hour><hour>24</hour><hour>x</hour></skipHours><skipDays><day>Sunday</day><day>Never</day></skipDays><item><guid>a</guid></item>',
    );
    expect(hints).toEqual({ minMinutes: 360, skipHours: [3, 0], skipDays: [0] });
  });

  it('begins behind the warning of the program that makes it', () => {
    const warned = `<b>Warning</b>: old version\n${rss('<item><guid>a</guid></item>')}`;
    expect(keysOf(feed(warned, 'application/rss+xml'))).toEqual(['a']);
  });

  it('is named by its page, that of comments last, and never with a password', () => {
    const link = (type: string, href: string): string => `<link rel="alternate" type="${type}" href="${href}">`;
    const head = [
      link('application/rss+xml', '/comments/feed'),
      link('application/feed+json; charset=utf-8', 'feed.json'),
      link('application/rss+xml', 'https://ada:secret@lamp.example/feed'),
      link('application/rss+xml', 'file:///etc/passwd'),
      link('text/html', '/de'),
    ].join('');
    expect(page(`<html><head><title>Lamps</title>${head}</head><body>Hi</body></html>`, 'text/html')).toEqual({
      feed: null,
      named: [
        { address: 'https://lamp.example/feed.json', title: 'Lamps' },
        { address: 'https://lamp.example/comments/feed', title: 'Lamps' },
      ],
    });
  });

  it.each([
    ['words that nearly match', (size: number) => `<item><description>${'lam '.repeat(size)}</description></item>`],
    ['elements that never end', (size: number) => '<item><title>'.repeat(size)],
    [
      'links on a page',
      (size: number) => '<link rel="alternate alternate" type="application/rss+xml" href="/a">'.repeat(size),
    ],
  ])('takes time in proportion to its length: %s', (_, inside) => {
    const textOf = (size: number): string => rss(inside(size));
    const question = { only: ['lamp lamp lamp'] };
    expect(growthOf(textOf, (text) => page(text, 'application/rss+xml', question), 2_000)).toBeLessThan(maxGrowth);
  });
});
