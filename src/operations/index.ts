import { nextToAnalyse, submitAnalysis } from './analysis.ts';
import { forgetQueries, related, suggest } from './around-search.ts';
import { completeAction, listActions, updateAction } from './actions.ts';
import { deleteContent, getContent, listContent, restoreContent, saveContent, updateContent } from './content.ts';
import { fetch } from './fetch.ts';
import { addGoal, listGoals, updateGoal } from './goals.ts';
import type { Operation } from './operation.ts';
import { search } from './search.ts';

/** All operations, in the order in which every interface lists them. */
export const operations: readonly Operation[] = [
  search,
  fetch,
  listContent,
  getContent,
  saveContent,
  listActions,
  completeAction,
  listGoals,
  updateContent,
  deleteContent,
  restoreContent,
  updateAction,
  addGoal,
  updateGoal,
  nextToAnalyse,
  submitAnalysis,
];

/** Operations that only the command line has so far. */
export const terminalOperations: readonly Operation[] = [related, suggest, forgetQueries];
