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
  /** The text fragment (after `:~:text=`) of its link; null if there is none, absent if it is computed on display. */
  fragment?: string | null;
}

/** Names a passage within its account. Opaque: compare it, and hand it back to the store. */
export type PassageId = number;

/** A passage as a ranker returns it. `score` is comparable within one answer only; higher is better. */
export interface RankedPassage {
  passageId: PassageId;
  contentId: string;
  score: number;
}

/** Comparator: best first. Equal scores are ordered by id, so that the result does not depend on the input order. */
export function bestFirst(a: Omit<RankedPassage, 'contentId'>, b: Omit<RankedPassage, 'contentId'>): number {
  return b.score - a.score || a.passageId - b.passageId;
}

/** The passages in the order of an answer: the best one of every item, then the second ones, and so on. */
export function bestOfEachFirst<T>(items: readonly (readonly T[])[]): T[] {
  const maxLength = items.reduce((longest, { length }) => Math.max(longest, length), 0);
  return Array.from({ length: maxLength }, (_, round) => items.flatMap((item) => item[round] ?? [])).flat();
}
