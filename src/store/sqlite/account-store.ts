import type { PlacedAnalysis } from '../../domain/analysis.ts';
import type { ActionChanges, ActionItem } from '../../domain/action.ts';
import type { Clock } from '../../domain/clock.ts';
import type { ContentItem, ContentSummary } from '../../domain/content.ts';
import type { Document, Transcript } from '../../domain/document.ts';
import type { Goal, GoalChanges, NewGoal } from '../../domain/goal.ts';
import type { LexicalHits, Passage, RankedPassage } from '../../domain/passage.ts';
import type { Resource } from '../../domain/resource.ts';
import type { Control } from '../control.ts';
import type * as records from '../records.ts';
import type * as port from '../store.ts';
import type { AccountFiles } from './account-files.ts';
import * as actions from './actions.ts';
import { replaceAnalysis } from './analysis.ts';
import * as better from './better-analyses.ts';
import * as reading from './content-reading.ts';
import { whenFree } from './busy.ts';
import * as content from './content.ts';
import * as deletion from './deletion.ts';
import * as documents from './documents.ts';
import { linkDuplicates } from './duplicates.ts';
import { listEmbedders } from './embedders.ts';
import { replaceFingerprint } from './fingerprints.ts';
import * as links from './goal-links.ts';
import * as goals from './goals.ts';
import * as jobs from './jobs.ts';
import * as originals from './originals.ts';
import * as passages from './passages.ts';
import { removeOldDocuments, reprocess } from './reprocess.ts';
import { type ReadAnswer, type ReadArguments, type ReadName, runRead, type SearchReads } from './searching/reads.ts';
import type { SearchThreads } from './searching/search-threads.ts';
import type { SqliteFile } from './sqlite-file.ts';
import * as suggestions from './suggestions.ts';
import type { VectorMemories, VectorMemory } from './vector-cache/vector-memories.ts';
import * as vectors from './vectors.ts';
import type { WriteQueues } from './write-queue.ts';

/** One account's records. Every method is one transaction, or one read; this class only says which. */
export class SqliteStore implements port.Store {
  readonly accountId: string;
  readonly #files: AccountFiles;
  readonly #writes: WriteQueues;
  readonly #control: Control;
  readonly #clock: Clock;
  readonly #threads: SearchThreads | null;
  readonly #memories: VectorMemories;
  readonly #reads: SearchReads;
  readonly #signal: AbortSignal | undefined;

  /**
   * @param threads where searches run; null: in this one
   * @param reads what they run when they run here
   * @param signal of the search that the store is opened for
   */
  constructor(
    accountId: string,
    files: AccountFiles,
    writes: WriteQueues,
    control: Control,
    clock: Clock,
    threads: SearchThreads | null,
    memories: VectorMemories,
    reads: SearchReads,
    signal?: AbortSignal,
  ) {
    this.accountId = accountId;
    this.#files = files;
    this.#writes = writes;
    this.#control = control;
    this.#clock = clock;
    this.#threads = threads;
    this.#memories = memories;
    this.#reads = reads;
    this.#signal = signal;
  }

  /** The file is asked for at each attempt: it may have been closed meanwhile. */
  #use<T>(work: (file: SqliteFile, now: number) => T): Promise<T> {
    return whenFree(() => work(this.#files.use(this.accountId), this.#clock.now()));
  }

  #write<T>(work: (file: SqliteFile, now: number) => T): Promise<T> {
    return this.#writes.write(this.accountId, (file) => work(file, this.#clock.now()));
  }

  /** One of the reads of a search. Opening the file here first creates and migrates it, and refuses what cannot be used. */
  async #read<N extends ReadName>(name: N, ...args: ReadArguments<N>): Promise<ReadAnswer<N>> {
    if (this.#threads === null) return this.#use((file) => runRead(this.#reads, file, name, args));
    await this.#use(() => {});
    return this.#threads.read(this.accountId, name, args, this.#signal);
  }

  async saveContent(input: records.SaveContent): Promise<content.SavedContent> {
    const original = input.original === undefined ? null : await originals.packResource(input.original);
    await this.#control.announceWork(this.accountId);
    return this.#write((file, now) => content.saveContent(file, input, original, now));
  }

  async getContent(id: string): Promise<ContentItem | null> {
    return this.#use((file, now) => reading.getContent(file, id, now));
  }

  async getContentSummary(id: string): Promise<ContentSummary | null> {
    return this.#use((file, now) => reading.getContentSummary(file, id, now));
  }

  async listContent(query: records.ContentQuery): Promise<records.Page<ContentSummary>> {
    return this.#use((file, now) => reading.listContent(file, query, now));
  }
  async listNames(most: number): Promise<records.KnownNames> {
    return this.#use((file) => reading.listNames(file, most));
  }

  async retryContent(id: string): Promise<boolean> {
    await this.#control.announceWork(this.accountId);
    return this.#write((file, now) => {
      const item = content.findContent(file, id);
      return item !== null && jobs.requeueJob(file, item, now);
    });
  }

  async reprocess(from: records.ReprocessStage, contentId?: string): Promise<records.Reprocessing> {
    await this.#control.announceWork(this.accountId);
    return this.#write((file, now) => reprocess(file, from, contentId, now));
  }

  async updateContent(id: string, changes: records.ContentChanges): Promise<ContentSummary | null> {
    return this.#write((file, now) => {
      content.updateContent(file, id, changes, now);
      return reading.getContentSummary(file, id, now);
    });
  }

  async deleteContent(id: string): Promise<ContentSummary | null> {
    return this.#write((file, now) => {
      deletion.deleteContent(file, id, now);
      return reading.getDeletedSummary(file, id, now);
    });
  }

  async restoreContent(id: string): Promise<ContentSummary | null> {
    await this.#control.announceWork(this.accountId);
    return this.#write((file, now) => {
      deletion.restoreContent(file, id, now);
      return reading.getContentSummary(file, id, now);
    });
  }

  async purgeExpired(most: number): Promise<number> {
    return this.#write((file, now) => deletion.purgeExpired(file, most, now));
  }

  async hasChores(): Promise<boolean> {
    return this.#use((file, now) => deletion.hasExpired(file, now) || links.hasLinksDue(file));
  }

  async claimJob(leaseMs: number): Promise<records.Claim | null> {
    // Looking first costs a waiting worker no write lock.
    if (!(await this.#use(jobs.hasDueJob))) return null;
    return this.#write((file, now) => jobs.claimJob(file, now, leaseMs));
  }

  async renewLease(claim: records.Claim, leaseMs: number): Promise<boolean> {
    return this.#write((file, now) => jobs.renewLease(file, claim, now, leaseMs));
  }

  async releaseJob(claim: records.Claim): Promise<void> {
    await this.#write((file, now) => jobs.releaseJob(file, claim, now));
  }

  async failJob(claim: records.Claim, failure: records.JobFailure): Promise<void> {
    await this.#write((file, now) => jobs.failJob(file, claim, failure, now));
  }

  async nextJobDueAt(): Promise<number | null> {
    return this.#use((file) => jobs.nextJobDueAt(file));
  }

  async nextLeaseEndsAt(): Promise<number | null> {
    return this.#use((file) => jobs.nextLeaseEndsAt(file));
  }

  async countUnfinishedJobs(): Promise<number> {
    return this.#use((file) => jobs.countUnfinishedJobs(file));
  }

  async keepOriginal(claim: records.Claim, original: Resource): Promise<records.Claim> {
    const packed = await originals.packResource(original);
    return this.#write((file, now) => {
      const item = jobs.requireLease(file, claim, 'fetch');
      originals.replaceOriginal(file, item, packed, 'fetched');
      return jobs.advanceJob(file, claim, item, 'extract', now);
    });
  }

  async keepDocument(
    claim: records.Claim,
    document: Omit<Document, 'blocks'>,
    transcript: Transcript,
  ): Promise<records.Claim> {
    return this.#write((file, now) => {
      const item = jobs.requireLease(file, claim, 'extract');
      documents.addDocument(file, item, document, transcript, now);
      return jobs.advanceJob(file, claim, item, 'split', now);
    });
  }

  async keepPassages(
    claim: records.Claim,
    documentId: number,
    split: readonly Passage[],
    fingerprint: Uint8Array | null = null,
  ): Promise<records.Claim> {
    return this.#write((file, now) => {
      const item = jobs.requireLease(file, claim, 'split');
      passages.replacePassages(file, item, documentId, split);
      replaceFingerprint(file, item, fingerprint);
      linkDuplicates(file, item, documentId, now);
      return jobs.advanceJob(file, claim, item, 'embed', now);
    });
  }

  async keepVectors(embedderId: string, batch: readonly { passageId: number; vector: Float32Array }[]): Promise<void> {
    await this.#write((file) => vectors.keepVectors(file, embedderId, batch));
  }

  async finishEmbedding(claim: records.Claim): Promise<records.Claim> {
    return this.#write((file, now) =>
      jobs.advanceJob(file, claim, jobs.requireLease(file, claim, 'embed'), 'analyse', now),
    );
  }

  async keepAnalysis(
    claim: records.Claim,
    documentId: number,
    analysis: PlacedAnalysis,
    goalsVersion?: number,
  ): Promise<null> {
    return this.#write((file, now) => {
      const item = jobs.requireLease(file, claim, 'analyse');
      replaceAnalysis(file, item, documentId, analysis, now);
      if (goalsVersion !== undefined) links.noteOldGoals(file, item, goalsVersion);
      better.wantBetterAnalysis(file, item, now);
      removeOldDocuments(file, item);
      jobs.finishJob(file, item, now);
      return null;
    });
  }

  async claimAnalysis(leaseMs: number, which: records.AnalysesToClaim = {}): Promise<records.AnalysisClaim | null> {
    // Looking first costs a waiting worker no write lock.
    if (!(await this.#use((file, now) => better.hasDueAnalysis(file, which, now)))) return null;
    return this.#write((file, now) => better.claimAnalysis(file, leaseMs, which, now));
  }

  async renewAnalysis(
    claim: Pick<records.AnalysisClaim, 'contentId' | 'leaseToken'>,
    leaseMs: number,
  ): Promise<boolean> {
    return this.#write((file, now) => better.renewAnalysis(file, claim, leaseMs, now));
  }

  async endAnalysis(claim: records.AnalysisClaim, failure: records.AnalysisFailure): Promise<void> {
    await this.#write((file, now) => better.endAnalysis(file, claim, failure, now));
  }

  async keepBetterAnalysis(
    claim: Pick<records.AnalysisClaim, 'contentId' | 'leaseToken'>,
    documentId: number,
    analysis: PlacedAnalysis,
  ): Promise<records.KeptAnalysis> {
    return this.#write((file, now) => better.keepBetterAnalysis(file, claim, documentId, analysis, now));
  }

  async countAnalysesWanted(): Promise<records.AnalysesWanted> {
    return this.#use((file, now) => better.countAnalysesWanted(file, now));
  }

  async readOriginal(contentId: string, name = ''): Promise<records.StoredOriginal | null> {
    const packed = await this.#use((file) => originals.readOriginal(file, contentId, name));
    return packed === null ? null : originals.unpackOriginal(packed);
  }

  async keepCompanion(contentId: string, name: string, resource: Resource): Promise<void> {
    if (name === '') throw new Error('a companion needs a name: the empty one is that of the original');
    const packed = await originals.packResource(resource);
    await this.#write((file) => {
      const item = content.findContent(file, contentId);
      if (item !== null) originals.writeCompanion(file, item, name, packed);
    });
  }

  async readDocument(contentId: string): Promise<records.StoredDocument | null> {
    return this.#use((file) => documents.readDocument(file, contentId));
  }

  async readTranscript(contentId: string): Promise<string | null> {
    return this.#read('readTranscript', contentId);
  }

  async readText(contentId: string): Promise<Transcript | null> {
    return this.#read('readText', contentId);
  }

  async listPassages(documentId: number): Promise<records.StoredPassage[]> {
    return this.#use((file) => passages.listPassages(file, documentId));
  }

  async listPassagesToEmbed(
    embedderId: string,
    limit: number,
    which: records.PassagesToEmbed = {},
  ): Promise<records.PassageToEmbed[]> {
    return this.#use((file, now) => vectors.listPassagesToEmbed(file, embedderId, limit, which, now));
  }

  async findItems(search: records.ItemSearch): Promise<records.ItemsFound> {
    const memories: Record<string, VectorMemory | null> = {};
    for (let vector = search.vector ?? undefined; vector !== undefined; vector = vector.before)
      memories[vector.embedderId] = this.#memories.get(this.accountId, vector.embedderId, vector.values.length);
    return this.#read('findItems', search, memories);
  }

  async locate(parts: readonly records.PassagePart[]): Promise<(records.PassagePlace | null)[]> {
    return this.#read('locate', parts);
  }

  async correctQuery(query: string): Promise<records.Correction | null> {
    return this.#read('correctQuery', query);
  }

  async searchWords(query: string, filter: records.PassageFilter, limit: number): Promise<LexicalHits> {
    return this.#read('searchWords', query, filter, limit);
  }

  async searchVectors(
    embedderId: string,
    query: Float32Array,
    filter: records.PassageFilter,
    limit: number,
  ): Promise<RankedPassage[]> {
    const memory = this.#memories.get(this.accountId, embedderId, query.length);
    return this.#read('searchVectors', embedderId, query, filter, limit, memory);
  }

  async listNewestPassages(filter: records.PassageFilter, limit: number): Promise<RankedPassage[]> {
    return this.#read('listNewestPassages', filter, limit);
  }

  async readPassages(passageIds: readonly number[]): Promise<records.FoundPassage[]> {
    return this.#read('readPassages', passageIds);
  }

  async readSurroundings(
    passageIds: readonly number[],
    distance: number,
  ): Promise<{ passageId: number; start: number; end: number }[]> {
    return this.#read('readSurroundings', passageIds, distance);
  }

  async countFacets(contentIds: readonly string[]): Promise<records.Facets> {
    return this.#read('countFacets', contentIds);
  }

  async sampleItem(contentId: string, embedderId: string | null, most: number): Promise<records.PassageSample[]> {
    return this.#read('sampleItem', contentId, embedderId, most);
  }

  async listNamesLike(typed: string, most: number): Promise<records.NamesLike> {
    return this.#use((file) => suggestions.listNamesLike(file, typed, most));
  }

  async rememberQuery(text: string): Promise<void> {
    await this.#write((file, now) => suggestions.rememberQuery(file, text, now));
  }

  async listPastQueries(): Promise<records.PastQuery[]> {
    return this.#use((file) => suggestions.listPastQueries(file));
  }

  async forgetQueries(): Promise<number> {
    return this.#write((file) => suggestions.forgetQueries(file));
  }

  async coverage(): Promise<records.Coverage> {
    return this.#read('coverage');
  }

  async listEmbedders(): Promise<{ id: string; vectors: number }[]> {
    return this.#use(listEmbedders);
  }

  async countVectors(
    embedderId: string,
    languages: readonly string[] | null = null,
  ): Promise<{ passages: number; embedded: number }> {
    return this.#read('countVectors', embedderId, languages);
  }

  async passagesWithoutVector(passageIds: readonly number[], embedderIds: readonly string[]): Promise<number[]> {
    return this.#read('passagesWithoutVector', passageIds, embedderIds);
  }

  async listActions(query: records.ActionQuery): Promise<records.Page<ActionItem>> {
    return this.#use((file) => actions.listActions(file, query));
  }

  async countActionsByGoal(since: number): Promise<records.GoalCount[]> {
    return this.#use((file) => actions.countActionsByGoal(file, since));
  }

  async getAction(id: string): Promise<ActionItem | null> {
    return this.#use((file) => actions.getAction(file, id));
  }

  async updateAction(id: string, changes: ActionChanges): Promise<ActionItem | null> {
    return this.#write((file, now) => actions.updateAction(file, id, changes, now));
  }

  async goalsVersion(): Promise<number> {
    return this.#use((file) => links.goalsVersion(file));
  }

  async listLinksDue(most: number): Promise<records.LinksDue> {
    return this.#use((file) =>
      file.read(() => ({ ...links.listLinksDue(file, most), goals: goals.listGoals(file, { offset: 0 }).items })),
    );
  }

  async keepGoalLinks(goalsVersion: number, found: readonly records.GoalLink[]): Promise<boolean> {
    return this.#write((file, now) => links.keepGoalLinks(file, goalsVersion, found, now));
  }

  async listGoals(query: records.GoalQuery): Promise<records.Page<Goal>> {
    return this.#use((file) => goals.listGoals(file, query));
  }

  async addGoal(goal: NewGoal): Promise<Goal> {
    await this.#control.announceWork(this.accountId);
    return this.#write((file, now) => goals.addGoal(file, goal, now));
  }

  async updateGoal(id: string, changes: GoalChanges): Promise<Goal | null> {
    await this.#control.announceWork(this.accountId);
    return this.#write((file, now) => goals.updateGoal(file, id, changes, now));
  }

  /** Closes the account's file; another `Store` of the account opens it again when it needs it. */
  async close(): Promise<void> {
    this.#memories.forget(this.accountId);
    this.#files.close(this.accountId);
  }
}
