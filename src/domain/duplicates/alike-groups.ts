import { bandsOf, differingBits, maxDifferingBits } from './simhash.ts';

/** Something that copies of one item share: the hash of their text, or an address with a title. */
export interface SharedKey {
  item: number;
  key: string;
}

export interface Fingerprinted {
  item: number;
  hash: Uint8Array;
}

/** Sets of items that only ever grow together (union-find). */
class ItemGroups {
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
 * Groups items that share a key, or that have near fingerprints. Takes time in proportion to what is given, not to the
 * pairs, as long as most fingerprints that share a band are alike.
 */
export function groupAlike(keys: Iterable<SharedKey>, fingerprints: Iterable<Fingerprinted>): number[][] {
  const groups = new ItemGroups();
  const byHash = gathered(fingerprints, ({ hash }) => Buffer.from(hash).toString('latin1'));
  for (const same of [...gathered(keys, ({ key }) => key).values(), ...byHash.values()])
    for (const { item } of same) groups.join(same[0]?.item ?? item, item);
  joinNear(
    groups,
    [...byHash.values()].flatMap((same) => same.slice(0, 1)),
  );
  return groups.list();
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

interface Compared extends Fingerprinted {
  isFound: boolean;
  /** The group that it was last compared with: two fingerprints may share several bands. */
  comparedWith: Compared | null;
}

/** Numbers of the bands of a fingerprint, each with its value. */
function bandsIn(hash: Uint8Array): number[] {
  return Array.from(bandsOf(hash), ([band, value]) => band * 0x10000 + value);
}

/** Joins items with near fingerprints. */
function joinNear(groups: ItemGroups, distinct: readonly Fingerprinted[]): void {
  const all = distinct.map((one): Compared => ({ ...one, isFound: false, comparedWith: null }));
  const bands = new Map<number, Compared[]>();
  for (const one of all)
    for (const band of bandsIn(one.hash)) {
      const members = bands.get(band);
      if (members === undefined) bands.set(band, [one]);
      else members.push(one);
    }
  for (const start of all) {
    if (start.isFound) continue;
    start.isFound = true;
    const waiting = [start];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop())
      for (const band of bandsIn(one.hash)) {
        const members = bands.get(band) ?? [];
        for (const other of members) {
          if (other.isFound || other.comparedWith === one) continue;
          other.comparedWith = one;
          if (differingBits(one.hash, other.hash) > maxDifferingBits) continue;
          other.isFound = true;
          groups.join(start.item, other.item);
          waiting.push(other);
        }
        // One that was found searches by itself: no other needs to come by it. So where all are alike, each is compared once.
        bands.set(
          band,
          members.filter((other) => !other.isFound),
        );
      }
  }
}
