import type { SqliteFile } from '../../files/sqlite-file.ts';

/**
 * Tells which page of a segment can have a term. For each page on which a term begins, it keeps a prefix of the first
 * such term that sorts after all earlier terms. Some ten bytes per page.
 */
export class PageTerms {
  readonly #terms: Uint8Array;
  /** Where each prefix begins, and where the last one ends. */
  readonly #starts: Uint32Array;
  readonly #pages: Uint32Array;

  constructor(terms: readonly Uint8Array[], pages: readonly number[]) {
    this.#terms = new Uint8Array(terms.reduce((sum, { length }) => sum + length, 0));
    this.#starts = new Uint32Array(terms.length + 1);
    this.#pages = Uint32Array.from(pages);
    let end = 0;
    for (const [at, term] of terms.entries()) {
      this.#terms.set(term, end);
      end += term.length;
      this.#starts[at + 1] = end;
    }
  }

  /**
   * The only page that can have the term, or the first page that can have terms with this prefix; 0 when it sorts
   * before all.
   */
  pageOf(term: Uint8Array): number {
    let [low, high] = [0, this.#pages.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#isUpTo(middle, term)) low = middle + 1;
      else high = middle;
    }
    return this.#pages[low - 1] ?? 0;
  }

  /** Compares by bytes; a prefix sorts before the longer term. */
  #isUpTo(place: number, term: Uint8Array): boolean {
    const start = this.#starts[place] ?? 0;
    const length = (this.#starts[place + 1] ?? 0) - start;
    for (let at = 0; at < length; at += 1) {
      if (at === term.length) return false;
      const difference = (this.#terms[start + at] ?? 0) - (term[at] ?? 0);
      if (difference !== 0) return difference < 0;
    }
    return true;
  }
}

export function readPageTerms(file: SqliteFile, segment: number): PageTerms {
  const rows = file.all<{ term: Uint8Array; page: number }>(
    'SELECT CAST(term AS BLOB) AS term, pgno >> 1 AS page FROM passage_words_idx WHERE segid = ? ORDER BY term',
    segment,
  );
  return new PageTerms(
    rows.map(({ term }) => term),
    rows.map(({ page }) => page),
  );
}
