import type { ActionChanges, ActionItem } from '../domain/records/action.ts';
import type { PlacedAnalysis } from '../domain/records/analysis.ts';
import type { Goal, GoalChanges, NewGoal } from '../domain/records/goal.ts';
import type {
  ActionQuery,
  AnalysesToClaim,
  AnalysesWanted,
  AnalysisClaim,
  AnalysisFailure,
  GoalCount,
  GoalLink,
  KeptAnalysis,
  LinksDue,
} from './analysis-records.ts';
import type { GoalQuery, Page } from './records.ts';

/** Better analyses by a model or an assistant, actions, goals, and which action serves which goal. Everything here is one account's. */
export interface Analyses {
  /**
   * Takes an item that is completed and whose analysis a model or an assistant may replace: the newest that is due, or
   * the one that is asked for. Two callers never get the same one while a lease runs. Every extractive analysis that is
   * kept makes its item wanted again.
   */
  claimAnalysis(leaseMs: number, which?: AnalysesToClaim): Promise<AnalysisClaim | null>;
  /** False when the claim is no longer ours. */
  renewAnalysis(claim: Pick<AnalysisClaim, 'contentId' | 'leaseToken'>, leaseMs: number): Promise<boolean>;
  /** Gives a claimed item back, for a later attempt or for good. Nothing happens when another has claimed it since. */
  endAnalysis(claim: AnalysisClaim, failure: AnalysisFailure): Promise<void>;
  /** Replaces insights and untouched actions as `keepAnalysis` does, and says what came of it; only `kept` changed anything. */
  keepBetterAnalysis(
    claim: Pick<AnalysisClaim, 'contentId' | 'leaseToken'>,
    documentId: number,
    analysis: PlacedAnalysis,
  ): Promise<KeptAnalysis>;
  countAnalysesWanted(): Promise<AnalysesWanted>;
  /** Open ones first, of those the ones that serve a goal, of those the newest. */
  listActions(query: ActionQuery): Promise<Page<ActionItem>>;
  getAction(id: string): Promise<ActionItem | null>;
  /** Of each goal that has any: how many are open, and how many were done at `since` or later. */
  countActionsByGoal(since: number): Promise<GoalCount[]>;
  /**
   * Changes what a person says of an action: no analysis changes it any more. Null when there is no such action.
   * @throws {AppError} `invalid_input` when there is no such goal
   */
  updateAction(id: string, changes: ActionChanges): Promise<ActionItem | null>;
  /** Newest first. */
  listGoals(query: GoalQuery): Promise<Page<Goal>>;
  /**
   * A goal of that title is not added twice: the one there takes what is given and is archived no longer.
   */
  addGoal(goal: NewGoal): Promise<Goal>;
  /** Null when there is no such goal. @throws {AppError} `invalid_input` when another goal has the title */
  updateGoal(id: string, changes: GoalChanges): Promise<Goal | null>;
  /** How often goals have changed: what was made of them before is out of date after. */
  goalsVersion(): Promise<number>;
  /** Open actions that nobody touched and that may serve another goal since goals have changed. */
  listLinksDue(most: number): Promise<LinksDue>;
  /** False, and nothing kept, when the goals have changed since. */
  keepGoalLinks(goalsVersion: number, links: readonly GoalLink[]): Promise<boolean>;
}
