import type { ContentItem, ContentStatus, ContentType, Stage } from '../domain/records/content.ts';
import type { Document, KnownMetadata, Transcript } from '../domain/records/document.ts';
import type { Passage } from '../domain/records/passage.ts';
import type { Resource } from '../domain/records/resource.ts';
import type { FailureCode } from '../errors.ts';

/* What the store takes and gives, beside the domain's own records, `search-records.ts` and `analysis-records.ts`. */

export interface Page<T> {
  items: T[];
  /** How many there are without `limit` and `offset`. */
  total: number;
}

export interface ContentQuery {
  limit: number;
  offset: number;
  contentType?: ContentType | undefined;
  status?: ContentStatus | undefined;
  /** All of them must be on the item. Compared without regard to case. */
  tags?: readonly string[] | undefined;
  /** True: those that are deleted and can still be restored. Else those that are not. */
  deleted?: boolean | undefined;
  /** Saved then or later, or before; last processed to the end then or later. */
  createdSince?: number | undefined;
  createdBefore?: number | undefined;
  processedSince?: number | undefined;
  /** True: those that were never processed to the end. */
  neverProcessed?: boolean | undefined;
}

export interface SaveContent {
  /** As the person gave it. */
  url: string;
  /** `canonicalUrl(url)`: two saves with the same one are the same item. */
  canonicalUrl: string;
  tags: readonly string[];
  /** Undefined leaves the notes of an existing item alone; empty ones are none. */
  notes: string | undefined;
  /** Bytes that the caller already has (a local file): processing then begins at `extract`, and they count as given. */
  original?: Resource | undefined;
}

export type SaveOutcome = 'created' | 'existed' | 'requeued' | 'restored';

/** What waits in an account, and what of it is being done. */
export interface JobCounts {
  /** Of what people saved: for its turn, or for a later attempt. */
  waiting: number;
  running: number;
  /** What is processed again in the background, waiting or running. */
  background: number;
  /** Since when the one that has waited longest for its turn could have begun: milliseconds since the epoch. */
  oldestDueAt: number | null;
  /** Failed items by the code of their failure. */
  failed: Record<string, number>;
}

export type ItemWithoutText = Omit<ContentItem, 'transcript'>;

export interface SavedContent {
  id: string;
  outcome: SaveOutcome;
  /** As it was right after the save: somebody else may delete it before it can be asked for. */
  item: ItemWithoutText;
}

/** What a person says of an item; absent: as it is. */
export interface ContentChanges {
  /** Stands before the document's, whatever is fetched later; null: the document's. */
  title?: string | null | undefined;
  /** All of them, in the place of those that there were. */
  tags?: readonly string[] | undefined;
  notes?: string | null | undefined;
}

export interface GoalQuery {
  /** Undefined is all. */
  limit?: number | undefined;
  offset: number;
  /** Archived ones are left out unless this is true. */
  includeArchived?: boolean | undefined;
}

/** A claimed job: the right to run one item's next stage until the lease runs out. */
export interface Claim {
  jobId: string;
  contentId: string;
  url: string;
  stage: Stage;
  /** How often this stage was claimed, this time included. */
  attempts: number;
  /** Proves the claim: a stage's result is refused when another worker has claimed the job since. */
  leaseToken: string;
  leaseExpiresAt: number;
  /** The host that the stage will ask first, as far as it is known. */
  host: string | null;
}

/** Which job `claimJob` takes. */
export interface JobsToClaim {
  /** Those that stand at the stage `fetch`, or those that are past it. Undefined: any. */
  work?: 'fetch' | 'process' | undefined;
  /** Jobs that need one of these hosts are passed over. */
  busyHosts?: readonly string[] | undefined;
  /** Takes the item that was saved last, not the job that has been due the longest. */
  newestFirst?: boolean | undefined;
}

export interface JobFailure {
  code: FailureCode;
  message: string;
  retryable: boolean;
  /** When to try again; null ends the job and the item becomes `failed`. */
  nextAttemptAt: number | null;
  /** The stage was not tried, so this attempt does not count. */
  isUntried?: boolean | undefined;
  /** Shown of the item where it has no document that says better. */
  known?: KnownMetadata | undefined;
}

/** One version of an item's text. Passages, insights and actions point to a version, so offsets stay true. */
export interface StoredDocument extends Omit<Document, 'blocks'> {
  documentId: number;
  contentId: string;
  version: number;
  transcript: Transcript;
}

export interface StoredPassage extends Passage {
  passageId: number;
  text: string;
}

export interface PassageToEmbed {
  passageId: number;
  text: string;
  headingPath: string[];
}

export interface PassagesToEmbed {
  /** Of this item alone. */
  contentId?: string | undefined;
  /** In these languages, or in one that could not be told; null and undefined: in any. ISO 639-1; `en-US` counts as `en`. */
  languages?: readonly string[] | null | undefined;
  /** Behind this passage's id: for a walk. */
  after?: number | undefined;
}

/** What a person may have in mind when they begin to type. */
export interface KnownNames {
  /** Those on the most items first, each in one spelling. */
  tags: string[];
  /** Newest first; without those that have no title yet. */
  items: { id: string; title: string }[];
}

export type ReprocessStage = Exclude<Stage, 'fetch'>;

export interface Reprocessing {
  queued: number;
  /** Items that have nothing stored with which that stage could begin: those that were never fetched or read. */
  lacking: number;
}
