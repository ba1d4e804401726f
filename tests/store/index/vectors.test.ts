import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quantize } from '../../../src/store/sqlite/index/quantize.ts';
import { forAll } from '../../support/for-all.ts';

describe('vectors as bytes', () => {
  it('have an error of at most half a step', () => {
    const vector = fc.float32Array({
      minLength: 1,
      maxLength: 64,
      min: -1,
      max: 1,
      noNaN: true,
      noDefaultInfinity: true,
    });
    forAll(vector, (exact) => {
      const { scale, components } = quantize(exact);
      const largest = Math.max(...exact.map(Math.abs));
      expect(scale).toBe(Math.fround(largest / 127));
      for (const [i, component] of components.entries()) {
        expect(Math.abs(component * scale - exact[i]!)).toBeLessThanOrEqual(scale * 0.501 + 1e-30);
      }
    });
  });

  it('of only zeros are zeros', () => {
    expect(quantize(new Float32Array(3))).toEqual({ scale: 0, components: new Int8Array(3) });
  });
});
