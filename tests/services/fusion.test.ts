import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuseRankings } from '../../src/services/fusion.ts';

const hits = fc.uniqueArray(
  fc.record({
    passageId: fc.nat({ max: 30 }),
    contentId: fc.constant('c_x'),
    score: fc.double({ min: -1, max: 20, noNaN: true }),
  }),
  { selector: ({ passageId }) => passageId },
);

/** No terms, or the sum of some terms' idf, which is 1e-6 at least. */
const idealScores = fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 50, noNaN: true }));

describe('the fused ranking', () => {
  it('has every passage of either list once, best first, whatever the order of the lists', () => {
    fc.assert(
      fc.property(hits, hits, idealScores, (words, meaning, idealScore) => {
        const fused = fuseRankings({ hits: words, idealScore }, meaning);
        expect(fuseRankings({ hits: words.toReversed(), idealScore }, meaning.toReversed())).toEqual(fused);
        const ids = fused.map(({ passageId }) => passageId);
        expect(new Set(ids)).toEqual(new Set([...words, ...meaning].map(({ passageId }) => passageId)));
        expect(ids).toHaveLength(new Set(ids).size);
        expect(fused).toEqual(fused.toSorted((a, b) => b.score - a.score || a.passageId - b.passageId));
        for (const { score } of fused) expect(Number.isFinite(score)).toBe(true);
      }),
    );
  });

  it('puts what both lists have above what one of them has', () => {
    const hit = (passageId: number, score: number) => ({ passageId, contentId: 'c_x', score });
    const fused = fuseRankings({ hits: [hit(1, 5), hit(2, 5)], idealScore: 10 }, [hit(2, 0.5), hit(3, 0.5)]);
    expect(fused.map(({ passageId }) => passageId)).toEqual([2, 1, 3]);
  });
});
