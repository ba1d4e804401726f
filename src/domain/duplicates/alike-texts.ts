import { hasWordsOf, type TextWords, wordsOf } from './near-duplicates.ts';
import { differingBits, maxDifferingBits } from './simhash.ts';

/*
 * Decides whether an item is a copy of others. A near fingerprint, or the same address and title, only makes another item
 * a candidate: both can be imitated. The texts decide.
 */

/** An item with its visible text. */
export interface ItemText {
  item: number;
  /** The item that it is marked as a copy of: itself, when it is not marked. */
  head: number;
  document: number;
  /** Number of passages. */
  passages: number;
}

/** Maximum number of texts that one is compared with. Of each group of copies, one is compared. */
const maxCompared = 4;

/**
 * The items to compare `own` with, those with the nearest fingerprints first.
 * @param near items whose fingerprints share a band with that of `own`
 * @param claimed items with the same address and title
 * @param joined heads of the groups that `own` belongs to in any case
 */
export function chooseCompared(
  own: { hash: Uint8Array | null },
  near: readonly (ItemText & { hash: Uint8Array })[],
  claimed: readonly ItemText[],
  joined: ReadonlySet<number>,
): ItemText[] {
  const { hash } = own;
  const bitsOf = (one: { hash: Uint8Array }): number => (hash === null ? Infinity : differingBits(hash, one.hash));
  const ranked: { one: ItemText; bits: number }[] = [
    ...near.map((one) => ({ one, bits: bitsOf(one) })).filter(({ bits }) => bits <= maxDifferingBits),
    ...claimed.map((one) => ({ one, bits: maxDifferingBits + 1 })),
  ].toSorted((a, b) => a.bits - b.bits || a.one.item - b.one.item);
  const byHead = new Map<number, ItemText>();
  for (const { one } of ranked) if (!joined.has(one.head) && !byHead.has(one.head)) byHead.set(one.head, one);
  return [...byHead.values()].slice(0, maxCompared);
}

/** Texts of up to so many passages are compared whole. */
const maxWhole = 48;
/** Of longer texts, so many passages are looked for in the other one. */
const looked = 6;
/** They are looked for in so many passages before and after the place where they are expected. */
const margin = 2;
/** Of a text, so many passages are read for a comparison at most. */
const maxRead = 64;

/** Ordinals of the passages of a text that are compared. */
interface Sample {
  document: number;
  /** The other text must have most of their words. */
  asked: number[];
  /** Most words of the other text's asked passages must be in these. */
  around: number[];
}

/** Two texts to compare, and the group that `own` belongs to if they are alike. */
export interface Comparison {
  head: number;
  own: Sample;
  other: Sample;
}

/** Long texts are compared at random places, so that a page cannot be made to have only those in common with another. */
export function compareWith(own: ItemText, chosen: readonly ItemText[]): Comparison[] {
  const places = Array.from({ length: looked }, (_, nth) => (nth + Math.random()) / looked);
  return chosen.map((other) => ({
    head: other.head,
    own: sampleOf(own, other, places),
    other: sampleOf(other, own, places),
  }));
}

function sampleOf(own: ItemText, other: ItemText, places: readonly number[]): Sample {
  const { document, passages: count } = own;
  if (Math.max(count, other.passages) <= maxWhole) {
    const all = Array.from({ length: count }, (_, ordinal) => ordinal);
    return { document, asked: all, around: all };
  }
  // Where text was added in one place, passages before it have the same place from the beginning, and others from the end.
  const expected = places.flatMap((place) => {
    const there = Math.floor(place * other.passages);
    return [there, there + count - other.passages];
  });
  const around = expected.flatMap((ordinal) =>
    Array.from({ length: 2 * margin + 1 }, (_, at) => ordinal - margin + at),
  );
  return {
    document,
    asked: places.map((place) => Math.floor(place * count)),
    around: [...new Set(around)]
      .filter((ordinal) => ordinal >= 0 && ordinal < count)
      .toSorted((a, b) => a - b)
      .slice(0, maxRead - looked),
  };
}

export interface PassageKey {
  document: number;
  ordinal: number;
}

const keyOf = ({ document, ordinal }: PassageKey): string => `${document} ${ordinal}`;

/** The passages that comparisons need. */
export function passagesToRead(comparisons: readonly Comparison[]): PassageKey[] {
  const keys = new Map<string, PassageKey>();
  for (const { own, other } of comparisons)
    for (const { document, asked, around } of [own, other])
      for (const ordinal of [...asked, ...around]) keys.set(keyOf({ document, ordinal }), { document, ordinal });
  return [...keys.values()];
}

/** The heads of similar texts: each has most of the words of the other. */
export function alikeHeads(
  comparisons: readonly Comparison[],
  passages: readonly (PassageKey & { text: string })[],
): number[] {
  const texts = new Map(passages.map((passage) => [keyOf(passage), passage.text]));
  const known = new Map<string, TextWords>();
  const words = (document: number, ordinals: readonly number[]): TextWords => {
    const key = `${document} ${ordinals.join()}`;
    const found =
      known.get(key) ?? wordsOf(ordinals.map((ordinal) => texts.get(keyOf({ document, ordinal })) ?? '').join('\n'));
    known.set(key, found);
    return found;
  };
  const has = (one: Sample, other: Sample): boolean =>
    hasWordsOf(words(one.document, one.around), words(other.document, other.asked));
  return comparisons.filter(({ own, other }) => has(own, other) && has(other, own)).map(({ head }) => head);
}
