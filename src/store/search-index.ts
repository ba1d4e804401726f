import type { LexicalHits, RankedPassage } from '../domain/records/passage.ts';
import type { PassageToEmbed, PassagesToEmbed, StoredPassage } from './records.ts';
import type {
  FoundPassage,
  ItemSearch,
  ItemsFound,
  NamesLike,
  PassageFilter,
  PassagePart,
  PassagePlace,
  PassageSample,
  PastQuery,
} from './search-records.ts';

/** Passages, and what finds them: words, vectors, names and questions that were asked. Everything here is one account's. */
export interface SearchIndex {
  /** All that a search asks, of one state of the account: passages are found as `searchWords` and `searchVectors` find them. */
  findItems(search: ItemSearch): Promise<ItemsFound>;
  /** In the order of `parts`; null for a passage that is gone. */
  locate(parts: readonly PassagePart[]): Promise<(PassagePlace | null)[]>;
  /** Any punctuation in `query` is text, never syntax. A last word that no passage has stands for all that begin with it. */
  searchWords(query: string, filter: PassageFilter, limit: number): Promise<LexicalHits>;
  /** Best first; `score` is the cosine. `query` is of unit length. */
  searchVectors(
    embedderId: string,
    query: Float32Array,
    filter: PassageFilter,
    limit: number,
  ): Promise<RankedPassage[]>;
  /** In the order of `passageIds`; ids that are gone are left out. */
  readPassages(passageIds: readonly number[]): Promise<FoundPassage[]>;
  /** Where the `distance` passages before and behind each of these begin and end, itself included. */
  readSurroundings(
    passageIds: readonly number[],
    distance: number,
  ): Promise<{ passageId: number; start: number; end: number }[]>;
  /** At most `most` passages of an item, evenly spread over it. */
  sampleItem(contentId: string, embedderId: string | null, most: number): Promise<PassageSample[]>;
  listPassages(documentId: number): Promise<StoredPassage[]>;
  /**
   * Passages of visible documents that have no vector of this embedder, in the order of their ids. Without `contentId`
   * those are left out whose item a worker holds or may take at a stage up to `embed`: they get their vectors there.
   */
  listPassagesToEmbed(embedderId: string, limit: number, which?: PassagesToEmbed): Promise<PassageToEmbed[]>;
  /** How many passages there are in these languages (null: in any), and how many have a vector of this embedder. */
  countVectors(
    embedderId: string,
    languages?: readonly string[] | null,
  ): Promise<{ passages: number; embedded: number }>;
  /** The embedders that passages have vectors of, that of the most vectors first. */
  listEmbedders(): Promise<{ id: string; vectors: number }[]>;
  /** What has a word that begins with the last word of `typed` and has its other words; of an empty one the tags alone. */
  listNamesLike(typed: string, most: number): Promise<NamesLike>;
  /** Keeps a question that was asked; the oldest of more than 1,000 go. */
  rememberQuery(text: string): Promise<void>;
  /** The newest first. */
  listPastQueries(): Promise<PastQuery[]>;
  /** @returns how many there were */
  forgetQueries(): Promise<number>;
  /** Whether the index of words would be searched faster after `mergeWords`, and no job is due or claimed (or it is so scattered that this does not count). */
  hasWordsToMerge(): Promise<boolean>;
  /** Does a small part of that. */
  mergeWords(): Promise<void>;
}
