import type { Analysis } from '../../domain/records/analysis.ts';
import type { Goal } from '../../domain/records/goal.ts';
import type { AnalysisInput } from './analyst.ts';

/** What a model was paid for. `costMicros` is in millionths of a dollar. */
export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  costMicros: number;
}

interface WrittenAnalysis {
  /** Every quote of it stands in the text. */
  analysis: Analysis;
  usage: ModelUsage;
  /** What of the text was not read, for a person; null when all of it was. */
  unread: string | null;
}

/**
 * An analyst that writes in its own words, takes its time and costs money: its analysis comes after the item is completed
 * and replaces the extractive one.
 */
export interface LlmAnalyst {
  readonly by: 'claude';
  readonly model: string;
  /** Changes with the instructions: tells which analyses were made with older ones. */
  readonly promptVersion: string;
  /** What one analysis of so many characters will cost, roughly (4 characters a token). */
  estimate(characters: number): ModelUsage;
  /**
   * @param onUsage told after every answer, also when the analysis fails in the end; resolves to whether more may be spent. When not,
   *   no further section is read, and `unread` says so
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
