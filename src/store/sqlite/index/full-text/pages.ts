import type { SqliteFile } from '../../files/sqlite-file.ts';
import { walkTerms } from './leaf.ts';
import { UnsupportedIndexFormat } from './unsupported-index-format.ts';
import { type PageTerms, readPageTerms } from './page-terms.ts';
import type { IndexSegment } from './structure.ts';
import { hashOf, WordFilter } from './word-filter.ts';

/** Bytes of pages that are cached for each file. */
const maxBytes = 8 * 1024 * 1024;
/**
 * For segments of up to this many pages, the page terms are kept in memory from the first lookup, and a word filter may
 * be built.
 */
const fewPagesOfSegment = 1_024;
/**
 * For larger segments, the page terms are loaded once the lookups in the file exceed one in this many pages: by then,
 * loading them would have cost no more.
 */
const lookedUpOf = 8;

/** All pages of a segment may be cached if it has no more than this many. */
const maxPagesKept = 2_000;
/** Of a larger segment, this many pages in a row are read one by one and cached. */
const pagesOneByOne = 4;
/** Further pages are read in batches that grow from `first` to `max`, and not cached. */
const pagesAtOnce = { first: 8, max: 64 };

interface KeptSegment {
  pages: Map<number, Uint8Array>;
  terms: PageTerms | null;
  /** How often a page was looked up. */
  lookedUp: number;
  words: WordFilter | null;
  /** How often the segment was asked whether it has a word. */
  asked: number;
}

/**
 * The pages of one file's segments. A segment's content does not change until it is merged into another, so its pages
 * stay cached when somebody writes.
 */
export class Pages {
  readonly #file: SqliteFile;
  readonly #kept = new Map<string, KeptSegment>();
  #bytes = 0;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** Forgets segments that no longer exist. Call whenever the structure was read. */
  keepOnly(segments: readonly IndexSegment[]): void {
    const identities = new Set(segments.map(({ identity }) => identity));
    for (const [identity, { pages }] of this.#kept) {
      if (identities.has(identity)) continue;
      for (const page of pages.values()) this.#bytes -= page.length;
      this.#kept.delete(identity);
    }
  }

  /** @throws {UnsupportedIndexFormat} when there is no such page */
  read(segment: IndexSegment, page: number): Uint8Array {
    const kept = this.#keptOf(segment);
    const known = kept?.pages.get(page);
    if (known !== undefined) return known;
    const row = this.#file.get<{ block: unknown }>(
      'SELECT block FROM passage_words_data WHERE id = (? << 37) + ?',
      segment.id,
      page,
    );
    if (!(row?.block instanceof Uint8Array)) throw new UnsupportedIndexFormat('a page missing');
    this.#keep(kept, page, row.block);
    return row.block;
  }

  /**
   * A page and those after it. A long row of pages of a large segment is not cached: it would displace all others.
   * @throws {UnsupportedIndexFormat} when one is missing
   */
  *from(segment: IndexSegment, page: number): Iterable<Uint8Array> {
    const oneByOne = pagesOf(segment) > maxPagesKept ? pagesOneByOne : Infinity;
    let next = page;
    for (; next <= segment.lastPage && next < page + oneByOne; next += 1) yield this.read(segment, next);
    for (let count = pagesAtOnce.first; next <= segment.lastPage; count = Math.min(2 * count, pagesAtOnce.max)) {
      const last = Math.min(segment.lastPage, next + count - 1);
      const rows = this.#file.all<{ block: Uint8Array }>(
        'SELECT block FROM passage_words_data WHERE id BETWEEN (? << 37) + ? AND (? << 37) + ? ORDER BY id',
        segment.id,
        next,
        segment.id,
        last,
      );
      if (rows.length !== last - next + 1) throw new UnsupportedIndexFormat('a page missing');
      for (const { block } of rows) yield block;
      next = last + 1;
    }
  }

  /**
   * False when the segment certainly lacks the word. This needs a filter, which is built only once the segment was
   * asked as often as it has pages: building it reads all of them.
   */
  mayHave(segment: IndexSegment, hash: number): boolean {
    const pages = pagesOf(segment);
    const kept = pages > fewPagesOfSegment ? null : this.#keptOf(segment);
    if (kept === null) return true;
    kept.asked += 1;
    if (kept.words === null && kept.asked >= pages) kept.words = this.#readWords(segment);
    return kept.words === null || kept.words.mayHave(hash);
  }

  #readWords(segment: IndexSegment): WordFilter {
    const hashes: number[] = [];
    for (let page = segment.firstPage; page <= segment.lastPage; page += 1) {
      walkTerms(this.read(segment, page), (term, length) => {
        hashes.push(hashOf(term, length));
        return true;
      });
    }
    return new WordFilter(hashes);
  }

  /** The only page that can have this term, or the first page that can have terms with this prefix. */
  find(segment: IndexSegment, term: Uint8Array): number {
    const kept = this.#keptOf(segment);
    const pages = pagesOf(segment);
    if (kept !== null && (pages <= fewPagesOfSegment || kept.lookedUp * lookedUpOf > pages))
      kept.terms ??= readPageTerms(this.#file, segment.id);
    const found = kept?.terms?.pageOf(term) ?? this.#lookUp(segment, term);
    if (kept !== null) kept.lookedUp += 1;
    return Math.max(segment.firstPage, found);
  }

  #keptOf({ identity }: IndexSegment): KeptSegment | null {
    if (identity === null) return null;
    const known = this.#kept.get(identity);
    if (known !== undefined) return known;
    const kept = { pages: new Map<number, Uint8Array>(), terms: null, lookedUp: 0, words: null, asked: 0 };
    this.#kept.set(identity, kept);
    return kept;
  }

  #keep(kept: KeptSegment | null, page: number, bytes: Uint8Array): void {
    if (kept === null) return;
    if (this.#bytes + bytes.length > maxBytes) {
      for (const { pages } of this.#kept.values()) pages.clear();
      this.#bytes = 0;
    }
    kept.pages.set(page, bytes);
    this.#bytes += bytes.length;
  }

  #lookUp(segment: IndexSegment, term: Uint8Array): number {
    const row = this.#file.get<{ page: number }>(
      `SELECT pgno >> 1 AS page FROM passage_words_idx WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1`,
      segment.id,
      term,
    );
    return row?.page ?? 0;
  }
}

function pagesOf({ firstPage, lastPage }: IndexSegment): number {
  return lastPage - firstPage + 1;
}
