import type { AnsweringPassage } from '../store/records/search-records.ts';

/** The goal that moved a passage up, and by how much: its score was multiplied by `factor`. */
export interface GoalTerm {
  goalId: string;
  /** From 1 to 1 + the weight of the setting. */
  factor: number;
}

/** A passage with its place in the ranking. */
export type ScoredPassage = AnsweringPassage & { goal?: GoalTerm };
