import { expect, it } from 'vitest';
import {
  alikeHeads,
  chooseCompared,
  compareWith,
  type ItemText,
  passagesToRead,
} from '../../../src/domain/duplicates/alike-texts.ts';
import { maxDifferingBits } from '../../../src/domain/duplicates/simhash.ts';

const text = (item: number, passages = 1, head = item): ItemText => ({ item, head, document: item, passages });

/** A fingerprint that differs from one without bits in so many. */
const hashOf = (bits: number): Uint8Array =>
  Uint8Array.from({ length: 32 }, (_, byte) => 2 ** Math.max(0, Math.min(8, bits - byte * 8)) - 1);
const near = (item: number, bits: number, head = item) => ({ ...text(item, 1, head), hash: hashOf(bits) });

it('compares the nearest of each group first, then those that share an address, and only a few of them', () => {
  const own = { hash: hashOf(0) };
  const chosen = chooseCompared(
    own,
    [near(2, maxDifferingBits), near(3, maxDifferingBits + 1), near(4, 5, 2), near(5, 0, 1), near(6, 1)],
    [text(8), text(7), text(6), text(9)],
    new Set([1]),
  );
  expect(chosen.map(({ item }) => item)).toEqual([6, 4, 7, 8]);
  expect(chooseCompared({ hash: null }, [near(2, 0)], [text(3)], new Set())).toEqual([text(3)]);
});

it('reads no more of a long text than of a short one, and only existing passages', () => {
  for (const [own, other] of [
    [49, 1],
    [1, 49],
    [100, 110],
    [100_000, 90_000],
  ] as const) {
    const read = passagesToRead(compareWith(text(1, own), [text(2, other)]));
    expect(read.length).toBeLessThanOrEqual(128);
    for (const { document, ordinal } of read) {
      expect(ordinal).toBeGreaterThanOrEqual(0);
      expect(ordinal).toBeLessThan(document === 1 ? own : other);
    }
    expect(new Set(read.map(({ document }) => document))).toEqual(new Set([1, 2]));
  }
});

it('treats two texts as duplicates only when each has most words of the other', () => {
  const words = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `w${from + at}`).join(' ');
  const passage = (document: number, said: string) => ({ document, ordinal: 0, text: said });
  const comparisons = compareWith(text(1), [text(2, 1, 20), text(3, 1, 30), text(4, 1, 40)]);
  const passages = [
    passage(1, words(0, 100)),
    passage(2, words(5, 110)),
    passage(3, words(0, 40)),
    passage(4, words(0, 250)),
  ];
  expect(alikeHeads(comparisons, passages)).toEqual([20]);
});
