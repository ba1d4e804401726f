import { describe, expect, it } from 'vitest';
import { layOutTranscript } from '../../src/domain/records/document.ts';
import { extractPage } from '../../src/sources/page/extract-page.ts';
import { scanPage } from '../../src/sources/page/html/html-scan.ts';
import { blocksOfPage } from '../../src/sources/page/blocks/page-blocks.ts';
import { blockFeatures } from '../../src/sources/page/blocks/page-features.ts';
import { parsePage } from '../../src/sources/page/html/parse-page.ts';

const sentence = 'The ferry leaves the old harbour at seven in the morning and comes back with the evening tide. ';
const address = 'https://harbour.example/boats';
const kinds = 'oak pine larch elm ash birch beech cedar'.split(' ');
const cards = kinds.map(
  (kind) =>
    `<div class="card"><a href="/boats/${kind}"><h3>Boat of ${kind} for the lake</h3></a><p>A boat of ${kind} for six, with oars and a sail, built at the old yard.</p></div>`,
);

async function textOf(body: string, head = ''): Promise<string> {
  const page = `<html lang="en"><head><title>Boats</title>${head}</head><body><nav><a href="/">Home</a></nav>${body}<footer>© 2024</footer></body></html>`;
  return layOutTranscript((await extractPage(page, address)).blocks).text;
}

describe('Cards in a row', () => {
  it('are the text of a page that has no other', async () => {
    const text = await textOf(`<main><h1>Boats</h1><div class="grid">${cards.join('')}</div></main>`);
    for (const kind of kinds) expect(text).toContain(`Boat of ${kind}`);
  });

  it('are no text of an article that they stand behind', async () => {
    const prose = `<p>${sentence.repeat(3)}</p>`.repeat(5);
    const text = await textOf(
      `<main><article><h1>The ferry</h1>${prose}</article></main><section class="related"><h2>More boats</h2><div class="grid">${cards.join('')}</div></section>`,
      '<meta property="og:type" content="article">',
    );
    expect(text).toContain(sentence.trim());
    expect(text).not.toContain('Boat of');
  });

  it('of comments are no text of an article either, but a section that is called a discussion is', async () => {
    const prose = `<p>${sentence.repeat(3)}</p>`.repeat(5);
    const article = '<meta property="og:type" content="article">';
    const comments = kinds.map(
      (kind) =>
        `<li class="comment"><b>${kind}</b><p>I have sailed on that ferry for years, and what you say of its ${kind} deck is not true at all.</p></li>`,
    );
    const withComments = await textOf(
      `<main><article><h1>The ferry</h1>${prose}</article><section id="comments"><ol class="comment-list">${comments.join('')}</ol></section></main>`,
      article,
    );
    expect(withComments).not.toContain('sailed on that ferry');
    const paper = await textOf(
      `<main><article><h1>The ferry</h1>${prose}<section id="discussion"><h2>Discussion</h2><p>That the tide has moved is shown here for the first time. ${sentence}</p><p>${sentence.repeat(2)}</p></section></article></main>`,
      article,
    );
    expect(paper).toContain('for the first time');
  });

  it('that lead on are links within headings', async () => {
    const text = await textOf(`<main><h1>Boats</h1><div class="grid">${cards.join('')}</div></main>`);
    expect(text).toContain('### [Boat of oak for the lake](https://harbour.example/boats/oak)');
  });

  it('that are links as a whole lead on in their headings, and keep what stands beside these', async () => {
    const whole = kinds.map(
      (kind) =>
        `<a class="card" href="/boats/${kind}"><div><img src="/${kind}.svg" alt="${kind} icon"></div><h3>Boat of ${kind} for the lake</h3><p>A boat for six, with oars and a sail, built at the old yard.</p></a>`,
    );
    const text = await textOf(`<main><h1>Boats</h1><div class="grid">${whole.join('')}</div></main>`);
    expect(text).toContain(
      `### [Boat of pine for the lake](https://harbour.example/boats/pine)\n\n![pine icon](https://harbour.example/pine.svg)\n\nA boat for six, with oars and a sail, built at the old yard.\n\n`,
    );
    expect(text).not.toMatch(/\S ### /);
  });

  it('are told from prose by how often the page has their like', () => {
    const rowsOf = (body: string): Map<string, number[]> => {
      const html = `<html><body>${body}</body></html>`;
      const blocks = blocksOfPage(parsePage(html, address, address).documentElement);
      const rows = blockFeatures(blocks, scanPage(html), address);
      return new Map(blocks.map(({ text }, i) => [text, [...(rows[i] ?? [])]]));
    };
    const few = rowsOf(`<div class="grid">${cards.slice(0, 1).join('')}</div>`).get('Boat of oak for the lake') ?? [];
    const many = rowsOf(`<div class="grid">${cards.join('')}</div>`).get('Boat of oak for the lake') ?? [];
    expect(many).toHaveLength(few.length);
    // Somewhere among the numbers stands how many blocks are built like this one: 8 instead of 1.
    expect(
      many.some((value, i) => Math.abs(value - Math.log1p(8)) < 1e-6 && Math.abs((few[i] ?? 0) - Math.log1p(1)) < 1e-6),
    ).toBe(true);
    expect([...few, ...many].every(Number.isFinite)).toBe(true);
  });
});
