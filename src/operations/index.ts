import { nextToAnalyse, submitAnalysis } from './analysis.ts';
import { forgetQueries, related, suggest } from './related-and-suggest.ts';
import {
  addAction,
  completeAction,
  listActions,
  listGoalActions,
  listPendingActions,
  updateAction,
} from './actions.ts';
import { addNote, saveContent, saveContents } from './content/save-content.ts';
import {
  countItems,
  deleteContent,
  restoreContent,
  updateContent,
  updateContents,
  updateReading,
} from './content/change-content.ts';
import { fetch, getContent, listContent } from './content/read-content.ts';
import { getVersion, listVersions, refreshContent, restoreVersion } from './content/versions.ts';
import {
  deleteExport,
  getExport,
  listExports,
  startExport,
  cancelImport,
  deleteImport,
  getImport,
  listImports,
  resumeImport,
} from './transfers.ts';
import { addHighlight, deleteHighlight, listHighlights, updateHighlight } from './highlights.ts';
import { addGoal, listGoals, updateGoal } from './goals.ts';
import { history, undo } from './history.ts';
import { createKey, getKey, listKeys, revokeKey, rotateKey } from './keys.ts';
import {
  addList,
  putInList,
  changeList,
  deleteList,
  getList,
  listLists,
  takeFromList,
  updateList,
  listTags,
  renameTag,
} from './lists.ts';
import {
  checkSource,
  deleteSource,
  follow,
  getSource,
  listSourceEntries,
  listSources,
  openSourceEntry,
  updateSource,
} from './sources.ts';
import type { Operation } from './operation.ts';
import { search } from './search.ts';

/**
 * All operations, in the order in which every interface lists them. Those with a tool set are MCP tools, those with
 * `http` have a REST route, and those with `cli` a command.
 */
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
  addAction,
  updateAction,
  addGoal,
  updateGoal,
  nextToAnalyse,
  submitAnalysis,
  listTags,
  renameTag,
  listLists,
  getList,
  addList,
  updateList,
  deleteList,
  putInList,
  takeFromList,
  changeList,
  listSources,
  getSource,
  follow,
  updateSource,
  deleteSource,
  checkSource,
  listSourceEntries,
  openSourceEntry,
  addNote,
  saveContents,
  updateContents,
  updateReading,
  refreshContent,
  listVersions,
  getVersion,
  restoreVersion,
  countItems,
  listHighlights,
  addHighlight,
  updateHighlight,
  deleteHighlight,
  related,
  suggest,
  forgetQueries,
  listPendingActions,
  listGoalActions,
  history,
  undo,
  listImports,
  getImport,
  cancelImport,
  resumeImport,
  deleteImport,
  startExport,
  listExports,
  getExport,
  deleteExport,
  listKeys,
  getKey,
  createKey,
  rotateKey,
  revokeKey,
];
