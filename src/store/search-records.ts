import type { ContentType } from '../domain/records/content.ts';
import type { RankBy } from '../domain/search/fusion.ts';
import type { Locator } from '../domain/records/locator.ts';
import type { StoredPassage } from './records.ts';

/* What the store takes and gives for searches. */

/** A passage with what an answer says of the item it is from. */
export interface FoundPassage extends StoredPassage {
  contentId: string;
  itemUrl: string;
  itemCanonicalUrl: string;
  itemTitle: string | null;
  itemContentType: ContentType;
  itemTags: string[];
  itemLanguage: string | null;
  /** The item of which this one is a copy, or null. */
  itemDuplicateOf: string | null;
}

/** Each given part narrows the passages further; an empty list does not. */
export interface PassageFilter {
  contentType?: ContentType | undefined;
  /** All of them are on the item. */
  tags?: readonly string[] | undefined;
  /** The item is of one of them. */
  types?: readonly ContentType[] | undefined;
  /** `host` or `host/path`: the item is of one of them or of a subdomain. A host without a dot is any part of a name. */
  sites?: readonly string[] | undefined;
  /** The item was saved under one of these addresses, or has one of them as its canonical URL. */
  addresses?: readonly string[] | undefined;
  /** The item was published (or, where that is not known, saved) then or later, or before: milliseconds since the epoch. */
  since?: number | undefined;
  before?: number | undefined;
  /** The passage, its headings or the title has all of them: these words in a row, in any of their forms. */
  phrases?: readonly string[] | undefined;
  /** The passage, its headings and the title have none of these words or phrases. */
  excluded?: readonly string[] | undefined;
}

/** How many items there are of each kind. */
export interface Facets {
  types: { value: ContentType; count: number }[];
  tags: { value: string; count: number }[];
  /** Of publication or, where that is not known, of saving; the newest first. */
  years: { value: number; count: number }[];
}

/** A passage that stands for a part of its item. */
export interface PassageSample {
  passageId: number;
  /** Of unit length; null when it has none of the embedder that was asked about. */
  vector: Float32Array | null;
}

/** What of the library's own words a person who types may mean. */
export interface NamesLike {
  /** Of the newest items first. */
  titles: { id: string; title: string }[];
  /** The most used first. */
  tags: string[];
  /** Headings in the items of the titles. */
  headings: string[];
}

export interface PastQuery {
  text: string;
  /** How often it was asked. */
  times: number;
  askedAt: number;
}

export interface Correction {
  /** The query with misspelt words replaced by words that passages have. */
  text: string;
  /** Whether no word of the query as it was written is there. */
  nothingFound: boolean;
}

/** A question as an embedder reads it. */
export interface QuestionVector {
  embedderId: string;
  /** Of unit length. */
  values: Float32Array;
  /** See `Embedder.unrelatedCosine`. */
  unrelatedCosine: number;
  /** Whether every passage of the account has a vector to compare with: none is in another language, and none waits. */
  everyPassage: boolean;
  /** While passages are embedded anew: the question for those that still have the vectors of the embedder before. */
  before?: QuestionVector | undefined;
}

export interface ItemSearch {
  /** What is to be ranked; any punctuation in it is text. */
  text: string;
  /** Null: words decide alone. */
  vector: QuestionVector | null;
  filter: PassageFilter;
  /** Null: nothing is ranked; of each item, the newest first, the first passage that the filter lets through, with a score of 0. */
  by: RankBy | null;
  /** Where nothing is ranked: what a passage has in its text, as it is written; the index knows words only. */
  signs?: readonly string[] | undefined;
  /** How many passages are ranked by words, and by meaning. */
  depth: number;
  /** Look for misspelt words first: for those that no passage has, while something like them is there. */
  isTyped: boolean;
  /** How many items are wanted, and how many passages of each. */
  items: number;
  passagesOfEach: number;
  /** Leave out items that are copies of a better one, and passages that nearly repeat a better one: it says where else they stand. */
  distinct: boolean;
  /** Of so many characters it is said at once where they stand: of every item's best passage, then of the second ones, and so on. */
  placed: number;
  facets: boolean;
}

/** A passage that answers a question. */
export interface AnsweringPassage extends FoundPassage {
  score: number;
  /** Items with a passage that is nearly the same and therefore left out. */
  alsoIn?: string[];
  /** Of the whole passage; absent where that was not asked. */
  place?: PassagePlace;
}

export interface ItemsFound {
  /**
   * What was searched for instead of the query, or, when no word of that is there, may be: then nothing was searched for. Null when no
   * word is missing (the last one may be the beginning of a word), or nothing like it is there.
   */
  correction: Correction | null;
  /** The best item first, of each its best passages, the best first. */
  items: AnsweringPassage[][];
  /** Whether as many passages as `depth` were ranked: deeper there may be more. */
  isCut: boolean;
  coverage: Coverage;
  /** Of all items that have words of the question, and of those that were ranked. */
  facets?: Facets;
}

/** A part of a passage: `text.slice(start, end)`. */
export interface PassagePart {
  passageId: number;
  start: number;
  end: number;
}

/** Where a part of a passage stands in its source. */
export interface PassagePlace {
  locator: Locator;
  /** What stands behind `:~:text=` in a link to it; null where no such link leads there. */
  fragment: string | null;
}

export interface Coverage {
  /** Items whose passages can be found. */
  searchable: number;
  /** Items still waiting or being processed and not yet searchable. */
  pending: number;
  failed: number;
}
