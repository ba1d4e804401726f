import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBlockModel, readBlockModel } from '../../../src/sources/page/blocks/block-model.ts';
import { bestExpected } from '../../../src/sources/page/blocks/choose-blocks.ts';
import { scanPage } from '../../../src/sources/page/html/html-scan.ts';
import { blocksOfPage } from '../../../src/sources/page/blocks/page-blocks.ts';
import { blockFeatures } from '../../../src/sources/page/blocks/page-features.ts';
import { parsePage } from '../../../src/sources/page/html/parse-page.ts';
import { restoreBlocks } from '../../../src/sources/page/blocks/restore-blocks.ts';
import { layOutTranscript } from '../../../src/domain/records/texts/document.ts';
import { extractPage } from '../../../src/sources/page/extract-page.ts';
import { createHtmlToMarkdown } from '../../../src/sources/page/markdown/html-to-markdown.ts';
import { readByRules } from '../../../src/sources/page/blocks/rule-extraction.ts';

const url = 'https://a.test/a-page';

describe('the model', () => {
  it('gets the features that it was trained on', () => {
    const html = '<html><body><p>Some words that stand here.</p></body></html>';
    const [row] = blockFeatures(blocksOfPage(parsePage(html, url, url).documentElement), scanPage(html), url);
    expect(row?.length).toBe(readBlockModel().features);
  });

  it('answers within its numeric limits', () => {
    const model = createBlockModel({ features: 1, base: 0, edges: [[5]], trees: [[0, 0, -1, -2_000, -1, 2_000]] });
    expect(model.probability([5])).toBeCloseTo(0.119, 3);
    expect(model.probability([5.1])).toBeCloseTo(0.881, 3);
  });
});

describe('the choice of blocks', () => {
  it('maximises the expected value over all choices', () => {
    const block = fc.record({ p: fc.double({ min: 0, max: 1, noNaN: true }), w: fc.integer({ min: 0, max: 50 }) });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 8 }), (blocks) => {
        const likely = blocks.map(({ p }) => p);
        const words = blocks.map(({ w }) => w);
        const all = blocks.reduce((sum, { p, w }) => sum + p * w, 0);
        const { expected, kept } = bestExpected(likely, words);
        expect(kept).toHaveLength(blocks.length);
        for (let choice = 1; choice < 2 ** blocks.length; choice += 1) {
          const chosen = blocks.filter((_, i) => (choice & (1 << i)) !== 0);
          const taken = chosen.reduce((sum, { w }) => sum + w, 0);
          const found = chosen.reduce((sum, { p, w }) => sum + p * w, 0);
          expect((2 * found) / Math.max(1e-9, taken + all)).toBeLessThanOrEqual(expected + 1e-9);
        }
      }),
    );
  });
});

const manualUrl = 'https://harbour.example/manual';
const sentenceOn = (about: string): string =>
  `The ${about} of the harbour is opened at dawn and shut again when the last boat is back. `.repeat(3);
const section = (n: number): string =>
  `<div class="section"><h2>Gate ${n}</h2><p>${sentenceOn('gate')}</p><pre>gate --open ${n}</pre><p>${sentenceOn('lock')}</p>
   <ul><li><p>${sentenceOn('lamp')}</p></li><li><p>${sentenceOn('bell')}</p></li></ul></div>`;
const teaser = (n: number): string => `<div class="teaser"><p>${sentenceOn(`museum ${n}`)}</p></div>`;

/** The blocks that are kept after the model was sure of the first sections alone. */
function keptOf(sections: number, sure: number): { text: string; kept: boolean }[] {
  const numbers = Array.from({ length: sections }, (_, n) => n);
  const html = `<html><body><div class="manual">${numbers.map(section).join('')}</div>${numbers.map(teaser).join('')}</body></html>`;
  const blocks = blocksOfPage(parsePage(html, manualUrl, manualUrl).documentElement);
  const from = blocks.findIndex(({ text }) => text === `Gate ${sure}`);
  const kept = blocks.map((_, i) => i < from);
  restoreBlocks(
    blocks,
    kept.map((isKept) => (isKept ? 0.9 : 0.15)),
    kept,
  );
  return blocks.map(({ text }, i) => ({ text, kept: kept[i] === true }));
}

it('The sections of a long manual with a kept beginning keep their lists, code and headings', () => {
  const blocks = keptOf(30, 18);
  const lost = blocks.filter(({ text, kept }) => !kept && !text.includes('museum')).map(({ text }) => text);
  expect(lost).toEqual([]);
  expect(blocks.filter(({ text, kept }) => kept && text.includes('museum'))).toEqual([]);
});

it('The sections of a short or mostly rejected text are judged one by one', () => {
  for (const [sections, sure] of [
    [8, 5],
    [60, 12],
  ] as const) {
    const blocks = keptOf(sections, sure);
    expect(blocks.find(({ text }) => text === `Gate ${sections - 1}`)?.kept).toBe(false);
  }
});

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
  it('are the text of a page without any other', async () => {
    const text = await textOf(`<main><h1>Boats</h1><div class="grid">${cards.join('')}</div></main>`);
    for (const kind of kinds) expect(text).toContain(`Boat of ${kind}`);
  });

  it('are not part of an article before them', async () => {
    const prose = `<p>${sentence.repeat(3)}</p>`.repeat(5);
    const text = await textOf(
      `<main><article><h1>The ferry</h1>${prose}</article></main><section class="related"><h2>More boats</h2><div class="grid">${cards.join('')}</div></section>`,
      '<meta property="og:type" content="article">',
    );
    expect(text).toContain(sentence.trim());
    expect(text).not.toContain('Boat of');
  });

  it('of comments are not part of an article either, except under a heading such as discussion', async () => {
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

  it('that link elsewhere are links within headings', async () => {
    const text = await textOf(`<main><h1>Boats</h1><div class="grid">${cards.join('')}</div></main>`);
    expect(text).toContain('### [Boat of oak for the lake](https://harbour.example/boats/oak)');
  });

  it('that are links as a whole become links in their headings, and keep the text beside these', async () => {
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

  it('are distinguished from prose by how often the page repeats them', () => {
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

it('omit pictures that are data or have no description', async () => {
  const prose =
    'The ferry leaves the old harbour at seven in the morning and comes back with the evening tide. '.repeat(6);
  const url = 'https://ferry.example/times';
  const pictures =
    '<p><img src="data:image/png;base64,iVBORw0KGgo=" alt="tide" width="600" height="400"> <img src="/a.png" width="600" height="400"> <a href="/b"><img src="/c.png" width="600" height="400"></a></p>';
  const page = `<html><body><article><h1>Ferry</h1><p>${prose}</p>${pictures}<p>${prose}</p></article></body></html>`;
  const { markdown } = await readByRules(page, url, url, createHtmlToMarkdown(url));
  expect(markdown).toContain('The ferry leaves');
  expect(markdown).not.toMatch(/!\[|data:|\.png/);
});
