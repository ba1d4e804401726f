import type { Locator } from './locator.ts';

/** A searchable slice of a transcript: `transcript.slice(start, end)`, UTF-16 units. */
export interface Passage {
  /** Position among the document's passages, from 0. */
  ordinal: number;
  start: number;
  end: number;
  /** The headings above it, outermost first, without `#`. */
  headingPath: string[];
  locator: Locator;
  /** What a link to it says behind `:~:text=`; null when nothing leads there, absent when that is to be found out when it is shown. */
  fragment?: string | null;
}

/** A passage as a ranker returns it. `score` is comparable within one answer only; higher is better. */
export interface RankedPassage {
  passageId: number;
  contentId: string;
  score: number;
}

/** For sorting: the best first, and equal ones in one order whatever order they came in. */
export function bestFirst(a: Omit<RankedPassage, 'contentId'>, b: Omit<RankedPassage, 'contentId'>): number {
  return b.score - a.score || a.passageId - b.passageId;
}

/** The passages in the order in which answers show them: every item's best one, then the second ones, and so on. */
export function bestOfEachFirst<T>(items: readonly (readonly T[])[]): T[] {
  const most = items.reduce((longest, { length }) => Math.max(longest, length), 0);
  return Array.from({ length: most }, (_, round) => items.flatMap((item) => item[round] ?? [])).flat();
}

/** What words found. */
export interface LexicalHits {
  /** Best first; `score` is BM25, higher is better. */
  hits: RankedPassage[];
  /** What BM25 could give at most for this query, Σ 2.2·idf over its terms: the scale of `score`. 0 without terms. */
  idealScore: number;
}
