/**
 * Rules out most words that a segment does not have: a Bloom filter (1970) with one hash and two bytes per word. Most
 * segments are small and lack most words, and finding that out on the page takes longer.
 */
export class WordFilter {
  readonly #bits: Uint8Array;
  readonly #mask: number;

  /** @param hashes of all words */
  constructor(hashes: readonly number[]) {
    let bits = 1_024;
    while (bits < hashes.length * 16) bits *= 2;
    this.#bits = new Uint8Array(bits / 8);
    this.#mask = bits - 1;
    for (const hash of hashes) {
      const bit = hash & this.#mask;
      this.#bits[bit >>> 3] = (this.#bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
    }
  }

  mayHave(hash: number): boolean {
    const bit = hash & this.#mask;
    return ((this.#bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  }
}

/** FNV-1a (Fowler, Noll and Vo), with its bits mixed. */
export function hashOf(term: Uint8Array, length: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < length; at += 1) hash = Math.imul(hash ^ (term[at] ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
