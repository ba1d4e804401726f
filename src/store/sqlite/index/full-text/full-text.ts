import type { SqliteFile } from '../../files/sqlite-file.ts';
import { PrefixIndex } from './prefix-index.ts';
import { carriedOver, type Extent, findTerm, firstRowAt, leafHeader } from './leaf.ts';
import type { ScoredPassage } from './best-passages.ts';
import { Lengths } from './lengths.ts';
import { UnsupportedIndexFormat, unlessNotUnderstood } from './unsupported-index-format.ts';
import { Pages } from './pages.ts';
import { noPostings, type Postings, PostingsBuilder, united, type Wanted, wholeList } from './postings.ts';
import { ScoreSums } from './score-sums.ts';
import { type IndexStructure, readStructure, type Segment } from './structure.ts';
import { termOf } from './term.ts';
import { type IsDeleted, readTombstones } from './tombstones.ts';
import { Tokens } from './tokens.ts';
import { hashOf } from './word-filter.ts';

/** What stays when somebody writes. */
interface IndexCache {
  pages: Pages;
  beginnings: PrefixIndex;
  tokens: Tokens;
  lengths: Lengths;
  sums: ScoreSums;
}

const lastingOf = new WeakMap<SqliteFile, IndexCache>();

function createLasting(file: SqliteFile): IndexCache {
  const pages = new Pages(file);
  return {
    pages,
    beginnings: new PrefixIndex(pages),
    tokens: new Tokens(file),
    lengths: new Lengths(file),
    sums: new ScoreSums(),
  };
}

interface RankLimits {
  limit: number;
  isLeftOut: (passageId: number) => boolean;
}

/** So many postings are kept of an account's file: some 16 bytes each. */
const maxKept = 250_000;
/** Lists from this length on are better read for the passages alone that they are asked for. */
export const longList = 30_000;
/** A longer list would take the place of too many others. */
const maxKeptLength = 100_000;
/** Of so many words the postings are looked up one by one for a beginning of theirs; FTS5, which reads them in a row, is faster with more. */
const maxOfBeginning = 1_000;

/**
 * The words of an account as its full-text index holds them, read without FTS5: a term is looked up once and gives everything that is
 * asked about it. To be used within the transaction that `fullTextOf` was called in.
 */
export class FullText {
  readonly #file: SqliteFile;
  readonly #lasting: IndexCache;
  readonly #structure: IndexStructure;
  readonly #deleted = new Map<number, IsDeleted | null>();
  readonly #kept = new Map<string, Postings>();
  #count = 0;
  readonly #builder = new PostingsBuilder();

  /** @throws {UnsupportedIndexFormat} */
  constructor(file: SqliteFile) {
    this.#file = file;
    const lasting = lastingOf.get(file) ?? createLasting(file);
    lastingOf.set(file, lasting);
    this.#lasting = lasting;
    this.#structure = readStructure(file);
    lasting.lengths.forgetOutdated(this.#structure.schema);
    lasting.pages.keepOnly(this.#structure.segments);
    lasting.beginnings.keepOnly(this.#structure.segments);
  }

  /**
   * The passages with a word, as FTS5 finds them.
   * @param word in small letters
   * @throws {UnsupportedIndexFormat} also when the word is several for the index, or very many begin so
   */
  find(word: string, isPrefix: boolean): Postings {
    const token = this.#tokenOf(word);
    if (token === undefined) return noPostings;
    if (!isPrefix) return this.findToken(token);
    return this.#keeping(`${token}*`, () =>
      united(this.wordsBeginning(token, maxOfBeginning).map((one) => this.#read(one))),
    );
  }

  /** The passages with a word that is in the form of the index. @throws {UnsupportedIndexFormat} */
  findToken(token: string): Postings {
    return this.#keeping(token, () => this.#read(token));
  }

  /** In how many passages a word is. @throws {UnsupportedIndexFormat} as `find` */
  count(word: string, isPrefix: boolean): number {
    const token = this.#tokenOf(word);
    if (isPrefix || token === undefined) return this.find(word, isPrefix).passages;
    const known = this.#kept.get(token);
    if (known !== undefined) return known.passages;
    this.#build(token, { ...wholeList, most: maxKeptLength });
    const { passages } = this.#builder;
    if (passages <= maxKeptLength) this.#keeping(token, () => this.#builder.finish());
    return passages;
  }

  /**
   * The same as far as these passages have it, or all of it where that is known.
   * @param ids in their order
   * @param areCounted whether it has to be said how many passages have it
   * @throws {UnsupportedIndexFormat}
   */
  findAmong(word: string, ids: Uint32Array, areCounted = false): Postings {
    const token = this.#tokenOf(word);
    if (token === undefined) return noPostings;
    return this.#kept.get(token) ?? this.#read(token, { rows: ids, most: Infinity, areCounted });
  }

  #tokenOf(word: string): string | undefined {
    const [token, ...more] = this.#lasting.tokens.of(word);
    if (more.length > 0 || token === '') throw new UnsupportedIndexFormat('another number of words');
    return token;
  }

  /**
   * The best of the passages that have one of the candidates, by the scores that `bm25()` gives them for all terms; best first.
   * @throws {UnsupportedIndexFormat}
   */
  rank(candidates: readonly Postings[], companions: readonly Postings[], given: RankLimits): ScoredPassage[] {
    const { rows, tokens } = this.#structure;
    const { lengths, sums } = this.#lasting;
    sums.begin(rows, tokens / rows);
    try {
      for (const postings of candidates) sums.add(postings, lengths.of(postings.ids));
      for (const postings of companions) sums.addToKnown(postings, lengths.known);
      return sums.best(given.limit, given.isLeftOut);
    } finally {
      sums.clear();
    }
  }

  /**
   * The words that begin so, in the form of the index: texts of words with a space between them, some of which may be in several texts or
   * in no passage any more.
   * @throws {UnsupportedIndexFormat} when there are more than `most` in one text
   */
  textsBeginning(beginning: string, most = Infinity): string[] {
    const { beginnings } = this.#lasting;
    return this.#structure.segments.map((segment) => beginnings.of(segment, beginning, most));
  }

  /** The same words, each once. @throws {UnsupportedIndexFormat} when there are more than `most` */
  wordsBeginning(beginning: string, most = Infinity): string[] {
    const texts = this.textsBeginning(beginning, most).filter((text) => text !== '');
    const words = new Set(texts.flatMap((text) => text.split(' ')));
    if (words.size > most) throw new UnsupportedIndexFormat('too many words that begin so');
    return [...words];
  }

  #keeping(key: string, read: () => Postings): Postings {
    const known = this.#kept.get(key);
    // To the end of the line: what was used longest ago goes first.
    if (known !== undefined) this.#kept.delete(key);
    const found = known ?? read();
    const { length } = found.ids;
    if (length > maxKeptLength) return found;
    this.#kept.set(key, found);
    if (known === undefined) this.#count += length;
    for (const [oldest, { ids }] of this.#kept) {
      if (this.#count <= maxKept) break;
      this.#kept.delete(oldest);
      this.#count -= ids.length;
    }
    return found;
  }

  #read(token: string, wanted: Wanted = wholeList): Postings {
    this.#build(token, wanted);
    return this.#builder.finish();
  }

  #build(token: string, wanted: Wanted): void {
    const term = termOf(token);
    this.#builder.reset();
    const hash = hashOf(term, term.length);
    for (const segment of this.#structure.segments) {
      if (!this.#lasting.pages.mayHave(segment, hash)) continue;
      const page = this.#lasting.pages.find(segment, term);
      if (page > segment.lastPage) continue;
      const leaf = this.#lasting.pages.read(segment, page);
      const extent = findTerm(leaf, term);
      if (extent === null) continue;
      this.#addPieces(segment, page, leaf, extent);
      this.#builder.endSegment(this.#deletedOf(segment), wanted);
    }
  }

  #addPieces(segment: Segment, page: number, leaf: Uint8Array, { start, end, mayGoOn }: Extent): void {
    this.#builder.addPiece(leaf.subarray(start, end), -1);
    if (!mayGoOn) return;
    for (const further of this.#lasting.pages.from(segment, page + 1)) {
      const piece = carriedOver(further);
      const firstRow = firstRowAt(further);
      const isNumbered = firstRow >= piece.start && firstRow < piece.end;
      this.#builder.addPiece(further.subarray(piece.start, piece.end), isNumbered ? firstRow - leafHeader : -1);
      if (!piece.mayGoOn) return;
    }
  }

  #deletedOf(segment: Segment): IsDeleted | null {
    const known = this.#deleted.get(segment.id);
    if (known !== undefined) return known;
    const read = readTombstones(this.#file, segment);
    this.#deleted.set(segment.id, read);
    return read;
  }
}

/** Null when the index is not laid out as this program knows it. */
export function fullTextOf(file: SqliteFile): FullText | null {
  return file.remember('full text', () => unlessNotUnderstood(() => new FullText(file)));
}
