/** The index is not laid out as this program knows it: FTS5 itself has to be asked. Never leaves the store. */
export class UnsupportedIndexFormat extends Error {
  constructor(what: string) {
    super(`the full-text index has ${what}`);
    this.name = 'UnsupportedIndexFormat';
  }
}

/** Null where it turns out that the index is not understood. */
export function unlessNotUnderstood<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnsupportedIndexFormat) return null;
    throw error;
  }
}
