import type { PlacedBlock } from '../domain/document.ts';
import type { Goal } from '../domain/goal.ts';

/** What an analyst is given: the stored text, which is data and never instruction. */
export interface AnalysisInput {
  title: string | null;
  language: string | null;
  text: string;
  blocks: readonly PlacedBlock[];
}

/** A place in the text: `text.slice(start, end)` is the quote, UTF-16 units. */
export interface QuoteSpan {
  start: number;
  end: number;
}

export interface Analysis {
  summary: string | null;
  insights: { text: string; quote: QuoteSpan | null }[];
  actions: { title: string; reason: string | null; quote: QuoteSpan; goalId: string | null }[];
  /** Quotes that the analyst gave and that do not stand in the text. */
  droppedQuotes: number;
}

/** Actions of one item; more would bury the ones that matter. */
export const mostActions = 7;

/** Reads one document and says what is worth keeping of it. */
export interface Analyst {
  readonly by: 'extractive' | 'claude' | 'assistant';
  readonly model: string | null;
  analyse(input: AnalysisInput, goals: readonly Goal[], signal: AbortSignal): Promise<Analysis>;
}
