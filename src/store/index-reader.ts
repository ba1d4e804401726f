import type { ContentType } from '../domain/records/content.ts';
import type { Transcript } from '../domain/records/texts/document.ts';
import type { Locator } from '../domain/records/texts/locator.ts';
import type { PassageId, RankedPassage } from '../domain/records/texts/passage.ts';
import type { QueryTerm } from '../domain/search/index-terms.ts';
import type { IndexedLanguages } from '../domain/text/words/stems/word-forms.ts';
import type { Coverage, Facets, FoundPassage, PassageFilter } from './records/search-records.ts';

/**
 * The lookups of searches in an engine, for one state of one account; `src/search/` does the rest. Terms of the index are words as
 * `domain/search/index-terms.ts` writes them, in lower case, without accents, stemmed.
 */
export interface IndexReader {
  coverage(): Coverage;
  countPassages(): number;
  indexedLanguages(): IndexedLanguages;

  /**
   * Passages with terms of the query, best first. A score is the share of the greatest one that the query allows: above 0,
   * at most 1. Punctuation in `query` is text, never syntax. A last word that no passage has counts as the beginning of one.
   */
  searchWords(query: string, filter: PassageFilter, limit: number): readonly RankedPassage[];
  /** Passages with the nearest vectors, best first; a score is the cosine. `vector` is of unit length. */
  searchVectors(
    embedderId: string,
    vector: Float32Array,
    filter: PassageFilter,
    limit: number,
  ): readonly RankedPassage[];
  /** Of each item, newest first, the first passage that the filter lets through and that contains all `signs`; score 0. */
  listNewest(filter: PassageFilter, limit: number, signs?: readonly string[]): readonly RankedPassage[];
  /**
   * Those of the passages that have no vector of any of these embedders.
   * @param hadAll all passages had one when they were last counted, so an engine may check later passages only
   */
  listWithoutVector(
    passageIds: readonly PassageId[],
    embedderIds: readonly string[],
    hadAll: boolean,
  ): readonly PassageId[];

  /** Whether a query has one rare word only and no passage of the item has it, however it is written. */
  lacksRareWord(query: string, contentId: string): boolean;
  /** Other ways in which passages write words of a query, each as words in a row. */
  spellingsOf(query: string): readonly (readonly string[])[];
  countPassagesWith(terms: readonly QueryTerm[]): readonly number[];
  /**
   * The terms that begin with one of these letters: strings of terms separated by spaces. A term may occur in several of them, and
   * may be in no passage.
   */
  termsBeginning(beginnings: Iterable<string>): readonly string[];
  /** For each term of the index, how many passages have it, and the first `limit` of those. */
  findTerms(terms: readonly string[], limit: number): readonly TermPassages[];

  /** In the order of `passageIds`, without missing ones. `fragment` is absent when none was stored. */
  readPassages(passageIds: readonly PassageId[]): readonly FoundPassage[];
  /**
   * The text in which the words of passages are found: the text, then the title of the item, the headings, the author, and notes of
   * highlights.
   */
  readWording(passageIds: readonly PassageId[]): readonly { passageId: PassageId; parts: readonly string[] }[];
  /** Texts of those passages whose text contains `part`. */
  readTextsWith(part: string, passageIds: readonly PassageId[]): readonly { passageId: PassageId; text: string }[];
  /** The source texts of passages, without missing ones. */
  readOrigins(passageIds: readonly PassageId[]): readonly PassageOrigin[];
  readSource(sourceKey: string): Transcript;
  /** Where the range from `distance` passages before each of these to `distance` passages after it begins and ends. */
  readSurroundings(
    passageIds: readonly PassageId[],
    distance: number,
  ): readonly { passageId: PassageId; start: number; end: number }[];

  /** Authors and names of sites that occur in the text, whatever the case of ASCII letters; also within words. */
  namesIn(text: string): readonly string[];

  countFacets(contentIds: readonly string[]): Facets;

  /** The cached result of this name, if its key and the state of the account are unchanged; else that of `work`. */
  kept<T>(name: string, key: string, work: () => T): T;
}

export interface TermPassages {
  passages: number;
  first: readonly PassageId[];
}

export interface PassageOrigin {
  passageId: PassageId;
  contentType: ContentType;
  start: number;
  end: number;
  locator: Locator;
  /** As `Passage.fragment`. */
  fragment?: string | null;
  /** Identifies the passage's text among those of all accounts. A changed text has another key. */
  sourceKey: string;
}

/**
 * Methods that run beside an index, by their names: each call reads one state of one account, and is one message. The program
 * puts them and the library together where that is; the store knows their names and arguments only as data.
 */
export type IndexMethods = Readonly<Record<string, (index: IndexReader, argument: never) => unknown>>;
