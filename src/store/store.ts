import type { PlacedAnalysis } from '../domain/analysis.ts';
import type { ActionChanges, ActionItem } from '../domain/action.ts';
import type { ContentItem, ContentStatus, ContentSummary, ContentType, Stage } from '../domain/content.ts';
import type { Document, KnownMetadata, Transcript } from '../domain/document.ts';
import type { Goal, GoalChanges, NewGoal } from '../domain/goal.ts';
import type { Passage, RankedPassage } from '../domain/passage.ts';
import type { Resource } from '../domain/resource.ts';
import type { FailureCode } from '../errors.ts';
import type { Control } from './control.ts';

/*
 * The port to where records live. A `Store` is opened for one account and sees nothing else. Every method
 * is one complete, atomic use of the store: no transaction outlives a call, so a second engine can stand
 * behind the port. Times are milliseconds since the epoch; the store takes them from the clock it was built with.
 */

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
  /** Undefined leaves the notes of an existing item alone. */
  notes: string | undefined;
  /** Bytes that the caller already has (a local file): processing then begins at `extract`. */
  original?: Resource | undefined;
}

export type SaveOutcome = 'created' | 'existed' | 'requeued' | 'restored';

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
}

export interface JobFailure {
  code: FailureCode;
  message: string;
  retryable: boolean;
  /** When to try again; null ends the job and the item becomes `failed`. */
  nextAttemptAt: number | null;
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

/** A passage with what an answer says of the item it is from. */
export interface FoundPassage extends StoredPassage {
  contentId: string;
  itemUrl: string;
  itemCanonicalUrl: string;
  itemTitle: string | null;
  itemContentType: ContentType;
  itemTags: string[];
  itemLanguage: string | null;
  /** The item of which this one is a copy, or null. */
  itemDuplicateOf: string | null;
}

/** Each given part narrows the passages further; an empty list does not. */
export interface PassageFilter {
  contentType?: ContentType | undefined;
  /** All of them are on the item. */
  tags?: readonly string[] | undefined;
  /** The item is of one of them. */
  types?: readonly ContentType[] | undefined;
  /** `host` or `host/path`: the item is of one of them or of a subdomain. A host without a dot is any part of a name. */
  sites?: readonly string[] | undefined;
  /** The item was published (or, where that is not known, saved) then or later, or before: milliseconds since the epoch. */
  since?: number | undefined;
  before?: number | undefined;
  /** The passage, its headings or the title has all of them: these words in a row, in any of their forms. */
  phrases?: readonly string[] | undefined;
  /** The passage, its headings and the title have none of these words or phrases. */
  excluded?: readonly string[] | undefined;
}

/** How many items there are of each kind. */
export interface Facets {
  types: { value: ContentType; count: number }[];
  tags: { value: string; count: number }[];
  /** Of publication or, where that is not known, of saving; the newest first. */
  years: { value: number; count: number }[];
}

/** A passage that stands for a part of its item. */
export interface PassageSample {
  passageId: number;
  /** Of unit length; null when it has none of the embedder that was asked about. */
  vector: Float32Array | null;
}

/** What of the library's own words a person who types may mean. */
export interface NamesLike {
  /** Of the newest items first. */
  titles: { id: string; title: string }[];
  /** The most used first. */
  tags: string[];
  /** Headings in the items of the titles. */
  headings: string[];
}

export interface PastQuery {
  text: string;
  /** How often it was asked. */
  times: number;
  askedAt: number;
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

export interface Correction {
  /** The query with misspelt words replaced. */
  text: string;
  /** Whether no word of the query as it was written is there. */
  nothingFound: boolean;
}

export interface LexicalHits {
  /** Best first; `score` is BM25, higher is better. */
  hits: RankedPassage[];
  /** What BM25 could give at most for this query, Σ 2.2·idf over its terms: the scale of `score`. 0 without terms. */
  idealScore: number;
}

export interface Coverage {
  /** Items whose passages can be found. */
  searchable: number;
  /** Items still waiting or being processed and not yet searchable. */
  pending: number;
  failed: number;
}

/** An action whose goal is to be looked for anew, with the words around it. */
export interface ActionToLink {
  id: string;
  quote: string;
  documentTitle: string | null;
  /** Of the passage that the quote stands in; empty, and null below, when that is no longer there. */
  headingPath: string[];
  passage: string | null;
}

export interface LinksDue {
  /** Counts the changes of goals; to be given back with what was found. */
  goalsVersion: number;
  /** Those that are not archived. */
  goals: Goal[];
  actions: ActionToLink[];
}

export interface GoalLink {
  actionId: string;
  goalId: string | null;
  reason: string | null;
}

export interface ActionQuery {
  completed?: boolean | undefined;
  contentId?: string | undefined;
  goalId?: string | undefined;
  createdBefore?: number | undefined;
  /** Done then or later. */
  completedSince?: number | undefined;
  /** Undefined is all. */
  limit?: number | undefined;
  offset: number;
}

/** What a person may have in mind when they begin to type. */
export interface KnownNames {
  /** Those on the most items first, each in one spelling. */
  tags: string[];
  /** Newest first; without those that have no title yet. */
  items: { id: string; title: string }[];
}

/** The right to give an item a better analysis until the lease runs out, or until somebody else claims it after that. */
export interface AnalysisClaim {
  contentId: string;
  /** The version of the text that the analysis has to be of. */
  documentId: number;
  url: string;
  leaseToken: string;
  leaseExpiresAt: number;
  /** How often the item was claimed, this time included. */
  attempts: number;
}

export interface AnalysisFailure {
  code: string;
  message: string;
  /** When to try again; null: not until the item is processed again. */
  nextAttemptAt: number | null;
  /** Whether this counts as an attempt: a shutdown or a spent budget does not. */
  counts: boolean;
}

/**
 * `kept_before`: the same claim has kept its analysis already. `lease_lost`: somebody else has claimed the item, or it was
 * given back. `text_changed`: it is being processed again, or was. `gone`: there is no such item.
 */
export type KeptAnalysis = 'kept' | 'kept_before' | 'lease_lost' | 'text_changed' | 'gone';

export interface AnalysesWanted {
  waiting: number;
  claimed: number;
  failed: number;
  /** Why those failed for good: at most three reasons, the commonest first, each with how many items and one of them. */
  failures: { message: string; items: number; contentId: string }[];
}

export type ReprocessStage = Exclude<Stage, 'fetch'>;

export interface Reprocessing {
  queued: number;
  /** Items that have nothing stored with which that stage could begin: those that were never fetched or read. */
  lacking: number;
}

export interface Store {
  readonly accountId: string;

  /**
   * Inserts the item and queues its job, or merges tags and notes into the one with the same canonical URL. That one is
   * queued again when it had failed, and when an original is given whose bytes differ from its own: they become its next
   * version, and the one before stays visible until the new one has its passages. A deleted one is restored first.
   */
  saveContent(input: SaveContent): Promise<{ id: string; outcome: SaveOutcome }>;
  getContent(id: string): Promise<ContentItem | null>;
  getContentSummary(id: string): Promise<ContentSummary | null>;
  /** Newest first. */
  listContent(query: ContentQuery): Promise<Page<ContentSummary>>;
  /** At most `most` tags, and the titles of at most `most` items. */
  listNames(most: number): Promise<KnownNames>;
  /**
   * Queues a failed item (or one waiting for its next attempt) at once, from the stage that failed; one that failed at
   * `extract` is fetched again, unless its original was given with the save. False when there is nothing to retry.
   */
  retryContent(id: string): Promise<boolean>;

  /** Null when there is no such item. @throws {AppError} `invalid_input` for more tags than an item can have */
  updateContent(id: string, changes: ContentChanges): Promise<ContentSummary | null>;
  /**
   * Hides the item from every other method and stops its job. Doing it again changes nothing. Null when there is no
   * such item, or none that could be restored any more.
   */
  deleteContent(id: string): Promise<ContentSummary | null>;
  /** Shows a deleted item again; one that is not deleted is left as it is. Null when there is neither. */
  restoreContent(id: string): Promise<ContentSummary | null>;
  /** Removes items that were deleted `restorableForMs` ago, with all that is theirs. @returns how many, `most` at most */
  purgeExpired(most: number): Promise<number>;
  /** Whether there is work that belongs to no item's job: `purgeExpired` or `listLinksDue` have something to do. */
  hasChores(): Promise<boolean>;

  /**
   * Queues an item, or all of them, again from a stage, with what is stored: nothing is fetched. It is done in the
   * background, after everything that was saved meanwhile. What waits for that stage or an earlier one is left alone;
   * until the new results are there, the old ones are shown and found. From `embed` on, vectors are made anew.
   */
  reprocess(from: ReprocessStage, contentId?: string): Promise<Reprocessing>;

  /** Takes the next job that is due (one of the background only when no other is), by compare-and-swap; null when there is none. An expired lease is due. */
  claimJob(leaseMs: number): Promise<Claim | null>;
  /** False when the claim is no longer ours. */
  renewLease(claim: Claim, leaseMs: number): Promise<boolean>;
  /** Gives a claimed job back untried (shutdown): this attempt does not count. */
  releaseJob(claim: Claim): Promise<void>;
  /** Ends the attempt at the claim's stage. At `extract` the companions go: the next attempt fetches them anew. */
  failJob(claim: Claim, failure: JobFailure): Promise<void>;
  /** When the next job is due (which may be in the past), counting leases that run out; null when none waits. */
  nextJobDueAt(): Promise<number | null>;
  countUnfinishedJobs(): Promise<number>;
  /** When the lease of the next claimed job runs out unless it is renewed; null when no job is claimed. */
  nextLeaseEndsAt(): Promise<number | null>;

  /*
   * The results of the stages. Each keeps the result and moves the job to the next stage in one transaction,
   * with the lease kept, and returns the claim for that stage (null after the last one).
   * All throw `LeaseLostError` when the claim is no longer ours; nothing is then kept.
   */
  keepOriginal(claim: Claim, original: Resource): Promise<Claim>;
  /** Stores a new version of the document; it becomes the visible one with `keepPassages`, or at once when it is the first. */
  keepDocument(claim: Claim, document: Omit<Document, 'blocks'>, transcript: Transcript): Promise<Claim>;
  /**
   * Makes the document the visible one, with these passages, and finds out which items it is a copy of: the same text,
   * nearly the same by `fingerprint` (`domain/simhash.ts`; null or absent for a text too short to have one), or the same
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

  /**
   * Takes an item that is completed and whose analysis a model or an assistant may replace: the newest that is due, or
   * the one that is asked for. Two callers never get the same one while a lease runs. Every extractive analysis that is
   * kept makes its item wanted again.
   */
  claimAnalysis(leaseMs: number, contentId?: string): Promise<AnalysisClaim | null>;
  /** False when the claim is no longer ours. */
  renewAnalysis(claim: Pick<AnalysisClaim, 'contentId' | 'leaseToken'>, leaseMs: number): Promise<boolean>;
  /** Gives a claimed item back, for a later attempt or for good. Nothing happens when another has claimed it since. */
  endAnalysis(claim: AnalysisClaim, failure: AnalysisFailure): Promise<void>;
  /** Replaces insights and untouched actions as `keepAnalysis` does, and says what came of it; only `kept` changed anything. */
  keepBetterAnalysis(
    claim: Pick<AnalysisClaim, 'contentId' | 'leaseToken'>,
    documentId: number,
    analysis: PlacedAnalysis,
  ): Promise<KeptAnalysis>;
  countAnalysesWanted(): Promise<AnalysesWanted>;

  // The three about originals and documents read a deleted item's as well: a worker may still hold it, and learns at its next write.
  /** The item's original as it was fetched; null before `fetch` has run. `name` is '' for the item itself, else a companion's URL. */
  readOriginal(contentId: string, name?: string): Promise<StoredOriginal | null>;
  /** Keeps a resource that belongs to the item beside its original (captions, a player answer); nothing when the item is gone. */
  keepCompanion(contentId: string, name: string, resource: Resource): Promise<void>;
  /** The newest version of the document; null before `extract` has run. */
  readDocument(contentId: string): Promise<StoredDocument | null>;
  /** The text of the visible version, which passages and locators point into; null before there is one. */
  readTranscript(contentId: string): Promise<string | null>;
  /** The same text with the places of its blocks. */
  readText(contentId: string): Promise<Transcript | null>;
  listPassages(documentId: number): Promise<StoredPassage[]>;
  /**
   * Passages of visible documents that have no vector of this embedder, in the order of their ids. Without `contentId`
   * those are left out whose item a worker holds or may take at a stage up to `embed`: they get their vectors there.
   */
  listPassagesToEmbed(embedderId: string, limit: number, which?: PassagesToEmbed): Promise<PassageToEmbed[]>;

  /**
   * The query with misspelt words replaced by words that passages have; null when there is nothing to correct: no word is
   * missing, or nothing like it is there. The last word may be the beginning of one.
   */
  correctQuery(query: string): Promise<Correction | null>;
  /** Any punctuation in `query` is text, never syntax. A last word that no passage has stands for all that begin with it. */
  searchWords(query: string, filter: PassageFilter, limit: number): Promise<LexicalHits>;
  /** Best first; `score` is the cosine. `query` is of unit length. */
  searchVectors(
    embedderId: string,
    query: Float32Array,
    filter: PassageFilter,
    limit: number,
  ): Promise<RankedPassage[]>;
  /** Of each item, the newest first, the first passage that the filter lets through; `score` is 0. */
  listNewestPassages(filter: PassageFilter, limit: number): Promise<RankedPassage[]>;
  /** In the order of `passageIds`; ids that are gone are left out. */
  readPassages(passageIds: readonly number[]): Promise<FoundPassage[]>;
  /** Where the `distance` passages before and behind each of these begin and end, itself included. */
  readSurroundings(
    passageIds: readonly number[],
    distance: number,
  ): Promise<{ passageId: number; start: number; end: number }[]>;
  countFacets(contentIds: readonly string[]): Promise<Facets>;
  /** At most `most` passages of an item, evenly spread over it. */
  sampleItem(contentId: string, embedderId: string | null, most: number): Promise<PassageSample[]>;

  /** What has a word that begins with the last word of `typed` and has its other words; of an empty one the tags alone. */
  listNamesLike(typed: string, most: number): Promise<NamesLike>;
  /** Keeps a question that was asked; the oldest of more than 1,000 go. */
  rememberQuery(text: string): Promise<void>;
  /** The newest first. */
  listPastQueries(): Promise<PastQuery[]>;
  /** @returns how many there were */
  forgetQueries(): Promise<number>;
  coverage(): Promise<Coverage>;
  /** The embedders that passages have vectors of, that of the most vectors first. */
  listEmbedders(): Promise<{ id: string; vectors: number }[]>;
  /** How many passages there are in these languages (null: in any), and how many have a vector of this embedder. */
  countVectors(
    embedderId: string,
    languages?: readonly string[] | null,
  ): Promise<{ passages: number; embedded: number }>;

  /** Open ones first, of those the ones that serve a goal, of those the newest. */
  listActions(query: ActionQuery): Promise<Page<ActionItem>>;
  getAction(id: string): Promise<ActionItem | null>;

  /**
   * Changes what a person says of an action: no analysis changes it any more. Null when there is no such action.
   * @throws {AppError} `invalid_input` when there is no such goal
   */
  updateAction(id: string, changes: ActionChanges): Promise<ActionItem | null>;

  /** How often goals have changed: what was made of them before is out of date after. */
  goalsVersion(): Promise<number>;
  /** Open actions that nobody touched and that may serve another goal since goals have changed. */
  listLinksDue(most: number): Promise<LinksDue>;
  /** False, and nothing kept, when the goals have changed since. */
  keepGoalLinks(goalsVersion: number, links: readonly GoalLink[]): Promise<boolean>;

  /** Newest first. */
  listGoals(query: GoalQuery): Promise<Page<Goal>>;
  /**
   * A goal of that title is not added twice: the one there takes what is given and is archived no longer.
   */
  addGoal(goal: NewGoal): Promise<Goal>;
  /** Null when there is no such goal. */
  updateGoal(id: string, changes: GoalChanges): Promise<Goal | null>;

  close(): Promise<void>;
}

/** A resource without its decoded text: `charset` tells how to decode it again. */
export type StoredOriginal = Omit<Resource, 'text'>;

/** Another worker owns the job now: stop quietly, keep nothing. */
export class LeaseLostError extends Error {
  constructor() {
    super('the lease of this job has passed to another worker');
    this.name = 'LeaseLostError';
  }
}

/** A data folder. Two processes may have the same one open. */
export interface Stores {
  readonly control: Control;
  /**
   * @param signal aborting it rejects what the store reads for a search with the signal's reason, and frees whoever reads
   * it: an engine may do that elsewhere. Then `unavailable` can also mean that it took too long or broke: ask again.
   * @throws {AppError} `not_found` when there is no such account.
   */
  open(accountId: string, signal?: AbortSignal): Promise<Store>;
  /**
   * Removes an account for good, while other processes may be using it: first a mark that refuses every further write
   * and every token, then the records. What a crash leaves undone is finished when the folder is opened next.
   */
  removeAccount(accountId: string): Promise<void>;
  close(): Promise<void>;
}
