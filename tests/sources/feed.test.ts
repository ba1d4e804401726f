import { afterAll, describe, expect, it } from 'vitest';
import { layOutTranscript, type Document } from '../../src/domain/records/document.ts';
import { alone, documentOf, openReaders, original } from '../support/reading.ts';

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
  it('keeps paragraphs and items that are one link, pictures, and menus of its own', async () => {
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

  it('in plain text shows it as it is written, and ends where it ends', async () => {
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

  it('of Atom is its own: not of another feed, with its base, and a title in plain text as it is', async () => {
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
  it('says how many entries it has, and how many were read', async () => {
    const { warnings } = await read(rss(item('Text.').repeat(620)));
    expect(warnings).toEqual([
      {
        code: 'truncated',
        message: 'The feed has 620 entries; the first 500 were read, and the rest was left out.',
      },
    ]);
  });

  it('says where its elements are nested too deeply, and that a text is too long', async () => {
    const deep = `<item><title>B</title><description>${'<b>'.repeat(2_000)}</description></item>`;
    expect((await read(rss(item('Text.') + deep))).warnings).toMatchObject([{ code: 'damaged' }]);
    expect((await read(rss(item('Text. '.repeat(200_000))))).warnings).toMatchObject([{ code: 'truncated' }]);
  });
});
