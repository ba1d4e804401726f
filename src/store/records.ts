import type { SaveOutcome } from '../domain/records/answers.ts';
import type { HeldTo } from '../domain/access/held.ts';
import type { ContentItem, ContentStatus, ContentType, ItemOrder, Shelf } from '../domain/records/content.ts';
import type { Stage, Work } from '../domain/records/stages.ts';
import type { Document, KnownMetadata, Transcript } from '../domain/records/texts/document.ts';
import type { ImportedHighlight } from '../domain/records/highlights/highlight.ts';
import type { ImportedState } from '../domain/records/transfers/import.ts';
import type { Passage } from '../domain/records/texts/passage.ts';
import type { Filter } from '../domain/search/filter.ts';
import type { Resource, Validators } from '../domain/records/resource.ts';
import type { FailureCode } from '../errors.ts';
import type { AnalysedItem } from '../domain/records/analyses/analysis.ts';
import type { ExportedHistoryEntry, ExportedItem } from '../domain/records/transfers/exported.ts';

/* Input and output of the store, in addition to the domain's records, `search-records.ts` and `analysis-records.ts`. */

/** Which part of a list is asked for: at most `limit` entries behind the first `offset`. */
export interface PageRequest {
  limit: number;
  offset: number;
}

export interface Page<T> {
  items: T[];
  /** How many there are in all, regardless of `limit` and `offset`. */
  total: number;
}

export interface ContentQuery extends PageRequest {
  /** `list` when absent. Deleted items always come by the time of deletion. */
  order?: ItemOrder | undefined;
  status?: ContentStatus | undefined;
  filter?: Filter | null | undefined;
  /** True: only deleted items that can still be restored. Otherwise only items that are not deleted. */
  deleted?: boolean | undefined;
  /** Processing last completed at this time or later. */
  processedSince?: number | undefined;
  /** Only pages that were last fetched before this time, the longest ago first, and whose text was not given. */
  fetchedBefore?: number | undefined;
  /** Items are counted up to this number. Undefined: all. */
  maxTotal?: number | undefined;
  /** True: only items that were never processed to the end. */
  neverProcessed?: boolean | undefined;
  /** Only items that this restricted caller may see. */
  held?: HeldTo | undefined;
}

/** The list's data about an item while scrolling. */
export interface ItemTitle {
  id: string;
  /** The address while there is no title; empty without both. */
  title: string;
  contentType: ContentType | null;
  createdAt: string;
}

export interface KindCount {
  kind: ContentType;
  count: number;
}

export interface SaveContent {
  /** As the person entered it. */
  url: string;
  /** `canonicalUrl(url)`: two saves with the same value are the same item. */
  canonicalUrl: string;
  tags: readonly string[];
  /** Undefined keeps the notes of an existing item; an empty string removes them. */
  notes: string | undefined;
  /** Undefined: a new or restored item goes to the inbox, and an existing one is not moved. */
  shelf?: Shelf | undefined;
  /** A new or restored item is read and in the archive: it was made to hold something, and does not wait for anybody. */
  isFiled?: boolean | undefined;
  /**
   * Bytes that the caller already has (a local file). Processing then begins at `extract`, and the original counts as
   * given.
   */
  original?: Resource | undefined;
  /** Shown for a new item until its document says more. */
  known?: KnownMetadata | undefined;
  /** The restriction of the saving caller: other items do not exist for it. */
  held?: HeldTo | undefined;
}

/** An entry of an export of another program. */
export interface ImportContent {
  url: string;
  canonicalUrl: string;
  /** Kept as a title that a person gave. */
  title: string | null;
  tags: readonly string[];
  notes: string | null;
  /** When it was saved in the other program; null when that is not known. */
  createdAt: number | null;
  /** Absent: it goes to the archive. An existing item is moved only while nothing but an import has set its shelf. */
  state?: ImportedState | undefined;
  /** See `SaveContent`. */
  original?: Resource | undefined;
  highlights?: readonly ImportedHighlight[] | undefined;
  /** See `SaveContent`. */
  known?: KnownMetadata | undefined;
}

export interface ImportedContent {
  id: string;
  /**
   * `taken`: a new item. `merged`: something was added to an item that was there. `unchanged`: that item had it all.
   * `deleted`: it is in the trash and stays there.
   */
  outcome: 'taken' | 'merged' | 'unchanged' | 'deleted';
  /** Values that did not fit an existing item. */
  leftOut: string[];
}

export interface JobCounts {
  /** Saved items that wait for their turn or for a later attempt. */
  waiting: number;
  running: number;
  /** Items that are processed in the background (imported, or processed again), waiting or running. */
  background: number;
  /** When the job that has waited longest for its turn became due: milliseconds since the epoch. */
  oldestDueAt: number | null;
  failed: Record<string, number>;
}

export type ItemWithoutText = Omit<ContentItem, 'transcript'>;

export interface SavedContent {
  id: string;
  outcome: SaveOutcome;
  /** As it was right after the save: somebody else may delete it before it can be read. */
  item: ItemWithoutText;
}

/** A person's changes of an item; absent fields are unchanged. */
export interface ContentChanges {
  /** Takes precedence over the document's title, whatever is fetched later; null: use the document's. */
  title?: string | null | undefined;
  /** The complete list: it replaces the tags that were there. */
  tags?: readonly string[] | undefined;
  /** Tags to take away and then to add, whatever the others are. */
  removeTags?: readonly string[] | undefined;
  addTags?: readonly string[] | undefined;
  /** Tags that are no longer proposed for the item. */
  rejectTags?: readonly string[] | undefined;
  notes?: string | null | undefined;
  shelf?: Shelf | undefined;
  /** True keeps the time at which it was read before. */
  read?: boolean | undefined;
  /** Of a note: its new text. The item gets the address of the original, and is processed again. */
  original?: Resource | undefined;
  /** The version that the caller read; a later one refuses the change. */
  unchangedSince?: number | undefined;
  /** The restriction of the changing caller. */
  held?: HeldTo | undefined;
}

export interface TagQuery extends PageRequest {
  /** Only tags of items that this restricted caller may see. */
  held?: HeldTo | undefined;
}

export interface GoalQuery {
  /** Undefined: no limit. */
  limit?: number | undefined;
  offset: number;
  /** Archived goals are left out unless this is true. */
  includeArchived?: boolean | undefined;
}

/** A claimed job: the right to run one item's next stage until the lease runs out. */
export interface Claim {
  jobId: string;
  contentId: string;
  url: string;
  stage: Stage;
  /** How often this stage was claimed, including this time. */
  attempts: number;
  /** Proves the claim: a stage's result is refused when another worker has claimed the job since. */
  leaseToken: string;
  leaseExpiresAt: number;
  /** The host that the stage will ask first, if it is known. */
  host: string | null;
  /** Whether the page of a finished item is refetched. */
  isRefresh: boolean;
}

export interface RefreshOptions {
  /** Whether a text that a person or their client gave is replaced by the page. */
  replaceGiven?: boolean | undefined;
  /** Whether it gives way to all other jobs. */
  isBackground: boolean;
  /** Pages that were fetched or checked within this time are left alone, like items that failed. */
  restMs?: number | undefined;
}

/** `given`: its text was given and not fetched; `no_page`: it has no web address; `rested`: see `restMs`. */
export interface RefreshAsked {
  id: string;
  outcome: 'queued' | 'given' | 'no_page' | 'not_found' | 'rested';
}

export interface RefreshedText {
  document: Omit<Document, 'blocks'>;
  transcript: Transcript;
  validators: Validators | undefined;
}

export interface JobsToClaim {
  /** Only jobs whose stage is this kind of work. Undefined: any. */
  work?: Work | undefined;
  /** Jobs that need one of these hosts are skipped. */
  busyHosts?: readonly string[] | undefined;
  /** Takes the item that was saved last, not the job that has been due longest. */
  newestFirst?: boolean | undefined;
}

/** The result of reading an item: the document, and its split into passages. */
export interface KeptReading {
  document: Omit<Document, 'blocks'>;
  transcript: Transcript;
  passages: readonly Passage[];
  wordCount: number;
  /** As for `keepPassages`. */
  fingerprint: Uint8Array | null;
}

export interface JobFailure {
  code: FailureCode;
  message: string;
  retryable: boolean;
  /** When to try again; null ends the job and the item becomes `failed`. */
  nextAttemptAt: number | null;
  /** The stage was not tried, so this attempt does not count. */
  isUntried?: boolean | undefined;
  /** Shown for the item where no document gives better metadata. */
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
  contentId?: string | undefined;
  /** In these languages, or in an unknown one; null and undefined: in any. ISO 639-1; `en-US` counts as `en`. */
  languages?: readonly string[] | null | undefined;
  /** Only passages with a greater id: to page through them. */
  after?: number | undefined;
}

export interface KnownNames {
  /** The tags of the most items first, each in one spelling. */
  tags: string[];
  /** Newest first, without items that have no title yet. */
  items: { id: string; title: string }[];
}

export interface RenamedTag {
  /** How many items had the tag, without deleted ones. */
  items: number;
  /** Whether items had the new tag before. */
  merged: boolean;
}

/** A tag in one spelling, and how many items have it. */
export interface TagCount {
  tag: string;
  count: number;
}

export type ReprocessStage = Exclude<Stage, 'fetch'>;

export interface Reprocessing {
  queued: number;
  /** Items that lack stored data for that stage: they were never fetched or never extracted. */
  lacking: number;
}

export interface DeletedHighlight {
  id: string;
  contentId: string;
}

export interface HighlightQuery {
  limit?: number | undefined;
  offset: number;
  /** Only those of this item, in text order. */
  contentId?: string | undefined;
  /** Only those whose quote or note contains this, ignoring case. */
  text?: string | undefined;
  /** Only those of items that this restricted caller may see. */
  held?: HeldTo | undefined;
}

export interface HighlightsToPlace {
  contentId: string;
  item: AnalysedItem;
  documentId: number;
  transcript: Transcript;
  highlights: { id: string; quote: string }[];
}

/** An item in the order in which items were saved. */
export interface ItemToExport {
  /** To go on after it. */
  seq: number;
  id: string;
  title: string | null;
  url: string | null;
  updatedAt: number;
}

/** Some entries of the history, the oldest first. */
export interface HistoryPage {
  entries: ExportedHistoryEntry[];
  /** Where to continue after the last one; null at the end. */
  next: { at: number; seq: number } | null;
}

/** Existing items that may be replaced: those that were not changed later, or any. */
export type ReplacedItems = 'older' | 'any';

export interface ItemToRestore {
  item: ExportedItem;
  /** In the order of `item.originals`. */
  originals: readonly Resource[];
}

/** The answer to a request that changed something. */
export interface KeptAnswer {
  status: number;
  body: string;
  headers: Readonly<Record<string, string>>;
}

/** The known state of a request when it arrives. */
export type BegunRequest =
  /** Not seen before: it is under way from now on. */
  | { state: 'new' }
  /** Done before: this was the answer. */
  | { state: 'answered'; answer: KeptAnswer }
  /** The same request is under way. */
  | { state: 'under way' }
  /** The same request was begun by a process that has ended before it could keep the answer: it may have been done. */
  | { state: 'cut off' }
  /** The key was used for another request. */
  | { state: 'other' };

/** Another worker owns the job now: stop quietly and keep nothing. */
export class LeaseLostError extends Error {
  constructor() {
    super('the lease of this job has passed to another worker');
    this.name = 'LeaseLostError';
  }
}
