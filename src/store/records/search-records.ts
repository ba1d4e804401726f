import type { ArchivedCopy, ContentType } from '../../domain/records/content.ts';
import type { Locator } from '../../domain/records/texts/locator.ts';
import type { Filter } from '../../domain/search/filter.ts';
import type { StoredPassage } from '../records.ts';

/* Records that searches read from the store. */

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
   * Notes of highlights in it, and quotes of those that are not in the text; in the first passage also the item's notes. Absent
   * without any.
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
  /** Conditions for the item. See `resolveFilter`. */
  items?: Filter | null | undefined;
  /** The item has one of these keys, even if the list is empty: those that a restricted caller may see. */
  known?: readonly number[] | undefined;
  /**
   * The passage, its headings or the title contains all of them: each is a sequence of words, in any of their forms.
   */
  phrases?: readonly string[] | undefined;
  /** The passage, its headings and the title contain none of these words or phrases. */
  excluded?: readonly string[] | undefined;
}

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
  times: number;
  askedAt: number;
}

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
  /** During re-embedding: the query's vector for passages that still have vectors of the previous embedder. */
  before?: QuestionVector | undefined;
}

/** A part of a passage: `text.slice(start, end)`. */
export interface PassagePart {
  passageId: number;
  start: number;
  end: number;
}

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

/** Older queries are deleted. */
export const maxPastQueries = 1_000;

/** The same for queries that are kept as one. */
export function foldedQuery(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
