import type { PlacedAnalysis } from '../../../domain/records/analysis.ts';
import type { Document, Transcript } from '../../../domain/records/document.ts';
import type { Passage } from '../../../domain/records/passage.ts';
import type { Resource } from '../../../domain/records/resource.ts';
import type { Analyses } from '../../analyses.ts';
import type { HistoryLimits } from '../../history.ts';
import { noHistory } from '../../history/pruning.ts';
import { isSetBack, needsNote } from '../../passed-time.ts';
import type * as records from '../../records.ts';
import type { RequestsAnswered } from '../../records/requests-answered.ts';
import type { WorkQueue } from '../../work-queue.ts';
import { type AccountAccess, type AccountTx, type AccountWrite, readNotedTime } from '../account-access.ts';
import { keepResource } from '../blobs/kept-bytes.ts';
import { replaceAnalysis } from '../../library/analyses.ts';
import { hasLinksDue, noteOldGoals } from '../../library/goal-links.ts';
import { hasHighlightsDue, lookForHighlightsAgain } from '../../library/marks.ts';
import { hasNotesDue } from '../../library/note-tasks.ts';
import { postgresDb, runSteps } from '../postgres-db.ts';
import { hasHistoryToPrune, pruneHistory } from '../../library/history-pruning.ts';
import { hasExpired, hasWhatGrowsOld } from '../../library/deletion.ts';
import { addDocument, removeOldDocuments } from '../../library/documents.ts';
import { linkDuplicates, replaceFingerprint, saysTheSame } from '../../library/duplicates.ts';
import { replaceOriginal } from '../../library/originals.ts';
import * as claims from './claims.ts';
import * as jobs from './jobs.ts';
import * as llm from './llm-analyses.ts';
import { replacePassages } from './passages.ts';
import { reprocess } from './reprocess.ts';
import { beginRequest, endRequest, forgetRequests, hasRequestsToForget } from './requests.ts';

/** Whether there is work outside the items' jobs. */
async function hasMaintenance(db: AccountTx, limits: HistoryLimits): Promise<boolean> {
  const note = await readNotedTime(db);
  return (
    (await runSteps(db, hasExpired(postgresDb(db)))) ||
    (await runSteps(db, hasHistoryToPrune(postgresDb(db, limits)))) ||
    (await hasRequestsToForget(db)) ||
    (await runSteps(db, hasLinksDue(postgresDb(db)))) ||
    (await runSteps(db, hasNotesDue(postgresDb(db)))) ||
    (await runSteps(db, hasHighlightsDue(postgresDb(db)))) ||
    isSetBack(note, db.now) ||
    (needsNote(note, db.clock) && (await runSteps(db, hasWhatGrowsOld(postgresDb(db)))))
  );
}

/** Makes a document visible with its passages. */
async function showPassages(
  db: AccountWrite,
  item: number,
  documentId: number,
  passages: readonly Passage[],
  fingerprint: Uint8Array | null,
): Promise<void> {
  const shared = postgresDb(db);
  const isSameText = await runSteps(db, saysTheSame(shared, item, documentId));
  await replacePassages(db, item, documentId, passages);
  await runSteps(db, lookForHighlightsAgain(shared, item));
  await runSteps(db, replaceFingerprint(shared, item, fingerprint));
  await runSteps(db, linkDuplicates(shared, item, documentId, isSameText));
}

type LlmAnalyses = Pick<
  Analyses,
  'claimAnalysis' | 'renewAnalysis' | 'endAnalysis' | 'keepLlmAnalysis' | 'countLlmAnalyses'
>;

/** The methods for jobs and for the results of their stages. A part of `createPostgresStore`. */
export function processingOf(access: AccountAccess): Omit<WorkQueue, 'keepVectors'> & RequestsAnswered & LlmAnalyses {
  const limits = access.historyLimits ?? noHistory;
  return {
    claimJobs: (leaseMs: number, limit: number, which: records.JobsToClaim = {}): Promise<records.Claim[]> =>
      access.change((db) => claims.claimJobs(db, leaseMs, limit, which)),
    renewLease: (claim: records.Claim, leaseMs: number): Promise<boolean> =>
      access.change((db) => jobs.renewLease(db, claim, leaseMs)),
    releaseJob: (claim: records.Claim, host?: string): Promise<void> =>
      access.write((db) => jobs.releaseJob(db, claim, host)),
    failJob: (claim: records.Claim, failure: records.JobFailure): Promise<void> =>
      access.write((db) => jobs.failJob(db, claim, failure)),

    reprocess: (from: records.ReprocessStage, contentId?: string): Promise<records.Reprocessing> =>
      access.writeWork((db) => reprocess(db, from, contentId)),

    nextJobDueAt: (): Promise<number | null> => access.read(claims.nextJobDueAt),
    nextLeaseEndsAt: (): Promise<number | null> => access.read(claims.nextLeaseEndsAt),
    countJobs: (): Promise<records.JobCounts> => access.read(claims.countJobs),
    listFailed: (): Promise<{ id: string; code: string }[]> => access.read(claims.listFailed),

    /** Work and its announcement commit together here, so there is nothing to settle. */
    settleWork: (_generation: number): Promise<boolean> =>
      access.read(async (db) => (await claims.nextJobDueAt(db)) === null && !(await hasMaintenance(db, limits))),
    hasMaintenance: (): Promise<boolean> => access.read((db) => hasMaintenance(db, limits)),
    async maintain(): Promise<boolean> {
      if (await access.read((db) => runSteps(db, hasHistoryToPrune(postgresDb(db, limits)))))
        await access.write((db) => runSteps(db, pruneHistory(postgresDb(db, limits))));
      else if (await access.read(hasRequestsToForget)) await access.write(forgetRequests);
      else return false;
      return true;
    },

    async keepOriginalAndRelease(claim: records.Claim, original: Resource): Promise<void> {
      const kept = await keepResource(access, original);
      await access.write(async (db) => {
        const item = await jobs.requireLease(db, claim, 'fetch');
        await runSteps(db, replaceOriginal(postgresDb(db), item, kept, 'fetched'));
        jobs.advanceAndRelease(db, item, 'extract');
      });
    },

    keepDocument: (
      claim: records.Claim,
      document: Omit<Document, 'blocks'>,
      transcript: Transcript,
    ): Promise<records.Claim> =>
      access.write(async (db) => {
        const item = await jobs.requireLease(db, claim, 'extract');
        await runSteps(db, addDocument(postgresDb(db), item, document, transcript));
        return jobs.advanceJob(db, claim, item, 'split');
      }),

    keepPassages: (
      claim: records.Claim,
      documentId: number,
      passages: readonly Passage[],
      fingerprint: Uint8Array | null = null,
    ): Promise<records.Claim> =>
      access.write(async (db) => {
        const item = await jobs.requireLease(db, claim, 'split');
        await showPassages(db, item, documentId, passages, fingerprint);
        return jobs.advanceJob(db, claim, item, 'embed');
      }),

    keepReadingAndRelease: (
      claim: records.Claim,
      { document, transcript, passages, wordCount, fingerprint }: records.KeptReading,
      next: 'embed' | 'analyse',
    ): Promise<void> =>
      access.write(async (db) => {
        const item = await jobs.requireLease(db, claim, 'extract');
        const documentId = await runSteps(db, addDocument(postgresDb(db), item, document, transcript, wordCount));
        await showPassages(db, item, documentId, passages, fingerprint);
        jobs.advanceAndRelease(db, item, next);
      }),

    finishEmbedding: (claim: records.Claim): Promise<records.Claim> =>
      access.write(async (db) => {
        const item = await jobs.requireLease(db, claim, 'embed');
        return jobs.advanceJob(db, claim, item, 'analyse');
      }),

    keepAnalysis: (
      claim: records.Claim,
      documentId: number,
      analysis: PlacedAnalysis,
      goalsVersion?: number,
    ): Promise<null> =>
      access.write(async (db) => {
        const item = await jobs.requireLease(db, claim, 'analyse');
        await runSteps(db, replaceAnalysis(postgresDb(db), item, documentId, analysis, goalsVersion));
        if (goalsVersion !== undefined) await runSteps(db, noteOldGoals(postgresDb(db), item, goalsVersion));
        llm.queueLlmAnalysis(db, item);
        await runSteps(db, removeOldDocuments(postgresDb(db), item));
        jobs.finishJob(db, item);
        return null;
      }),

    async claimAnalysis(leaseMs, which = {}) {
      // Read first, so that an idle worker does not make others wait.
      if (!(await access.read((db) => llm.hasDueAnalysis(db, which)))) return null;
      return access.write((db) => llm.claimAnalysis(db, leaseMs, which));
    },
    renewAnalysis: (claim, leaseMs) => access.change((db) => llm.renewAnalysis(db, claim, leaseMs)),
    endAnalysis: (claim, failure) => access.write((db) => llm.endAnalysis(db, claim, failure)),
    keepLlmAnalysis: (claim, documentId, analysis) =>
      access.writeWork((db) => llm.keepLlmAnalysis(db, claim, documentId, analysis)),
    countLlmAnalyses: () => access.read(llm.countLlmAnalyses),

    beginRequest: (key, fingerprint) => access.write((db) => beginRequest(db, key, fingerprint)),
    endRequest: (key, answer) => access.write((db) => endRequest(db, key, answer)),
  };
}
