import { availableParallelism } from 'node:os';
import type { Analysis, PlacedAnalysis } from '../../domain/records/analysis.ts';
import type { PlaceAnalysis } from '../../domain/drafts/place-analysis.ts';
import type { VerifiedDraft, VerifyDraft } from '../../domain/drafts/analysis-draft.ts';
import type { FoundPlace, PlaceQuotes } from '../../domain/records/highlights/place.ts';
import type { Goal } from '../../domain/records/goal.ts';
import { interrupted } from '../../errors.ts';
import type { Analyst } from '../../models/analysis/analyst.ts';
import type { MatchedGoal, QuotedTask, Surroundings } from '../../models/analysis/extractive/index.ts';
import { WorkerPool } from '../../workers/worker-pool.ts';
import type { SourceText, SplitText, TextRequest, TextResult } from './text-protocol.ts';
import { textWorker, type TextReaderSettings } from './text-reader.ts';

/**
 * Does the work that takes longer for longer texts outside the main thread: a long book takes seconds. Every method
 * fails with a ProcessingError: `extraction_timeout`, `too_large`, `internal`, `interrupted`. Aborting rejects with the
 * signal's reason. Accounts take turns.
 */
export interface TextWorkerPool {
  split(source: SourceText, signal: AbortSignal, accountId: string): Promise<SplitText>;
  /** The analyst that needs no model. */
  readonly analyst: Analyst;
  readonly place: PlaceAnalysis;
  readonly verify: VerifyDraft;
  readonly matchGoals: MatchGoals;
  readonly findTasks: FindTasks;
  readonly placeQuotes: PlaceQuotes;
  close(): Promise<void>;
}

/** Finds for each place the goal that it serves. */
export type MatchGoals = (
  goals: readonly Goal[],
  places: readonly Surroundings[],
  signal: AbortSignal,
  accountId?: string,
) => Promise<MatchedGoal[]>;

/**
 * Finds the tasks in notes on an item.
 * @param language of the item's text
 * @param writtenOn the day from which a note sees the days that it names, `2026-03-31`
 */
export type FindTasks = (
  notes: readonly string[],
  language: string | null,
  writtenOn: string,
  signal: AbortSignal,
  accountId?: string,
) => Promise<QuotedTask[]>;

/**
 * A thread without work is ended soon, because it takes 30 to 40 MB and can be started again in 40 ms. Analysing the longest text that may be stored (20 million characters) takes 5 seconds of processor time.
 */
export const usualTextLimits = { idleMs: 5_000, maxProcessorMs: 30_000 };

/** When nothing is left to split, the thread that analyses starts, and the model. */
const splittingIdleMs = 1_000;
/** One thread of each kind for others than the account that keeps the rest busy. */
const reservedThreads = 1;
/** Texts of one account that are split at once. */
const maxSplitting = 2;
/**
 * A second thread for splitting is started when the first one has used so much processor time for one text. It takes some 30 MB. Pages do not
 * need it: reading a page takes many times as long as splitting it.
 */
const growMs = 500;

/** Whether nobody waits for the result. */
const isInBackground: Readonly<Record<TextRequest['kind'], boolean>> = {
  split: false,
  verify: false,
  analyse: true,
  place: true,
  matchGoals: true,
  findTasks: true,
  placeQuotes: false,
};

/** Threads start with the first text and end after a while without work. */
export function createTextWorkerPool(settings: TextReaderSettings): TextWorkerPool {
  const { idleMs } = settings;
  const open = (isBackground: boolean, threads: number) =>
    new WorkerPool(
      textWorker({ ...settings, idleMs: isBackground ? idleMs : Math.min(idleMs, splittingIdleMs) }, isBackground),
      {
        places: { total: threads + reservedThreads, reserved: reservedThreads },
        growMs,
        closing: interrupted,
      },
    );
  // An item is found once it is split, so no text that is analysed may hold up one that is split.
  const splitting = open(false, Math.min(maxSplitting, availableParallelism()));
  const analysing = open(true, 1);
  const ask = async <T extends TextResult>(
    request: TextRequest,
    signal: AbortSignal,
    accountId: string | undefined,
  ): Promise<T> => {
    const pool = isInBackground[request.kind] ? analysing : splitting;
    return (await pool.run(request, signal, accountId ?? '')) as T;
  };
  return {
    split: ({ transcript, contentType, language }, signal, accountId) =>
      ask<SplitText>({ kind: 'split', source: { transcript, contentType, language } }, signal, accountId),
    analyst: {
      by: 'extractive',
      model: null,
      analyse: (input, goals, signal, accountId) => ask<Analysis>({ kind: 'analyse', input, goals }, signal, accountId),
    },
    place: (analysis, transcript, item, info, signal, accountId) =>
      ask<PlacedAnalysis>({ kind: 'place', analysis, transcript, item, info }, signal, accountId),
    verify: (draft, text, goals, signal, accountId) =>
      ask<VerifiedDraft>({ kind: 'verify', draft, text, goals }, signal, accountId),
    matchGoals: (goals, places, signal, accountId) =>
      ask<MatchedGoal[]>({ kind: 'matchGoals', goals, places }, signal, accountId),
    findTasks: (notes, language, writtenOn, signal, accountId) =>
      ask<QuotedTask[]>({ kind: 'findTasks', notes, language, writtenOn }, signal, accountId),
    placeQuotes: (quotes, transcript, item, signal, accountId) =>
      ask<(FoundPlace | null)[]>({ kind: 'placeQuotes', quotes, transcript, item }, signal, accountId),
    close: async () => void (await Promise.all([splitting.close(), analysing.close()])),
  };
}
