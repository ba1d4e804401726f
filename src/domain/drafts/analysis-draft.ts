import { z } from 'zod';
import { actionPriority } from '../records/analyses/action.ts';
import { tag } from '../records/content.ts';
import type { Goal } from '../records/analyses/goal.ts';
import { maxActions, type Analysis } from '../records/analyses/analysis.ts';
import { cleanLine, cleanText } from '../text/clean-text.ts';
import type { TitleComparison } from './grounding/index.ts';

/*
 * An analysis as a language model or the connected assistant writes it. Its quotes must be in the text, and an action
 * must say what the text says at its quote. Entries that fail are dropped and reported, so the author can fix them.
 */

const line = (maxLength: number) => z.string().overwrite(cleanLine).min(1).max(maxLength);

export const maxInsights = 7;
/** Those of the person's own, and a new one. */
export const maxNamedTags = 4;

export const analysisDraft = z.strictObject({
  summary: z
    .string()
    .overwrite((text) => cleanText(text))
    .trim()
    .min(1)
    .max(2_000),
  insights: z.array(z.strictObject({ text: line(500), quote: z.string().max(2_000) })).max(maxInsights),
  actions: z
    .array(
      z.strictObject({
        title: line(160),
        quote: z.string().max(2_000),
        reason: line(400).nullable().default(null),
        goalId: z.string().max(40).nullable().default(null),
        priority: actionPriority.optional(),
      }),
    )
    .max(maxActions),
  tags: z.array(tag).max(maxNamedTags).optional(),
});
export type AnalysisDraft = z.infer<typeof analysisDraft>;

/** A part of a draft that was left out, and why. */
export interface DraftProblem {
  /** `insights[2].quote`. */
  path: string;
  message: string;
}

export interface VerifiedDraft {
  analysis: Analysis;
  /** Entries that the text does not support or that lean on another, unknown goals, and repeated entries. None of them is in `analysis`. */
  problems: DraftProblem[];
  /** How many quotes, titles and reasons the text does not support, and texts that lean on another. Their author may correct them. */
  refusals: number;
}

/** `verifyDraft` on another thread than the caller's; accounts take turns. */
export type VerifyDraft = (
  draft: AnalysisDraft,
  text: string,
  goals: readonly DraftGoal[],
  signal: AbortSignal,
  accountId?: string,
) => Promise<VerifiedDraft>;

export type DraftGoal = Pick<Goal, 'id' | 'title' | 'description'>;

/**
 * The highest cosine of each title with one of its sentences; null when no sentence model is available.
 * @param accountId as in `Embedder.embedPassages`
 */
export type CompareTitles = (
  titles: readonly TitleComparison[],
  accountId?: string,
) => Promise<readonly number[] | null>;
