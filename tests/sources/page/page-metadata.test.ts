import { describe, expect, it } from 'vitest';
import { scanPage } from '../../../src/sources/page/html/html-scan.ts';
import { readMetadata, type PageMetadata } from '../../../src/sources/page/metadata/html-metadata.ts';
import { readJsonLd } from '../../../src/sources/page/metadata/json-ld.ts';
import { findPictures } from '../../../src/sources/page/metadata/page-pictures.ts';
import { dateInPath, parsePublished } from '../../../src/sources/page/metadata/published-date.ts';
import { believableClaim } from '../../../src/sources/page/metadata/canonical-claim.ts';
import { rows } from '../../support/texts/rows.ts';

const address = 'https://hives.example/notes/winter-feed';

function metadataOf(head: string, body = '', url = address, fetchedAt?: string): PageMetadata {
  const facts = scanPage(`<html lang="en"><head>${head}</head><body>${body}</body></html>`);
  return readMetadata(facts, readJsonLd(facts.jsonLd, url), url, [], fetchedAt);
}
const ld = (data: unknown): string => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
const article = { '@type': 'Article', headline: 'Winter feed' };

describe('The date of a page', () => {
  it.each([
    ['2025-12-18T21:46:01-05:00', '2025-12-18T00:00:00.000Z'],
    ['2025-12-19T04:25:38+0500', '2025-12-19T00:00:00.000Z'],
    ['2025-12-18T20:00:00+02:00', '2025-12-18T18:00:00.000Z'],
  ])('is the day in %s, in any time zone', (written, date) => {
    expect(metadataOf(ld({ ...article, datePublished: written })).publishedAt).toBe(date);
  });

  it.each([
    ['12. März 2024', '2024-03-12'],
    ['le 1er février 2024', '2024-02-01'],
    ['3 de mayo de 2024', '2024-05-03'],
    ['7 ottobre 2024', '2024-10-07'],
    ['5 января 2024 г.', '2024-01-05'],
    ['Views 12 2024, Tuesday, March 3rd, 2024', '2024-03-03'],
    ['2024년 6월 9일', '2024-06-09'],
    ['31.12.2024', '2024-12-31'],
    ['25/12/2024', '2024-12-25'],
    ['2023 Jan 7', '2023-01-07'],
    ['12. 3. 2019', '2019-03-12'],
    ['2019. 03. 12.', '2019-03-12'],
    ['5 września 2021', '2021-09-05'],
    ['9. října 2020', '2020-10-09'],
    ['14 Ağustos 2022', '2022-08-14'],
    ['3 вересня 2023', '2023-09-03'],
    ['17 Desember 2020', '2020-12-17'],
    ['8 Ιουνίου 2021', '2021-06-08'],
    ['2021. március 14.', '2021-03-14'],
    ['14 aprilie 2021', '2021-04-14'],
    ['14. heinäkuuta 2021', '2021-07-14'],
    ['14-Mar-2021', '2021-03-14'],
    ['14.03.21', '2021-03-14'],
  ])('is read in %s', (text, day) => {
    expect(parsePublished(text)?.slice(0, 10)).toBe(day);
  });

  it('may be before 1990 as a full date, but not a placeholder that programs write for no date', () => {
    for (const unknown of [
      '1969-12-31T19:00:00-05:00',
      '1900-01-01',
      '1980-01-01T00:00:00Z',
      'on 1923-01-05 it rained',
    ])
      expect(parsePublished(unknown)).toBe(null);
    expect(parsePublished('1923-01-05T05:00:00.000Z')?.slice(0, 10)).toBe('1923-01-05');
    expect(parsePublished('1851-02-03')?.slice(0, 10)).toBe('1851-02-03');
  });

  it('has its month first only in America', () => {
    expect(parsePublished('03/04/2024', 'en-US')?.slice(0, 10)).toBe('2024-03-04');
    expect(parsePublished('03/04/2024', 'en-GB')?.slice(0, 10)).toBe('2024-04-03');
    expect(parsePublished('03.04.2024', 'en-US')?.slice(0, 10)).toBe('2024-04-03');
  });

  it('is read from the address, with the month in figures or by name', () => {
    expect(dateInPath('/2023/october/03/wine')).toBe('2023-10-03T00:00:00.000Z');
    expect(dateInPath('/2023/10/03/wine')).toBe('2023-10-03T00:00:00.000Z');
    expect(dateInPath('/2023/wine/03/')).toBeNull();
  });

  it('is declared under many names', () => {
    for (const name of [
      'publish-date',
      'w-published-date',
      'publication_date',
      'pubdate',
      'article.published',
      'dc.date.issued',
    ]) {
      expect(metadataOf(`<meta name="${name}" content="2024-05-06">`).publishedAt, name).toBe(
        '2024-05-06T00:00:00.000Z',
      );
    }
    expect(metadataOf('<meta name="template-date-format" content="2024-05-06">').publishedAt).toBeNull();
  });

  it('may be unmarked beside the headline, but not in a list of other texts', () => {
    const byline =
      '<h1>Winter feed</h1><p><span>Ada Tester</span> <span>February 4, 2025</span><!-- --> - 11 minutes</p>';
    expect(metadataOf('', byline).publishedAt).toBe('2025-02-04T00:00:00.000Z');
    expect(metadataOf('', `<p>Feb 4, 2025</p>${'<h1>Winter feed</h1>'}`).publishedAt).toBe('2025-02-04T00:00:00.000Z');
    const list = `<h1>Winter feed</h1><p>${'Sugar is given by night. '.repeat(60)}</p><span class="date">March 3, 2024</span><span class="date">April 4, 2024</span>`;
    expect(metadataOf('', list).publishedAt).toBeNull();
  });

  it.each([
    ['February 4, 2025', '2025-02-04'],
    ['Thu Feb  4 10:41:19 CET 2025', '2025-02-04'],
    ['By Ada Tester, February 4, 2025', '2025-02-04'],
    ['Last updated by Ada Tester on the 4th of February 2025', '2025-02-04'],
    ['Sonntag, 4. Februar 2025 - 17:30 Uhr', '2025-02-04'],
    ['公開日：2025年2月4日', '2025-02-04'],
    ['发布时间：2025-02-04 17:30', '2025-02-04'],
    ['Stand: 4.2.2025', '2025-02-04'],
    ['News | 04.02.25', '2025-02-04'],
    [`BERN, February 4, 2025 — ${'The hive was fed late in the year. '.repeat(6)}`, '2025-02-04'],
    ['Event date: February 4, 2025', undefined],
    ['The feeder was patented on February 4, 2025, and nobody bought it.', undefined],
    ['In a trial published on February 4, 2025, five hives were fed.', undefined],
  ])('is read from a short block or a byline, as for %j', (text, day) => {
    expect(metadataOf('', `<h1>Winter feed</h1><p>${text}</p>`).publishedAt?.slice(0, 10)).toBe(day);
  });

  it('is that of publication where a nearby line gives another day', () => {
    for (const other of ['Last updated 16 March 2025', 'Starts: 16 March 2025']) {
      const lines = `<div>${other}</div><div>Created 4 February 2025</div>`;
      expect(metadataOf('', `<h1>Winter feed</h1>${lines}`).publishedAt?.slice(0, 10), other).toBe('2025-02-04');
    }
  });

  it('ignores the date of an event listed among the facts', () => {
    const facts = '<dl><dt>When</dt><dd>14 June 2025, 10 am</dd></dl>';
    expect(metadataOf('', `<h1>Open garden</h1>${facts}`).publishedAt).toBeNull();
  });

  it('is not later than when the page was fetched, except for a day that has begun elsewhere', () => {
    const head = `${ld({ ...article, datePublished: '2026-03-01' })}<meta name="date" content="2026-02-03">`;
    const day = (fetchedAt: string) => metadataOf(head, '', address, fetchedAt).publishedAt?.slice(0, 10);
    expect(day('2026-02-20T12:00:00.000Z')).toBe('2026-02-03');
    expect(day('2026-02-28T12:00:00.000Z')).toBe('2026-03-01');
  });

  it('is that of the question, not of its answers, and otherwise the day of the last change', () => {
    const thread = `<h1>Winter feed?</h1><time itemprop="dateCreated" datetime="2014-02-04">long ago</time><p>${'Sugar. '.repeat(200)}</p>
      <span itemprop="datePublished" content="2018-05-21">later</span>`;
    expect(metadataOf('', thread).publishedAt).toBe('2014-02-04T00:00:00.000Z');
    expect(metadataOf('<meta property="article:modified_time" content="2024-07-01">').publishedAt).toBe(
      '2024-07-01T00:00:00.000Z',
    );
  });
});

describe('The date of a page with its own markup', () => {
  it.each(
    rows(`
      a date of a paper :: <meta name="citation_publication_date" content="2023 Jan 7"> ::  :: 2023-01-07
      a month of a paper :: <meta name="citation_publication_date" content="2023/05"> ::  :: 2023-05-01
      a rare name :: <meta name="article.created" content="2019-03-12T10:00:00Z"> ::  :: 2019-03-12
      a tooltip ::  :: <h1>Hives</h1><abbr class="published" title="2018-11-02T08:00:00Z">long ago</abbr> :: 2018-11-02
      seconds ::  :: <h1>Hives</h1><span data-utime="1546300800">long ago</span> :: 2019-01-01
      the data of a script ::  :: <h1>Hives</h1><p>Text.</p><script>window.state={"post":{"publishedAt":"2020-02-29T12:00:00Z"}}</script> :: 2020-02-29
    `),
  )('is found in %s', (_name, head, body, day) => {
    expect(metadataOf(head, body).publishedAt?.slice(0, 10)).toBe(day);
  });
});

describe('The author of a page', () => {
  it.each(['View more posts', '12 comments', 'Leave a reply', 'See all articles'])('is not %j', (text) => {
    expect(metadataOf('', `<h1>Hives</h1><p class="author">${text}</p>`).author).toBeNull();
  });

  it.each(['Sort By Position Oak Pine', 'Shop By Wood Oak', 'Powered by Open Cart'])('is not read from %j', (text) => {
    expect(metadataOf('', `<h1>Hives</h1><p>${text}</p>`).author).toBeNull();
  });

  it.each([
    ['By Ada Tester', 'Ada Tester'],
    ['— Written by Ada Tester | 4 min read', 'Ada Tester'],
    ['Reviewed by Ada Tester, keeper of bees, on December 9, 2024.', 'Ada Tester'],
    ['By Ada Tester, Bo Reed and Jan de Vries', 'Ada Tester, Bo Reed and Jan de Vries'],
    ['Von Ada Tester und Jan de Vries', 'Ada Tester und Jan de Vries'],
    ['Par Ada Tester, le 14 mars 2021', 'Ada Tester'],
    ['By Ada Tester, Political Editor', 'Ada Tester'],
    ['Автор: Ада Реед', 'Ада Реед'],
    ['作者：石小花', '石小花'],
    ['Texto: the bees were quiet', null],
    ['The feeder was built by Ada Tester and her nephew.', null],
    ['I saw the hives that were kept by Ada Maria Tester.', null],
  ])('is named by a block that begins as a byline, as in %j', (text, author) => {
    expect(metadataOf('', `<h1>Winter feed</h1><div>${text}</div>`).author).toBe(author);
    expect(metadataOf('', `<h1>Winter feed</h1><div>${text}${' Bees were quiet.'.repeat(8)}</div>`).author).toBeNull();
  });

  it('ends with its block', () => {
    expect(metadataOf('', '<h1>Winter feed</h1><p>By Ada Tester</p><p>Keeper of Bees</p>').author).toBe('Ada Tester');
    expect(metadataOf('', '<h1>Winter feed</h1>By Ada Tester<br>Keeper of Bees').author).toBe('Ada Tester');
  });

  it('is a person rather than the site or a login', () => {
    const byline = '<h1>Winter feed</h1><p class="byline">By Ada Tester</p>';
    const site = '<meta property="og:site_name" content="The Hives">';
    expect(metadataOf(site + ld({ ...article, author: { name: 'The Hives' } }), byline).author).toBe('Ada Tester');
    expect(metadataOf(site + ld({ ...article, author: { name: 'The Hives' } })).author).toBe('The Hives');
    expect(metadataOf('<meta name="author" content="hvatester">', byline).author).toBe('Ada Tester');
    expect(metadataOf('<meta name="author" content="beekeeper7">', byline).author).toBe('beekeeper7');
  });

  it('is not a date or a word from the text around names', () => {
    for (const wrong of ['Written By:', 'Updated March 13, 2024', 'Sat, 20 Dec, 2025 - 06:36', 'More from the Hives']) {
      const body = `<h1>Winter feed</h1><p class="byline">${wrong}</p><p class="byline">Ada Tester</p>`;
      expect(metadataOf('', body).author, wrong).toBe('Ada Tester');
    }
    expect(metadataOf('', '<h1>Winter feed</h1><p>Author: Ada Tester Published: Feb 6, 2024</p>').author).toBe(
      'Ada Tester',
    );
    const marked = '<div class="author"><h3>Ada Tester</h3><p>Last updated on 17 December 2025</p></div>';
    expect(metadataOf('', `<h1>Winter feed</h1>${marked}`).author).toBe('Ada Tester');
  });

  it('is each of the authors of a paper', () => {
    const authors = ['Tester, Ada', 'Bo Tester'].map((name) => `<meta name="citation_author" content="${name}">`);
    expect(metadataOf(authors.join('')).author).toBe('Ada Tester, Bo Tester');
    const byId = ld({
      '@graph': [
        { ...article, author: [{ '@id': '#ada' }, { name: 'Bo Tester' }] },
        { '@type': 'Person', '@id': '#ada', name: 'Ada Tester' },
      ],
    });
    expect(metadataOf(byId).author).toBe('Ada Tester, Bo Tester');
  });
});

describe('The title of a page', () => {
  it.each(['0 Comments', '3 thoughts on “Winter feed”', 'No comments', 'Leave a reply'])('is not %j', (text) => {
    const head = '<title>Winter feed for bees</title><meta property="og:type" content="article">';
    expect(metadataOf(head, `<h1>${text}</h1>`).title).toBe('Winter feed for bees');
  });

  it.each([
    ['Winter feed for small hives', 'Dec 18 2025 Winter feed for small hives'],
    ['Winter feed for small hives', 'Winter feed for small hives (hives.example) 87'],
    ['Winter feed for small hives', 'Winter feed for small hives January 1, 2025'],
  ])('is the declared one where the heading has more words', (declared, heading) => {
    const head = `<meta property="og:type" content="article"><meta property="og:title" content="${declared}">`;
    expect(metadataOf(head, `<h1>${heading}</h1>`).title).toBe(declared);
  });

  it('is complete where a headline was cut for search engines', () => {
    const whole = `How to feed ${'very '.repeat(20)}small hives in winter`;
    const head = `<title>${whole} - The Hives</title><meta property="og:site_name" content="The Hives">`;
    expect(metadataOf(head + ld({ ...article, headline: whole.slice(0, 100).trim() })).title).toBe(whole);
  });

  it("keeps the site's name where the title is about the site, and literal tags", () => {
    expect(metadataOf('<title>Hives - Feed for small hives</title>', '', 'https://hives.example/').title).toBe(
      'Hives - Feed for small hives',
    );
    expect(metadataOf('<title>&lt;table&gt;: the element</title>').title).toBe('<table>: the element');
    expect(metadataOf('<title>The Hives • View topic - Winter feed</title>').title).toBe('Winter feed');
  });

  it('is not the site’s name from a heading that links to the front page', () => {
    const blog = (
      href: string,
    ) => `<h1><a href="${href}"><span>Letters from the hives</span></a></h1><h3>Winter feed</h3>
      <span itemprop="datePublished" content="2024-05-06">May</span>`;
    const head = '<title>Letters from the hives: Winter feed</title>';
    for (const home of ['/', 'https://hives.example', ' //hives.example/ '])
      expect(metadataOf(head, blog(home)).title, home).toBe('Winter feed');
    expect(metadataOf(head, blog('/notes/winter-feed')).title).toBe('Letters from the hives');
    expect(metadataOf('<title>Letters from the hives</title>', blog('/')).title).toBe('Letters from the hives');
  });

  it('belongs to the text that the data describes as this page, not to another one in its list', () => {
    const post = (name: string) => ({
      '@type': 'BlogPosting',
      headline: name,
      url: `https://hives.example/notes/${name}`,
    });
    const blog = { '@type': 'Blog', name: 'Notes', blogPost: [post('spring'), post('winter-feed'), post('autumn')] };
    expect(metadataOf(ld(blog)).title).toBe('winter-feed');
    expect(readJsonLd([JSON.stringify(blog)], 'https://hives.example/notes')?.headline).toBe('Notes');
    const product = [
      { '@type': 'Product', name: 'Feeder' },
      ...['a', 'b'].map((name) => ({ '@type': 'Review', name })),
    ];
    expect(readJsonLd([JSON.stringify(product)])).toMatchObject({ headline: 'Feeder', article: false });
  });
});

describe('Text beside a date or a name', () => {
  const lines = '<h1>Winter feed</h1>';
  it.each(
    rows(`
      the label before it :: <p>Last updated: <time datetime="2024-03-02">March 2</time></p><p>First published: <time datetime="2019-08-09">August 9</time></p> :: 2019-08-09
      the head of its row :: <table><tr><th>Last updated</th><td><time datetime="2024-03-02">March 2</time></td></tr><tr><th>Published</th><td><time datetime="2019-08-09">August 9</time></td></tr></table> :: 2019-08-09
      the term beside it :: <dl><dt>Modified</dt><dd><time datetime="2024-03-02">March 2</time></dd><dt>Published</dt><dd><time datetime="2019-08-09">August 9</time></dd></dl> :: 2019-08-09
      the words of a line :: <p>Zuletzt geändert am 02.03.2024, veröffentlicht am 09.08.2019</p> :: 2019-08-09
      a label above it, far from the headline :: <p>${'The hive was fed late in the year. '.repeat(30)}</p><div><div>Posted on</div><svg></svg><div>Aug 9, 2019</div></div><div><div>Updated on</div><div>Mar 2, 2024</div></div> :: 2019-08-09
      nothing but a change :: <p>Updated <time datetime="2024-03-02">March 2</time></p> :: 2024-03-02
    `),
  )('decides which date is that of publication: %s', (_, body, date) => {
    expect(metadataOf('', lines + body).publishedAt?.slice(0, 10)).toBe(date);
  });

  it("gives the page's own day where the declared time is in UTC", () => {
    const declared = (time: string) => `<meta property="article:published_time" content="${time}">`;
    const dated = (time: string, day: string) =>
      metadataOf(declared(time), `<h1>Feed</h1><time datetime="${day}">${day}</time>`).publishedAt?.slice(0, 10);
    expect(dated('2026-02-23T00:57:30+00:00', '2026-02-22')).toBe('2026-02-22');
    expect(dated('2026-02-23T00:00:00+00:00', '2026-02-22')).toBe('2026-02-23');
    expect(dated('2026-02-23T00:57:30+00:00', '2026-02-21')).toBe('2026-02-23');
    const path = 'https://hives.example/2025/12/18/feed';
    expect(metadataOf(declared('2025-12-19T02:41:41Z'), '', path).publishedAt).toBe('2025-12-18T00:00:00.000Z');
  });

  it('gives no author where cards after the text have several', () => {
    const card = (name: string) => `<div><h3>Another note</h3><p>Written by ${name}</p></div>`;
    const text = `<h1>Feed</h1><p>${'The hive was fed late in the year. '.repeat(30)}</p>`;
    expect(metadataOf('', text + card('Ada Marsh') + card('Tom Reed')).author).toBeNull();
  });

  it('gives a date above the headline precedence over that of a card after the text', () => {
    const text = `<p>${'The hive was fed late in the year. '.repeat(16)}</p>`;
    const card = '<aside><a href="/next"><time datetime="2025-07-01">July 1</time> Summer feed</a></aside>';
    expect(metadataOf('', `<div><span>May 3, 2021</span></div>${lines}${text}${card}`).publishedAt?.slice(0, 10)).toBe(
      '2021-05-03',
    );
  });

  it.each(
    rows(`
      all names of a byline ::  :: By <a rel="author" href="/a">Ada Marsh</a> in Bern and <a rel="author" href="/b">Tom van Reed</a> :: Ada Marsh, Tom van Reed
      all declared names :: <meta name="author" content="Ada Marsh"><meta name="author" content="Tom Reed"> ::  :: Ada Marsh, Tom Reed
      a person before the publisher :: <meta name="author" content="Hive House"><meta name="copyright" content="© Hive House 2020"><meta property="article:author" content="Ada Marsh"> ::  :: Ada Marsh
      a name written last name first :: <meta name="author" content="de Vries, Jan"> ::  :: Jan de Vries
      a name in the way of libraries :: <meta name="citation_author" content="Vries, Jan"> ::  :: Jan Vries
      a label of a card :: <meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Ada Marsh"><meta name="twitter:label2" content="Reading time"><meta name="twitter:data2" content="5 minutes"> ::  :: Ada Marsh
      two first names :: <meta name="author" content="Anna, Ben"> ::  :: Anna, Ben
      each name of a list, last name first :: <meta name="author" content="de Vries, Jan; Marsh, Ada"> ::  :: Jan de Vries, Ada Marsh
      a first name that is a word for "by" elsewhere :: <meta name="author" content="Von Miller"> ::  :: Von Miller
      the same first name in a byline ::  :: <h1>Feed</h1><p class="byline">Von Miller</p> :: Von Miller
      a German byline ::  :: <h1>Feed</h1><p class="byline">Von Ada Marsh</p> :: Ada Marsh
      the owner of the page, not of its account :: <meta name="author" content="Jane Doe"><meta name="copyright" content="© Jane Doe"><meta name="twitter:creator" content="Ann Lee"> ::  :: Jane Doe
      a label in another language :: <meta name="author" content="Autorin: Ada Marsh"> ::  :: Ada Marsh
      who signs below the text ::  :: <h1>Feed</h1></p><p>${'The hive was fed late in the year. '.repeat(30)}</p><h3>Written by Ada Marsh</h3><p>She keeps bees. :: Ada Marsh
      no role of one person ::  :: <span class="author">Ada Marsh</span><span class="author">Head Gardener</span> :: Ada Marsh
    `),
  )('decides who the author is: %s', (_, head, byline, author) => {
    expect(metadataOf(head, `${lines}<p>${byline}</p><p>Feed them late.</p>`).author).toBe(author);
  });

  it('Word metadata gives author and date', () => {
    const properties =
      '<!--[if gte mso 9]><xml><o:DocumentProperties><o:Author>Ada Marsh</o:Author><o:Created>2020-05-06T10:00:00Z</o:Created></o:DocumentProperties></xml><![endif]-->';
    expect(metadataOf(properties, '<p>Feed them late.</p>')).toMatchObject({
      author: 'Ada Marsh',
      publishedAt: '2020-05-06T10:00:00.000Z',
    });
  });
});

describe('The pictures of a page', () => {
  const found = (html: string) => findPictures(html, address);

  it('are the declared ones, then a large one in the text, each once and with an absolute address', () => {
    const { picture } =
      found(`<meta property="og:image" content="/hive.jpg"><meta name="twitter:image" content="../hive.jpg">
      <img src="small.png" width="40"><img src="large.png" width="640"><img src="data:image/png;base64,AA" width="900">`);
    expect(picture).toEqual(['https://hives.example/hive.jpg', 'https://hives.example/notes/large.png']);
  });

  it("include icons, the nearest to 64 pixels first and the site's last, but no SVG", () => {
    const { icon } = found(`<base href="https://files.example/a/"><link rel="shortcut icon" href="16.ico" sizes="16x16">
      <link rel="ICON" href="any.svg" type="image/svg+xml"><link rel="icon" sizes="96x96" href="96.png">
      <link rel="apple-touch-icon" href="touch.png"><link rel="mask-icon" href="mask.png">`);
    expect(icon).toEqual([
      'https://files.example/a/96.png',
      'https://files.example/a/16.ico',
      'https://hives.example/favicon.ico',
    ]);
  });

  it('are web addresses only', () => {
    const html = '<meta property="og:image" content="javascript:alert(1)"><link rel="icon" href="file:///etc/passwd">';
    expect(found(html)).toEqual({ icon: ['https://hives.example/favicon.ico'], picture: [] });
    expect(findPictures('', 'note:1')).toEqual({ icon: [], picture: [] });
  });
});

const bees = 'Bees on the roof | Garden Ledger';
const claim = (own: string, claimed: string): string | null => believableClaim(claimed, own, bees);

describe('the address that a page claims for itself', () => {
  it.each([
    ['https://www.ledger.example/2024/bees?ref=home', 'https://ledger.example/2024/bees/'],
    ['https://m.ledger.example/2024/bees', 'https://www.ledger.example/2024/bees'],
    ['http://ledger.example/Bees.html', 'https://ledger.example/bees'],
    ['https://ledger.example/?p=48213', 'https://ledger.example/2024/05/bees-on-the-roof'],
    ['https://ledger.example/n/48213', 'https://ledger.example/garden/keeping-insects-48213'],
    ['https://ledger.example/shop/all/hive-tool', 'https://ledger.example/products/hive-tool'],
    ['https://ledger.example/list?page=1', 'https://ledger.example/list'],
    ['https://ledger.co.uk/bees', '/bees?from=x'],
    ['https://m.abc.example/bees', 'https://abc.example/bees'],
    ['https://en.m.ledger.example/2024/bees', 'https://en.ledger.example/2024/bees'],
    ['https://medium.com/@ann/bees?source=x', 'https://medium.com/@Ann/bees'],
  ])('is believed: %s claims %s', (own, claimed) => {
    expect(claim(own, claimed)).toBe(new URL(claimed, own).href);
  });

  it.each([
    ['another site', 'https://ledger.example/bees', 'https://other.example/bees'],
    ['a neighbour on a shared host', 'https://ann.github.io/bees', 'https://bob.github.io/bees'],
    [
      'a neighbour on a host that nobody knows',
      'https://ann.pages.example.cloud/bees',
      'https://bob.pages.example.cloud/bees',
    ],
    ['a neighbour on a server of workers', 'https://ann.workers.dev/bees', 'https://www.workers.dev/bees'],
    ['a neighbour in a bucket', 'https://s3.amazonaws.com/ann/bees', 'https://bob.s3.amazonaws.com/ann/bees'],
    ['a shared host, by somebody called amp', 'https://amp.substack.com/bees', 'https://substack.com/bees'],
    ['a site with the name of a form', 'https://amp.dev/bees', 'https://www.dev/bees'],
    ['the host of all', 'https://ann.medium.com/bees', 'https://medium.com/bees'],
    ['another author', 'https://medium.com/@ann/bees', 'https://medium.com/@bob/bees'],
    ['a page of no author', 'https://uni.example/~ann/bees', 'https://uni.example/staff/bees'],
    ['another author in other letters', 'https://uni.example/%7Eann/bees', 'https://uni.example/~bob/bees'],
    ['another number for a host', 'http://10.1.2.3/bees', 'http://10.9.2.3/bees'],
    ['the front page', 'https://ledger.example/2024/bees', 'https://ledger.example/'],
    ['the page above', 'https://ledger.example/2024/bees', 'https://ledger.example/2024/'],
    ['the first page of a list', 'https://ledger.example/list?page=2', 'https://ledger.example/list'],
    ['the first page in the path', 'https://ledger.example/list/page/2', 'https://ledger.example/list'],
    ['another version', 'https://docs.example/en/5.1/bees/', 'https://docs.example/en/6.0/bees/'],
    ['another language', 'https://docs.example/de/bees/', 'https://docs.example/en/bees/'],
    ['another list', 'https://ledger.example/all-products', 'https://ledger.example/t-shirts/mens'],
    ['another article', 'https://ledger.example/2024/bees', 'https://ledger.example/2024/wasps-in-winter'],
    ['no web address', 'https://ledger.example/bees', 'javascript:alert(1)'],
    ['a name and a password', 'https://ledger.example/bees', 'https://a:b@ledger.example/bees'],
  ])('is not believed when it is %s', (_what, own, claimed) => {
    expect(claim(own, claimed)).toBeNull();
  });
});
