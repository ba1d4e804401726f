/** The same numbers for the same seed (mulberry32): what a torturer does must be repeatable. */
export interface Random {
  /** A whole number from 0, less than `below`. */
  below(below: number): number;
  pick<T>(from: readonly T[]): T;
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick<T>(from: readonly T[]): T {
      return from[below(from.length)] as T;
    },
  };
}
