import type { Goal } from '../domain/records/goal.ts';
import { stemOf } from '../domain/text/words/porter.ts';
import { createTermMatcher, matchedRanges } from '../domain/search/term-matches.ts';
import { foldedWord } from '../domain/text/words/words.ts';
import type { ScoredPassage } from './scored-passage.ts';
import type { GoalTerm } from './scored-passage.ts';

/**
 * Moves items up whose passage has words of a goal. A passage's score is multiplied by 1 + `weight` × the share of the
 * goal's words that occur in it, so by at most 1 + `weight`, whatever the goals are. A passage that moved up names the
 * goal.
 */
export function orderByGoals(
  items: readonly ScoredPassage[][],
  goals: readonly Goal[],
  weight: number,
): readonly ScoredPassage[][] {
  if (weight === 0 || goals.length === 0) return items;
  const matchers = goals.map(({ id, title }) => ({ id, matcher: createTermMatcher({ text: title, phrases: [] }) }));
  const termOf = ({ text, itemTitle, headingPath }: ScoredPassage): GoalTerm | null => {
    const whole = [itemTitle ?? '', ...headingPath, text].join('\n');
    let best: GoalTerm | null = null;
    for (const { id, matcher } of matchers) {
      const found = new Set(
        matchedRanges(whole, matcher).map(({ start, end }) => stemOf(foldedWord(whole.slice(start, end)))),
      );
      const share = matcher.stems.size === 0 ? 0 : Math.min(1, found.size / matcher.stems.size);
      const factor = Math.round((1 + weight * share) * 1_000) / 1_000;
      if (factor > (best?.factor ?? 1)) best = { goalId: id, factor };
    }
    return best;
  };
  return items
    .map((passages) =>
      passages
        .map((passage) => {
          const goal = termOf(passage);
          return goal === null ? passage : { ...passage, score: passage.score * goal.factor, goal };
        })
        .sort((a, b) => b.score - a.score),
    )
    .sort((a, b) => (b[0]?.score ?? 0) - (a[0]?.score ?? 0));
}
