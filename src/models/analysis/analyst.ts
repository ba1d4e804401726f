import type { Analysis } from '../../domain/records/analysis.ts';
import type { PlacedBlock } from '../../domain/records/document.ts';
import type { Goal } from '../../domain/records/goal.ts';

/** What an analyst is given: the stored text, which is data and never instruction. */
export interface AnalysisInput {
  title: string | null;
  language: string | null;
  text: string;
  blocks: readonly PlacedBlock[];
}

/** Reads one document and says what is worth keeping of it. */
export interface Analyst {
  readonly by: 'extractive' | 'claude' | 'assistant';
  readonly model: string | null;
  /** @param accountId whose text it is: accounts take turns */
  analyse(input: AnalysisInput, goals: readonly Goal[], signal: AbortSignal, accountId?: string): Promise<Analysis>;
}
