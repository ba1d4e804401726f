import type { Analysis } from '../../domain/records/analysis.ts';
import type { PlacedBlock } from '../../domain/records/document.ts';
import type { Goal } from '../../domain/records/goal.ts';

/** The input of an analyst: the stored text, which is data and never an instruction. */
export interface AnalysisInput {
  title: string | null;
  language: string | null;
  text: string;
  blocks: readonly PlacedBlock[];
  /** Of a note of one's own: the day on which it was written, `2026-03-31`. */
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
