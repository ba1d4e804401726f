import type { ContentStatus, ContentType, Stage } from '../domain/content.ts';
import type { Document, KnownMetadata, Transcript } from '../domain/document.ts';
import type { RankBy } from '../domain/fusion.ts';
import type { Goal } from '../domain/goal.ts';
import type { Locator } from '../domain/locator.ts';
import type { Passage } from '../domain/passage.ts';
import type { Resource } from '../domain/resource.ts';
import type { FailureCode } from '../errors.ts';

/* What the store takes and gives, beside the domain's own records. */

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
  /** The query with misspelt words replaced by words that passages have. */
  text: string;
  /** Whether no word of the query as it was written is there. */
  nothingFound: boolean;
}

/** A question as an embedder reads it. */
export interface QuestionVector {
  embedderId: string;
  /** Of unit length. */
  values: Float32Array;
  /** See `Embedder.unrelatedCosine`. */
  unrelatedCosine: number;
  /** Whether every passage of the account has a vector to compare with: none is in another language, and none waits. */
  everyPassage: boolean;
  /** While passages are embedded anew: the question for those that still have the vectors of the embedder before. */
  before?: QuestionVector | undefined;
}

export interface ItemSearch {
  /** What is to be ranked; any punctuation in it is text. */
  text: string;
  /** Null: words decide alone. */
  vector: QuestionVector | null;
  filter: PassageFilter;
  /** Null: nothing is ranked; of each item, the newest first, the first passage that the filter lets through, with a score of 0. */
  by: RankBy | null;
  /** How many passages are ranked by words, and by meaning. */
  depth: number;
  /** Look for misspelt words first: for those that no passage has, while something like them is there. */
  isTyped: boolean;
  /** How many items are wanted, and how many passages of each. */
  items: number;
  passagesOfEach: number;
  facets: boolean;
}

export interface ItemsFound {
  /**
   * Instead of an answer: nothing was searched for while the query may have to be another one. Null when no word is missing
   * (the last one may be the beginning of a word), or nothing like it is there.
   */
  correction: Correction | null;
  /** The best item first, of each its best passages, the best first. */
  items: (FoundPassage & { score: number })[][];
  /** Whether as many passages as `depth` were ranked: deeper there may be more. */
  isCut: boolean;
  coverage: Coverage;
  /** Of all items that have words of the question, and of those that were ranked. */
  facets?: Facets;
}

/** A part of a passage: `text.slice(start, end)`. */
export interface PassagePart {
  passageId: number;
  start: number;
  end: number;
}

/** Where a part of a passage stands in its source. */
export interface PassagePlace {
  locator: Locator;
  /** What stands behind `:~:text=` in a link to it; null where no such link leads there. */
  fragment: string | null;
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

/** The action items of one goal. */
export interface GoalCount {
  goalId: string;
  open: number;
  done: number;
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

export interface AnalysesToClaim {
  /** This one and no other. */
  contentId?: string;
  /** Those as well that the model has given up, after all that are due. */
  givenUpToo?: boolean;
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

/** A resource without its decoded text: `charset` tells how to decode it again. */
export type StoredOriginal = Omit<Resource, 'text'>;
