import { containsPhrase } from '../domain/search/term-matches.ts';
import type { ScoredPassage } from './scored-passage.ts';

/** See `Embedder.matchFloors`. */
export interface MatchFloors {
  weak: number;
  doubtful: number;
  foreign?: number | undefined;
}

/** Whether anything saved is close to a question. It is a label: nothing is left out for it. */
export interface Match {
  match: 'strong' | 'weak';
  /** For a weak match: what that means, in words. */
  hint?: string;
}

/*
 * How the floors were chosen: docs/decisions/0046-answers-that-a-model-can-afford.md.
 */

/** Below this score by words alone nothing is close, when words alone are compared. */
export const weakWords = 0.2;
/** From this score by words on, a doubtful score of words and meaning is not weak. */
const tellingWords = 0.3;

const nothingClose =
  'Nothing saved is close to this question; what is listed is only the nearest. Say that nothing was found, unless a passage does answer.';
const nothingFound = 'Nothing saved is close to this question.';
const wordsAlone =
  'Nothing saved has many of these words, and only words were compared. Ask again in other words, or in the language of what was saved, before saying that nothing was found.';

/** The best of what was found. */
export interface BestFound {
  /** Undefined when nothing was found. */
  passage: Pick<ScoredPassage, 'text'> | undefined;
  /** The greatest score of a passage, without what preferences and goals add. */
  score: number;
  /** The greatest score by words alone. */
  scoreByWords: number;
}

/**
 * Judges by the best passage. Null when nobody has measured what the scores of this embedder mean.
 * @param floors of the embedder; null: words alone were compared; undefined: not measured
 * @param phrases that the question has in quotation marks
 */
export function judgeMatch(
  { passage, score: found, scoreByWords }: BestFound,
  floors: MatchFloors | null | undefined,
  phrases: readonly string[],
): Match | null {
  if (floors === undefined) return null;
  if (passage !== undefined && phrases.some((phrase) => isNamed(phrase) && containsPhrase(passage.text, phrase)))
    return { match: 'strong' };
  const score = passage === undefined ? 0 : found;
  const isWeak =
    floors === null
      ? score < weakWords
      : score < floors.weak || (score < floors.doubtful && scoreByWords < tellingWords);
  if (!isWeak) return { match: 'strong' };
  return { match: 'weak', hint: floors === null ? wordsAlone : passage === undefined ? nothingFound : nothingClose };
}

/** Whether a phrase is of several words: one word may stand anywhere. */
function isNamed(phrase: string): boolean {
  return phrase.trim().includes(' ');
}
