import type { Worker } from 'node:worker_threads';
import { ProcessingError } from '../../errors.ts';
import type { CompareTitles } from '../../domain/drafts/analysis-draft.ts';
import type { TitleComparison } from '../../domain/drafts/grounding/index.ts';
import { isMemorySmall } from '../../workers/memory.ts';
import { startThread, workerFile } from '../../workers/start.ts';
import type { WorkerUse } from '../../workers/worker-use.ts';
import type { TextMessage, TextRequest, TextResult, TextWorkerData, TitleLikeness } from './text-protocol.ts';

export interface TextReaderSettings {
  /** A thread without work is ended after this time. */
  idleMs: number;
  /** Limit of processor time for one text. */
  maxProcessorMs: number;
  /** Compares titles with sentences with a model that runs outside the thread; null when there is no model. */
  compare: CompareTitles | null;
  /** @param isBackground whether no caller waits for the result */
  startWorker: (isBackground: boolean) => Worker;
}

/** Limit for loading the thread. Loading takes a second at most, and many times that on a busy machine. */
const maxLoadMs = 60_000;
/** Limit of the thread's heap. Without it, a text that is too large for the thread would exhaust the whole process. */
const maxHeapMegabytes = 320;
/** A thread with a larger heap is ended after its text. After an article, the heap is about 50 MB. */
const maxRestingHeapBytes = 72 * 1024 ** 2;

export function startTextWorker(isBackground: boolean): Worker {
  const limits = {
    maxOldGenerationSizeMb: maxHeapMegabytes,
    maxYoungGenerationSizeMb: isMemorySmall() ? 4 : 8,
  };
  return startThread(workerFile('./text-worker', import.meta.url), limits, { isBackground } satisfies TextWorkerData);
}

/** A worker thread that splits or analyses texts, one at a time. */
export function textWorker(
  settings: TextReaderSettings,
  isBackground: boolean,
): WorkerUse<TextRequest, TextResult, TextMessage> {
  const { idleMs, maxProcessorMs, compare, startWorker } = settings;
  return {
    start: () => startWorker(isBackground),
    startMs: maxLoadMs,
    idleMs,
    open({ job, accountId }, run) {
      const limit = (): void => {
        run.limits.stopTime();
        run.limits.limitProcessor(() => maxProcessorMs);
      };
      /** The model's time does not count for the text: it may be busy with a book, and has its own limits. */
      const answer = async (reading: Promise<TitleLikeness>): Promise<void> => {
        run.limits.stopTime();
        const read = await reading;
        if (!run.isActive) return;
        limit();
        run.send(read);
      };
      const liken = async (titles: readonly TitleComparison[]): Promise<TitleLikeness> => ({
        kind: 'likeness',
        likeness: (await compare?.(titles, accountId)) ?? null,
      });
      return {
        begin() {
          limit();
          run.send(job);
        },
        receive(message) {
          switch (message.kind) {
            case 'titles':
              // Let the text fail, not the program.
              answer(liken(message.titles)).catch((cause: unknown) => run.end(broken(cause)));
              return;
            case 'result':
              // A grown heap does not shrink by itself, and the memory is needed elsewhere.
              return run.resolve(message.result, message.heapBytes > maxRestingHeapBytes);
            case 'tooLong':
              return run.reject(tooLong(message.reason));
            case 'broken':
              return run.reject(broken(message.reason));
          }
        },
        failure({ kind, cause, wasReady }) {
          if (kind === 'memory') return tooLarge(cause);
          return kind === 'time' && wasReady ? tookTooLong(maxProcessorMs) : broken(cause);
        },
      };
    },
  };
}

function tookTooLong(maxProcessorMs: number): ProcessingError {
  return new ProcessingError(
    'extraction_timeout',
    `This text took longer than ${maxProcessorMs / 1_000} seconds to split or to analyse and was given up. ` +
      'Save the part of it that matters to you as a file, and save that file from the command line.',
  );
}

function tooLarge(cause: unknown): ProcessingError {
  return new ProcessingError(
    'too_large',
    `Splitting or analysing this text took more than ${maxHeapMegabytes} MB of memory, so it was given up. ` +
      'Save the part of it that matters to you as a file, and save that file from the command line.',
    { cause },
  );
}

function tooLong(cause: unknown): ProcessingError {
  return new ProcessingError(
    'too_large',
    'This text has a word or a line of millions of characters, which cannot be split. ' +
      'Save the part of it that matters to you as a file, and save that file from the command line.',
    { cause },
  );
}

function broken(cause: unknown): ProcessingError {
  return new ProcessingError(
    'internal',
    'Something went wrong inside Commonplace while this text was split or analysed. ' +
      'Try again; if it keeps failing, the log says more, and you can save parts of the text instead.',
    { retryable: true, cause },
  );
}
