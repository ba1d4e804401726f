import { nextToAnalyse, submitAnalysis } from './analysis.ts';
import { forgetQueries, related, suggest } from './around-search.ts';
import { completeAction, listActions, updateAction } from './actions.ts';
import { deleteContent, getContent, listContent, restoreContent, saveContent, updateContent } from './content.ts';
import { fetch } from './fetch.ts';
import { addGoal, listGoals, updateGoal } from './goals.ts';
import type { Operation } from './operation.ts';
import { search } from './search.ts';

/** Everything the product can do, in the order in which faces show it. */
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

/** What only the command line shows, so far. */
export const terminalOperations: readonly Operation[] = [related, suggest, forgetQueries];
