/** Makes a value when it is first needed and remembers it; a failed attempt is tried again. */
export function lazily<T>(make: () => Promise<T>): { get: () => Promise<T>; made: () => Promise<T> | undefined } {
  let made: Promise<T> | undefined;
  return {
    get: () => {
      made ??= make().catch((error: unknown) => {
        made = undefined;
        throw error;
      });
      return made;
    },
    made: () => made,
  };
}

/**
 * A value that is made at its first use, such as a regular expression: to make one with Unicode properties takes up to a millisecond, and
 * a start of the program loads many more than it uses.
 */
export function madeWhenUsed<T extends object | number>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
