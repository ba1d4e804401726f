/**
 * A value that is made at its first use, such as a regular expression: to make one with Unicode properties takes up to a millisecond, and
 * a start of the program loads many more than it uses.
 */
export function madeWhenUsed<T extends object | number>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
