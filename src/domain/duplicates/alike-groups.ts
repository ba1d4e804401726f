import { bandsOf, differingBits, maxDifferingBits } from './simhash.ts';

/** Something that makes items alike when they share it: the hash of their text, or an address with a title. */
export interface SharedKey {
  item: number;
  key: string;
}

export interface Fingerprinted {
  item: number;
  hash: Uint8Array;
}

/** Sets of items that only ever grow together (union-find). */
export class ItemGroups {
  readonly #parents = new Map<number, number>();

  join(a: number, b: number): void {
    const [first, second] = [this.#rootOf(a), this.#rootOf(b)];
    if (first !== second) this.#parents.set(second, first);
  }

  /** The groups of at least two items. */
  list(): number[][] {
    const groups = new Map<number, number[]>();
    for (const item of this.#parents.keys()) {
      const root = this.#rootOf(item);
      const group = groups.get(root);
      if (group === undefined) groups.set(root, [item]);
      else group.push(item);
    }
    return [...groups.values()].filter((group) => group.length > 1);
  }

  #rootOf(item: number): number {
    let root = item;
    for (let above = this.#parents.get(root); above !== undefined && above !== root; above = this.#parents.get(root))
      root = above;
    // Point all on the way at the root, so that the next search is short.
    for (let at = item; at !== root;) {
      const above = this.#parents.get(at) ?? root;
      this.#parents.set(at, root);
      at = above;
    }
    this.#parents.set(root, root);
    return root;
  }
}

/**
 * Groups `items` with each other, and with others that are like one of them. Takes time in proportion to what is given,
 * not to the pairs, as long as most fingerprints that share a band are alike.
 * @param keys of these items and of all others that share one
 * @param fingerprints of these items and of all others that share a band
 */
export function groupAlike(
  items: readonly number[],
  keys: Iterable<SharedKey>,
  fingerprints: Iterable<Fingerprinted>,
): ItemGroups {
  const groups = new ItemGroups();
  const wanted = new Set(items);
  joinEach(
    groups,
    wanted,
    gathered(keys, ({ key }) => key),
  );
  const byHash = gathered(fingerprints, ({ hash }) => Buffer.from(hash).toString('latin1'));
  joinEach(groups, wanted, byHash);
  // One item stands for all with its fingerprint: one of the wanted, if there is any.
  const distinct = [...byHash.values()].map((same) => same.find(({ item }) => wanted.has(item)) ?? same[0]);
  joinNear(
    groups,
    wanted,
    distinct.filter((one) => one !== undefined),
  );
  return groups;
}

/** An item of a group, and the item that it is marked as a duplicate of: itself, when it is not marked. */
export interface Member {
  seq: number;
  headSeq: number;
  headId: string;
}

/** Items that become duplicates of the first of their group, and the items whose duplicates become its duplicates. */
export interface NewCopies {
  firstId: string;
  seqs: number[];
  ids: string[];
}

/** A duplicate points to the first item of its group, which is never a duplicate itself: chains stay one step long. */
export function copiesOf(groups: ItemGroups, members: readonly Member[]): NewCopies[] {
  for (const { seq, headSeq } of members) groups.join(seq, headSeq);
  const heads = new Map(members.map(({ headSeq, headId }) => [headSeq, headId]));
  return groups.list().flatMap((group) => {
    const seqs = group.filter((seq) => heads.has(seq)).toSorted((a, b) => a - b);
    const ids = seqs.flatMap((seq) => heads.get(seq) ?? []);
    const [firstId, ...others] = ids;
    return firstId === undefined || others.length === 0 ? [] : [{ firstId, seqs: seqs.slice(1), ids: others }];
  });
}

function gathered<T>(all: Iterable<T>, keyOf: (one: T) => string): Map<string, T[]> {
  const byKey = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const same = byKey.get(key);
    if (same === undefined) byKey.set(key, [one]);
    else same.push(one);
  }
  return byKey;
}

/** Joins what shares a key, where one of the wanted items has it. */
function joinEach(
  groups: ItemGroups,
  wanted: ReadonlySet<number>,
  byKey: ReadonlyMap<string, readonly { item: number }[]>,
): void {
  for (const same of byKey.values()) {
    const first = same.find(({ item }) => wanted.has(item));
    if (first !== undefined) for (const { item } of same) groups.join(first.item, item);
  }
}

interface Compared extends Fingerprinted {
  isWanted: boolean;
  /** The wanted item whose group it was last found in. */
  foundFrom: Compared | null;
  /** What it was last compared with: two fingerprints may share several bands. */
  comparedWith: Compared | null;
}

/** Numbers of the bands of a fingerprint, each with its value. */
function bandsIn(hash: Uint8Array): number[] {
  return Array.from(bandsOf(hash), ([band, value]) => band * 0x10000 + value);
}

/** Joins near fingerprints, where one of the wanted items has one of them. */
function joinNear(groups: ItemGroups, wanted: ReadonlySet<number>, distinct: readonly Fingerprinted[]): void {
  const all = distinct.map((one): Compared => ({
    ...one,
    isWanted: wanted.has(one.item),
    foundFrom: null,
    comparedWith: null,
  }));
  const starts = all.filter(({ isWanted }) => isWanted);
  const bands = new Map<number, Compared[]>();
  for (const { hash } of starts) for (const band of bandsIn(hash)) bands.set(band, []);
  for (const one of all) for (const band of bandsIn(one.hash)) bands.get(band)?.push(one);
  for (const start of starts) {
    if (start.foundFrom !== null) continue;
    start.foundFrom = start;
    const waiting = [start];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop())
      for (const band of bandsIn(one.hash)) {
        const members = bands.get(band) ?? [];
        for (const other of members) {
          if (other.foundFrom === start || other.comparedWith === one) continue;
          other.comparedWith = one;
          if (differingBits(one.hash, other.hash) > maxDifferingBits) continue;
          other.foundFrom = start;
          groups.join(start.item, other.item);
          if (other.isWanted) waiting.push(other);
        }
        // A wanted item that was found searches by itself: no other needs to come by it. So where all are alike, each is
        // compared once. What is not wanted stays, because it may join several groups.
        bands.set(
          band,
          members.filter((other) => !other.isWanted || other.foundFrom === null),
        );
      }
  }
}
