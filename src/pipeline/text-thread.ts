import { Worker } from 'node:worker_threads';
import type { Analysis, PlaceAnalysis, PlacedAnalysis } from '../domain/analysis.ts';
import type { VerifiedDraft, VerifyDraft } from '../domain/analysis-draft.ts';
import type { Goal } from '../domain/goal.ts';
import { ProcessingError } from '../errors.ts';
import type { Analyst } from '../models/analyst.ts';
import type { PlacedSentence } from '../models/embedder.ts';
import type { Surroundings } from '../models/extractive-goals.ts';
import type { ReadSentences } from '../models/extractive-reader.ts';
import type {
  MatchedGoal,
  SentenceScores,
  SourceText,
  SplitText,
  TextMessage,
  TextRequest,
  TextResult,
} from './text-protocol.ts';

/**
 * Does away from the thread that speaks protocols whatever takes longer the longer a saved text is: a long book takes seconds. All of it fails
 * with a ProcessingError: `extraction_timeout`, `internal`, `interrupted`. Aborting rejects with the signal's reason.
 */
export interface TextThread {
  split(source: SourceText, signal: AbortSignal): Promise<SplitText>;
  /** The analyst that needs no model. */
  readonly analyst: Analyst;
  readonly place: PlaceAnalysis;
  readonly verify: VerifyDraft;
  readonly matchGoals: MatchGoals;
  close(): Promise<void>;
}

/** Says of each place which of the goals it serves. */
export type MatchGoals = (
  goals: readonly Goal[],
  places: readonly Surroundings[],
  signal: AbortSignal,
) => Promise<MatchedGoal[]>;

interface Call {
  request: TextRequest;
  resolve(result: never): void;
  reject(reason: unknown): void;
}

/** For one text, from when the thread begins it; and for the thread to load, which takes a second at most. */
const timeLimitMs = 60_000;
/** Of the thread's heap. Without it, a text that is too much for the thread is too much for the process. */
const heapMegabytes = 512;

function startTextWorker(): Worker {
  // The same file runs from the sources and, compiled, from dist.
  const file = import.meta.url.endsWith('.ts') ? './text-thread-worker.ts' : './text-thread-worker.js';
  return new Worker(new URL(file, import.meta.url), {
    // What libraries print must not reach our stdout, which belongs to the protocol. The thread drops it; reading it here
    // would hold the process for as long as the thread lives, `unref` or not.
    stdout: true,
    stderr: true,
    // Flags of the host, such as a loader of its tests, are not the worker's.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
}

/**
 * One thread, started with the first text and ended after `idleMs` without one.
 * @param read reads sentences with a model, which runs elsewhere; null where there is none
 * @param startWorker starts a thread that takes `TextRequest` and posts `TextMessage`
 */
export function createTextThread(
  idleMs: number,
  read: ReadSentences | null,
  startWorker: () => Worker = startTextWorker,
): TextThread {
  const host = new ThreadHost(idleMs, read, startWorker);
  return {
    split: ({ transcript, contentType }, signal) =>
      host.ask<SplitText>({ kind: 'split', source: { transcript, contentType } }, signal),
    analyst: {
      by: 'extractive',
      model: null,
      analyse: (input, goals, signal) => host.ask<Analysis>({ kind: 'analyse', input, goals }, signal),
    },
    place: (analysis, transcript, item, info, signal) =>
      host.ask<PlacedAnalysis>({ kind: 'place', analysis, transcript, item, info }, signal),
    verify: (draft, text, goals, signal) => host.ask<VerifiedDraft>({ kind: 'verify', draft, text, goals }, signal),
    matchGoals: (goals, places, signal) => host.ask<MatchedGoal[]>({ kind: 'matchGoals', goals, places }, signal),
    close: () => host.close(),
  };
}

/**
 * One worker thread at most, the call that it has in hand and those that wait for it. What runs in the thread cannot be
 * interrupted, so a call that is aborted, takes too long or breaks the thread costs the thread; the calls that wait are
 * none the worse, a new thread takes them. It holds the process only while it works.
 */
class ThreadHost {
  readonly #idleMs: number;
  readonly #read: ReadSentences | null;
  readonly #startWorker: () => Worker;
  readonly #waiting: Call[] = [];
  #inHand: Call | null = null;
  #worker: Worker | null = null;
  #ready = false;
  /** Of the call in hand, or of the idle thread. */
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(idleMs: number, read: ReadSentences | null, startWorker: () => Worker) {
    this.#idleMs = idleMs;
    this.#read = read;
    this.#startWorker = startWorker;
  }

  async ask<T extends TextResult>(request: TextRequest, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.#closed) throw closing();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const call: Call = { request, resolve, reject };
    const drop = (): void => {
      if (call === this.#inHand) return void this.#end(signal.reason);
      const at = this.#waiting.indexOf(call);
      if (at !== -1) this.#waiting.splice(at, 1);
      reject(signal.reason as Error);
    };
    this.#waiting.push(call);
    signal.addEventListener('abort', drop, { once: true });
    this.#next();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', drop);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const call of this.#waiting.splice(0)) call.reject(closing());
    await this.#end(closing());
  }

  #next(): void {
    if (this.#inHand !== null) return;
    this.#inHand = this.#waiting.shift() ?? null;
    if (this.#inHand === null) return this.#rest();
    this.#worker ??= this.#start();
    this.#worker.ref();
    if (this.#ready) this.#send();
    else this.#limit(() => broken('the thread did not load in time'));
  }

  #send(): void {
    if (this.#inHand === null) return;
    this.#limit(tookTooLong);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    this.#worker?.postMessage(this.#inHand.request);
  }

  #start(): Worker {
    const worker = this.#startWorker();
    const lost = (cause: unknown): void => {
      if (worker === this.#worker) void this.#end(broken(cause));
    };
    worker.on('error', lost);
    worker.on('exit', (code) => lost(new Error(`the thread ended with ${code}`)));
    worker.on('message', (message: TextMessage) => {
      if (worker === this.#worker) this.#receive(message, worker);
    });
    return worker;
  }

  /** The model may be busy with a book: the time that it takes is none of the text's. It has limits of its own. */
  async #readFor(worker: Worker, sentences: readonly PlacedSentence[]): Promise<void> {
    clearTimeout(this.#timer);
    const scores = (await this.#read?.(sentences)) ?? null;
    if (worker !== this.#worker) return;
    this.#limit(tookTooLong);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    worker.postMessage({ kind: 'scores', scores } satisfies SentenceScores);
  }

  #receive(message: TextMessage, worker: Worker): void {
    if (message.kind === 'sentences') {
      void this.#readFor(worker, message.sentences).catch((cause: unknown) => {
        // The text fails, and not the program.
        if (worker === this.#worker) void this.#end(broken(cause));
      });
      return;
    }
    if (message.kind === 'ready') {
      this.#ready = true;
      return this.#send();
    }
    const call = this.#finish();
    if (message.kind === 'result') call?.resolve(message.result as never);
    else call?.reject(broken(message.reason));
    this.#next();
  }

  #finish(): Call | null {
    const call = this.#inHand;
    this.#inHand = null;
    clearTimeout(this.#timer);
    return call;
  }

  /** Ends the thread; the call in hand fails with `reason`, and a new thread takes those that wait. */
  async #end(reason: unknown): Promise<void> {
    this.#finish()?.reject(reason);
    const ended = this.#worker;
    this.#worker = null;
    this.#ready = false;
    this.#next();
    await ended?.terminate();
  }

  #limit(reason: () => ProcessingError): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#end(reason()), timeLimitMs);
  }

  #rest(): void {
    if (this.#worker === null) return;
    this.#worker.unref();
    this.#timer = setTimeout(() => void this.#end(undefined), this.#idleMs).unref();
  }
}

function tookTooLong(): ProcessingError {
  return new ProcessingError(
    'extraction_timeout',
    `This text took longer than ${timeLimitMs / 1_000} seconds to split or to analyse and was given up. ` +
      'Save the part of it that matters to you as a file, and save that file from the command line.',
  );
}

function broken(cause: unknown): ProcessingError {
  return new ProcessingError(
    'internal',
    'Something went wrong inside Commonplace while this text was split or analysed. `commonplace retry` tries again; ' +
      'if it keeps failing, the text may be too large: save it in parts.',
    { retryable: true, cause },
  );
}

function closing(): ProcessingError {
  const message = 'The program is closing. What was saved goes on at the next start.';
  return new ProcessingError('interrupted', message, { retryable: true });
}
