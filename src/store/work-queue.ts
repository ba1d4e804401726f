import type { PlacedAnalysis } from '../domain/records/analysis.ts';
import type { Document, Transcript } from '../domain/records/document.ts';
import type { Passage } from '../domain/records/passage.ts';
import type { Resource } from '../domain/records/resource.ts';
import type { Claim, JobCounts, JobFailure, JobsToClaim, ReprocessStage, Reprocessing } from './records.ts';

/** Jobs, and the results of the stages that end them. Which accounts have work is in `Control`. Everything here is one account's. */
export interface WorkQueue {
  /** Takes the next job that is due (one of the background only when no other is), by compare-and-swap; null when there is none. An expired lease is due. */
  claimJob(leaseMs: number, which?: JobsToClaim): Promise<Claim | null>;
  /** False when the claim is no longer ours. */
  renewLease(claim: Claim, leaseMs: number): Promise<boolean>;
  /**
   * Gives a claimed job back untried (shutdown, its place is needed, no room at a host): this attempt does not count.
   * @param host that the job needs; without it, what is known of that stays as it is
   */
  releaseJob(claim: Claim, host?: string): Promise<void>;
  /** Ends the attempt at the claim's stage. At `extract` the companions go: the next attempt fetches them anew. */
  failJob(claim: Claim, failure: JobFailure): Promise<void>;
  /**
   * Queues an item, or all of them, again from a stage, with what is stored: nothing is fetched. It is done in the
   * background, after everything that was saved meanwhile. What waits for that stage or an earlier one is left alone;
   * until the new results are there, the old ones are shown and found. From `embed`, vectors are made anew.
   */
  reprocess(from: ReprocessStage, contentId?: string): Promise<Reprocessing>;
  /** When the next job is due (which may be in the past), counting leases that run out; null when none waits. */
  nextJobDueAt(): Promise<number | null>;
  /** When the lease of the next claimed job runs out unless it is renewed; null when no job is claimed. */
  nextLeaseEndsAt(): Promise<number | null>;
  /**
   * Whether nothing is left to do, neither a job (at whatever time) nor a chore. Then work whose announcement has this number
   * or a smaller one is not written any more but announced anew, so the hint can go.
   */
  settleWork(generation: number): Promise<boolean>;
  /** Whether there is work that belongs to no item's job: `purgeExpired` or `listLinksDue` have something to do. */
  hasChores(): Promise<boolean>;
  countUnfinishedJobs(): Promise<number>;
  countJobs(): Promise<JobCounts>;
  /** Failed items, the newest first, with the codes of their failures. */
  listFailed(): Promise<{ id: string; code: string }[]>;
  /*
   * The results of the stages. Each keeps the result and moves the job to the next stage in one transaction,
   * with the lease kept, and returns the claim for that stage (null after the last one).
   * All throw `LeaseLostError` when the claim is no longer ours; nothing is then kept.
   */
  keepOriginal(claim: Claim, original: Resource): Promise<Claim>;
  /** Stores a new version of the document; it becomes the visible one with `keepPassages`, or at once when it is the first. */
  keepDocument(claim: Claim, document: Omit<Document, 'blocks'>, transcript: Transcript): Promise<Claim>;
  /**
   * Makes the document the visible one, with these passages; those whose text is as it was keep their vectors. Finds out which
   * items it is a copy of: the same text, nearly the same by `fingerprint` (`domain/duplicates/simhash.ts`; null or absent for a text too short to have one), or the same
   * address and title.
   */
  keepPassages(
    claim: Claim,
    documentId: number,
    passages: readonly Passage[],
    fingerprint?: Uint8Array | null,
  ): Promise<Claim>;
  /** Keeps some vectors without ending the stage; `vectors` are of unit length. */
  keepVectors(embedderId: string, vectors: readonly { passageId: number; vector: Float32Array }[]): Promise<void>;
  finishEmbedding(claim: Claim): Promise<Claim>;
  /**
   * Replaces insights and untouched actions of the item; actions that a person completed, dismissed or edited
   * survive, and a new action with the quote of such a one is left out. One with the quote of an untouched action takes
   * its id and `createdAt`. Completes the item.
   * @param goalsVersion of the goals that the analyst was given: when they have changed since, links are looked for anew
   */
  keepAnalysis(claim: Claim, documentId: number, analysis: PlacedAnalysis, goalsVersion?: number): Promise<null>;
}
