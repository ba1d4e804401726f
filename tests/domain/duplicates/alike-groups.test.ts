import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { groupAlike } from '../../../src/domain/duplicates/alike-groups.ts';
import { bandsOf, differingBits, fingerprintBits, maxDifferingBits } from '../../../src/domain/duplicates/simhash.ts';
import { forAll } from '../../support/for-all.ts';

/** The fingerprint of one topic, with some bits changed. */
function fingerprint(topic: number, changed: readonly number[]): Uint8Array {
  const hash = new Uint8Array(fingerprintBits / 8).fill(topic);
  for (const bit of changed) hash[bit >>> 3]! ^= 1 << (bit & 7);
  return hash;
}

const sorted = (groups: readonly (readonly number[])[]) =>
  groups.map((group) => group.toSorted((a, b) => a - b)).toSorted((a, b) => a[0]! - b[0]!);

function shareBand(a: Uint8Array, b: Uint8Array): boolean {
  const bands = new Map(bandsOf(a));
  return [...bandsOf(b)].some(([band, value]) => bands.get(band) === value);
}

it('forms the same groups as a comparison of every pair', () => {
  const bits = fc.uniqueArray(fc.nat(fingerprintBits - 1), { maxLength: 24 });
  const one = fc.record({ topic: fc.constantFrom(0, 255), changed: bits, key: fc.nat(12) });
  forAll(fc.array(one, { maxLength: 16 }), (all) => {
    const known = all.map(({ topic, changed, key }, item) => ({
      item,
      key: `${key}`,
      hash: fingerprint(topic, changed),
    }));
    const alike = (a: (typeof known)[number], b: (typeof known)[number]): boolean =>
      a.key === b.key || (shareBand(a.hash, b.hash) && differingBits(a.hash, b.hash) <= maxDifferingBits);
    const groups = new Map(known.map((one) => [one.item, new Set([one.item])]));
    for (const a of known)
      for (const b of known.filter((other) => alike(a, other))) {
        const both = new Set([...(groups.get(a.item) ?? []), ...(groups.get(b.item) ?? [])]);
        for (const item of both) groups.set(item, both);
      }
    const expected = [...new Set(groups.values())].map((group) => [...group]).filter(({ length }) => length > 1);
    expect(sorted(groupAlike(known, known))).toEqual(sorted(expected));
  });
});
