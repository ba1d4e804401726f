import type { AnalysisDraft, DraftGoal, VerifiedDraft } from '../../domain/drafts/analysis-draft.ts';
import type { TitleComparison } from '../../domain/drafts/grounding/index.ts';
import type { placeAnalysis } from '../../domain/drafts/place-analysis.ts';
import type { Analysis } from '../../domain/records/analyses/analysis.ts';
import type { ContentType } from '../../domain/records/content.ts';
import type { Transcript } from '../../domain/records/texts/document.ts';
import type { Goal } from '../../domain/records/analyses/goal.ts';
import type { placeQuotes } from '../../domain/records/highlights/highlight-words.ts';
import type { Passage } from '../../domain/records/texts/passage.ts';
import type { AnalysisInput } from '../../models/analysis/analyst.ts';
import type { MatchedGoal, QuotedTask, Surroundings } from '../../models/analysis/extractive/index.ts';

/** `fingerprint` (`domain/duplicates/simhash.ts`) is null for a text that is too short to have one. */
export interface SplitText {
  passages: Passage[];
  wordCount: number;
  fingerprint: Uint8Array | null;
}

export interface SourceText {
  transcript: Transcript;
  contentType: ContentType;
  /** As a tag; null when it is unknown. */
  language: string | null;
}

export interface TextWorkerData {
  /** Nobody waits for its results: it works when the processor has nothing else to do. */
  isBackground: boolean;
}

/** Tasks of the text threads. */
export interface TextCalls {
  split(source: SourceText): SplitText;
  analyse(input: AnalysisInput, goals: readonly Goal[]): Analysis;
  place: typeof placeAnalysis;
  verify(draft: AnalysisDraft, text: string, goals: readonly DraftGoal[]): VerifiedDraft;
  placeQuotes: typeof placeQuotes;
  /**
   * Finds the tasks in notes on an item.
   * @param language of the item's text
   * @param writtenOn the day from which a note sees the days that it names, `2026-03-31`
   */
  findTasks(notes: readonly string[], language: string | null, writtenOn: string): QuotedTask[];
  /** Finds for each place the goal that it serves. */
  matchGoals(goals: readonly Goal[], places: readonly Surroundings[]): MatchedGoal[];
}

export type TextKind = keyof TextCalls;

/** A request to the thread, which gets one at a time. */
export interface TextRequest {
  kind: TextKind;
  args: Parameters<TextCalls[TextKind]>;
}

export type TextResult = ReturnType<TextCalls[TextKind]>;

/** How near the titles that the thread asked about are to their texts; null when no model can tell. */
export interface TitleLikeness {
  kind: 'likeness';
  likeness: readonly number[] | null;
}

/** Messages of the thread: one answer to each request. Before an answer it may ask about titles. */
export type TextMessage =
  | { kind: 'titles'; titles: readonly TitleComparison[] }
  /** `heapBytes`: size of the thread's heap after the request. */
  | { kind: 'result'; result: TextResult; heapBytes: number }
  /** Matching the text overflowed the stack: a word or a line has millions of characters. */
  | { kind: 'tooLong'; reason: string }
  | { kind: 'broken'; reason: string };
