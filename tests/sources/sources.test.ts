import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { layOutTranscript, type Document } from '../../src/domain/records/texts/document.ts';
import { plainText } from '../../src/domain/text/plain-text.ts';
import { ProcessingError } from '../../src/errors.ts';
import { extractPage } from '../../src/sources/page/extract-page.ts';
import { createSources } from '../../src/sources/index.ts';
import { alone, decoded, openReaders, original, readBy, sourceContext } from '../support/texts/reading.ts';
import { rows } from '../support/texts/rows.ts';

const sources = createSources();
const readers = openReaders();
afterAll(() => readers.close());

const page = 'https://garden-ledger.example/2024/05/roof-bees';

async function read(text: string, mediaType: string, url = page): Promise<Document> {
  const source = sources.find(new URL(url), mediaType);
  if (source === null) throw sources.describeUnsupported(new URL(url), mediaType);
  return readBy(source, decoded(text, mediaType, url), sourceContext());
}

const textOf = (document: Document): string => layOutTranscript(document.blocks).text;
const html = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`;
const sentence = 'The ferry leaves the old harbour at seven in the morning and comes back with the evening tide. ';

describe('an article', () => {
  it('is read without its surroundings', async () => {
    const document = await read(readFileSync('tests/fixtures/pages/cluttered-article.html', 'utf8'), 'text/html');
    expect(document).toMatchObject({
      contentType: 'article',
      title: 'Keeping bees on a flat roof',
      author: 'Marta Holm',
      siteName: 'The Garden Ledger',
      publishedAt: '2024-05-11T06:30:00.000Z',
      language: 'en',
      canonicalUrl: 'https://garden-ledger.example/2024/05/roof-bees?ref=home',
      warnings: [],
    });
    const text = textOf(document);
    for (const kept of [
      '## What the roof must carry',
      '[load tables](https://garden-ledger.example/2024/05/loads.html)',
      '| Empty hive | 18 |',
      '```python\nfor week in range(14, 38):\n    if week % 2 == 0:\n        print(f"week {week}: inspect <both> hives")\n```',
      '> Bees do not mind the height.',
      '1. Close the lower entrance.',
      'Opening the lid',
    ]) {
      expect(text).toContain(kept);
    }
    expect(text).not.toMatch(
      /cookie|Shop our seeds|tomatoes|cheap watches|Imprint|newsletter|alert|tracker|javascript:|onerror|steal/i,
    );
    const found = new Set(document.blocks.map(({ kind }) => kind));
    expect([...found].toSorted()).toEqual(['code', 'heading', 'list', 'paragraph', 'quote', 'table']);
  });

  it('omits player tags from the text', async () => {
    const player = '<video controls aria-label="A clip"><source src="/clip.mp4" type="video/mp4"></video>';
    const page = `<article><h1>x</h1><p>${sentence.repeat(4)}</p>${player}<p>${sentence.repeat(4)}</p></article>`;
    expect(textOf(await read(html(page), 'text/html'))).not.toMatch(/<video|<source|clip\.mp4/);
  });

  it('takes the language from the text, and from the tag only where the text is too short', async () => {
    const german = 'Der Zug nach Norden fährt jeden Morgen um sieben Uhr vom alten Bahnhof ab. '.repeat(5);
    expect((await read(html(`<article><p>${german}</p></article>`), 'text/html')).language).toBe('de');
    expect((await read('<html lang="pt-br"><body><p>Sim, claro.</p></body></html>', 'text/html')).language).toBe(
      'pt-BR',
    );
  });

  it.each(
    rows(`
      JSON-LD :: <script type="application/ld+json">{"@type":"Article","headline":"The ferry","articleBody":"${sentence.repeat(8)}"}</script>
      hydration data :: <script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props: { post: { title: 'The ferry', body: `<p>${sentence.repeat(8)}</p>` } } })}</script>
    `),
  )('is recovered from %s when the page shows nothing', async (_name, script) => {
    const document = await read(html(`<div id="root"></div>${script}`), 'text/html');
    expect(textOf(document)).toContain(sentence.trim());
    expect(document.title).toBe('The ferry');
  });

  it('is recovered from a tree of paragraphs, with short ones and the words of links', async () => {
    const words = (...values: string[]) => values.map((value) => ({ nodeType: 'text', value, marks: [] }));
    const paragraph = (...content: unknown[]) => ({ nodeType: 'paragraph', data: {}, content });
    const link = {
      nodeType: 'hyperlink',
      data: { uri: 'https://harbour.example/' },
      content: words('the old harbour'),
    };
    const body = [
      paragraph(...words(sentence.repeat(4).trim())),
      paragraph(...words('It leaves '), link, ...words(', which is ', 'small', '.')),
      paragraph(...words('Be early.')),
    ];
    const data = { props: { nav: { value: 'Menu' }, post: { title: 'The ferry', body: { content: body } } } };
    const script = `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify(data)}</script>`;
    const document = await read(html(`<div id="root"></div>${script}`), 'text/html');
    expect(textOf(document)).toBe(
      `${sentence.repeat(4).trim()}\n\nIt leaves the old harbour, which is small.\n\nBe early.`,
    );
  });

  it('says so when it is read without a DOM: the page is too deep, or a huge index', async () => {
    const ways = async (body: string): Promise<string[]> => {
      const said: string[] = [];
      await extractPage(html(body), page, { onLinear: () => said.push('linear') });
      return said;
    };
    expect(await ways(`<p>${sentence}</p>`)).toEqual([]);
    expect(await ways(`${'<div>'.repeat(300)}<p>${sentence}</p>`)).toEqual(['linear']);
    expect(await ways(`<p>${sentence}</p>${'<a href="/x">One more.</a> '.repeat(40_001)}`)).toEqual(['linear']);
  });

  it('in a page too deep for a DOM is read', async () => {
    const deep = `${'<div>'.repeat(3_000)}<h2>Far down</h2><p>${sentence}</p><ul><li>one</li><li>two</li></ul><pre>a  b</pre>`;
    const text = textOf(await read(html(`<nav>Menu</nav>${deep}<script>evil()</script>`), 'text/html'));
    expect(text).toBe(`## Far down\n\n${sentence.trim()}\n\n- one\n- two\n\n\`\`\`\na  b\n\`\`\``);
  });

  it('that takes a DOM too long is read without one', async () => {
    const document = await extractPage(readFileSync('tests/fixtures/pages/cluttered-article.html', 'utf8'), page, {
      way: 'linear',
    });
    expect(document).toMatchObject({ title: 'Keeping bees on a flat roof', author: 'Marta Holm', language: 'en' });
    const text = textOf(document);
    expect(text).toContain('| Empty hive | 18 |');
    expect(text).toContain('- Close the lower entrance.');
    expect(text).not.toMatch(/Shop our seeds|Ten tomatoes|newsletter|alert|tracker|javascript:/i);
  });

  it('without any tags is read as text', async () => {
    expect(textOf(await read(`${sentence}\n\n${sentence}`, 'text/html'))).toBe(
      `${sentence.trim()}\n\n${sentence.trim()}`,
    );
  });

  it('lets no script through, however it is written', async () => {
    const attacks = [
      '<a href="java\nscript:alert(1)">one</a>',
      '<a href=" JAVASCRIPT:alert(1)">two</a>',
      '<a href="data:text/html,<script>alert(1)</script>">three</a>',
      '<img src=x onerror=alert(1)>',
      '<svg><script>alert(1)</script></svg>',
      '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
      '<p>&lt;script&gt;alert(1)&lt;/script&gt; is written out</p>',
    ];
    const text = textOf(
      await read(html(`<article><p>${sentence.repeat(5)}</p>${attacks.join('\n')}</article>`), 'text/html'),
    );
    expect(text).not.toMatch(/javascript:|onerror|data:text|<iframe|<svg|(?<!\\)<script/i);
    expect(plainText(text)).toContain('is written out');
  });

  it('keeps text in forms, buttons and noscript elements', async () => {
    const form = `<form action="/page.aspx"><h1>The old harbour</h1><p>${sentence.repeat(5)}</p><h2><button>When it sails</button></h2><p>${sentence.repeat(5)}</p></form>`;
    expect(textOf(await read(html(form), 'text/html'))).toMatch(/## When it sails\n\nThe ferry/);
    const noscript = `<div id="app"></div><noscript><div class="post"><p>${sentence.repeat(8)}</p></div></noscript>`;
    expect(textOf(await read(html(noscript), 'text/html'))).toContain(sentence.trim());
  });

  it('says where its text continues', async () => {
    const next = '<link rel="next" href="?page=2">';
    const body = `<article><h1>x</h1><p>${sentence.repeat(5)}</p></article>`;
    const codes = async (head: string): Promise<string[]> =>
      (await read(html(body, head), 'text/html')).warnings.map(({ code }) => code);
    expect(await codes(next)).toEqual(['more_pages']);
    expect(await codes('<link rel="next" href="/2024/06/another-article">')).toEqual([]);
  });

  it('says that a text behind a paywall may be incomplete', async () => {
    const script =
      '<script type="application/ld+json">{"@type":"NewsArticle","headline":"x","isAccessibleForFree":"False"}</script>';
    const document = await read(html(`<article><h1>x</h1><p>${sentence.repeat(4)}</p></article>`, script), 'text/html');
    expect(document.warnings.map(({ code }) => code)).toEqual(['paywall']);
  });

  it.each([
    ['', 'empty'],
    [html(''), 'empty'],
    [
      html('<div id="root"></div><script src="/app.js"></script><noscript>You need to enable JavaScript</noscript>'),
      'empty',
    ],
    [html('<p>Please enable JavaScript to view this site.</p>'), 'empty'],
    [
      html('<h1>Before you continue</h1><p>We use cookies. Accept all?</p>', '<title>Before you continue</title>'),
      'consent_wall',
    ],
    [
      html('<p>Verifying you are human. This may take a few seconds.</p>', '<title>Just a moment...</title>'),
      'captcha',
    ],
    [
      html('<h1>Sign in</h1><form><input name="user"><input type="password"></form><p>Welcome back</p>'),
      'login_required',
    ],
    [html('<h1>404</h1><p>The page could not be found.</p>', '<title>Page not found</title>'), 'soft_404'],
    [
      html('<h1>Oops! Page not found</h1><ul><li>Popular: ten ferries</li></ul>', '<title>404 | Ferries</title>'),
      'soft_404',
    ],
    [html('<p>Members only story. Subscribe to continue reading.</p>', '<title>The ferry</title>'), 'paywall'],
    [html('<p>You must be logged in to view this page.</p>', '<title>Board</title>'), 'login_required'],
  ])('that is missing fails: %s', async (text, code) => {
    await expect(read(text, 'text/html')).rejects.toMatchObject({ name: 'ProcessingError', code, retryable: false });
  });

  it.each([
    'How a captcha tells whether you are human',
    'Just a moment: a memoir',
    'Sign in to the guest book, said the porter',
    'Cookie settings that a baker would use',
    'Members only story: inside the club',
  ])('about such things is an article: %s', async (title) => {
    const body = `<article><h1>${title}</h1><p>Verifying you are human takes a few seconds. ${sentence.repeat(12)}</p></article>`;
    const document = await read(html(body, `<title>${title}</title>`), 'text/html');
    expect(textOf(document)).toContain('ferry');
  });

  it('about a login or a missing page is an article', async () => {
    const body = `<article><h1>Page not found: a history of the 404 error</h1><p>${sentence.repeat(15)}</p></article>`;
    expect(textOf(await read(html(body, '<title>Page not found: a history</title>'), 'text/html'))).toContain('ferry');
  });
});

describe('the reading processes', () => {
  const small = original(html(`<p>${sentence}</p>`), { url: page });

  it('give up a page at the timeout, and read the next one', async () => {
    const hurried = openReaders({ timeLimitMs: 1 });
    const large = original(html(`<p>${sentence}</p>`.repeat(5_000)), { url: page });
    await expect(hurried.read(large, alone())).rejects.toMatchObject({ code: 'extraction_timeout' });
    await hurried.close();
    expect((await readers.read(small, alone())).transcript.blocks).toHaveLength(1);
  });

  it('reject with the reason of the signal', async () => {
    const reason = new Error('stopped');
    const stop = new AbortController();
    const large = original(html(`<p>${sentence}</p>`.repeat(3_000)), { url: page });
    const reading = readers.read(large, alone({ signal: stop.signal }));
    const waiting = readers.read(small, alone({ signal: stop.signal }));
    stop.abort(reason);
    await Promise.all([expect(reading).rejects.toBe(reason), expect(waiting).rejects.toBe(reason)]);
  });

  it('fail the current text when they are closed', async () => {
    const closing = openReaders();
    const reading = closing.read(original(sentence, { url: page }), alone());
    await Promise.all([
      expect(reading).rejects.toMatchObject({ code: 'interrupted', retryable: true }),
      closing.close(),
    ]);
  });
});

describe('Markdown', () => {
  it('takes title, author and date from its front matter', async () => {
    const text = `---\ntitle: "A ferry"\nauthor: Ann Lee\ndate: 2024-03-02\ntags: [a]\n---\n\n# Another heading\n\n${sentence}`;
    const document = await read(text, 'text/markdown', 'file:///notes/ferry.md');
    expect(document).toMatchObject({
      contentType: 'text',
      title: 'A ferry',
      author: 'Ann Lee',
      publishedAt: '2024-03-02T00:00:00.000Z',
      language: 'en',
    });
    expect(textOf(document)).toBe(`# Another heading\n\n${sentence.trim()}`);
  });

  it('is named by its first heading, or its file', async () => {
    expect((await read('## *The* ferry\n\nwords', 'text/markdown')).title).toBe('The ferry');
    expect((await read('words', 'text/markdown', 'file:///notes/a%20ferry.md')).title).toBe('a ferry.md');
  });

  it('loses the pictures that it contains as data', async () => {
    const data = `data:image/png;base64,${'iVBORw0KGgo'.repeat(200)}==`;
    const text = `# Ferry\n\nBefore ![a boat](${data}) after, and ![][image1] too.\n\n${sentence}\n\n[image1]: <${data}>\n`;
    expect(textOf(await read(text, 'text/markdown'))).toBe(
      `# Ferry\n\nBefore  after, and ![][image1] too.\n\n${sentence.trim()}`,
    );
  });

  it('keeps sentences that look like the address of a picture', async () => {
    const text =
      '[Q1]: Data: 40 % of the users left.\n\n[Results]:\n\nData: the trial had 12 groups.\n\n![Tide](data:tide)';
    const document = await read(`${text}\n\n${sentence}`, 'text/markdown');
    expect(textOf(document)).toBe(`${text}\n\n${sentence.trim()}`);
  });

  it('keeps prose between two breaks', async () => {
    const document = await read('---\nNot a field\n---\n\nwords', 'text/markdown');
    expect(textOf(document)).toContain('Not a field');
  });
});

describe('plain text', () => {
  it('is its paragraphs, exactly', async () => {
    const document = await read(
      '# not a heading\nline two\r\n\r\n\r\n  indented *text*\n',
      'text/plain',
      'https://a.test/x.txt',
    );
    expect(document.blocks).toEqual([
      { text: '# not a heading\nline two', kind: 'paragraph' },
      { text: '  indented *text*', kind: 'paragraph' },
    ]);
    expect(document).toMatchObject({ contentType: 'text', title: 'x.txt', language: null });
  });

  it('without words is empty', async () => {
    await expect(read(' \n ', 'text/plain')).rejects.toMatchObject({ code: 'empty' });
  });
});

describe('the result of every source', () => {
  it('has a title and names of limited length', async () => {
    const head = `<title>${'word '.repeat(500)}</title><meta property="og:site_name" content="${'😀'.repeat(300)}">`;
    const canonical = `<link rel="canonical" href="${page}?${'a'.repeat(2_100)}">`;
    const document = await read(html(`<p>${sentence}</p>`, head + canonical), 'text/html');
    expect(document.title).toMatch(/^(?:word )+word…$/);
    expect(document.title?.length).toBeLessThanOrEqual(500);
    expect(document.siteName).toMatch(/^(?:😀)+…$/u);
    expect(document.siteName?.length).toBeLessThanOrEqual(200);
    expect(document.canonicalUrl).toBeNull();
    const author = `Ann ${'Lee '.repeat(400)}`;
    const notes = await read(`---\ntitle: ${'a'.repeat(600)}\nauthor: ${author}\n---\nwords`, 'text/markdown');
    expect(notes.title).toBe(`${'a'.repeat(499)}…`);
    expect(notes.author).toMatch(/^Ann (?:Lee )+Lee…$/);
  });

  it.each([
    ['text/plain', '\u200b \u00ad\n\n\u2060'],
    ['text/markdown', '---\ntitle: a\n---\n\n\u200b'],
    ['text/markdown', '---\n\n***\n'],
    ['text/html', '<p>\u200b</p>'],
  ])('has only visible text as %s: %j', async (mediaType, text) => {
    await expect(read(text, mediaType)).rejects.toMatchObject({ name: 'ProcessingError', code: 'empty' });
  });
});

describe('an excessive text', () => {
  it.each(['text/plain', 'text/markdown'])('as %s is given up at the timeout', async (mediaType) => {
    const hurried = openReaders({ timeLimitMs: 1 });
    const long = original(`${sentence}\n\n`.repeat(20_000), { url: page, declaredType: mediaType });
    await expect(hurried.read(long, alone())).rejects.toMatchObject({
      code: 'extraction_timeout',
      message: expect.stringContaining('smaller files'),
    });
    await hurried.close();
  });
});

describe('an unsupported resource', () => {
  it.each([
    ['https://example.com/a', 'image/tiff', /an image/],
    ['https://example.com/a', 'video/mp4', /a video/],
    ['https://example.com/a', 'application/x-cfb', /\.doc, \.xls, \.ppt/],
    ['https://example.com/a', 'application/vnd.oasis.opendocument.text', /\.odt/],
    ['https://example.com/a', 'application/vnd.openxmlformats-officedocument.presentationml.presentation', /\.pptx/],
    ['https://example.com/a', 'application/json', /data \(JSON\)/],
    ['https://example.com/a', 'application/zip', /an archive/],
    ['https://example.com/a', 'application/octet-stream', /does not know/],
  ])('%s as %s is named in the error', (url, mediaType, words) => {
    expect(sources.find(new URL(url), mediaType)).toBeNull();
    const failure = sources.describeUnsupported(new URL(url), mediaType);
    expect(failure).toBeInstanceOf(ProcessingError);
    expect(failure).toMatchObject({ code: 'unsupported_type', retryable: false });
    expect(failure.message).toMatch(words);
  });
});
