import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { copiesOf, groupAlike, ItemGroups } from '../../src/domain/duplicates/alike-groups.ts';
import { bandsOf, differingBits, fingerprintBits, maxDifferingBits } from '../../src/domain/duplicates/simhash.ts';

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

it('groups as comparing every pair would', () => {
  const bits = fc.uniqueArray(fc.nat(fingerprintBits - 1), { maxLength: 24 });
  const one = fc.record({ topic: fc.constantFrom(0, 255), changed: bits, key: fc.nat(12), isWanted: fc.boolean() });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 16 }), (all) => {
      const known = all.map(({ topic, changed, key, isWanted }, item) => ({
        item,
        isWanted,
        key: `${key}`,
        hash: fingerprint(topic, changed),
      }));
      const wanted = known.filter(({ isWanted }) => isWanted);
      const pairs = new ItemGroups();
      for (const a of wanted)
        for (const b of known)
          if (a.key === b.key || (shareBand(a.hash, b.hash) && differingBits(a.hash, b.hash) <= maxDifferingBits))
            pairs.join(a.item, b.item);
      const groups = groupAlike(
        wanted.map(({ item }) => item),
        known,
        known,
      );
      expect(sorted(groups.list())).toEqual(sorted(pairs.list()));
    }),
  );
});

it('the first item of each group stays, with the duplicates of the others', () => {
  const groups = new ItemGroups();
  groups.join(7, 4);
  groups.join(9, 5);
  groups.join(8, 6);
  expect(
    copiesOf(groups, [
      { seq: 7, headSeq: 7, headId: 'seven' },
      { seq: 4, headSeq: 2, headId: 'two' },
      { seq: 9, headSeq: 9, headId: 'nine' },
      { seq: 5, headSeq: 2, headId: 'two' },
      { seq: 8, headSeq: 8, headId: 'eight' },
      { seq: 6, headSeq: 6, headId: 'six' },
    ]),
  ).toEqual([
    { firstId: 'two', seqs: [7, 9], ids: ['seven', 'nine'] },
    { firstId: 'six', seqs: [8], ids: ['eight'] },
  ]);
});
