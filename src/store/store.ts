import type { Account, Plan } from '../domain/records/account.ts';
import type { PlacedAnalysis } from '../domain/records/analysis.ts';
import type { ActionChanges, ActionItem } from '../domain/records/action.ts';
import type { ContentItem, ContentSummary } from '../domain/records/content.ts';
import type { Document, Transcript } from '../domain/records/document.ts';
import type { Goal, GoalChanges, NewGoal } from '../domain/records/goal.ts';
import type { LexicalHits, Passage, RankedPassage } from '../domain/records/passage.ts';
import type { Original, Resource } from '../domain/records/resource.ts';
import type { Control } from './control.ts';
import type {
  ActionQuery,
  AnalysesWanted,
  AnalysesToClaim,
  AnalysisClaim,
  AnalysisFailure,
  GoalCount,
  GoalLink,
  KeptAnalysis,
  LinksDue,
} from './analysis-records.ts';
import type {
  Claim,
  ContentChanges,
  ContentQuery,
  GoalQuery,
  JobFailure,
  JobCounts,
  JobsToClaim,
  KnownNames,
  Page,
  PassageToEmbed,
  PassagesToEmbed,
  ReprocessStage,
  Reprocessing,
  SaveContent,
  SavedContent,
  StoredDocument,
  StoredPassage,
} from './records.ts';
import type {
  Coverage,
  FoundPassage,
  ItemsFound,
  ItemSearch,
  NamesLike,
  PassageFilter,
  PassagePart,
  PassagePlace,
  PassageSample,
  PastQuery,
} from './search-records.ts';

export interface Store {
  readonly accountId: string;

  /**
   * Inserts the item and queues its job, or merges tags and notes into the one with the same canonical URL. That one is
   * queued again when it had failed, and when an original is given whose bytes differ from its own: they become its next
   * version, and the one before stays visible until the new one has its passages. A deleted one is restored first.
   */
  saveContent(input: SaveContent): Promise<SavedContent>;
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
  /** Whether the index of words would be searched faster after `mergeWords`, and no job is due or claimed (or it is so scattered that this does not count). */
  hasWordsToMerge(): Promise<boolean>;
  /** Does a small part of that. */
  mergeWords(): Promise<void>;

  /**
   * Queues an item, or all of them, again from a stage, with what is stored: nothing is fetched. It is done in the
   * background, after everything that was saved meanwhile. What waits for that stage or an earlier one is left alone;
   * until the new results are there, the old ones are shown and found. From `embed`, vectors are made anew.
   */
  reprocess(from: ReprocessStage, contentId?: string): Promise<Reprocessing>;

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
  /** When the next job is due (which may be in the past), counting leases that run out; null when none waits. */
  nextJobDueAt(): Promise<number | null>;
  /**
   * Whether nothing is left to do, neither a job (at whatever time) nor a chore. Then work whose announcement has this number
   * or a smaller one is not written any more but announced anew, so the hint can go.
   */
  settleWork(generation: number): Promise<boolean>;
  countUnfinishedJobs(): Promise<number>;
  countJobs(): Promise<JobCounts>;
  /** Failed items, the newest first, with the codes of their failures. */
  listFailed(): Promise<{ id: string; code: string }[]>;
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

  /**
   * Takes an item that is completed and whose analysis a model or an assistant may replace: the newest that is due, or
   * the one that is asked for. Two callers never get the same one while a lease runs. Every extractive analysis that is
   * kept makes its item wanted again.
   */
  claimAnalysis(leaseMs: number, which?: AnalysesToClaim): Promise<AnalysisClaim | null>;
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
  readOriginal(contentId: string, name?: string): Promise<Original | null>;
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

  /** All that a search asks, of one state of the account: passages are found as `searchWords` and `searchVectors` find them. */
  findItems(search: ItemSearch): Promise<ItemsFound>;
  /** In the order of `parts`; null for a passage that is gone. */
  locate(parts: readonly PassagePart[]): Promise<(PassagePlace | null)[]>;
  /** Any punctuation in `query` is text, never syntax. A last word that no passage has stands for all that begin with it. */
  searchWords(query: string, filter: PassageFilter, limit: number): Promise<LexicalHits>;
  /** Best first; `score` is the cosine. `query` is of unit length. */
  searchVectors(
    embedderId: string,
    query: Float32Array,
    filter: PassageFilter,
    limit: number,
  ): Promise<RankedPassage[]>;
  /** In the order of `passageIds`; ids that are gone are left out. */
  readPassages(passageIds: readonly number[]): Promise<FoundPassage[]>;
  /** Where the `distance` passages before and behind each of these begin and end, itself included. */
  readSurroundings(
    passageIds: readonly number[],
    distance: number,
  ): Promise<{ passageId: number; start: number; end: number }[]>;
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
  /** Of each goal that has any: how many are open, and how many were done at `since` or later. */
  countActionsByGoal(since: number): Promise<GoalCount[]>;

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
  /** Null when there is no such goal. @throws {AppError} `invalid_input` when another goal has the title */
  updateGoal(id: string, changes: GoalChanges): Promise<Goal | null>;

  close(): Promise<void>;
}

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
  /**
   * Makes a library (an account's file, from this folder or a backup) an account's. It keeps its id when that is free, or when that account's library is missing.
   * @throws {AppError} `invalid_input` when the file is no library
   */
  adoptLibrary(path: string, account: { name: string; plan: Plan }): Promise<Account>;
  /** Lets an account whose library is missing begin again with an empty one. @throws {AppError} `invalid_input` when it is there */
  startEmpty(accountId: string): Promise<void>;
  /** Opens every account's library. */
  checkLibraries(): Promise<LibraryProblems>;
  /** Whether what is saved now would last. @throws {AppError} `unavailable`, saying why not */
  checkWritable(): Promise<void>;
  close(): Promise<void>;
}

/** How what is there differs from the accounts that are known. */
export interface LibraryProblems {
  /** Accounts whose library is missing, or cannot be used for another reason, in words. */
  unusable: { accountId: string; message: string }[];
  /** Names of files that may be libraries and belong to no account. */
  unknown: string[];
}
