import { availableParallelism } from 'node:os';
import { interrupted } from '../../errors.ts';
import { WorkerPool } from '../../workers/worker-pool.ts';
import type { TextCalls, TextKind, TextRequest } from './text-protocol.ts';
import { textWorker, type TextReaderSettings } from './text-reader.ts';

type OnThread<Kind extends TextKind> = (
  ...parts: [...Parameters<TextCalls[Kind]>, signal: AbortSignal, accountId?: string]
) => Promise<ReturnType<TextCalls[Kind]>>;
export type MatchGoals = OnThread<'matchGoals'>;
export type FindTasks = OnThread<'findTasks'>;

/** A thread takes 30 to 40 MB and starts in 40 ms. The longest text that is stored takes 5 s of processor time. */
export const usualTextLimits = { idleMs: 5_000, maxProcessorMs: 30_000 };

/** When nothing is left to split, the thread that analyses starts, and the model. */
const splittingIdleMs = 1_000;
/** One thread of each kind for others than the account that keeps the rest busy. */
const reservedThreads = 1;
/** Texts of one account that are split at once. */
const maxSplitting = 2;
/** Processor time for one text after which a second thread, of some 30 MB, is started for splitting. Pages do not need it. */
const growMs = 500;

/** Whether no caller waits for the result. */
const isInBackground: Readonly<Record<TextKind, boolean>> = {
  split: false,
  verify: false,
  analyse: true,
  place: true,
  matchGoals: true,
  findTasks: true,
  placeQuotes: false,
};

export type TextWorkerPool = ReturnType<typeof createTextWorkerPool>;

/**
 * Does the work that takes longer for longer texts outside the main thread: a long book takes seconds. Every method
 * fails with a ProcessingError: `extraction_timeout`, `too_large`, `internal`, `interrupted`. Aborting rejects with the
 * signal's reason. Accounts take turns. Threads start with the first text and end after a while without work.
 */
export function createTextWorkerPool(settings: TextReaderSettings) {
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
  const onThread =
    <Kind extends TextKind>(kind: Kind): OnThread<Kind> =>
    async (...parts) => {
      // The signal comes after the call's own parts.
      const at = parts.findIndex((part) => part instanceof AbortSignal);
      if (at === -1) throw new TypeError('a call without a signal');
      const [signal, accountId = ''] = parts.slice(at) as [AbortSignal, string?];
      const request = { kind, args: parts.slice(0, at) } as TextRequest;
      const pool = isInBackground[kind] ? analysing : splitting;
      return (await pool.run(request, signal, accountId)) as ReturnType<TextCalls[Kind]>;
    };
  const split = onThread('split');
  return {
    // Documents have further fields, which need not be copied to the thread.
    split: (({ transcript, contentType, language }, ...rest) =>
      split({ transcript, contentType, language }, ...rest)) as typeof split,
    /** The analyst that needs no model. */
    analyst: { by: 'extractive' as const, model: null, analyse: onThread('analyse') },
    place: onThread('place'),
    verify: onThread('verify'),
    matchGoals: onThread('matchGoals'),
    findTasks: onThread('findTasks'),
    placeQuotes: onThread('placeQuotes'),
    close: async () => void (await Promise.all([splitting.close(), analysing.close()])),
  };
}
