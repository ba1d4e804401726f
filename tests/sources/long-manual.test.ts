import { expect, it } from 'vitest';
import { blocksOfPage } from '../../src/sources/page/blocks/page-blocks.ts';
import { restoreBlocks } from '../../src/sources/page/blocks/restore-blocks.ts';
import { parsePage } from '../../src/sources/page/html/parse-page.ts';

const url = 'https://harbour.example/manual';
const sentence = (about: string): string =>
  `The ${about} of the harbour is opened at dawn and shut again when the last boat is back. `.repeat(3);
const section = (n: number): string =>
  `<div class="section"><h2>Gate ${n}</h2><p>${sentence('gate')}</p><pre>gate --open ${n}</pre><p>${sentence('lock')}</p>
   <ul><li><p>${sentence('lamp')}</p></li><li><p>${sentence('bell')}</p></li></ul></div>`;
const teaser = (n: number): string => `<div class="teaser"><p>${sentence(`museum ${n}`)}</p></div>`;

/** The blocks that are kept after the model was sure of the first sections alone. */
function keptOf(sections: number, sure: number): { text: string; kept: boolean }[] {
  const numbers = Array.from({ length: sections }, (_, n) => n);
  const html = `<html><body><div class="manual">${numbers.map(section).join('')}</div>${numbers.map(teaser).join('')}</body></html>`;
  const blocks = blocksOfPage(parsePage(html, url, url).documentElement);
  const from = blocks.findIndex(({ text }) => text === `Gate ${sure}`);
  const kept = blocks.map((_, i) => i < from);
  restoreBlocks(
    blocks,
    kept.map((isKept) => (isKept ? 0.9 : 0.15)),
    kept,
  );
  return blocks.map(({ text }, i) => ({ text, kept: kept[i] === true }));
}

it('The sections of a long manual whose beginning is kept are kept with their lists, code and headings', () => {
  const blocks = keptOf(30, 18);
  const lost = blocks.filter(({ text, kept }) => !kept && !text.includes('museum')).map(({ text }) => text);
  expect(lost).toEqual([]);
  expect(blocks.filter(({ text, kept }) => kept && text.includes('museum'))).toEqual([]);
});

it('The sections of a short text, or of one of which little is kept, are judged one by one', () => {
  for (const [sections, sure] of [
    [8, 5],
    [60, 12],
  ] as const) {
    const blocks = keptOf(sections, sure);
    expect(blocks.find(({ text }) => text === `Gate ${sections - 1}`)?.kept).toBe(false);
  }
});
