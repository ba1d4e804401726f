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
}

/** A passage as a ranker returns it. `score` is comparable within one answer only; higher is better. */
export interface RankedPassage {
  passageId: number;
  contentId: string;
  score: number;
}
