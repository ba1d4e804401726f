import type { HeldTo } from '../../domain/access/held.ts';
import type { ActionOrder, ActionPriority, ActionState } from '../../domain/records/analyses/action.ts';
import type { AnalysisInfo } from '../../domain/records/content.ts';
import type { Goal } from '../../domain/records/analyses/goal.ts';

/* Input and output of the store for analyses and action items. */

export interface AnalysedItem {
  /** Its place in the order of `listAnalysed`. */
  seq: number;
  contentId: string;
  /** As it was saved: also of a note or a file. */
  url: string;
  info: AnalysisInfo | null;
}

/** An action, or an insight by its item's key, its place among the item's insights and its words. */
export type Linkable = { actionId: string } | { item: number; ordinal: number; text: string };

/** An action or an insight whose goal has to be determined again, with its context. */
export interface ToLink {
  of: Linkable;
  text: string;
  documentTitle: string | null;
  language: string | null;
  /** The headings of the passage that the text is from; empty when that passage is gone. */
  headingPath: string[];
}

export interface LinksDue {
  /** Counts the changes of goals; pass it back with the links found. */
  goalsVersion: number;
  /** Goals that are not archived. */
  goals: Goal[];
  due: ToLink[];
}

export interface GoalLink {
  of: Linkable;
  goalId: string | null;
  reason: string | null;
}

/** An item whose notes have changed since their tasks were looked for. */
export interface NotesDue {
  contentId: string;
  /** Also the time at which the notes were written, as nearly as anybody knows. */
  updatedAt: number;
  /** Of its text. */
  language: string | null;
  /** Its own notes, then those of its highlights. */
  notes: string[];
}

/** A task in a note: `quote` is its words there. */
export interface NoteTask {
  title: string;
  quote: string;
  due: string | null;
  priority: ActionPriority;
}

export interface ActionQuery {
  completed?: boolean | undefined;
  state?: ActionState | undefined;
  contentId?: string | undefined;
  /** Null: those without a goal. */
  goalId?: string | null | undefined;
  /** Only those snoozed until a day after this one, or only the others. */
  snoozed?: { after: string; is: boolean } | undefined;
  /** Due on this day or later, or before it. */
  dueSince?: string | undefined;
  dueBefore?: string | undefined;
  /** Due on this day or later, or on no certain day. */
  notDueBefore?: string | undefined;
  /** `day`: by due day; done ones by their time of completion, the latest first. Undefined: `goal`. */
  order?: ActionOrder | undefined;
  /** Created at this time or later, or before it. */
  createdSince?: number | undefined;
  createdBefore?: number | undefined;
  completedSince?: number | undefined;
  /** Only actions of items that this restricted caller may see. */
  held?: HeldTo | undefined;
  /** Undefined: no limit. */
  limit?: number | undefined;
  offset: number;
}

/** How many action items in one state a goal has. Open ones are counted apart while they are snoozed. */
export interface ActionCount {
  /** Null: those without a goal. */
  goalId: string | null;
  state: ActionState | 'snoozed';
  count: number;
}

export interface GoalCount {
  goalId: string;
  open: number;
  done: number;
}

/**
 * The right to replace an item's analysis until the lease runs out, and after that until somebody else claims the item.
 */
export interface AnalysisClaim {
  contentId: string;
  /** The version of the text that has to be analysed. */
  documentId: number;
  /** Null for an uploaded file and for a note. */
  url: string | null;
  leaseToken: string;
  leaseExpiresAt: number;
  /** How many attempts count, including this one. */
  attempts: number;
  /** The failure code of the previous attempt. */
  lastFailure: string | null;
}

export interface AnalysesToClaim {
  contentId?: string;
  /**
   * Also items that the model has given up or will retry later, after all due ones: for the connected assistant. Its claims do not
   * count as attempts of the model.
   */
  includeRetryable?: boolean;
}

export interface AnalysisFailure {
  code: string;
  message: string;
  /** When to try again; null: not until the item is processed again. */
  nextAttemptAt: number | null;
  /** Attempts so far, not counting those cut short by a shutdown. */
  attempts: number;
}

/**
 * `kept_before`: this claim has already kept its analysis. `lease_lost`: somebody else has claimed the item, or it was
 * released. `text_changed`: the item is being processed again, or was. `gone`: there is no such item.
 */
export type KeptAnalysis = 'kept' | 'kept_before' | 'lease_lost' | 'text_changed' | 'gone';

export interface LlmAnalysisCounts {
  waiting: number;
  claimed: number;
  failed: number;
  /** Why items failed permanently: at most three reasons, the most frequent first, each with its number of items and one of them. */
  failures: AnalysisProblem[];
  /** In the same form, why other items wait to be tried again. */
  delays: AnalysisProblem[];
}

interface AnalysisProblem {
  message: string;
  items: number;
  contentId: string;
}
