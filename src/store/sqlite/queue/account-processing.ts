import type { PlacedAnalysis } from '../../../domain/records/analysis.ts';
import type { Document, Transcript } from '../../../domain/records/document.ts';
import type { Passage } from '../../../domain/records/passage.ts';
import { normalizedText } from '../../../domain/text/words/words.ts';
import type { Original, Resource } from '../../../domain/records/resource.ts';
import type * as analyses from '../../records/analysis-records.ts';
import type * as records from '../../records.ts';
import type * as port from '../../store.ts';
import { replaceAnalysis } from '../analyses/analysis.ts';
import { hasMaintenance, hasWork, settleWork } from './announced-work.ts';
import { noHistory } from '../../history/pruning.ts';
import { hasHistoryToPrune, pruneHistory } from '../history/pruning.ts';
import * as llmAnalyses from './llm-analysis-queue.ts';
import * as saving from '../items/saving.ts';
import * as documents from '../items/documents.ts';
import * as links from '../analyses/goal-links.ts';
import * as counts from './job-counts.ts';
import * as claims from './claims.ts';
import * as due from './due-jobs.ts';
import { forgetRequests, hasRequestsToForget } from './requests-answered.ts';
import { packResource, unpackOriginal } from '../../records/packed-originals.ts';
import * as originals from '../items/originals.ts';
import { hasOlderToReindex, hasWordsToMerge, keepVectors, listPassagesToEmbed, mergeWords } from '../index/index.ts';
import { removeOldDocuments } from './reprocess.ts';
import type { AccountAccess } from '../files/account-access.ts';

/** The methods for jobs and for the results of their stages. A part of `createSqliteStore`. */
export function processingOf(access: AccountAccess) {
  const limits = access.historyLimits ?? noHistory;
  return {
    async claimJobs(leaseMs: number, limit: number, which: records.JobsToClaim = {}): Promise<records.Claim[]> {
      // Read first, so that an idle worker does not take the write lock.
      if (!(await access.use((file, now) => due.hasDueJob(file, now, which)))) return [];
      return access.write((file, now) => claims.claimJobs(file, now, leaseMs, limit, which));
    },

    async renewLease(claim: records.Claim, leaseMs: number): Promise<boolean> {
      return access.write((file, now) => claims.renewLease(file, claim, now, leaseMs));
    },

    async releaseJob(claim: records.Claim, host?: string): Promise<void> {
      await access.write((file, now) => claims.releaseJob(file, claim, now, host));
    },

    async failJob(claim: records.Claim, failure: records.JobFailure): Promise<void> {
      await access.write((file, now) => claims.failJob(file, claim, failure, now));
    },

    async nextJobDueAt(): Promise<number | null> {
      return access.use((file) => due.nextJobDueAt(file));
    },

    async nextLeaseEndsAt(): Promise<number | null> {
      return access.use((file) => due.nextLeaseEndsAt(file));
    },

    async settleWork(generation: number): Promise<boolean> {
      // Read first, so that an idle worker does not take the write lock.
      if (await access.use((file, now, clock) => hasWork(file, now, clock, limits))) return false;
      return access.write((file, now, clock) => settleWork(file, generation, now, clock, limits));
    },

    async hasMaintenance(): Promise<boolean> {
      return access.use((file, now, clock) => hasMaintenance(file, now, clock, limits));
    },

    async maintain(): Promise<boolean> {
      // Read first, so that nothing takes the write lock when there is nothing to do.
      if (await access.use(hasWordsToMerge)) await access.write(mergeWords);
      else if (await access.use(hasOlderToReindex)) await access.writeNamed(true, 'reindexOlder');
      else if (await access.use((file, _now, clock) => hasHistoryToPrune(file, limits, clock)))
        await access.write((file, _now, clock) => pruneHistory(file, limits, clock));
      else if (await access.use(hasRequestsToForget)) await access.write(forgetRequests);
      else return false;
      return true;
    },

    async countJobs(): Promise<records.JobCounts> {
      return access.use((file, now) => counts.countJobs(file, now));
    },

    async listFailed(): Promise<{ id: string; code: string }[]> {
      return access.use((file) => counts.listFailed(file));
    },

    async keepOriginalAndRelease(claim: records.Claim, original: Resource): Promise<void> {
      const packed = await packResource(original);
      await access.writeNamed(packed.bytes.length >= access.largeSizes.bytes, 'keepOriginalAndRelease', claim, packed);
    },

    async keepCompanion(contentId: string, name: string, resource: Resource): Promise<void> {
      if (name === '') throw new Error('a companion needs a name: the empty one is that of the original');
      const packed = await packResource(resource);
      await access.write((file) => {
        const item = saving.findItem(file, contentId);
        if (item !== null) originals.writeCompanion(file, item, name, packed);
      });
    },

    async readOriginal(contentId: string, name = ''): Promise<Original | null> {
      const packed = await access.use((file) => originals.readOriginal(file, contentId, name));
      return packed === null ? null : unpackOriginal(packed);
    },

    async keepDocument(
      claim: records.Claim,
      document: Omit<Document, 'blocks'>,
      transcript: Transcript,
    ): Promise<records.Claim> {
      const isLarge = transcript.text.length >= access.largeSizes.characters;
      return access.writeNamed(isLarge, 'keepDocument', claim, document, transcript);
    },

    async readDocument(contentId: string): Promise<records.StoredDocument | null> {
      return access.use((file) => documents.readDocument(file, contentId));
    },

    async keepPassages(
      claim: records.Claim,
      documentId: number,
      split: readonly Passage[],
      fingerprint: Uint8Array | null = null,
    ): Promise<records.Claim> {
      const { passages: large } = access.largeSizes;
      const isLarge =
        split.length >= large ||
        (split.length * maxIndexGrowth >= large &&
          growsInIndex(await access.use((file) => documents.readTranscriptText(file, documentId) ?? '')));
      return access.writeNamed(isLarge, 'keepPassages', claim, documentId, split, fingerprint);
    },

    async keepReadingAndRelease(
      claim: records.Claim,
      reading: records.KeptReading,
      next: 'embed' | 'analyse',
    ): Promise<void> {
      const { text } = reading.transcript;
      const { passages: large, characters } = access.largeSizes;
      const count = reading.passages.length;
      const isLarge =
        text.length >= characters || count >= large || (count * maxIndexGrowth >= large && growsInIndex(text));
      await access.writeNamed(isLarge, 'keepReadingAndRelease', claim, reading, next);
    },

    async listPassagesToEmbed(
      embedderId: string,
      limit: number,
      which: records.PassagesToEmbed = {},
    ): Promise<records.PassageToEmbed[]> {
      return access.use((file, now) => listPassagesToEmbed(file, embedderId, limit, which, now));
    },

    async keepVectors(
      embedderId: string,
      batch: readonly { passageId: number; vector: Float32Array }[],
    ): Promise<void> {
      await access.write((file) => keepVectors(file, embedderId, batch));
    },

    async finishEmbedding(claim: records.Claim): Promise<records.Claim> {
      return access.write((file, now) =>
        claims.advanceJob(file, claim, claims.requireLease(file, claim, 'embed'), 'analyse', now),
      );
    },

    async keepAnalysis(
      claim: records.Claim,
      documentId: number,
      analysis: PlacedAnalysis,
      goalsVersion?: number,
    ): Promise<null> {
      return access.write((file, now) => {
        const item = claims.requireLease(file, claim, 'analyse');
        replaceAnalysis(file, item, documentId, analysis, now, goalsVersion);
        if (goalsVersion !== undefined) links.noteOldGoals(file, item, goalsVersion);
        llmAnalyses.queueLlmAnalysis(file, item, now);
        removeOldDocuments(file, item);
        claims.finishJob(file, item, now);
        return null;
      });
    },

    async claimAnalysis(leaseMs: number, which: analyses.AnalysesToClaim = {}): Promise<analyses.AnalysisClaim | null> {
      // Read first, so that an idle worker does not take the write lock.
      if (!(await access.use((file, now) => llmAnalyses.hasDueAnalysis(file, which, now)))) return null;
      return access.write((file, now) => llmAnalyses.claimAnalysis(file, leaseMs, which, now));
    },

    async renewAnalysis(
      claim: Pick<analyses.AnalysisClaim, 'contentId' | 'leaseToken'>,
      leaseMs: number,
    ): Promise<boolean> {
      return access.write((file, now) => llmAnalyses.renewAnalysis(file, claim, leaseMs, now));
    },

    async endAnalysis(claim: analyses.AnalysisClaim, failure: analyses.AnalysisFailure): Promise<void> {
      await access.write((file, now) => llmAnalyses.endAnalysis(file, claim, failure, now));
    },

    async keepLlmAnalysis(
      claim: Pick<analyses.AnalysisClaim, 'contentId' | 'leaseToken'>,
      documentId: number,
      analysis: PlacedAnalysis,
    ): Promise<analyses.KeptAnalysis> {
      return access.writeWork((file, now) => llmAnalyses.keepLlmAnalysis(file, claim, documentId, analysis, now));
    },

    async countLlmAnalyses(): Promise<analyses.LlmAnalysisCounts> {
      return access.use((file, now) => llmAnalyses.countLlmAnalyses(file, now));
    },
  } satisfies Partial<port.Store>;
}

/** The most characters that normalising makes of one: `ﷺ` becomes 18 in the index (`normalizedText`). */
const maxIndexGrowth = 18;

function growsInIndex(text: string): boolean {
  return normalizedText(text).length > 2 * text.length;
}
