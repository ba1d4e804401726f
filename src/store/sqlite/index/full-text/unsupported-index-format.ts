/** The index has a format that this program does not know: FTS5 itself has to be asked. Never leaves the store. */
export class UnsupportedIndexFormat extends Error {
  constructor(what: string) {
    super(`the full-text index has ${what}`);
    this.name = 'UnsupportedIndexFormat';
  }
}

/** Null when `work` finds that the index has an unsupported format. */
export function unlessUnsupported<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnsupportedIndexFormat) return null;
    throw error;
  }
}
