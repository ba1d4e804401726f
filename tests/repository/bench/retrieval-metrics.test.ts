import { describe, expect, it } from 'vitest';
import { mean, ndcg, percentile, recall } from '../../../bench/retrieval/metrics.ts';

const judged = (grades: Record<string, number>) => new Map(Object.entries(grades));

describe('nDCG', () => {
  it('equals the value computed by hand', () => {
    // Gains 3 at rank 1, 2 at rank 4; ideally 3, 2, 1 at ranks 1, 2, 3.
    const dcg = 3 / 1 + 2 / Math.log2(5);
    const ideal = 3 / 1 + 2 / Math.log2(3) + 1 / 2;
    const judgements = judged({ a: 3, b: 2, c: 1, d: 0 });
    expect(ndcg(['a', 'd', 'x', 'b'], judgements, 10)).toBeCloseTo(dcg / ideal, 12);
    expect(ndcg(['a', 'd', 'x', 'b'], judgements, 10)).toBeCloseTo(0.810_892, 6);
    expect(ndcg(['a', 'd', 'x', 'b'], judgements, 3)).toBeCloseTo(3 / ideal, 12);
  });

  it('is 1 for the ideal order, also when more items are relevant than fit', () => {
    expect(ndcg(['a', 'b', 'c'], judged({ a: 2, b: 1, c: 1 }), 10)).toBe(1);
    expect(ndcg(['a', 'b'], judged({ a: 1, b: 1, c: 1, d: 1 }), 2)).toBe(1);
  });

  it('is 0 when nothing relevant is found or nothing is relevant', () => {
    expect(ndcg(['x'], judged({ a: 1 }), 10)).toBe(0);
    expect(ndcg(['a'], judged({ a: 0 }), 10)).toBe(0);
    expect(ndcg([], judged({}), 10)).toBe(0);
  });

  it('counts a grade below zero as zero', () => {
    expect(ndcg(['bad', 'a'], judged({ a: 1, bad: -2 }), 10)).toBeCloseTo(1 / Math.log2(3), 12);
  });
});

describe('recall', () => {
  it('is the share of the relevant items that were found', () => {
    const judgements = judged({ a: 1, b: 2, c: 1, d: 1, e: 0 });
    expect(recall(['a', 'x', 'b', 'e', 'c'], judgements, 3)).toBe(0.5);
    expect(recall(['a', 'x', 'b', 'e', 'c'], judgements, 10)).toBe(0.75);
    expect(recall(['a', 'a', 'a'], judgements, 10)).toBe(0.25);
    expect(recall(['e'], judged({ e: 0 }), 10)).toBe(0);
  });
});

describe('the figures of many queries', () => {
  it('are their mean', () => {
    expect(mean([1, 2, 6])).toBe(3);
    expect(mean([])).toBe(0);
  });

  it('are percentiles by the nearest rank', () => {
    const values = [15, 20, 35, 40, 50];
    expect([0.05, 0.3, 0.4, 0.5, 1].map((share) => percentile(values, share))).toEqual([15, 20, 20, 35, 50]);
    expect(percentile([7], 0.95)).toBe(7);
    expect(percentile([], 0.5)).toBeNaN();
    expect(values).toEqual([15, 20, 35, 40, 50]);
  });
});
