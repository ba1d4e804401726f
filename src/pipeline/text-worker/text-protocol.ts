import type { Analysis, AnalysedItem, PlacedAnalysis } from '../../domain/records/analysis.ts';
import type { AnalysisDraft, VerifiedDraft } from '../../domain/drafts/analysis-draft.ts';
import type { TitleComparison } from '../../domain/drafts/grounding/index.ts';
import type { AnalysisInfo, ContentType } from '../../domain/records/content.ts';
import type { Transcript } from '../../domain/records/document.ts';
import type { FoundPlace } from '../../domain/records/highlights/place.ts';
import type { Goal } from '../../domain/records/goal.ts';
import type { Passage } from '../../domain/records/passage.ts';
import type { AnalysisInput } from '../../models/analysis/analyst.ts';
import type { MatchedGoal, QuotedTask, Surroundings } from '../../models/analysis/extractive/index.ts';

/**
 * A text's passages with their links, the number of its words, and its fingerprint (`domain/duplicates/simhash.ts`), which is null
 * for a text that is too short to have one.
 */
export interface SplitText {
  passages: Passage[];
  wordCount: number;
  fingerprint: Uint8Array | null;
}

/** The text to split. */
export interface SourceText {
  transcript: Transcript;
  contentType: ContentType;
  /** As a tag; null when it is unknown. */
  language: string | null;
}

/** What a thread is given at its start. */
export interface TextWorkerData {
  /** Nobody waits for its results: it works when the processor has nothing else to do. */
  isBackground: boolean;
}

/** A request to the thread, which gets one at a time. */
export type TextRequest =
  | { kind: 'split'; source: SourceText }
  | { kind: 'analyse'; input: AnalysisInput; goals: readonly Goal[] }
  | {
      kind: 'place';
      analysis: Analysis;
      transcript: Transcript;
      item: AnalysedItem;
      info: Omit<AnalysisInfo, 'droppedQuotes'>;
    }
  | { kind: 'verify'; draft: AnalysisDraft; text: string; goals: readonly Pick<Goal, 'id' | 'title' | 'description'>[] }
  | { kind: 'placeQuotes'; quotes: readonly string[]; transcript: Transcript; item: AnalysedItem }
  | { kind: 'findTasks'; notes: readonly string[]; language: string | null; writtenOn: string }
  | { kind: 'matchGoals'; goals: readonly Goal[]; places: readonly Surroundings[] };

export type TextResult =
  | SplitText
  | Analysis
  | PlacedAnalysis
  | VerifiedDraft
  | MatchedGoal[]
  | QuotedTask[]
  | (FoundPlace | null)[];

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
