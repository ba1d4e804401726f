import * as shared from '../../library/methods.ts';
import type * as records from '../../records.ts';
import * as index from '../index/index.ts';
import * as announced from '../queue/announced-work.ts';
import { hasDueAnalysis } from '../../library/queue/llm-analyses.ts';
import { keepChangedPage } from '../../library/queue/refreshing.ts';
import { keepOriginal } from '../../library/queue/stages.ts';
import type { PackedResource } from '../../records/packed-originals.ts';
import type { Store } from '../../store.ts';
import { applyPage, beginCopy, type IndexPage, readCopyState } from '../copies/index-page.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { hasDueJob } from '../queue/claims.ts';
import { hasDueSource } from '../../library/sources.ts';
import { type Asked, here, runSteps, sqliteDb } from './sqlite-db.ts';

/*
 * All methods of one account's library: synchronous code over one SQLite file. Each is one read, or runs in one write
 * transaction. They have names, and plain data as arguments and results, so that they run in this thread or in another.
 */

type Result<N extends keyof Store> = Store[N] extends (...args: never[]) => Promise<infer R> ? R : never;
type Method<N extends keyof Store> = Store[N] extends (...args: infer A) => Promise<infer R>
  ? (file: SqliteFile, asked: Asked, ...args: A) => R
  : never;
type Methods = { [N in keyof Store]?: Method<N> };

const sharedReads = here(shared.reads);

/** Methods of `Store` that read. */
export const reads = {
  ...sharedReads,
  coverage: (file, asked, held) =>
    held === undefined ? index.coverage(file) : sharedReads.coverage(file, asked, held),
  itemsWithWords: (file, _asked, words) => index.itemsWithWords(file, words),
  searchWords: (file, _asked, query, filter, limit) =>
    index.narrowedTo(file, filter.known, () => index.rankByWords(file, query, filter, limit)),
  readPassages: (file, _asked, passageIds) => index.readPassages(file, passageIds),
  sampleItem: (file, _asked, contentId, embedderId, limit) => index.sampleItem(file, contentId, embedderId, limit),
  countVectors: (file, asked, ...args) =>
    file.remember(`vectors ${JSON.stringify(args)}`, () => sharedReads.countVectors(file, asked, ...args)),
  listEmbedders: (file) => index.listEmbedders(file),
  listNamesLike: (file, _asked, typed, limit, items) => index.suggestions.listNamesLike(file, typed, limit, items),
  ...here({ hasMaintenance: shared.hasMaintenance }),
} satisfies Methods;

/** Reads of which methods of `Store` are made. */
export const partialReads = {
  ...here(shared.partialReads),
  readCopyState: (file: SqliteFile) => readCopyState(file),
};

/**
 * The answers of writes of the same name when there is nothing to write; undefined when there is. Asked first, so that an idle
 * worker does not take the write lock.
 */
export const idleAnswers = {
  claimJobs: (file, { now }, _leaseMs, _limit, which = {}) => (hasDueJob(file, now, which) ? undefined : []),
  claimSource: (file, asked) => (runSteps(file, hasDueSource(sqliteDb(file, asked))) ? undefined : null),
  settleWork: (file, asked) => (announced.hasWork(file, asked) ? false : undefined),
  claimAnalysis: (file, asked, _leaseMs, which = {}) =>
    runSteps(file, hasDueAnalysis(sqliteDb(file, asked), which)) ? undefined : null,
  maintain: (file, asked) => (runSteps(file, shared.hasUpkeep(sqliteDb(file, asked))) ? undefined : false),
} satisfies {
  [N in keyof Store]?: Store[N] extends (...args: infer A) => unknown
    ? (file: SqliteFile, asked: Asked, ...args: A) => Result<N> | undefined
    : never;
};

/** Methods of `Store` that write, and leave no work that was not there before. */
export const writes = {
  ...here(shared.writes),
  ...here(shared.swaps),
  keepVectors: (file, _asked, embedderId, vectors) => index.keepVectors(file, embedderId, vectors),

  settleWork: announced.settleWork,
  ...here({ maintain: shared.maintain }),
} satisfies Methods;

/** The methods from which writes of `Store` and of index replicas are made. */
export const partialWrites = {
  ...here(shared.partialWrites),
  keepPackedOriginal: (file: SqliteFile, asked: Asked, claim: records.Claim, original: PackedResource): void =>
    runSteps(file, keepOriginal(sqliteDb(file, asked), claim, original)),
  keepPackedPage: (
    file: SqliteFile,
    asked: Asked,
    claim: records.Claim,
    original: PackedResource,
    companions: readonly { name: string; kept: PackedResource }[],
    text: records.RefreshedText,
  ): void => runSteps(file, keepChangedPage(sqliteDb(file, asked), claim, original, companions, text)),
  beginCopy: (file: SqliteFile, _asked: Asked, source: string) => beginCopy(file, source),
  applyIndexPage: (file: SqliteFile, _asked: Asked, page: IndexPage) => applyPage(file, page),
};

/** Methods of `Store` that may leave work for a worker: a job or maintenance. */
export const works = here(shared.works) satisfies Methods;

/** Writes that may leave work, of which methods of `Store` are made. */
export const partialWorks = here(shared.partialWorks);
