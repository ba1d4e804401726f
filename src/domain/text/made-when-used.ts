/**
 * A regular expression that is made at its first use. To make one with Unicode properties takes up to a millisecond, and a start of the
 * program loads many more than it uses.
 */
export function madeWhenUsed(make: () => RegExp): () => RegExp {
  let made: RegExp | undefined;
  return () => (made ??= make());
}
