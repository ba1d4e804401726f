import type { Passage } from '../../../domain/records/passage.ts';
import type { ExportedItem } from '../../../domain/records/transfers/exported.ts';
import type { HistoryLimits } from '../../history.ts';
import * as documents from '../../library/documents.ts';
import { linkDuplicates, replaceFingerprint, saysTheSame } from '../../library/duplicates.ts';
import { replaceAnalysis } from '../../library/analyses.ts';
import { noteOldGoals } from '../../library/goal-links.ts';
import { lookForHighlightsAgain } from '../../library/marks.ts';
import * as originals from '../../library/originals.ts';
import * as shared from '../../library/methods.ts';
import { noHistory } from '../../history/pruning.ts';
import type { UndoPart } from '../../history/undo.ts';
import type * as records from '../../records.ts';
import type { PackedResource } from '../../records/packed-originals.ts';
import type { Store } from '../../store.ts';
import type { ReplacedItems } from '../../transfer.ts';
import { applyPage, beginCopy, readCopyState } from '../copies/apply-page.ts';
import type { IndexPage } from '../copies/index-page.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { hasHistoryToPrune, pruneHistory } from '../../library/history-pruning.ts';
import { conflictsBelow, findHistoryEntry } from '../../library/history-undo.ts';
import { undoPart } from '../history/undo.ts';
import * as index from '../index/index.ts';
import * as announced from '../queue/announced-work.ts';
import * as claims from '../queue/claims.ts';
import * as due from '../queue/due-jobs.ts';
import * as counts from '../queue/job-counts.ts';
import * as llmAnalyses from '../queue/llm-analysis-queue.ts';
import { reprocess } from '../queue/reprocess.ts';
import * as requests from '../queue/requests-answered.ts';
import { type Asked, here, runSteps, sqliteDb } from './sqlite-db.ts';
import { restoreGoals, restoreItem, restoreMerges } from '../transfer/restore-item.ts';

/*
 * All methods of one account's library: synchronous code over one SQLite file. Each is one read, or runs in one write
 * transaction. They have names, and plain data as arguments and results, so that they run in this thread or in another.
 */

type Result<N extends keyof Store> = Store[N] extends (...args: never[]) => Promise<infer R> ? R : never;
type Method<N extends keyof Store> = Store[N] extends (...args: infer A) => Promise<infer R>
  ? (file: SqliteFile, asked: Asked, ...args: A) => R
  : never;
type Methods = { [N in keyof Store]?: Method<N> };

const limitsOf = ({ history }: Asked): HistoryLimits => history ?? noHistory;

/** Methods of `Store` that read. */
export const reads = {
  ...here(shared.reads),
  coverage: (file) => index.coverage(file),
  searchWords: (file, _asked, query, filter, limit) => index.rankByWords(file, query, filter, limit),
  readPassages: (file, _asked, passageIds) => index.readPassages(file, passageIds),
  sampleItem: (file, _asked, contentId, embedderId, limit) => index.sampleItem(file, contentId, embedderId, limit),
  listPassagesToEmbed: (file, { now }, embedderId, limit, which = {}) =>
    index.listPassagesToEmbed(file, embedderId, limit, which, now),
  countVectors: (file, _asked, embedderId, languages = null) => index.countVectors(file, embedderId, languages),
  listEmbedders: (file) => index.listEmbedders(file),
  listNamesLike: (file, _asked, typed, limit) => index.suggestions.listNamesLike(file, typed, limit),
  listPastQueries: (file) => index.suggestions.listPastQueries(file),

  nextJobDueAt: (file) => due.nextJobDueAt(file),
  nextLeaseEndsAt: (file) => due.nextLeaseEndsAt(file),
  hasMaintenance: (file, asked) => announced.hasMaintenance(file, asked.now, asked.clock, limitsOf(asked)),
  countJobs: (file, { now }) => counts.countJobs(file, now),
  listFailed: (file) => counts.listFailed(file),
  countLlmAnalyses: (file, { now }) => llmAnalyses.countLlmAnalyses(file, now),
} satisfies Methods;

/** Reads of which methods of `Store` are made. */
export const partialReads = {
  ...here(shared.partialReads),
  ...here({ findHistoryEntry, conflictsBelow }),
  readCopyState: (file: SqliteFile) => readCopyState(file),
};

/**
 * What writes of the same name answer when there is nothing to write; undefined when there is. Asked first, so that an
 * idle worker does not take the write lock.
 */
export const idleAnswers = {
  claimJobs: (file, { now }, _leaseMs, _limit, which = {}) => (due.hasDueJob(file, now, which) ? undefined : []),
  settleWork: (file, asked) => (announced.hasWork(file, asked.now, asked.clock, limitsOf(asked)) ? false : undefined),
  claimAnalysis: (file, { now }, _leaseMs, which = {}) =>
    llmAnalyses.hasDueAnalysis(file, which, now) ? undefined : null,
  maintain: (file, asked) => (upkeepDue(file, asked) === null ? false : undefined),
} satisfies {
  [N in keyof Store]?: Store[N] extends (...args: infer A) => unknown
    ? (file: SqliteFile, asked: Asked, ...args: A) => Result<N> | undefined
    : never;
};

/** The first part of the engine's upkeep that has something to do. */
function upkeepDue(file: SqliteFile, asked: Asked): (() => void) | null {
  const { now } = asked;
  if (index.hasWordsToMerge(file, now)) return () => index.mergeWords(file, now);
  if (index.hasOlderToReindex(file, now)) return () => index.reindexOlder(file);
  const db = sqliteDb(file, asked);
  if (runSteps(file, hasHistoryToPrune(db))) return () => runSteps(file, pruneHistory(db));
  if (requests.hasRequestsToForget(file, now)) return () => requests.forgetRequests(file, now);
  return null;
}

/** Methods of `Store` that write, and leave no work that was not there before. */
export const writes = {
  ...here(shared.writes),
  rememberQuery: (file, { now }, text) => index.suggestions.rememberQuery(file, text, now),
  forgetQueries: (file) => index.suggestions.forgetQueries(file),
  keepVectors: (file, _asked, embedderId, vectors) => index.keepVectors(file, embedderId, vectors),

  claimJobs: (file, { now }, leaseMs, limit, which = {}) => claims.claimJobs(file, now, leaseMs, limit, which),
  renewLease: (file, { now }, claim, leaseMs) => claims.renewLease(file, claim, now, leaseMs),
  releaseJob: (file, { now }, claim, host) => claims.releaseJob(file, claim, now, host),
  failJob: (file, { now }, claim, failure) => claims.failJob(file, claim, failure, now),
  settleWork: (file, asked, generation) =>
    announced.settleWork(file, generation, asked.now, asked.clock, limitsOf(asked)),
  maintain: (file, asked) => {
    const upkeep = upkeepDue(file, asked);
    upkeep?.();
    return upkeep !== null;
  },
  keepDocument: (file, asked, claim, document, transcript) => {
    const item = claims.requireLease(file, claim, 'extract');
    runSteps(file, documents.addDocument(sqliteDb(file, asked), item, document, transcript));
    return claims.advanceJob(file, claim, item, 'split', asked.now);
  },
  keepPassages: (file, asked, claim, documentId, passages, fingerprint = null) => {
    const item = claims.requireLease(file, claim, 'split');
    const text = runSteps(file, documents.readTextOf(sqliteDb(file, asked), documentId)) ?? '';
    showPassages(file, asked, item, { documentId, text, passages, fingerprint });
    return claims.advanceJob(file, claim, item, 'embed', asked.now);
  },
  keepReadingAndRelease: (file, asked, claim, { document, transcript, passages, wordCount, fingerprint }, next) => {
    const item = claims.requireLease(file, claim, 'extract');
    const added = documents.addDocument(sqliteDb(file, asked), item, document, transcript, wordCount);
    const documentId = runSteps(file, added);
    showPassages(file, asked, item, { documentId, text: transcript.text, passages, fingerprint });
    claims.advanceAndRelease(file, item, next, asked.now);
  },
  finishEmbedding: (file, { now }, claim) =>
    claims.advanceJob(file, claim, claims.requireLease(file, claim, 'embed'), 'analyse', now),
  keepAnalysis: (file, asked, claim, documentId, analysis, goalsVersion) => {
    const item = claims.requireLease(file, claim, 'analyse');
    const db = sqliteDb(file, asked);
    runSteps(file, replaceAnalysis(db, item, documentId, analysis, goalsVersion));
    if (goalsVersion !== undefined) runSteps(file, noteOldGoals(db, item, goalsVersion));
    llmAnalyses.queueLlmAnalysis(file, item, asked.now);
    runSteps(file, documents.removeOldDocuments(db, item));
    claims.finishJob(file, item, asked.now);
    return null;
  },

  claimAnalysis: (file, { now }, leaseMs, which = {}) => llmAnalyses.claimAnalysis(file, leaseMs, which, now),
  renewAnalysis: (file, { now }, claim, leaseMs) => llmAnalyses.renewAnalysis(file, claim, leaseMs, now),
  endAnalysis: (file, { now }, claim, failure) => llmAnalyses.endAnalysis(file, claim, failure, now),

  restoreMerges: (file, _asked, merges) => restoreMerges(file, merges),
  beginRequest: (file, { now }, key, fingerprint) => requests.beginRequest(file, key, fingerprint, now),
  endRequest: (file, _asked, key, answer) => requests.endRequest(file, key, answer),
} satisfies Methods;

/** Writes of which methods of `Store` are made, and those of copies of an index. */
export const partialWrites = {
  ...here(shared.partialWrites),
  keepPackedOriginal: (file: SqliteFile, asked: Asked, claim: records.Claim, original: PackedResource): void => {
    const item = claims.requireLease(file, claim, 'fetch');
    runSteps(file, originals.replaceOriginal(sqliteDb(file, asked), item, original, 'fetched'));
    claims.advanceAndRelease(file, item, 'extract', asked.now);
  },
  beginCopy: (file: SqliteFile, _asked: Asked, source: string) => beginCopy(file, source),
  applyIndexPage: (file: SqliteFile, _asked: Asked, page: IndexPage) => applyPage(file, page),
};

/** Methods of `Store` that may leave work for a worker: a job or maintenance. */
export const works = {
  ...here(shared.works),
  reprocess: (file, { now }, from, contentId) => reprocess(file, from, contentId, now),
  keepLlmAnalysis: (file, { now }, claim, documentId, analysis) =>
    llmAnalyses.keepLlmAnalysis(file, claim, documentId, analysis, now),
  restoreGoals: (file, _asked, restored) => restoreGoals(file, restored),
} satisfies Methods;

/** Writes that may leave work, of which methods of `Store` are made. */
export const partialWorks = {
  ...here(shared.partialWorks),
  restorePackedItem: (
    file: SqliteFile,
    { now, clock }: Asked,
    item: ExportedItem,
    packed: readonly PackedResource[],
    replaces: ReplacedItems,
  ) => restoreItem(file, item, packed, replaces, now, clock),
  undoPart: (file: SqliteFile, asked: Asked, id: string, how: { force: boolean; undoneBy: string }): UndoPart | null =>
    undoPart(file, asked, id, how),
};

interface ShownText {
  documentId: number;
  text: string;
  passages: readonly Passage[];
  fingerprint: Uint8Array | null;
}

/** Makes a document visible with its passages. */
function showPassages(
  file: SqliteFile,
  asked: Asked,
  item: number,
  { documentId, text, passages, fingerprint }: ShownText,
): void {
  const db = sqliteDb(file, asked);
  runSteps(file, documents.requireDocument(db, item, documentId));
  const isSameText = runSteps(file, saysTheSame(db, item, documentId));
  index.replacePassages(file, item, documentId, text, passages);
  runSteps(file, documents.showDocument(db, item, documentId));
  runSteps(file, lookForHighlightsAgain(db, item));
  runSteps(file, replaceFingerprint(db, item, fingerprint));
  runSteps(file, linkDuplicates(db, item, documentId, isSameText));
}
