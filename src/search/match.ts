import type { ParsedQuery } from '../domain/search/search-query.ts';
import { containsPhrase } from '../domain/search/term-matches.ts';
import type { ScoredPassage } from './scored-passage.ts';

/** See `Embedder.matchFloors`. */
export interface MatchFloors {
  weak: number;
  doubtful: number;
}

/** Whether anything saved is close to a question. It is a label: nothing is left out for it. */
export interface Match {
  match: 'strong' | 'weak';
  /** For a weak match: what that means, in words. */
  hint?: string;
}

/*
 * How the floors were chosen: docs/decisions/0043-answers-that-a-model-can-afford.md.
 */

/** Below this score by words alone nothing is close, when words alone are compared. */
const weakWords = 0.2;
/** From this score by words on, a doubtful score of words and meaning is not weak. */
const tellingWords = 0.3;

const nothingClose =
  'Nothing saved is close to this question; what is listed is only the nearest. Say that nothing was found, unless a passage does answer.';
const wordsAlone =
  'Nothing saved has many of these words, and only words were compared. Ask again in other words, or in the language of what was saved, before saying that nothing was found.';

/**
 * Judges by the best passage. Null when nobody has measured what the scores of this embedder mean.
 * @param best null when nothing was found
 * @param bestByWords the greatest score by words alone
 * @param floors of the embedder; null: words alone were compared; undefined: not measured
 */
export function judgeMatch(
  best: ScoredPassage | undefined,
  bestByWords: number,
  floors: MatchFloors | null | undefined,
  { phrases }: Pick<ParsedQuery, 'phrases'>,
): Match | null {
  if (floors === undefined) return null;
  if (best !== undefined && phrases.some((phrase) => isNamed(phrase) && containsPhrase(best.text, phrase)))
    return { match: 'strong' };
  // What a goal adds says nothing about the question.
  const score = (best?.score ?? 0) / (best?.goal?.factor ?? 1);
  const isWeak =
    floors === null
      ? score < weakWords
      : score < floors.weak || (score < floors.doubtful && bestByWords < tellingWords);
  if (!isWeak) return { match: 'strong' };
  return { match: 'weak', hint: floors === null ? wordsAlone : nothingClose };
}

/** Whether a phrase is of several words: one word may stand anywhere. */
function isNamed(phrase: string): boolean {
  return phrase.trim().includes(' ');
}
