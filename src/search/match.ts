import { type MatchFloors, weakHints } from '../domain/search/match-floors.ts';
import { containsPhrase } from '../domain/search/term-matches.ts';
import type { Coverage } from '../store/records/search-records.ts';
import type { AnsweringPassage } from './item-search.ts';

/** Whether anything saved is close to a question. It is only a label: weak matches are returned, too. */
export interface Match {
  match: 'strong' | 'weak';
  /** For a weak match: what that means, in words. */
  hint?: string;
}

/*
 * How the floors were chosen: docs/decisions/answers-for-models.md.
 */

/** When words alone are compared: below this score, nothing is close. */
const weakScore = 0.2;
/**
 * The same for Chinese, which is compared by pairs of characters: a third of a question's pairs are parts of two words, and
 * no text has those. Japanese has as many, but its particles are in every text.
 */
const weakChinese = 0.13;

/** The score by words below which nothing is close to a question. */
export function weakWords(question: string): number {
  const isChinese = /\p{Script=Han}/u.test(question) && !/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(question);
  return isChinese ? weakChinese : weakScore;
}

/** A doubtful score of words and meaning is not weak when the score by words is at least this. */
const strongWords = 0.3;

/** The best scores among the results. */
export interface BestFound {
  /** Undefined when nothing was found. */
  passage: Pick<AnsweringPassage, 'text'> | undefined;
  /** The highest score of a passage, before preferences and goals add to it. */
  score: number;
  /** The highest score by words alone. */
  scoreByWords: number;
  /** The highest score by meaning alone: a cosine. */
  scoreByMeaning: number;
  /** Whether its item lacks the only rare word of the question. */
  lacksRareWord: boolean;
  /** Whether filters left out a part of the library. */
  isNarrowed: boolean;
}

/**
 * Judges by the best passage. Null when the scores of this embedder were not measured.
 * @param floors of the embedder; a number: only words were compared, and it is their floor; undefined: not measured
 * @param phrases the question's quoted phrases
 */
export function judgeMatch(
  { passage, score: found, scoreByWords, scoreByMeaning, lacksRareWord, isNarrowed }: BestFound,
  floors: MatchFloors | number | undefined,
  phrases: readonly string[],
): Match | null {
  if (floors === undefined) return null;
  if (passage !== undefined && phrases.some((phrase) => isNamed(phrase) && containsPhrase(passage.text, phrase)))
    return { match: 'strong' };
  const score = passage === undefined ? 0 : found;
  const isWeak =
    lacksRareWord ||
    (typeof floors === 'number'
      ? score < floors
      : scoreByMeaning < (floors.meaning ?? Infinity) &&
        (score < floors.weak || (score < floors.doubtful && scoreByWords < strongWords)));
  if (!isWeak) return { match: 'strong' };
  if (passage === undefined && isNarrowed) return { match: 'weak', hint: weakHints.nothingFits };
  return {
    match: 'weak',
    hint:
      typeof floors === 'number'
        ? weakHints.wordsAlone
        : passage === undefined
          ? weakHints.nothingFound
          : weakHints.nothingClose,
  };
}

/** Advice when nothing can be searched yet; null otherwise. Callers have different tools, so none is named. */
export function whatToDoFirst({ searchable, pending, failed }: Coverage): string | null {
  if (searchable > 0) return null;
  if (pending > 0)
    return 'No text can be searched yet: what was saved is still being processed. Search again in a moment.';
  if (failed > 0)
    return 'Nothing can be searched: everything that was saved has failed. Each saved item says why, and what to do.';
  return nothingSaved;
}

export const nothingSaved =
  'Nothing is saved yet, so there is nothing to find. Save a page, a video or a document first, then search again.';

/** Whether a phrase has several words: a single word may occur anywhere. */
function isNamed(phrase: string): boolean {
  return phrase.trim().includes(' ');
}
