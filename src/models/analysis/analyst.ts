import type { Analysis } from '../../domain/records/analyses/analysis.ts';
import type { Goal } from '../../domain/records/analyses/goal.ts';
import type { PlacedBlock } from '../../domain/records/texts/document.ts';

/** Tokens that a model was paid for. `costMicros` is in millionths of a dollar. */
export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  costMicros: number;
}

interface WrittenAnalysis {
  /** All its quotes occur in the text. */
  analysis: Analysis;
  usage: ModelUsage;
  /** A sentence for the user that says which part of the text was not read; null when all of it was. */
  unread: string | null;
}

/**
 * An analyst that writes in its own words. It is slow and costs money, so its analysis comes after the item is
 * completed and replaces the extractive one.
 */
export interface LlmAnalyst {
  readonly by: 'claude';
  readonly model: string;
  /** Changes with the prompt; shows which analyses were made with an older one. */
  readonly promptVersion: string;
  /** The estimated cost of one analysis of this many characters (4 characters per token). */
  estimate(characters: number): ModelUsage;
  /**
   * @param onUsage called after every answer, also when the analysis fails in the end; resolves to whether more may be
   *   spent. If not, no further section is read, and `unread` says so
   * @throws {ProcessingError} `model_refused`, `model_answer_invalid`, `model_unauthorized`, `model_not_found`,
   *   `model_unavailable`, `model_request_refused`, `rate_limited`; `retryable` and `retryAfterMs` as everywhere
   */
  analyse(
    input: AnalysisInput,
    goals: readonly Goal[],
    signal: AbortSignal,
    onUsage: (usage: ModelUsage) => Promise<boolean>,
  ): Promise<WrittenAnalysis>;
}

/** The input of an analyst: the stored text, which is data and never an instruction. */
export interface AnalysisInput {
  title: string | null;
  language: string | null;
  text: string;
  blocks: readonly PlacedBlock[];
  /** Of a person’s own note: the day on which it was written, `2026-03-31`. */
  writtenOn?: string | undefined;
  /** Of a text file of the person's own, such as a note in a folder: the day. Its open check boxes are what is to be done. */
  boxesOn?: string | undefined;
  /** The person's own tags, the most used first. */
  tags?: readonly string[] | undefined;
}

/** Reads one document and extracts what is worth keeping. */
export interface Analyst {
  readonly by: 'extractive' | 'claude' | 'assistant';
  readonly model: string | null;
  /** @param accountId the account that owns the text: accounts take turns */
  analyse(input: AnalysisInput, goals: readonly Goal[], signal: AbortSignal, accountId?: string): Promise<Analysis>;
}
