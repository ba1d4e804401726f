import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuseRankings } from '../../src/search/ranking.ts';
import { forAll } from '../support/for-all.ts';

const hits = fc.uniqueArray(
  fc.record({
    passageId: fc.nat({ max: 30 }),
    contentId: fc.constant('c_x'),
    score: fc.double({ min: -1, max: 20, noNaN: true }),
  }),
  { selector: ({ passageId }) => passageId },
);

describe('the fused ranking', () => {
  it('has every passage with a word of the question or a near meaning once, best first, whatever the order of the lists', () => {
    forAll(hits, hits, (words, meaning) => {
      const fused = fuseRankings(words, meaning);
      expect(fuseRankings(words.toReversed(), meaning.toReversed())).toEqual(fused);
      const ids = fused.map(({ passageId }) => passageId);
      const near = meaning.filter(({ score }) => score >= 0.25);
      expect(new Set(ids)).toEqual(new Set([...words, ...near].map(({ passageId }) => passageId)));
      expect(ids).toHaveLength(new Set(ids).size);
      expect(fused).toEqual(fused.toSorted((a, b) => b.score - a.score || a.passageId - b.passageId));
      for (const { score } of fused) expect(Number.isFinite(score)).toBe(true);
    });
  });

  it('ranks passages in both lists above those in one', () => {
    const hit = (passageId: number, score: number) => ({ passageId, contentId: 'c_x', score });
    const fused = fuseRankings([hit(1, 0.5), hit(2, 0.5)], [hit(2, 0.5), hit(3, 0.5)]);
    expect(fused.map(({ passageId }) => passageId)).toEqual([2, 1, 3]);
  });

  it('scores a passage without a vector by its words alone, so that nothing pushes it down', () => {
    const hit = (passageId: number, score: number) => ({ passageId, contentId: 'c_x', score });
    const words = [hit(1, 0.5), hit(2, 0.4)];
    const near = [hit(2, 0.3), hit(3, 0.35)];
    expect(fuseRankings(words, near).map(({ passageId }) => passageId)).toEqual([2, 1, 3]);
    expect(fuseRankings(words, near, new Set([1])).map(({ passageId, score }) => [passageId, score])).toEqual([
      [1, 0.5],
      [2, 0.35],
      [3, 0.175],
    ]);
  });

  it('keeps a single exact hit above any number of vague neighbours', () => {
    const hit = (passageId: number, score: number) => ({ passageId, contentId: 'c_x', score });
    // A name or an error code: one passage has it and nearly all that BM25 can give; the neighbours only sound alike.
    const exact = [hit(1, 9 / 11)];
    const vague = Array.from({ length: 200 }, (_, index) => hit(index + 2, 0.45 - index / 1_000));
    expect(fuseRankings(exact, vague)[0]?.passageId).toBe(1);
  });
});
