import type { SqliteFile } from '../sqlite-file.ts';
import { walkTerms } from './leaf.ts';
import { NotUnderstood } from './not-understood.ts';
import type { Segment } from './structure.ts';
import { hashOf, WordFilter } from './word-filter.ts';

/** So many bytes of pages are kept of a file. */
const mostBytes = 8 * 1024 * 1024;
/** Where the pages of a segment are looked up in memory; of a larger one, in the file. */
const mostPagesLookedUp = 1_024;

interface PageTerms {
  /** What the first term of a page begins with, so that it is more than all terms before. */
  terms: Uint8Array[];
  pages: number[];
}

interface KeptSegment {
  pages: Map<number, Uint8Array>;
  index: PageTerms | null;
  words: WordFilter | null;
  /** How often it was asked whether it has a word. */
  asked: number;
}

/**
 * The pages of the segments of one file. What a segment says stays as it is until it is merged into another, so its pages are kept also
 * when somebody writes.
 */
export class Pages {
  readonly #file: SqliteFile;
  readonly #kept = new Map<string, KeptSegment>();
  #bytes = 0;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** Forgets segments that are no more. To be called whenever the structure was read. */
  keepOnly(segments: readonly Segment[]): void {
    const identities = new Set(segments.map(({ identity }) => identity));
    for (const [identity, { pages }] of this.#kept) {
      if (identities.has(identity)) continue;
      for (const page of pages.values()) this.#bytes -= page.length;
      this.#kept.delete(identity);
    }
  }

  /** @throws {NotUnderstood} when there is no such page */
  read(segment: Segment, page: number): Uint8Array {
    const kept = this.#keptOf(segment);
    const known = kept?.pages.get(page);
    if (known !== undefined) return known;
    const row = this.#file.get<{ block: unknown }>(
      'SELECT block FROM passage_words_data WHERE id = (? << 37) + ?',
      segment.id,
      page,
    );
    if (!(row?.block instanceof Uint8Array)) throw new NotUnderstood('a page missing');
    this.#keep(kept, page, row.block);
    return row.block;
  }

  /** False when the segment has no such word. That is known of a segment that was often asked: knowing it costs a look at all its pages. */
  mayHave(segment: Segment, hash: number): boolean {
    const pages = segment.lastPage - segment.firstPage + 1;
    const kept = pages > mostPagesLookedUp ? null : this.#keptOf(segment);
    if (kept === null) return true;
    kept.asked += 1;
    if (kept.words === null && kept.asked >= pages) kept.words = this.#readWords(segment);
    return kept.words === null || kept.words.mayHave(hash);
  }

  #readWords(segment: Segment): WordFilter {
    const hashes: number[] = [];
    for (let page = segment.firstPage; page <= segment.lastPage; page += 1) {
      walkTerms(this.read(segment, page), (term, length) => {
        hashes.push(hashOf(term, length));
        return true;
      });
    }
    return new WordFilter(hashes);
  }

  /** The only page that can have this term, or the first of those that can have terms that begin so. */
  find(segment: Segment, term: Uint8Array): number {
    const kept = this.#keptOf(segment);
    const found =
      kept === null || segment.lastPage - segment.firstPage + 1 > mostPagesLookedUp
        ? this.#lookUp(segment, term)
        : pageOf((kept.index ??= this.#readIndex(segment)), term);
    return Math.max(segment.firstPage, found);
  }

  #keptOf({ identity }: Segment): KeptSegment | null {
    if (identity === null) return null;
    const known = this.#kept.get(identity);
    if (known !== undefined) return known;
    const kept = { pages: new Map<number, Uint8Array>(), index: null, words: null, asked: 0 };
    this.#kept.set(identity, kept);
    return kept;
  }

  #keep(kept: KeptSegment | null, page: number, bytes: Uint8Array): void {
    if (kept === null) return;
    if (this.#bytes + bytes.length > mostBytes) {
      for (const { pages } of this.#kept.values()) pages.clear();
      this.#bytes = 0;
    }
    kept.pages.set(page, bytes);
    this.#bytes += bytes.length;
  }

  #lookUp(segment: Segment, term: Uint8Array): number {
    const row = this.#file.get<{ page: number }>(
      `SELECT pgno >> 1 AS page FROM passage_words_idx WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1`,
      segment.id,
      term,
    );
    return row?.page ?? 0;
  }

  #readIndex(segment: Segment): PageTerms {
    const rows = this.#file.all<{ term: Uint8Array; page: number }>(
      'SELECT CAST(term AS BLOB) AS term, pgno >> 1 AS page FROM passage_words_idx WHERE segid = ? ORDER BY term',
      segment.id,
    );
    return { terms: rows.map(({ term }) => term), pages: rows.map(({ page }) => page) };
  }
}

function pageOf({ terms, pages }: PageTerms, term: Uint8Array): number {
  let [low, high] = [0, terms.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isUpTo(terms[middle] ?? term, term)) low = middle + 1;
    else high = middle;
  }
  return pages[low - 1] ?? 0;
}

/** In the order of bytes; a beginning comes first. */
function isUpTo(one: Uint8Array, other: Uint8Array): boolean {
  for (let at = 0; at < one.length; at += 1) {
    if (at === other.length) return false;
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return true;
}
