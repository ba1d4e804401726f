import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonCheck } from '../../src/domain/json/json-check.ts';
import { forAll } from '../support/for-all.ts';

function check(text: string, cuts: readonly number[] = []): { deepest: number; values: number } {
  const bytes = Buffer.from(text);
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  const counted = new JsonCheck();
  for (const [index, end] of at.slice(1).entries()) counted.add(bytes.subarray(at[index], end));
  return { deepest: counted.deepest, values: counted.values };
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const inside = Object.values(value).map(sizeOf);
  return inside.reduce((sum, one) => sum + one, 1 + (Array.isArray(value) ? 0 : inside.length));
}

test('the depth is exact and values are never undercounted, in whatever pieces the bytes arrive', () => {
  forAll(fc.jsonValue({ maxDepth: 8 }), fc.array(fc.nat()), (value, cuts) => {
    const counted = check(JSON.stringify(value), cuts);
    expect(counted.deepest).toBe(depthOf(value));
    expect(counted.values).toBeGreaterThanOrEqual(sizeOf(value));
    expect(counted.values).toBeLessThanOrEqual(2 * sizeOf(value) + 1);
  });
});

describe('characters inside strings', () => {
  test.each([
    ['"[[[[{{{{,,,,::::"', { deepest: 0, values: 1 }],
    [String.raw`"\"[[[["`, { deepest: 0, values: 1 }],
    [String.raw`["\\",["\\\"["]]`, { deepest: 2, values: 4 }],
  ])('%s do not count', (text, counted) => {
    expect(check(text)).toEqual(counted);
    expect(
      check(
        text,
        [...text].map((_, index) => index),
      ),
    ).toEqual(counted);
  });
});
