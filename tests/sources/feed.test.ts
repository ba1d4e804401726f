import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { layOutTranscript, type Document } from '../../src/domain/records/texts/document.ts';
import { alone, documentOf, openReaders, original } from '../support/texts/reading.ts';
import { maxEntryKey } from '../../src/domain/records/limits.ts';
import { type FeedPage, type FeedReading, maxFeedEntries } from '../../src/domain/records/sources/feed.ts';
import { readFeedPage } from '../../src/sources/feed/feed-entries.ts';
import { growthOf, maxGrowth } from '../support/texts/growth.ts';

const readers = openReaders();
afterAll(() => readers.close());

const url = 'https://lamp.example/feed.xml';
const read = async (xml: string): Promise<Document> =>
  documentOf(await readers.read(original(`<?xml version="1.0"?>${xml}`, { url }), alone()));
const textOf = (document: Document): string => layOutTranscript(document.blocks).text;
const rss = (items: string): string => `<rss version="2.0"><channel><title>Lamps</title>${items}</channel></rss>`;
const item = (description: string, title = 'A'): string =>
  `<item><title>${title}</title><link>https://lamp.example/1</link><description>${description}</description></item>`;
const cdata = (text: string): string => `<![CDATA[${text}]]>`;
const atom = (entries: string): string =>
  `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://lamp.example/base/"><title>Lamps</title>${entries}</feed>`;

describe('An entry of a feed', () => {
  it('keeps paragraphs and list items that are one link, pictures, and its own menus', async () => {
    const text = textOf(
      await read(
        rss(
          item(
            cdata(
              '<p>Read:</p><p><a href="https://a.example/">How a lens is ground</a></p><ul><li><a href="/oil">The price of oil</a></li></ul><nav><p>Part two</p></nav><img src="p.png" alt="In winter">',
            ),
          ),
        ),
      ),
    );
    expect(text).toBe(
      '## [A](https://lamp.example/1)\n\nRead:\n\n[How a lens is ground](https://a.example/)\n\n- [The price of oil](https://lamp.example/oil)\n\nPart two\n\n![In winter](https://lamp.example/p.png)',
    );
  });

  it('in plain text is shown as written and complete', async () => {
    const plain = (text: string): string =>
      `<entry><title>A</title><author><name>[Ada](https://b.example/)</name></author><summary type="text">${text}</summary></entry>`;
    const entries = ['[x](javascript:y)\n## Not a heading\n&amp;lt; https://a.example/b_c_d', '```\nopen', 'Last.'];
    const document = await read(atom(entries.map(plain).join('')));
    expect(document.blocks.map(({ kind }) => kind)).toEqual(
      [1, 2, 3].flatMap(() => ['heading', 'paragraph', 'paragraph']),
    );
    expect(textOf(document)).toContain(
      String.raw`\[Ada\](https://b.example/)

\[x\](javascript:y)
\## Not a heading
&lt; https://a.example/b_c_d

## A`,
    );
  });

  it.each([
    [
      'of a text without tags',
      item('Une f&amp;ecirc;te &amp;mdash; x', 'Oil &amp;amp; wick'),
      '## [Oil & wick](https://lamp.example/1)\n\nUne fête — x',
    ],
    [
      'of a text with tags',
      item(cdata('<p>Oil &amp;amp; wick</p>')),
      '## [A](https://lamp.example/1)\n\nOil &amp; wick',
    ],
  ])('has its entities decoded once: %s', async (_name, entry, text) => {
    expect(textOf(await read(rss(entry)))).toBe(text);
  });

  it('of Atom is separate from other feeds, with its base and a plain-text title unchanged', async () => {
    const entry = `<entry><source><title>Another</title><updated>2011-01-01T00:00:00Z</updated></source><title>A &lt;b&gt; letter</title><author><name>Ada</name><email>ada@lamp.example</email></author><link href="letter"/><updated>2024-02-03T00:00:00Z</updated><published>2023-12-24T00:00:00Z</published><content type="xhtml" xml:base="deep/"><div xmlns="http://www.w3.org/1999/xhtml"><p>With <a href="x?a=1&amp;b=2">a link</a> &amp;lt;<br/>and <img src="p.png" alt="a picture"/></p></div></content></entry>`;
    const document = await read(atom(entry));
    expect(document).toMatchObject({ title: 'Lamps', publishedAt: '2023-12-24T00:00:00.000Z' });
    expect(textOf(document)).toBe(
      '## [A \\<b> letter](https://lamp.example/base/letter)\n\nAda, 2023-12-24\n\nWith [a link](https://lamp.example/base/deep/x?a=1&b=2) &lt;  \nand ![a picture](https://lamp.example/base/deep/p.png)',
    );
  });

  it('is read in a feed with characters that XML does not allow', async () => {
    const document = await read(rss(item('A bad\u0003 sign, and\u0008 another.')));
    expect(textOf(document)).toContain('A bad  sign, and  another.');
  });
});

describe('A feed', () => {
  it('reports how many entries it has, and how many were read', async () => {
    const { warnings } = await read(rss(item('Text.').repeat(620)));
    expect(warnings).toEqual([
      { code: 'truncated', message: 'The feed has 620 entries; the first 500 were read, and the rest was left out.' },
    ]);
  });

  it('reports elements nested too deeply, and a text that is too long', async () => {
    const deep = `<item><title>B</title><description>${'<b>'.repeat(2_000)}</description></item>`;
    expect((await read(rss(item('Text.') + deep))).warnings).toMatchObject([{ code: 'damaged' }]);
    expect((await read(rss(item('Text. '.repeat(200_000))))).warnings).toMatchObject([{ code: 'truncated' }]);
  });
});

const secretUrl = 'https://lamp.example/feed?key=secret';
const everything = { only: [], without: [], texts: [] };

function page(text: string, mediaType: string, question = {}): FeedPage {
  const resource = {
    url: secretUrl,
    finalUrl: secretUrl,
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

const readRss = (inside: string, question = {}): FeedReading => feed(rss(inside), 'application/rss+xml', question);
const json = (feed: object): string => JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', ...feed });
const readJson = (items: unknown[], question = {}): FeedReading =>
  feed(json({ title: 'Lamps', items }), 'application/feed+json', question);
const keysOf = ({ entries }: FeedReading): string[] => entries.map(({ key }) => key);
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

describe('An entry of a followed feed', () => {
  it('is identified by its id, else by its address, else by its text, each once', () => {
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

  it('has no page when it shares its address with others, or links its site', () => {
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

  it('without a title is named by its first words, and implausible dates are ignored', () => {
    const { entries } = readRss(
      '<item><guid>a</guid><description>&lt;p&gt;A short &lt;b&gt;message&lt;/b&gt;&lt;/p&gt;</description><pubDate>Thu, 01 Jan 1970 00:00:00 GMT</pubDate></item>',
    );
    expect(entries[0]?.known).toEqual({ title: 'A short message' });
    expect(entries[0]?.publishedAt).toBeNull();
  });

  it('number 1,001 is left out, and a long or foreign id becomes a hash', () => {
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
  ])('matches "%s" when its title is "%s": %s', (word, title, isWanted) => {
    const item = `<item><guid>a</guid><title>${escaped(title)}</title></item>`;
    const [only, without] = [readRss(item, { only: [word] }), readRss(item, { without: [word] })];
    expect([only.entries[0]?.isWanted, without.entries[0]?.isWanted]).toEqual([isWanted, !isWanted]);
  });

  it('respects the limits of its fields, whatever a feed says', () => {
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
  it('says how often it is worth checking', () => {
    const { hints } = readRss(
      '<ttl>30</ttl><sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency><skipHours><hour>3</hour><hour>24</hour><hour>x</hour></skipHours><skipDays><day>Sunday</day><day>Never</day></skipDays><item><guid>a</guid></item>',
    );
    expect(hints).toEqual({ minMinutes: 360, skipHours: [3, 0], skipDays: [0] });
  });

  it('may begin after a warning of the program that generates it', () => {
    const warned = `<b>Warning</b>: old version\n${rss('<item><guid>a</guid></item>')}`;
    expect(keysOf(feed(warned, 'application/rss+xml'))).toEqual(['a']);
  });

  it('is named by its page, comments last, and never with a password', () => {
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
