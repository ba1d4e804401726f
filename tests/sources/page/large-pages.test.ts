// Second stage, alone.
import { describe, expect, it } from 'vitest';
import { layOutTranscript, type Document } from '../../../src/domain/records/texts/document.ts';
import { extractPage } from '../../../src/sources/page/extract-page.ts';
import { readFeed } from '../../../src/sources/feed/read-feed.ts';
import { rows } from '../../support/texts/rows.ts';

const sentence = 'The ferry leaves the old harbour at seven in the morning and comes back with the evening tide. ';
const megabyte = sentence.repeat(10_500);
const html = (body: string, head = ''): string =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;
const textOf = ({ blocks }: Pick<Document, 'blocks'>): string => layOutTranscript(blocks).text;
const meta = (name: string, content: string): string => `<meta name="${name}" content="${content}">`;

/* Megabytes of each kind: what is quadratic takes hours for one, and the runner's time limit is the assertion. */
describe('a large page', { timeout: 240_000 }, () => {
  const post = (text: string, name = 'ann'): string =>
    `<div class="post"><div class="postbody"><p class="author"><strong>${name}</strong></p><div class="content">${text}</div></div></div>`;

  it('of a thread keeps every post', async () => {
    const posts = Array.from({ length: 1_000 }, (_, i) => post(`<p>Post ${i}. ${sentence.repeat(8)}</p>`, `name${i}`));
    const document = await extractPage(html(posts.join('')), 'https://forum.example/thread?1');
    expect(document).toMatchObject({ contentType: 'discussion', author: 'name0' });
    expect(textOf(document)).toContain('## name999');
  });

  it.each(
    rows(`
      code blocks beside one long text :: <div>${megabyte}</div><div>${'<i></i><pre>let a;</pre>'.repeat(8_000)}</div>
      code blocks in code blocks :: ${'<pre><div>let a;'.repeat(120)}${sentence.repeat(2_000)}
      links to one long note :: <p>${sentence}${'<sup><a href="#n">1</a></sup> '.repeat(8_000)}</p><p id="n" class="note">${megabyte}</p>
      formulas :: <p>${sentence.repeat(10)}</p><math>${'<mrow>'.repeat(200)}${'<mi>x</mi>'.repeat(20_000)}</math>
      cells that span all rows :: <p>${sentence.repeat(10)}</p><table>${'<tr><td rowspan="9999" colspan="99">a</td><td>b</td></tr>'.repeat(2_500)}</table>
    `),
  )('of %s is not read once for each', async (_name, body) => {
    expect(textOf(await extractPage(html(body), 'https://ferry.example/3')).length).toBeGreaterThan(100);
  });

  it('of unclosed templates is not read once for each', async () => {
    const page = `<p>${sentence.repeat(30)}</p><div shadowroot=open></div>${'<template '.repeat(100_000)}`;
    expect(textOf(await extractPage(page, 'https://ferry.example/1', { way: 'linear' }))).toContain('old harbour');
  });

  it('whose data names an address of slashes is read', async () => {
    const article = {
      '@type': 'Article',
      headline: 'On ferries',
      url: `https://ferry.example${'/'.repeat(1_000_000)}2`,
    };
    const head = `<script type="application/ld+json">${JSON.stringify(article)}</script>`;
    const document = await extractPage(html(`<p>${sentence.repeat(30)}</p>`, head), 'https://ferry.example/2');
    expect(document.title).toBe('On ferries');
  });

  it('of nested posts is not read once for each', async () => {
    const nested = `${'<div class="post"><div class="postbody"><div class="content">a'.repeat(40)}${sentence.repeat(2_000)}`;
    const document = await extractPage(html(nested), 'https://forum.example/thread?2');
    expect(textOf(document).length).toBeLessThan(4 * 2_000 * sentence.length);
  });

  it("of a post gives the post's text", async () => {
    const head = `<meta property="og:title" content="Ann on Mastodon"><meta property="og:description" content="${megabyte}">`;
    const document = await extractPage(
      html('<p>Sign up to see more.</p>', head),
      'https://social.example/@ann/112233445566778899',
    );
    expect(document).toMatchObject({ contentType: 'post', author: 'Ann' });
    expect(textOf(document).length).toBeLessThan(5_000);
  });

  it('of a paper keeps its abstract', async () => {
    const authors = Array.from({ length: 20_000 }, (_, i) => meta('citation_author', `Lee, Ann ${i}`)).join('');
    const head = `${meta('citation_title', 'On ferries')}${meta('citation_arxiv_id', '2401.12345')}${authors}`;
    const body = `<blockquote class="abstract">${`<p>${sentence.repeat(20)}</p>`.repeat(300)}</blockquote>`;
    const document = await extractPage(html(body, head), 'https://arxiv.org/abs/2401.12345');
    expect(document).toMatchObject({ contentType: 'paper', title: 'On ferries' });
    expect(textOf(document).length).toBeGreaterThan(500_000);
  });

  it('of one numbered list keeps its numbers', async () => {
    const items = Array.from({ length: 8_000 }, (_, i) => `<li>Stop ${i}, where the ferry waits for an hour.</li>`);
    const text = textOf(
      await extractPage(html(`<p>${sentence}</p><ol>${items.join('')}</ol>`), 'https://a.example/stops'),
    );
    expect(text).toContain('8000. Stop 7999');
  });
});

describe('a large feed', { timeout: 240_000 }, () => {
  const feed = (items: string): Promise<Document> =>
    readFeed(`<rss><channel><title>Ferries</title>${items}</channel></rss>`, 'https://a.example/feed', () => undefined);

  it('of many entries keeps the first of them, and says so', async () => {
    const entry = (i: number): string =>
      `<item><title>Entry ${i}</title><description>${sentence.repeat(4)}</description></item>`;
    const document = await feed(Array.from({ length: 5_000 }, (_, i) => entry(i)).join(''));
    expect(textOf(document)).toContain('Entry 499');
    expect(document.warnings.map(({ code }) => code)).toEqual(['truncated']);
  });

  it.each([
    ['one entry without end', `<item><title>a</title><description>${megabyte.repeat(2)}</description></item>`],
    [
      'elements in elements',
      `<item><title>a</title><description>${sentence}${'<div>'.repeat(200_000)}</description></item>`,
    ],
    ['entries in entries', `<item><title>a</title><description>${sentence}</description>`.repeat(8_000)],
    ['titles without end', `<item><title>${megabyte}</title><description>${sentence}</description></item>`.repeat(2)],
  ])('of %s is read', async (_name, items) => {
    expect(textOf(await feed(items))).toContain('The ferry leaves');
  });
});
