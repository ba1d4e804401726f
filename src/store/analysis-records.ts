import type { Goal } from '../domain/records/goal.ts';

/* What the store takes and gives of analyses and action items. */

/** An action whose goal is to be looked for anew, with the words around it. */
export interface ActionToLink {
  id: string;
  quote: string;
  documentTitle: string | null;
  /** Of the passage that the quote stands in; empty, and null below, when that is no longer there. */
  headingPath: string[];
  passage: string | null;
}

export interface LinksDue {
  /** Counts the changes of goals; to be given back with what was found. */
  goalsVersion: number;
  /** Those that are not archived. */
  goals: Goal[];
  actions: ActionToLink[];
}

export interface GoalLink {
  actionId: string;
  goalId: string | null;
  reason: string | null;
}

export interface ActionQuery {
  completed?: boolean | undefined;
  contentId?: string | undefined;
  goalId?: string | undefined;
  /** Made then or later, or before. */
  createdSince?: number | undefined;
  createdBefore?: number | undefined;
  /** Done then or later. */
  completedSince?: number | undefined;
  /** Undefined is all. */
  limit?: number | undefined;
  offset: number;
}

/** The action items of one goal. */
export interface GoalCount {
  goalId: string;
  open: number;
  done: number;
}

/** The right to give an item a better analysis until the lease runs out, or until somebody else claims it after that. */
export interface AnalysisClaim {
  contentId: string;
  /** The version of the text that the analysis has to be of. */
  documentId: number;
  url: string;
  leaseToken: string;
  leaseExpiresAt: number;
  /** The attempts that count, this one included. */
  attempts: number;
  /** The code of the failure that the attempt before ended with. */
  lastFailure: string | null;
}

export interface AnalysesToClaim {
  /** This one and no other. */
  contentId?: string;
  /** Those as well that the model has given up or will try again later, after all that are due. */
  putBackToo?: boolean;
}

export interface AnalysisFailure {
  code: string;
  message: string;
  /** When to try again; null: not until the item is processed again. */
  nextAttemptAt: number | null;
  /** How many count from now on: not those that a shutdown ended. */
  attempts: number;
}

/**
 * `kept_before`: the same claim has kept its analysis already. `lease_lost`: somebody else has claimed the item, or it was
 * given back. `text_changed`: it is being processed again, or was. `gone`: there is no such item.
 */
export type KeptAnalysis = 'kept' | 'kept_before' | 'lease_lost' | 'text_changed' | 'gone';

export interface AnalysesWanted {
  waiting: number;
  claimed: number;
  failed: number;
  /** Why those failed for good: at most three reasons, the commonest first, each with how many items and one of them. */
  failures: AnalysisProblem[];
  /** In the same way why others were put back and wait to be tried again. */
  delays: AnalysisProblem[];
}

interface AnalysisProblem {
  message: string;
  items: number;
  contentId: string;
}
