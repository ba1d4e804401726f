import type { QueryTerm } from '../../../../domain/search/index-terms.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';
import { PrefixIndex } from './prefix-index.ts';
import { carriedOver, type Extent, findTerm, firstRowAt, leafHeader } from './leaf.ts';
import type { PassageScore } from './best-passages.ts';
import { Lengths } from './lengths.ts';
import { UnsupportedIndexFormat, unlessUnsupported } from './unsupported-index-format.ts';
import { Pages } from './pages.ts';
import { Neighbours } from './neighbours.ts';
import { noPostings, Postings, PostingsBuilder, united, type Wanted, wholeList } from './postings.ts';
import { stemOf } from '../../../../domain/text/words/porter.ts';
import { ScoreSums } from './score-sums.ts';
import { type IndexStructure, readStructure, type IndexSegment } from './structure.ts';
import { termOf } from './term.ts';
import { type IsDeleted, readTombstones } from './tombstones.ts';
import { Tokens } from './tokens.ts';
import { hashOf } from './word-filter.ts';

/** Caches that stay valid when somebody writes. */
interface IndexCache {
  pages: Pages;
  prefixes: PrefixIndex;
  tokens: Tokens;
  lengths: Lengths;
  sums: ScoreSums;
}

const cachesOf = new WeakMap<SqliteFile, IndexCache>();

function createCaches(file: SqliteFile): IndexCache {
  const pages = new Pages(file);
  return {
    pages,
    prefixes: new PrefixIndex(pages),
    tokens: new Tokens(file),
    lengths: new Lengths(file),
    sums: new ScoreSums(),
  };
}

interface RankLimits {
  limit: number;
  isLeftOut: (passageId: number) => boolean;
}

/** Postings that are cached for each account file, some 16 bytes each. */
const maxKept = 250_000;
/** Of lists this long or longer, it is faster to read only the passages in question (`findAmong`). */
export const longList = 30_000;
/** Longer lists are not cached: each would displace too many others. */
const maxKeptLength = 100_000;
/**
 * For a prefix with up to this many words, their postings are looked up one by one. With more, FTS5 is faster, because
 * it reads them in sequence.
 */
const maxOfBeginning = 1_000;

/** Of words in more passages, phrases are not looked for. */
const maxOfPhrase = 20_000;

/**
 * The words of an account, read from its full-text index without FTS5. A term is looked up once and answers every
 * question about it. Use only within the transaction in which `fullTextOf` was called.
 */
export class FullText {
  readonly #file: SqliteFile;
  readonly #caches: IndexCache;
  readonly #structure: IndexStructure;
  readonly #deleted = new Map<number, IsDeleted | null>();
  readonly #kept = new Map<string, Postings>();
  readonly #beginnings = new Map<string, boolean>();
  #count = 0;
  readonly #builder = new PostingsBuilder();

  /** @throws {UnsupportedIndexFormat} */
  constructor(file: SqliteFile) {
    this.#file = file;
    const caches = cachesOf.get(file) ?? createCaches(file);
    cachesOf.set(file, caches);
    this.#caches = caches;
    this.#structure = readStructure(file);
    caches.lengths.forgetOutdated(this.#structure.schema);
    caches.pages.keepOnly(this.#structure.segments);
    caches.prefixes.keepOnly(this.#structure.segments);
  }

  /**
   * The passages with a word in any of its forms, as FTS5 finds them. Only those of a single form have places.
   * @throws {UnsupportedIndexFormat} also when the index splits the word into several, or too many words have the
   * prefix
   */
  find(term: QueryTerm): Postings {
    const { phrases = [], within = [] } = term;
    const whole = this.#findWords(term);
    if (phrases.length === 0 && within.length === 0) return whole;
    // The literal form counts twice, so that it ranks first.
    return this.#keeping([...this.#tokensOf(term), phrases.join('+'), within].join(' '), () =>
      united([
        whole,
        whole,
        ...phrases.map((phrase) => once(this.#findPhrase(phrase))),
        once(Uint32Array.from(within)),
      ]),
    );
  }

  /** In how many passages these words are in a row; 0 where that takes too long to say. */
  countPhrase(words: readonly string[]): number {
    return this.#findPhrase(words).length;
  }

  #findPhrase(words: readonly string[]): Uint32Array {
    // Mostly one of the words is in no passage. The longest is the rarest.
    const longestFirst = words.toSorted((a, b) => b.length - a.length);
    if (!longestFirst.every((word) => this.#isForPhrases(stemOf(word)))) return none;
    const lists = words.map((word) => this.findToken(stemOf(word)));
    const neighbours = new Neighbours();
    let ids = lists[0]?.ids ?? none;
    for (const [at, list] of lists.slice(1).entries())
      ids = Uint32Array.from(neighbours.among(ids, lists[at] ?? noPostings, list));
    return ids;
  }

  #isForPhrases(token: string): boolean {
    const passages = this.#countToken(token);
    return passages > 0 && passages <= maxOfPhrase;
  }

  #findWords(term: QueryTerm): Postings {
    const tokens = this.#tokensOf(term);
    if (tokens.length <= 1) return this.#find(tokens[0], term.isPrefix);
    return this.#keeping(`${tokens.join(' ')}${term.isPrefix ? '*' : ''}`, () =>
      united(tokens.map((token) => this.#find(token, term.isPrefix))),
    );
  }

  /** The same for each of its forms. @throws {UnsupportedIndexFormat} */
  findForms(term: QueryTerm): Postings[] {
    return this.#tokensOf(term).map((token) => this.#find(token, term.isPrefix));
  }

  #find(token: string | undefined, isPrefix: boolean): Postings {
    if (token === undefined) return noPostings;
    if (!isPrefix) return this.findToken(token);
    return this.#keeping(`${token}*`, () =>
      united(this.wordsBeginning(token, maxOfBeginning).map((one) => this.#read(one))),
    );
  }

  /** The passages with a word that is already in the form of the index. @throws {UnsupportedIndexFormat} */
  findToken(token: string): Postings {
    return this.#keeping(token, () => this.#read(token));
  }

  /** How many passages have a word. @throws {UnsupportedIndexFormat} like `find` */
  count(term: QueryTerm): number {
    if (isWrittenTwoWays(term)) return this.find(term).passages;
    const tokens = this.#tokensOf(term);
    const [token] = tokens;
    if (term.isPrefix || token === undefined) return this.find(term).passages;
    if (tokens.length === 1) return this.#countToken(token);
    const counts = tokens.map((one) => this.#countToken(one));
    const found = counts.filter((passages) => passages > 0);
    // Of long lists, the sum is near enough: a passage is in one language, so it hardly has two forms of a word.
    const sum = found.reduce((all, passages) => all + passages, 0);
    return found.length <= 1 || sum >= longList ? sum : this.find(term).passages;
  }

  #countToken(token: string): number {
    const known = this.#kept.get(token);
    if (known !== undefined) return known.passages;
    this.#build(token, { ...wholeList, maxPassages: maxKeptLength });
    const { passages } = this.#builder;
    if (passages > 0 && passages <= maxKeptLength) this.#keeping(token, () => this.#builder.finish());
    return passages;
  }

  /**
   * The postings of a whole word in these passages only, or all its postings when they are cached.
   * @param ids ascending
   * @param areCounted whether the result must say how many passages have the word in all
   * @throws {UnsupportedIndexFormat}
   */
  findAmong(term: QueryTerm, ids: Uint32Array, areCounted = false): Postings {
    if (term.isPrefix || isWrittenTwoWays(term)) return this.find(term);
    return united(this.findFormsAmong(term, ids, areCounted));
  }

  /** The same for each form of the word. @throws {UnsupportedIndexFormat} */
  findFormsAmong(term: QueryTerm, ids: Uint32Array, areCounted = false): Postings[] {
    return this.#tokensOf(term).map(
      (token) => this.#kept.get(token) ?? this.#read(token, { rows: ids, maxPassages: Infinity, areCounted }),
    );
  }

  #tokensOf({ text, forms }: QueryTerm): string[] {
    const first = this.#tokenOf(text);
    if (forms === undefined) return first === undefined ? [] : [first];
    const tokens = new Set([first, ...forms.map((form) => this.#tokenOf(form))]);
    tokens.delete(undefined);
    return [...tokens] as string[];
  }

  #tokenOf(word: string): string | undefined {
    const [token, ...more] = this.#caches.tokens.of(word);
    if (more.length > 0 || token === '') throw new UnsupportedIndexFormat('another number of words');
    return token;
  }

  /**
   * The best of the passages that have one of the candidates, best first, by BM25 over all terms. Scores are those of
   * `bm25()` where no passage has compounds by their ends, which only FTS5 counts in lengths.
   * @throws {UnsupportedIndexFormat}
   */
  rank(candidates: readonly Postings[], companions: readonly Postings[], given: RankLimits): PassageScore[] {
    const { rows, tokens } = this.#structure;
    const { lengths, sums } = this.#caches;
    // Cards are no texts: many of them would make every text a long one.
    sums.begin(rows, tokens / (rows - countCards(this.#file) || rows));
    try {
      for (const postings of candidates) sums.add(postings, lengths.of(postings.ids));
      for (const postings of companions) sums.addToKnown(postings, lengths.known);
      return sums.best(given.limit, given.isLeftOut);
    } finally {
      sums.clear();
    }
  }

  /**
   * The words with this prefix, in the form of the index: strings of words separated by spaces. A word may be in
   * several strings, or no longer in any passage.
   * @throws {UnsupportedIndexFormat} when one string would have more than `maxTerms` words
   */
  textsBeginning(beginning: string, maxTerms = Infinity): string[] {
    const { prefixes } = this.#caches;
    return this.#structure.segments.map((segment) => prefixes.of(segment, beginning, maxTerms));
  }

  /** The same words, each once. @throws {UnsupportedIndexFormat} when there are more than `maxTerms` */
  wordsBeginning(beginning: string, maxTerms = Infinity): string[] {
    const texts = this.textsBeginning(beginning, maxTerms).filter((text) => text !== '');
    const words = new Set(texts.flatMap((text) => text.split(' ')));
    if (words.size > maxTerms) throw new UnsupportedIndexFormat('too many words that begin so');
    return [...words];
  }

  /** Whether any word begins so. */
  hasBeginning(beginning: string): boolean {
    // Even one word is more than none.
    const isThere =
      this.#beginnings.get(beginning) ?? unlessUnsupported(() => this.wordsBeginning(beginning, 0)) === null;
    this.#beginnings.set(beginning, isThere);
    return isThere;
  }

  #keeping(key: string, read: () => Postings): Postings {
    const known = this.#kept.get(key);
    // Move it to the end: the least recently used list is evicted first.
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
      if (!this.#caches.pages.mayHave(segment, hash)) continue;
      const page = this.#caches.pages.find(segment, term);
      if (page > segment.lastPage) continue;
      const leaf = this.#caches.pages.read(segment, page);
      const extent = findTerm(leaf, term);
      if (extent === null) continue;
      this.#addPieces(segment, page, leaf, extent);
      this.#builder.endSegment(this.#deletedOf(segment), wanted);
    }
  }

  #addPieces(segment: IndexSegment, page: number, leaf: Uint8Array, { start, end, mayGoOn }: Extent): void {
    this.#builder.addPiece(leaf.subarray(start, end), -1);
    if (!mayGoOn) return;
    for (const further of this.#caches.pages.from(segment, page + 1)) {
      const piece = carriedOver(further);
      const firstRow = firstRowAt(further);
      const isNumbered = firstRow >= piece.start && firstRow < piece.end;
      this.#builder.addPiece(further.subarray(piece.start, piece.end), isNumbered ? firstRow - leafHeader : -1);
      if (!piece.mayGoOn) return;
    }
  }

  #deletedOf(segment: IndexSegment): IsDeleted | null {
    const known = this.#deleted.get(segment.id);
    if (known !== undefined) return known;
    const read = readTombstones(this.#file, segment);
    this.#deleted.set(segment.id, read);
    return read;
  }
}

function isWrittenTwoWays({ phrases, within }: QueryTerm): boolean {
  return phrases !== undefined || within !== undefined;
}

const none = new Uint32Array(0);

/** Passages that have a term once. */
function once(ids: Uint32Array): Postings {
  return new Postings({ ...noPostings, ids }, ids.length, new Uint32Array(ids.length).fill(1));
}

/** Null when the index has a format that this program does not support. */
export function fullTextOf(file: SqliteFile): FullText | null {
  return file.remember('full text', () => unlessUnsupported(() => new FullText(file)));
}

function countCards(file: SqliteFile): number {
  return file.remember(
    'cards',
    () => file.get<{ count: number }>('SELECT count(*) AS count FROM passages WHERE document IS NULL')?.count ?? 0,
  );
}
