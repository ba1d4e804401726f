import type { ArchivedCopy, ContentType } from '../../domain/records/content.ts';
import type { RankBy } from '../../domain/search/search-query.ts';
import type { Locator } from '../../domain/records/locator.ts';
import type { StoredPassage } from '../records.ts';

/* Input and output of the store for searches. */

/** A passage, with what a result shows of its item. */
export interface FoundPassage extends StoredPassage {
  contentId: string;
  /** Null for an uploaded file and for a note. */
  itemUrl: string | null;
  itemCanonicalUrl: string | null;
  /** The copy of the page that its text is from, when the page is gone. Links to places open it. */
  itemCopy?: ArchivedCopy;
  itemTitle: string | null;
  /** Null until the item has been fetched. */
  itemContentType: ContentType | null;
  itemTags: string[];
  itemLanguage: string | null;
  itemAuthor: string | null;
  /** ISO 8601. */
  itemPublishedAt: string | null;
  /** The item that this one is a copy of, or null. */
  itemDuplicateOf: string | null;
  /**
   * Notes of highlights in it, and quotes of those that are not in the text; in the first passage also the item's notes.
   * Absent when there are none.
   */
  marks?: string[];
  /**
   * Present in the card of an item without text, which has no text itself: what became of that, or `completed` where the
   * item has none.
   */
  cardOf?: 'pending' | 'failed' | 'completed';
}

/** Each given field narrows the passages further; an empty list does not. */
export interface PassageFilter {
  contentType?: ContentType | undefined;
  /** The item has all of them. */
  tags?: readonly string[] | undefined;
  /** The item has one of these types. */
  types?: readonly ContentType[] | undefined;
  /**
   * `host` or `host/path`: the item's address is on one of these hosts or on a subdomain. A host without a dot matches
   * any dot-separated part of a host name.
   */
  sites?: readonly string[] | undefined;
  /** The item was saved under one of these addresses, or one of them is its canonical URL. */
  addresses?: readonly string[] | undefined;
  /**
   * The item was published at this time or later, or before it: milliseconds since the epoch. When the publication time
   * is unknown, the time of saving counts.
   */
  since?: number | undefined;
  before?: number | undefined;
  /** The item was saved at this time or later, or before it. */
  savedSince?: number | undefined;
  savedBefore?: number | undefined;
  /** The item's author or the name of its site is one of these, whatever the case of ASCII letters. */
  names?: readonly string[] | undefined;
  /**
   * The passage, its headings or the title contains all of them: each is a sequence of words, in any of their forms.
   */
  phrases?: readonly string[] | undefined;
  /** The passage, its headings and the title contain none of these words or phrases. */
  excluded?: readonly string[] | undefined;
}

/** What a question asks for without insisting on it. */
export interface Preference {
  filter: Pick<PassageFilter, 'phrases' | 'since' | 'before' | 'savedSince' | 'savedBefore' | 'names'>;
  /**
   * Scores of passages that the filter lets through are multiplied by it. If the best one exceeds 1 then, all are scaled
   * down to at most 1.
   */
  factor: number;
}

/** How many items there are for each type, tag and year. */
export interface Facets {
  types: { value: ContentType; count: number }[];
  tags: { value: string; count: number }[];
  /** The year of publication or, when that is unknown, of saving; newest first. */
  years: { value: number; count: number }[];
}

/** A passage that represents a part of its item. */
export interface PassageSample {
  passageId: number;
  /** Of unit length; null when the passage has no vector of the embedder that was asked for. */
  vector: Float32Array | null;
}

/** Names in the library that a person who types may mean. */
export interface NamesLike {
  /** Titles of the newest items first. */
  titles: { id: string; title: string }[];
  /** The most used first. */
  tags: string[];
  /** Headings in the items of these titles. */
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
  /** Whether no word of the original query occurs in any passage. */
  nothingFound: boolean;
  /** Whether each word of the original query is long, and one mistake away from a word that passages have. */
  isNear: boolean;
}

/** A query as a vector of one embedder. */
export interface QuestionVector {
  embedderId: string;
  /** Of unit length. */
  values: Float32Array;
  /** See `Embedder.unrelatedCosine`. */
  unrelatedCosine: number;
  /**
   * Whether every passage of the account has a vector to compare with: none is in another language, and none is
   * waiting.
   */
  everyPassage: boolean;
  /** Minimum cosine of a passage that shares no word with the question; absent: the usual one. */
  minAlone?: number | undefined;
  /**
   * While passages are being embedded anew: the query's vector for passages that still have vectors of the previous
   * embedder.
   */
  before?: QuestionVector | undefined;
}

export interface ItemSearch {
  /** The text to rank by; punctuation in it is text. */
  text: string;
  /** Null: ranked by words alone. */
  vector: QuestionVector | null;
  filter: PassageFilter;
  /** Passages that one of these lets through rank higher. No passage is left out. Ignored when nothing is ranked. */
  preferred?: readonly Preference[] | undefined;
  /** As `Preference.factor`, for items whose author or site the text names; absent or 1: names do not count. */
  nameFactor?: number | undefined;
  /**
   * Null: nothing is ranked. For each item, newest first, the result is the first passage that the filter lets through,
   * with a score of 0.
   */
  by: RankBy | null;
  /** When nothing is ranked: symbols that a passage must contain literally; the index knows only words. */
  signs?: readonly string[] | undefined;
  /** How many passages are ranked by words, and how many by meaning. */
  depth: number;
  /** Correct misspelt words first: words that no passage has, when similar ones exist. */
  isTyped: boolean;
  /** How many items are wanted, and how many passages of each. */
  items: number;
  passagesOfEach: number;
  /** How many items to pass over. */
  offset?: number | undefined;
  /**
   * Leave out items that are copies of a better one, and passages that nearly repeat a better one. `alsoIn` names the
   * items they are in.
   */
  distinct: boolean;
  /**
   * How many characters of passages get their `place` at once: first every item's best passage, then the second ones,
   * and so on.
   */
  placed: number;
  facets: boolean;
}

/** A passage that answers a query. */
export interface AnsweringPassage extends FoundPassage {
  score: number;
  /** Items with a nearly identical passage, which is therefore left out. */
  alsoIn?: string[];
  /** Place of the whole passage; absent unless asked for. */
  place?: PassagePlace;
}

export interface ItemsFound {
  /**
   * The query that was searched for instead of the given one. When no word of the given query occurs, it is only a
   * suggestion, and nothing was searched for. Null when no word is missing (the last one may be a prefix), or when
   * nothing similar exists.
   */
  correction: Correction | null;
  /** The best item first; within each item, the best passage first. */
  items: AnsweringPassage[][];
  /** The best passage of the best item, whatever the offset; null when nothing was found. */
  first: AnsweringPassage | null;
  /** Items that were ranked, with those before and behind `items`. */
  total: number;
  /** Whether `total` counts copies that later pages may leave out. */
  isUpperBound: boolean;
  /** The greatest score of a passage by words alone, from 0 to 1; 0 when nothing was ranked by words. */
  bestByWords: number;
  /** The greatest score of a passage by meaning alone, from 0 to 1; 0 when nothing was ranked by meaning. */
  bestByMeaning: number;
  /** The greatest score of a passage without preferences, from 0 to 1; 0 when nothing was ranked. */
  bestScore: number;
  /** Other ways in which passages write words of the query, each as words in a row. */
  spellings: readonly (readonly string[])[];
  /** Whether the first item lacks the only rare word of the query, and fits no date or name in it. */
  lacksRareWord: boolean;
  /** Whether as many passages as `depth` were ranked: there may be more. */
  isCut: boolean;
  coverage: Coverage;
  /** Counted over all items that contain words of the query, and those that were ranked. */
  facets?: Facets;
}

/** A part of a passage: `text.slice(start, end)`. */
export interface PassagePart {
  passageId: number;
  start: number;
  end: number;
}

/** Where a part of a passage is in its source. */
export interface PassagePlace {
  locator: Locator;
  /** The text after `:~:text=` in a link to it; null when no such link leads there. */
  fragment: string | null;
}

export interface Coverage {
  /** Items whose passages can be found. */
  searchable: number;
  /** Items that are waiting or being processed, and not yet searchable. */
  pending: number;
  failed: number;
}
