import { countShared, termsOf } from './words.ts';

/** The most useful ones, none of which says the same as a better one. */
export function pickUseful<Entry extends { title: string; rank: number }>(
  found: readonly Entry[],
  most: number,
  stopWords?: ReadonlySet<string>,
): Entry[] {
  const chosen: { entry: Entry; terms: string[] }[] = [];
  // The sort is stable: of equally useful actions, those that come first in the text win.
  for (const entry of [...found].sort((x, y) => y.rank - x.rank)) {
    if (chosen.length >= most) break;
    const terms = termsOf(entry.title, stopWords);
    const label = labelOf(entry.title);
    const isSame = ({ entry: other, terms: others }: (typeof chosen)[number]) =>
      (label === null || label === (labelOf(other.title) ?? label)) && saysTheSame(terms, others);
    if (!chosen.some(isSame)) chosen.push({ entry, terms });
  }
  return chosen.map(({ entry }) => entry);
}

/**
 * True if two actions say the same: they share most terms, or one contains the beginning of the other ("Wear
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

/** "Fern" of "Fern: water weekly": the same of two things is not the same. */
function labelOf(title: string): string | null {
  return /^([^:]{1,60}): /.exec(title)?.[1] ?? null;
}
