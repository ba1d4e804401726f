import type { PassageId, RankedPassage } from '../domain/records/passage.ts';
import type { Filter } from '../domain/search/filter.ts';
import type { PassageToEmbed, PassagesToEmbed } from './records.ts';
import type {
  FoundPassage,
  NamesLike,
  PassageFilter,
  PassageSample,
  PastQuery,
  QuestionVector,
} from './records/search-records.ts';

/** Passages and what finds them: words, vectors, names and past queries. Everything belongs to one account. */
export interface SearchIndex {
  /**
   * Runs a method that the program has put beside the index (`IndexMethods`).
   * @param vectors that it compares with those of passages
   * @param items the keys of those of which the index seems to consist; absent: of all
   */
  askIndex(
    method: string,
    argument: unknown,
    vectors?: readonly (QuestionVector | null)[],
    items?: readonly number[],
  ): Promise<unknown>;
  /**
   * The filter as the index reads it: with lists by a query replaced by their filters, and conditions that the index has no
   * records for by the items that meet them.
   * @throws {AppError} `invalid_input` when it names a list that is not there
   */
  resolveFilter(filter: Filter): Promise<Filter>;
  /** For each of these, the keys of items that have these words in a row, in any of their forms. */
  itemsWithWords(words: readonly string[]): Promise<number[][]>;
  /** See `IndexReader.searchWords`. */
  searchWords(query: string, filter: PassageFilter, limit: number): Promise<RankedPassage[]>;
  /** Best first; `score` is the cosine. `query` is of unit length. */
  searchVectors(
    embedderId: string,
    query: Float32Array,
    filter: PassageFilter,
    limit: number,
  ): Promise<RankedPassage[]>;
  /** In the order of `passageIds`; ids that are gone are left out. */
  readPassages(passageIds: readonly PassageId[]): Promise<FoundPassage[]>;
  /** At most `limit` passages of an item, evenly spread over it. */
  sampleItem(contentId: string, embedderId: string | null, limit: number): Promise<PassageSample[]>;
  /**
   * Passages of visible documents that have no vector of this embedder, by ascending id. Without `contentId`, items
   * that a worker holds or may take at a stage up to `embed` are left out: their passages get their vectors there.
   */
  listPassagesToEmbed(embedderId: string, limit: number, which?: PassagesToEmbed): Promise<PassageToEmbed[]>;
  /** How many passages there are in these languages (null: in any), and how many have a vector of this embedder. */
  countVectors(
    embedderId: string,
    languages?: readonly string[] | null,
  ): Promise<{ passages: number; embedded: number }>;
  /** The embedders that passages have vectors of; the one with the most vectors first. */
  listEmbedders(): Promise<{ id: string; vectors: number }[]>;
  /**
   * Names that contain a word beginning with the last word of `typed`, and its other words. When `typed` is empty, only
   * tags.
   * @param items the keys of those that the names are of; absent: of all
   */
  listNamesLike(typed: string, limit: number, items?: readonly number[]): Promise<NamesLike>;
  /** Keeps a query that was asked; of more than 1,000, the oldest are deleted. */
  rememberQuery(text: string): Promise<void>;
  /** The newest first. */
  listPastQueries(): Promise<PastQuery[]>;
  /** @returns how many there were */
  forgetQueries(): Promise<number>;
}
