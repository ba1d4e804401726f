import { describe, expect, it } from 'vitest';
import { layOutTranscript, type Document } from '../../../src/domain/records/texts/document.ts';
import { ProcessingError } from '../../../src/errors.ts';
import { type DecodedResource, decodeResource } from '../../../src/sources/decoding/sniff.ts';
import { extractPage } from '../../../src/sources/page/extract-page.ts';
import { createSources } from '../../../src/sources/index.ts';
import { readBy, sourceContext } from '../../support/texts/reading.ts';

const sources = createSources();

/** What stands at which address; anything else is not there. */
type Web = Readonly<Record<string, string>>;

async function resourceOf(url: string, body: string, type = 'text/html'): Promise<DecodedResource> {
  const bytes = new TextEncoder().encode(body);
  const declaredType = body.startsWith('{') || body.startsWith('[') ? 'application/json' : type;
  return decodeResource({ url, finalUrl: url, bytes, declaredType, fetchedAt: '' });
}

async function save(address: string, web: Web): Promise<{ document: Document; text: string }> {
  const fetch = async (url: string): Promise<DecodedResource> => {
    const body = web[url];
    if (body === undefined) throw new ProcessingError('not_found', 'There is nothing.');
    return resourceOf(url, body);
  };
  const opened = sources.open(new URL(address), { fetch, now: () => '2024-06-01T00:00:00.000Z' });
  const resource = opened === null ? await fetch(address) : await decodeResource(await opened);
  const source = sources.find(new URL(resource.finalUrl), resource.mediaType);
  if (source === null) throw sources.describeUnsupported(new URL(resource.finalUrl), resource.mediaType);
  const document = await readBy(source, resource, sourceContext({ fetch }));
  return { document, text: layOutTranscript(document.blocks).text };
}

const sentence = 'The ferry leaves the old harbour at seven in the morning and comes back with the evening tide. ';
const page = (body: string, head = ''): string =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;

describe('a discussion', () => {
  it('in the shape of Hacker News is a thread with its authors', async () => {
    const comment = (user: string, text: string): string =>
      `<tr class="athing comtr"><td><table><tr><td class="ind"></td><td><span class="comhead"><a class="hnuser">${user}</a> 3 hours ago</span>
       <div class="comment"><div class="commtext c00">${text}<p>More of it.</div></div></td></tr></table></td></tr>`;
    const body = `<table class="fatitem"><tr class="athing"><td class="title"><span class="titleline"><a href="https://a.test/">A ferry</a></span></td></tr>
      <tr><td><a class="hnuser">ann</a></td></tr><tr><td><div class="toptext">${sentence}</div></td></tr></table>
      <table class="comment-tree">${comment('bob', sentence)}${comment('eve_x', '<i>quoted</i> I prefer the train.')}</table>`;
    const url = 'https://news.ycombinator.com/item?id=1';
    const { document, text } = await save(url, { [url]: page(body, '<title>A ferry | Hacker News</title>') });
    expect(document).toMatchObject({ contentType: 'discussion', author: 'ann' });
    expect(text).toMatch(/^The ferry leaves/);
    expect(text).toMatch(/## bob\n\nThe ferry[^#]*More of it\.\n\n## eve_x\n\n\*quoted\* I prefer the train\./);
  });

  it('is recognised by schema.org marks on any host', async () => {
    const post = (kind: string, user: string): string =>
      `<div itemscope itemtype="https://schema.org/${kind}"><span itemprop="author"><b itemprop="name">${user}</b></span><div itemprop="text"><p>${sentence}</p></div></div>`;
    const url = 'https://board.example/t/12';
    const { document, text } = await save(url, {
      [url]: page(post('DiscussionForumPosting', 'Ann') + post('Comment', 'Bob')),
    });
    expect(document.contentType).toBe('discussion');
    expect(text).toBe(`${sentence.trim()}\n\n## Bob\n\n${sentence.trim()}`);
  });

  it.each([
    [
      'Vanilla',
      (user: string, text: string, i: number) =>
        `<div class="Item ${i === 0 ? 'ItemDiscussion' : 'ItemComment'}"><span class="Author"><a class="Username">${user}</a></span><div class="Message userContent">${text}</div></div>`,
    ],
    [
      'bbPress',
      (user: string, text: string, i: number) =>
        `<div class="bbp-body"><div class="hentry type-${i === 0 ? 'topic' : 'reply'}"><div class="bbp-reply-author"><span class="bbp-author-name">${user}</span></div><div class="bbp-${i === 0 ? 'topic' : 'reply'}-content">${text}</div></div></div>`,
    ],
    [
      'vBulletin',
      (user: string, text: string) =>
        `<li class="postbitlegacy postcontainer"><a class="username">${user}</a><blockquote class="postcontent">${text}</blockquote></li>`,
    ],
    [
      'Simple Machines',
      (user: string, text: string) =>
        `<div class="post_wrapper"><div class="poster"><h4><a>${user}</a></h4></div><div class="post"><div class="inner">${text}</div></div></div>`,
    ],
    [
      'MyBB',
      (user: string, text: string) =>
        `<div class="post"><div class="author_information"><a>${user}</a></div><div class="post_body">${text}</div></div>`,
    ],
    [
      'Invision',
      (user: string, text: string) =>
        `<article class="cPost ipsComment"><h3 class="cAuthorPane_author"><a>${user}</a></h3><div data-role="commentContent">${text}</div></article>`,
    ],
    [
      'FluxBB',
      (user: string, text: string) =>
        `<div class="blockpost"><div class="postleft"><dl><dt><strong>${user}</strong></dt></dl></div><div class="postmsg">${text}<p class="postedit">Last edited by ${user}</p></div><div class="postsignature postmsg"><p>A signature</p></div></div>`,
    ],
  ])('in the shape of %s is a thread with its authors', async (_name, post) => {
    const texts = [`<p>${sentence.repeat(2)}</p>`, '<p>I prefer the train.</p>', '<p>Both are late in winter.</p>'];
    const url = 'https://board.example/t/13';
    const { document, text } = await save(url, {
      [url]: page(texts.map((one, i) => post(['ann', 'bob', 'eve'][i] ?? '', one, i)).join('')),
    });
    expect(document).toMatchObject({ contentType: 'discussion', author: 'ann' });
    expect(text).toBe(
      `${sentence.repeat(2).trim()}\n\n## bob\n\nI prefer the train.\n\n## eve\n\nBoth are late in winter.`,
    );
  });

  it('gives the time of each reply, and omits quotations of the thread', async () => {
    const post = (user: string, day: number, text: string): string =>
      `<article class="message message--post"><h4 class="message-name">${user}</h4><time datetime="2024-07-0${day}T10:00:00Z">Jul ${day}, 2024</time><div class="message-body"><div class="bbWrapper">${text}</div></div></article>`;
    const quote = (user: string, text: string): string =>
      `<blockquote><div>${user} said:</div><div>${text}</div><div class="bbCodeBlock-expandLink"><a>Click to expand...</a></div></blockquote>`;
    const url = 'https://board.example/t/14';
    const { text } = await save(url, {
      [url]: page(
        post('ann', 1, `<p>${sentence}</p><p>Nobody knows why it does that in winter, too.</p>`) +
          post('bob', 2, `${quote('ann', sentence)}<p>I prefer the train.</p>`) +
          post('eve', 3, `${quote('bob', 'I prefer the train.')}<p>Both are late.</p>`),
      ),
    });
    expect(text.split('old harbour')).toHaveLength(2);
    expect(text).toContain('## bob · Jul 2, 2024');
    expect(text).toMatch(/> I prefer the train\.\s+Both are late\.$/);
    expect(text).not.toContain('Click to expand');
  });

  it('does not include a product page with questions', async () => {
    const question = `<div itemscope itemtype="https://schema.org/Question"><div itemprop="text">Does it float on water?</div><div itemscope itemtype="https://schema.org/Answer"><div itemprop="text">${sentence}</div></div></div>`;
    const product = `<div itemscope itemtype="https://schema.org/Product"><h1>Model ferry</h1><p>${sentence.repeat(3)}</p></div>`;
    const url = 'https://shop.example/ferry';
    const { document, text } = await save(url, { [url]: page(product + question) });
    expect(document.contentType).toBe('article');
    expect(text).toContain('# Model ferry');
  });

  const thread = [
    {
      kind: 'Listing',
      data: {
        children: [
          { kind: 't3', data: { title: 'A ferry', author: 'ann', selftext: sentence, created_utc: 1_704_067_200 } },
        ],
      },
    },
    {
      kind: 'Listing',
      data: {
        children: [
          {
            kind: 't1',
            data: {
              author: 'bob',
              body: 'First.',
              replies: {
                kind: 'Listing',
                data: { children: [{ kind: 't1', data: { author: 'eve', body: 'Second.' } }] },
              },
            },
          },
          { kind: 't1', data: { author: '[deleted]', body: '[removed]', replies: '' } },
          { kind: 'more', data: { children: ['x'] } },
        ],
      },
    },
  ];

  it('of Reddit comes from the site’s data', async () => {
    const { document, text } = await save('https://old.reddit.com/r/Ferries/comments/1abc/a_ferry/', {
      'https://www.reddit.com/comments/1abc.json?raw_json=1&limit=500': JSON.stringify(thread),
    });
    expect(document).toMatchObject({
      contentType: 'discussion',
      title: 'A ferry',
      author: 'ann',
      publishedAt: '2024-01-01T00:00:00.000Z',
    });
    expect(text).toBe(`${sentence.trim()}\n\n## bob\n\nFirst.\n\n## eve\n\nSecond.`);
  });

  it.each([
    [1_000, []],
    [1_001, [{ code: 'truncated', message: 'The thread has more than 1000 comments; the rest was left out.' }]],
  ])('of Reddit with %i comments says whether comments were left out', async (count, warnings) => {
    const comments = Array.from({ length: count }, (_, at) => ({
      kind: 't1',
      data: { author: 'bob', body: `No. ${at}.` },
    }));
    const [post] = thread;
    const { document, text } = await save('https://old.reddit.com/r/Ferries/comments/1abc/a_ferry/', {
      'https://www.reddit.com/comments/1abc.json?raw_json=1&limit=500': JSON.stringify([
        post,
        { kind: 'Listing', data: { children: comments } },
      ]),
    });
    expect(document.warnings).toEqual(warnings);
    expect(text).toContain('No. 999.');
    expect(text).not.toContain('No. 1000.');
  });

  it('of Reddit comes from the old page when the data is refused', async () => {
    const comment = (user: string): string =>
      `<div class="thing comment"><a class="author">${user}</a><div class="usertext-body"><div class="md"><p>${sentence}</p></div></div></div>`;
    const body = `<div id="siteTable"><div class="thing link"><a class="author">ann</a><div class="usertext-body"><div class="md"><p>${sentence}</p></div></div></div></div>
      <div class="commentarea">${comment('bob')}${comment('eve')}</div>`;
    const { document, text } = await save('https://www.reddit.com/r/Ferries/comments/1abc/a_ferry/', {
      'https://old.reddit.com/comments/1abc/': page(body),
    });
    expect(document).toMatchObject({ contentType: 'discussion', author: 'ann' });
    expect(text).toContain('## eve\n\nThe ferry');
  });
});

describe('a repository', () => {
  const url = 'https://github.com/ann/ferry';

  it('has the text of its README', async () => {
    const head =
      '<meta property="og:description" content="Timetables of ferries. Contribute to ann/ferry development.">';
    const body = `<nav>Code Issues Pull requests</nav><div id="readme"><article class="markdown-body"><h1>Ferry</h1><p>${sentence}</p><div class="highlight"><pre lang="sh"><code>npm i ferry</code></pre></div></article></div>`;
    const { document, text } = await save(url, { [url]: page(body, head) });
    expect(document).toMatchObject({ contentType: 'repo', title: 'ann/ferry', author: 'ann' });
    expect(text).toMatch(/^Timetables of ferries\n\n# Ferry\n\nThe ferry/);
    expect(text).toContain('npm i ferry\n```');
    expect(text).not.toContain('Pull requests');
  });

  it('that is empty without scripts is read from the file', async () => {
    const web = {
      'https://gitlab.com/ann/ferry': page('<div id="app"></div>'),
      'https://gitlab.com/ann/ferry/-/raw/HEAD/README.md': `# Ferry\n\n${sentence}\n\n- one\n- two`,
    };
    const { document, text } = await save('https://gitlab.com/ann/ferry', web);
    expect(document).toMatchObject({ contentType: 'repo', title: 'ann/ferry' });
    expect(text).toContain('# Ferry');
  });
});

describe('a post', () => {
  it.each([
    ['https://bsky.app/profile/ann.example/post/3kabc', 'Ann Lee (@ann.example)'],
    ['https://social.example/@ann/112233445566778899', 'Ann Lee (@ann@social.example)'],
  ])("%s has the text in its page's metadata", async (url, name) => {
    const head = `<meta property="og:title" content="${name}"><meta property="og:description" content="The ferry is late again.&#10;#harbour">`;
    const { document, text } = await save(url, { [url]: page('<div id="root"></div>', head) });
    expect(document).toMatchObject({ contentType: 'post', author: 'Ann Lee' });
    expect(document.title).toContain('Ann Lee: The ferry is late again.');
    expect(text).toContain('The ferry is late again.');
  });

  it('on X comes from its embed data', async () => {
    const html =
      '<blockquote class="twitter-tweet"><p lang="en" dir="ltr">The ferry is late.<br># not a heading &amp; more</p>&mdash; Ann Lee (@ann) <a href="https://twitter.com/ann/status/1">March 5, 2024</a></blockquote>';
    const { document, text } = await save('https://mobile.twitter.com/ann/status/1764950000000000000?s=20', {
      'https://publish.twitter.com/oembed?omit_script=1&dnt=1&url=https%3A%2F%2Ftwitter.com%2Fann%2Fstatus%2F1764950000000000000':
        JSON.stringify({ html, author_name: 'Ann Lee' }),
    });
    expect(document).toMatchObject({ contentType: 'post', author: 'Ann Lee', publishedAt: '2024-03-05T00:00:00.000Z' });
    expect(text).toContain('The ferry is late.');
    expect(document.blocks.every(({ kind }) => kind === 'paragraph')).toBe(true);
  });
});

describe('a paper', () => {
  const head = `<title>[2401.12345] On ferries</title><meta name="citation_title" content="On ferries"><meta name="citation_author" content="Lee, Ann">
    <meta name="citation_author" content="Holm, Marta"><meta name="citation_date" content="2024/01/22"><meta name="citation_arxiv_id" content="2401.12345">`;
  const abs = page(
    `<blockquote class="abstract mathjax"><span class="descriptor">Abstract:</span> ${sentence.repeat(3)}</blockquote>`,
    head,
  );
  const url = 'https://arxiv.org/abs/2401.12345v2';

  it('of arXiv has its authors, its identifier and the text of its page', async () => {
    const section = (n: number): string =>
      `<section class="ltx_section"><h2>${n} Part</h2><p class="ltx_p">${sentence.repeat(3)}</p></section>`;
    const full = page(
      `<article class="ltx_document"><h1>On ferries</h1>${[1, 2, 3, 4, 5, 6].map(section).join('')}</article>`,
    );
    const { document, text } = await save(url, { [url]: abs, 'https://arxiv.org/html/2401.12345': full });
    expect(document).toMatchObject({
      contentType: 'paper',
      title: 'On ferries',
      author: 'Ann Lee, Marta Holm',
      publishedAt: '2024-01-22T00:00:00.000Z',
      canonicalUrl: 'https://arxiv.org/abs/2401.12345',
      warnings: [],
    });
    expect(text).toContain('## 6 Part');
  });

  it('with only an abstract says so', async () => {
    const { document, text } = await save(url, { [url]: abs });
    expect(document.warnings.map(({ code }) => code)).toEqual(['abstract_only']);
    expect(text).toMatch(/^## Abstract\n\nThe ferry/);
  });

  it.each([
    ['a DOI', head.replace('citation_arxiv_id" content="2401.12345', 'citation_doi" content="doi:10.1000/ABC.1')],
    ["a paper of arXiv's", head],
  ])('of another publisher does not become a duplicate of %s by naming it', async (_, tags) => {
    const address = 'https://journal.example/articles/1';
    const { document } = await save(address, {
      [address]: page(`<article><p>${sentence.repeat(6)}</p></article>`, tags),
    });
    expect(document).toMatchObject({ contentType: 'paper', title: 'On ferries', canonicalUrl: address });
  });
});

describe('a feed', () => {
  it('in RSS has the notes of each entry', async () => {
    const url = 'https://ferry.example/feed.xml';
    const rss = `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel><title>Ferry talk</title><description>About ferries</description><image><title>Logo</title></image>
      <item><title>Episode 2: fog</title><link>/2</link><dc:creator>Ann Lee</dc:creator><pubDate>Tue, 05 Mar 2024 08:00:00 GMT</pubDate>
      <description>Short.</description><content:encoded><![CDATA[<h2>Notes</h2><p>${sentence}</p><script>alert(1)</script><ul><li>a link</li></ul>]]></content:encoded></item>
      <item><title>Episode 1</title></item></channel></rss>`;
    const { document, text } = await save(url, { [url]: rss });
    expect(document).toMatchObject({
      contentType: 'feed',
      title: 'Ferry talk',
      publishedAt: '2024-03-05T00:00:00.000Z',
    });
    expect(text).toContain(
      '## [Episode 2: fog](https://ferry.example/2)\n\nAnn Lee, 2024-03-05\n\n#### Notes\n\nThe ferry',
    );
    expect(text).toContain('## Episode 1');
    expect(text).not.toMatch(/Logo|alert/);
  });

  it('in Atom is read as well, and an empty one says so', async () => {
    const url = 'https://ferry.example/atom';
    const atom = (entries: string): string =>
      `<feed xmlns="http://www.w3.org/2005/Atom"><title>Ferries</title><author><name>Ann</name></author>${entries}</feed>`;
    const entry = `<entry><title type="html">One &amp;amp; two</title><link rel="alternate" href="https://ferry.example/1"/><updated>2024-03-05T10:00:00Z</updated><content type="html">&lt;p&gt;${sentence}&lt;/p&gt;</content></entry>`;
    const { document, text } = await save(url, { [url]: atom(entry) });
    expect(document).toMatchObject({ contentType: 'feed', author: 'Ann' });
    expect(text).toBe(`## [One & two](https://ferry.example/1)\n\n2024-03-05\n\n${sentence.trim()}`);
    await expect(save(url, { [url]: atom('') })).rejects.toMatchObject({ code: 'empty' });
  });
});

describe('a file of captions', () => {
  const srt = (text: string): string =>
    `1\n00:00:01,000 --> 00:00:04,000\n${text}\n\n2\n00:02:00,000 --> 00:02:05,000\nThe end.\n`;

  it.each([
    ['/talk.vtt', `WEBVTT\n\n${srt(sentence).replaceAll(',', '.')}`],
    ['/talk.srt', srt(sentence)],
  ])('saved by itself, %s, is read with its seconds', async (path, body) => {
    const url = `https://ferry.example${path}`;
    const resource = await resourceOf(url, body, 'text/plain');
    const source = sources.find(new URL(url), resource.mediaType);
    const document = await readBy(source!, resource, sourceContext());
    expect(document).toMatchObject({ contentType: 'text', title: 'talk', language: 'en', durationSeconds: 125 });
    expect(document?.blocks.map(({ locator }) => locator)).toEqual([
      { kind: 'time', seconds: 1 },
      { kind: 'time', seconds: 120 },
    ]);
  });

  it('without captions says so', async () => {
    const source = sources.find(new URL('https://ferry.example/none.vtt'), 'text/vtt');
    const resource = await resourceOf('https://ferry.example/none.vtt', 'WEBVTT\n', 'text/plain');
    await expect(readBy(source!, resource, sourceContext())).rejects.toMatchObject({ code: 'no_captions' });
  });
});

describe('an unreadable resource', () => {
  it.each([
    ['https://ferry.example/talk', 'audio/mpeg', /audio recording \(audio\/mpeg\).*page that it stands on/],
    ['https://ferry.example/talk.mp4?x=1', 'application/octet-stream', /page that it stands on/],
    ['https://github.com/a/b/archive/main.zip', 'application/zip', /archive \(application\/zip\).*page on GitHub/],
    ['https://ferry.example/times.ics', 'text/calendar', /calendar/],
    ['https://ferry.example/x.bin', 'application/x-strange', /application\/x-strange.*Save its text as/],
  ])('is refused with its type and advice: %s', (url, type, words) => {
    expect(sources.describeUnsupported(new URL(url), type).message).toMatch(words);
  });
});

describe('a page with a huge number of links', () => {
  it('is classified without the rules, which would take minutes', async () => {
    const links = Array.from({ length: 21_000 }, (_, i) => `<a href="/to/${i}">link number ${i}</a>`).join(' ');
    const body = `<h1>Links</h1>${`<p>${sentence}</p>`.repeat(6)}<div>${links}</div>`;
    const document = await extractPage(page(body, '<title>Links</title>'), 'https://links.example/all');
    expect(layOutTranscript(document.blocks).text).toContain('](https://links.example/to/20999)');
  });
});

describe('a password form', () => {
  const form = (style: string, label: string): string =>
    page(`<form style="${style}">${label}<input type="password"></form>`, '<title>Picking a keyboard</title>');

  it('that is the whole page means a login, and one without any text is part of an empty page', async () => {
    const url = 'https://board.example/t/1';
    const extract = (body: string) => extractPage(body, url);
    await expect(extract(form('', '<label>Password</label>'))).rejects.toMatchObject({ code: 'login_required' });
    await expect(extract(form('display: none', ''))).rejects.toMatchObject({ code: 'empty' });
  });
});
