import type { PlacedAnalysis } from '../domain/records/analysis.ts';
import type { Document, Transcript } from '../domain/records/document.ts';
import type { Passage } from '../domain/records/passage.ts';
import type { KnownPage, Resource, Validators } from '../domain/records/resource.ts';
import type {
  Claim,
  JobCounts,
  JobFailure,
  RefreshAsked,
  RefreshedText,
  RefreshOptions,
  JobsToClaim,
  KeptReading,
  ReprocessStage,
  Reprocessing,
} from './records.ts';

/**
 * Jobs, and the results of their stages. `Control` tells which accounts have work. Everything belongs to one account.
 */
export interface WorkQueue {
  /**
   * Claims up to `limit` jobs that are due, by compare-and-swap: by turns the one that has been due the longest and that of
   * the newest item, `newestFirst` or not first. A job whose lease has expired is due; a background job is claimed only when
   * no other is due. Of the jobs that need a host, each needs another one.
   */
  claimJobs(leaseMs: number, limit: number, which?: JobsToClaim): Promise<Claim[]>;
  /** False when the claim is no longer ours. */
  renewLease(claim: Claim, leaseMs: number): Promise<boolean>;
  /**
   * Releases a claimed job untried (shutdown, another job needs its slot, no room at a host): this attempt does not
   * count.
   * @param host that the job needs; when omitted, the known host stays as it is
   */
  releaseJob(claim: Claim, host?: string): Promise<void>;
  /**
   * Ends the attempt at the claim's stage. At `extract`, the companions are deleted: the next attempt fetches them
   * again.
   */
  failJob(claim: Claim, failure: JobFailure): Promise<void>;
  /**
   * Queues an item, or all of them, again from a stage, using what is stored: nothing is fetched. It is done in the
   * background, after everything that was saved meanwhile. Items that wait for that stage or an earlier one are left
   * alone. Until the new results are there, the old ones are shown and found. When `from` is `embed`, vectors are
   * computed again.
   */
  reprocess(from: ReprocessStage, contentId?: string): Promise<Reprocessing>;
  /** Queues the pages of items to be fetched anew. While that goes on and when it fails, an item stays as it is. */
  refreshPages(ids: readonly string[], options: RefreshOptions): Promise<RefreshAsked[]>;
  /** What the site is asked with whether the page has changed; null: it is fetched whole. */
  readKnownPage(contentId: string): Promise<KnownPage | null>;
  /** When the next job is due (this may be in the past), including leases that run out; null when none waits. */
  nextJobDueAt(): Promise<number | null>;
  /** When the first lease of a claimed job runs out unless it is renewed; null when no job is claimed. */
  nextLeaseEndsAt(): Promise<number | null>;
  /**
   * Whether nothing is left to do: no job (due at any time), no source that is due, and no maintenance. If so, no work announced with this
   * number or a smaller one is written any more; it is announced again. So the announcement can be withdrawn.
   */
  settleWork(generation: number): Promise<boolean>;
  /** Whether there is work outside the items' jobs: `purgeExpired`, `listLinksDue` or `maintain` have something to do. */
  hasMaintenance(): Promise<boolean>;
  /**
   * Does a small part of whatever the engine needs to stay fast. Other writes may come between two calls.
   * @returns whether there was anything to do
   */
  maintain(): Promise<boolean>;
  countJobs(): Promise<JobCounts>;
  /** Failed items with their failure codes, newest first. */
  listFailed(): Promise<{ id: string; code: string }[]>;
  /*
   * The results of the stages. Each method keeps the result and moves the job to the next stage in one transaction,
   * keeps the lease, and returns the claim for that stage (null after the last one). All throw `LeaseLostError` when
   * the claim is no longer ours; then nothing is kept.
   */
  /** Releases the job as well, so there is no claim for the next stage. */
  keepOriginalAndRelease(claim: Claim, original: Resource): Promise<void>;
  /**
   * Ends a refresh whose page is as it was, by its bytes or as the site says (null).
   * @returns false, and changes nothing, when its bytes are others than those that are kept
   */
  keepSamePage(claim: Claim, hash: Uint8Array | null, validators: Validators | undefined): Promise<boolean>;
  /**
   * Compares the text of a refresh with the visible one. The same ends it. Another one becomes the next version, which
   * is shown after the stage `split`; one that has lost most of its words is kept as a version that is not shown.
   */
  keepChangedPage(
    claim: Claim,
    original: Resource,
    companions: readonly { name: string; resource: Resource }[],
    text: RefreshedText,
  ): Promise<void>;
  /** Stores a new version of the document. It becomes visible with `keepPassages`, or at once when it is the first. */
  keepDocument(claim: Claim, document: Omit<Document, 'blocks'>, transcript: Transcript): Promise<Claim>;
  /**
   * Makes the document visible, with these passages; passages with unchanged text keep their vectors. Determines which
   * items it is a copy of: those with the same text, with nearly the same text by `fingerprint`, or with the same
   * address and title. `fingerprint` is described in `domain/duplicates/simhash.ts`; null or absent for a text too
   * short to have one.
   */
  keepPassages(
    claim: Claim,
    documentId: number,
    passages: readonly Passage[],
    fingerprint?: Uint8Array | null,
  ): Promise<Claim>;
  /**
   * Does what `keepDocument` and then `keepPassages` do for a claim of the stage `extract`, moves the job to `next` and
   * releases it, in one transaction.
   */
  keepReadingAndRelease(claim: Claim, reading: KeptReading, next: 'embed' | 'analyse'): Promise<void>;
  /** Keeps some vectors without ending the stage; `vectors` are of unit length. */
  keepVectors(embedderId: string, vectors: readonly { passageId: number; vector: Float32Array }[]): Promise<void>;
  finishEmbedding(claim: Claim): Promise<Claim>;
  /**
   * Replaces insights and untouched actions of the item. Actions that a person completed, dismissed or edited survive,
   * and a new action with the same quote as one of these is left out. A new action with the quote of an untouched one
   * takes its id and `createdAt`. Completes the item.
   * @param goalsVersion version of the goals that the analyst was given; when goals have changed since, links are
   * determined again
   */
  keepAnalysis(claim: Claim, documentId: number, analysis: PlacedAnalysis, goalsVersion?: number): Promise<null>;
}
