import type { HeldTo } from '../domain/access/held.ts';
import type { ActionChanges, ActionItem, NewAction } from '../domain/records/action.ts';
import type { PlacedAnalysis } from '../domain/records/analysis.ts';
import type { Goal, GoalChanges, NewGoal } from '../domain/records/goal.ts';
import type {
  AnalysedItem,
  ActionCount,
  ActionQuery,
  AnalysesToClaim,
  LlmAnalysisCounts,
  AnalysisClaim,
  AnalysisFailure,
  GoalCount,
  GoalLink,
  KeptAnalysis,
  LinksDue,
  NotesDue,
  NoteTask,
} from './records/analysis-records.ts';
import type { GoalQuery, Page } from './records.ts';

/**
 * Analyses by a model or an assistant, actions, goals, and which action serves which goal. Everything belongs to one
 * account.
 */
export interface Analyses {
  /**
   * Claims a completed item whose analysis a model or an assistant may replace: the item asked for, or else the newest
   * that is due. Two callers never get the same item while a lease runs. Every extractive analysis that is kept makes
   * its item claimable again.
   */
  claimAnalysis(leaseMs: number, which?: AnalysesToClaim): Promise<AnalysisClaim | null>;
  /** False when the claim is no longer ours. */
  renewAnalysis(claim: Pick<AnalysisClaim, 'contentId' | 'leaseToken'>, leaseMs: number): Promise<boolean>;
  /** Releases a claimed item, for a later attempt or for good. Does nothing when somebody else has claimed it since. */
  endAnalysis(claim: AnalysisClaim, failure: AnalysisFailure): Promise<void>;
  /**
   * Replaces insights and untouched actions like `keepAnalysis`, and returns the outcome; only `kept` changed anything.
   */
  keepLlmAnalysis(
    claim: Pick<AnalysisClaim, 'contentId' | 'leaseToken'>,
    documentId: number,
    analysis: PlacedAnalysis,
  ): Promise<KeptAnalysis>;
  countLlmAnalyses(): Promise<LlmAnalysisCounts>;
  /** The next completed items after `seq`, the oldest first; deleted ones are left out. */
  listAnalysed(after: number, limit: number): Promise<AnalysedItem[]>;
  /**
   * Replaces the extractive analysis of a completed item as `keepAnalysis` does. The queue for a model or an assistant
   * stays as it is. False, with nothing changed, when the item shows another text, is being processed or deleted, or has
   * an analysis by a model or an assistant.
   */
  renewExtractiveAnalysis(
    contentId: string,
    documentId: number,
    analysis: PlacedAnalysis,
    goalsVersion: number,
  ): Promise<boolean>;
  /** Open actions first; among them those that serve a goal, newest first. */
  listActions(query: ActionQuery): Promise<Page<ActionItem>>;
  /** For each goal with any such action: how many are open, and how many were done at `since` or later. */
  countActionsByGoal(since: number): Promise<GoalCount[]>;
  /** All action items, by goal and state. @param today 2026-03-31: actions that are snoozed until a later day are counted apart */
  countActions(today: string): Promise<ActionCount[]>;
  /**
   * Applies a person's changes to an action; from then on, no analysis changes it. For a held caller it is first split off
   * from one of an item that the caller does not know. Null when there is no such action.
   * @throws {AppError} `invalid_input` when there is no such goal
   */
  updateAction(id: string, changes: ActionChanges, held?: HeldTo): Promise<ActionItem | null>;
  /**
   * Adds an action of a person, which no analysis changes. The item's open action with this title takes the goal,
   * days and priority instead. Null when there is no such item.
   * @throws {AppError} `invalid_input` when there is no such goal, or the item has too many actions
   */
  addAction(added: NewAction): Promise<ActionItem | null>;
  /** Newest first. */
  listGoals(query: GoalQuery): Promise<Page<Goal>>;
  /** When a goal already has this title, that goal takes the given values and is unarchived instead. */
  addGoal(goal: NewGoal): Promise<Goal>;
  /** Null when there is no such goal. @throws {AppError} `invalid_input` when another goal has the title */
  updateGoal(id: string, changes: GoalChanges): Promise<Goal | null>;
  /** How often goals have changed: whatever was derived from an older version is out of date. */
  goalsVersion(): Promise<number>;
  /**
   * Insights, and open actions that nobody touched, that may serve another goal, because goals have changed or nobody has
   * looked for it yet.
   */
  listLinksDue(limit: number): Promise<LinksDue>;
  /** Items, but deleted ones, whose notes or notes of highlights were written, changed or deleted. */
  listNotesDue(limit: number): Promise<NotesDue[]>;
  /**
   * Makes the tasks in an item's notes its actions: adds new ones and removes those that no note has any more, unless a
   * person completed, dismissed or edited them. False, with nothing kept, when the item has changed since `read`.
   */
  keepNoteTasks(read: Pick<NotesDue, 'contentId' | 'updatedAt'>, tasks: readonly NoteTask[]): Promise<boolean>;
  /** False, with nothing kept, when goals have changed since `goalsVersion`, or a linked one is archived. */
  keepGoalLinks(goalsVersion: number, links: readonly GoalLink[]): Promise<boolean>;
}
