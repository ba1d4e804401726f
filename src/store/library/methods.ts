import * as actions from './analyses/actions.ts';
import * as analyses from './analyses/analyses.ts';
import * as documents from './items/documents.ts';
import * as goals from './analyses/goals.ts';
import * as highlights from './highlights.ts';
import * as lists from './items/item-lists.ts';
import * as jobs from './queue/jobs.ts';
import * as llm from './queue/llm-analyses.ts';
import * as notes from './analyses/note-tasks.ts';
import * as stages from './queue/stages.ts';
import * as entries from './source-entries.ts';
import * as searching from './search-records.ts';
import * as sources from './sources.ts';
import { claimJobs, releaseJob, renewLease } from './queue/jobs.ts';
import {
  deleteContent,
  expireDeleted,
  hasExpired,
  hasWhatGrowsOld,
  purgeExpired,
  restoreContent,
} from './items/deletion.ts';
import { type Db, readTimeDue, type Steps, together } from './db.ts';
import { listVersions, readVersion, restoreVersion } from './items/versions.ts';
import { listHistory, readHistoryToExport, restoreHistory } from './history/history.ts';
import { conflictsBelow, findHistoryEntry, needsOfChange, undoPart } from './history/undo.ts';
import { resolveFilter } from './items/filter.ts';
import { countHeldVectors, coverage, findHeld, listEmptyHeldLists, listHeld, listHeldLists } from './items/held.ts';
import { importPackedContent } from './items/import.ts';
import {
  countItems,
  countKinds,
  getContent,
  getContentSummary,
  getContentVersion,
  keepReading,
  listContent,
  listNames,
  listTitles,
} from './items/reading.ts';
import { hasHighlightsDue, keepHighlightPlaces, nextHighlightsToPlace } from './highlights.ts';
import { readDeclaredType, readOriginal } from './items/documents.ts';
import {
  findByAddress,
  keepPackedCompanion,
  retryContent,
  savePackedContent,
  updatePackedContent,
} from './items/saving.ts';
import { listTags, renameTag } from './items/tags.ts';
import { restoreGoals, restoreLists, restoreMerges, restorePackedItem, restoreSources } from './transfer-in.ts';
import {
  listGoalsToExport,
  listListsToExport,
  listSourcesToExport,
  listToExport,
  readToExport,
  stateToExport,
} from './transfer-out.ts';
import { beginRequest, endRequest, forgetRequests, hasRequestsToForget } from './queue/requests-answered.ts';
import { failJob, keepSamePage, readKnownPage, refreshPages } from './queue/refreshing.ts';
import { hasLinksDue } from './analyses/goals.ts';
import { hasNotesDue } from './analyses/note-tasks.ts';
import { hasHistoryToPrune, pruneHistory } from './history/pruning.ts';

/*
 * The methods of `Store` that both engines run with the same code: whatever is listed here is a method of it. Each runs
 * in one transaction. SQLite calls them by name, in whichever thread the library is (`sqlite/library/calls.ts`);
 * PostgreSQL gives each a promise (`postgres/account-store.ts`).
 */

export const reads = {
  getContent,
  getContentSummary,
  getContentVersion,
  readDeclaredType,
  findByAddress,
  listContent,
  listTitles,
  resolveFilter,
  listTags,
  countKinds,
  countItems,
  listNames,
  findHeld,
  listHeld,
  listHeldLists,
  listEmptyHeldLists,
  coverage,
  countHeldVectors,
  listLists: lists.listLists,
  getList: lists.getList,

  readDocument: documents.readDocument,
  readTranscript: documents.readTranscript,
  readText: documents.readText,
  listVersions,
  readVersion,
  readKnownPage,

  listHighlights: highlights.listHighlights,
  getHighlight: highlights.getHighlight,
  nextHighlightsToPlace,
  listHistory,
  needsOfChange,
  listToExport,
  stateToExport,
  readToExport,
  listGoalsToExport,
  listListsToExport,
  listSourcesToExport,
  readHistoryToExport,

  listPassagesToEmbed: searching.listPassagesToEmbed,
  countVectors: searching.countVectors,
  listPastQueries: searching.listPastQueries,

  listAnalysed: analyses.listAnalysed,
  listActions: actions.listActions,
  countActionsByGoal: actions.countActionsByGoal,
  countActions: actions.countActions,
  listGoals: goals.listGoals,
  goalsVersion: goals.goalsVersion,
  listLinksDue: goals.listLinksDue,
  listNotesDue: notes.listNotesDue,
  countLlmAnalyses: llm.countLlmAnalyses,

  nextJobDueAt: jobs.nextJobDueAt,
  nextLeaseEndsAt: jobs.nextLeaseEndsAt,
  countJobs: jobs.countJobs,
  listFailed: jobs.listFailed,

  listSources: sources.listSources,
  getSource: sources.getSource,
  nextSourceDueAt: sources.nextSourceDueAt,
  listSourceEntries: entries.listSourceEntries,
  countSourceEntries: entries.countSourceEntries,
  findSourceEntries: entries.findSourceEntries,
  listLinked: entries.listLinked,
  findUntouchedItems: entries.findUntouchedItems,
};

/** They need no order among the writes of the account: they change single rows by compare-and-swap. */
export const swaps = {
  claimJobs,
  renewLease,
  renewAnalysis: llm.renewAnalysis,
  claimSource: sources.claimSource,
  renewSource: sources.renewSource,
};

/** They write, and leave no work that was not there before. */
export const writes = {
  deleteContent,
  keepReading,
  renameTag,
  addList: lists.addList,
  updateList: lists.updateList,
  editList: lists.editList,
  deleteList: lists.deleteList,
  addToList: lists.addToList,
  removeFromList: lists.removeFromList,
  expireDeleted,
  purgeExpired,

  rememberQuery: searching.rememberQuery,
  forgetQueries: searching.forgetQueries,
  deleteHighlight: highlights.deleteHighlight,
  keepHighlightPlaces,
  restoreHistory,
  restoreMerges,
  restoreLists,

  renewExtractiveAnalysis: analyses.renewExtractiveAnalysis,
  addAction: actions.addAction,
  updateAction: actions.updateAction,
  keepGoalLinks: goals.keepGoalLinks,
  keepNoteTasks: notes.keepNoteTasks,
  claimAnalysis: llm.claimAnalysis,
  endAnalysis: llm.endAnalysis,

  releaseJob,
  failJob,
  keepDocument: stages.keepDocument,
  keepPassages: stages.keepPassages,
  keepReadingAndRelease: stages.keepReadingAndRelease,
  finishEmbedding: stages.finishEmbedding,
  keepSamePage,
  keepAnalysis: stages.keepAnalysis,
  beginRequest,
  endRequest,

  deleteSource: sources.deleteSource,
  endSourceCheck: sources.endSourceCheck,
  keepSourceEntries: entries.keepSourceEntries,
  noteOpenedEntry: entries.noteOpenedEntry,
  removeSourceEntries: entries.removeSourceEntries,
};

/** They write, and may leave work for a worker: a job or maintenance. */
export const works = {
  retryContent,
  refreshPages,
  restoreContent,
  restoreVersion,

  addHighlight: highlights.addHighlight,
  updateHighlight: highlights.updateHighlight,

  restoreGoals,
  addGoal: goals.addGoal,
  updateGoal: goals.updateGoal,
  keepLlmAnalysis: llm.keepLlmAnalysis,
  reprocess: jobs.reprocess,

  addSource: sources.addSource,
  updateSource: sources.updateSource,
  askSource: sources.askSource,
  restoreSources,
};

/* Parts of `undo`, and of methods whose originals the engines pack before, and unpack after. */
export const partialReads = { readPackedOriginal: readOriginal, findHistoryEntry, conflictsBelow };
export const partialWrites = { keepPackedCompanion };
export const partialWorks = {
  savePackedContent,
  importPackedContent,
  updatePackedContent,
  restorePackedItem,
  undoPart,
};

/** Maintenance of a library: whether it is due, and a part of it. */
const upkeep = [
  [hasHistoryToPrune, pruneHistory],
  [hasRequestsToForget, forgetRequests],
] as const;

export function* hasUpkeep(db: Db): Steps<boolean> {
  return (yield* together(...upkeep.map(([isDue]) => isDue(db)))).includes(true);
}

export function* maintain(db: Db): Steps<boolean> {
  for (const [isDue, work] of upkeep)
    if (yield* isDue(db)) {
      yield* work(db);
      return true;
    }
  return false;
}

/** Whether there is work that belongs to no job and that both engines do. */
export function* hasMaintenance(db: Db): Steps<boolean> {
  const checks = [hasExpired, hasUpkeep, hasLinksDue, hasNotesDue, hasHighlightsDue];
  const found = yield* together(...checks.map((isDue) => isDue(db)));
  if (found.includes(true)) return true;
  const { isNoteDue, wasSetBack } = yield* readTimeDue(db);
  // Without a write that notes the time, nothing would ever grow old.
  return wasSetBack || (isNoteDue && (yield* hasWhatGrowsOld(db)));
}

/** Whether work is left: a job, even one that is not due yet, a source that is due, or maintenance. */
export function* hasWork(db: Db): Steps<boolean> {
  const [jobDueAt, isSourceDue] = yield* together(jobs.nextJobDueAt(db), sources.hasDueSource(db));
  return jobDueAt !== null || isSourceDue || (yield* hasMaintenance(db));
}
