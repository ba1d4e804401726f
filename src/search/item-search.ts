import type { RankBy } from '../domain/search/query-language.ts';
import type {
  Coverage,
  Facets,
  FoundPassage,
  PassageFilter,
  PassagePlace,
  QuestionVector,
} from '../store/records/search-records.ts';

/* The input of one ranking, and its result. */

/** Preferences of a question, which exclude nothing. */
export interface Preference {
  filter: Pick<PassageFilter, 'phrases' | 'items'>;
  /**
   * Scores of passages that the filter lets through are multiplied by it. If the best one exceeds 1 then, all are scaled
   * down to at most 1.
   */
  factor: number;
}

export interface ItemSearch {
  /** The text to rank by; punctuation in it is text. */
  text: string;
  /** The words of `text` that are not alternatives of an `OR`; absent when there is none. */
  wanted?: string | undefined;
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

export interface Correction {
  /** The query with misspelt words replaced by words that passages have. */
  text: string;
  /** Whether no word of the original query occurs in any passage. */
  nothingFound: boolean;
  /** Whether each word of the original query is long, and one mistake away from a word that passages have. */
  isNear: boolean;
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
  /** Counted over all items that contain words of the query, and the ranked ones. */
  facets?: Facets;
}
