import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBlockModel, readBlockModel } from '../../src/sources/page/blocks/block-model.ts';
import { bestExpected } from '../../src/sources/page/blocks/choose-blocks.ts';
import { scanPage } from '../../src/sources/page/html/html-scan.ts';
import { blocksOfPage } from '../../src/sources/page/blocks/page-blocks.ts';
import { blockFeatures } from '../../src/sources/page/blocks/page-features.ts';
import { parsePage } from '../../src/sources/page/html/parse-page.ts';

const url = 'https://a.test/a-page';

describe('the model', () => {
  it('has the features that pages are given', () => {
    const html = '<html><body><p>Some words that stand here.</p></body></html>';
    const [row] = blockFeatures(blocksOfPage(parsePage(html, url, url).documentElement), scanPage(html), url);
    expect(row?.length).toBe(readBlockModel().features);
  });

  it('answers by the limits of its questions', () => {
    const model = createBlockModel({ features: 1, base: 0, edges: [[5]], trees: [[0, 0, -1, -2_000, -1, 2_000]] });
    expect(model.probability([5])).toBeCloseTo(0.119, 3);
    expect(model.probability([5.1])).toBeCloseTo(0.881, 3);
  });
});

describe('the choice of blocks', () => {
  it('expects the most of all choices', () => {
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
