import { maxActions } from '../../../domain/records/analysis.ts';
import { countShared, termsOf } from './words.ts';

/** The most useful ones, at most 7, none of which says the same as a better one. */
export function pickUseful<Entry extends { title: string; rank: number }>(
  found: readonly Entry[],
  stopWords?: ReadonlySet<string>,
): Entry[] {
  const chosen: { entry: Entry; terms: string[] }[] = [];
  // The sort is stable: of equally useful actions, those that come first in the text win.
  for (const entry of [...found].sort((x, y) => y.rank - x.rank)) {
    if (chosen.length >= maxActions) break;
    const terms = termsOf(entry.title, stopWords);
    if (!chosen.some((other) => saysTheSame(terms, other.terms))) chosen.push({ entry, terms });
  }
  return chosen.map(({ entry }) => entry);
}

/**
 * Whether two actions say the same: they share most terms, or one contains the beginning of the other ("Wear
 * comfortable shoes for the walk", "Bring water, and wear comfortable shoes").
 */
function saysTheSame(left: readonly string[], right: readonly string[]): boolean {
  const [one, other] = [new Set(left), new Set(right)];
  if (countShared(one, other) > 0.6 * Math.min(one.size, other.size)) return true;
  return beginsWithin(left, right) || beginsWithin(right, left);
}

function beginsWithin(terms: readonly string[], whole: readonly string[]): boolean {
  const beginning = terms.slice(0, 3).join(' ');
  return terms.length >= 3 && ` ${whole.join(' ')} `.includes(` ${beginning} `);
}
