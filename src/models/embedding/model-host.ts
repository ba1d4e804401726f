import type { ChildProcess } from 'node:child_process';
import { isMachineLimit } from '../../domain/machine-limits.ts';
import { interrupted, machineLimit, ProcessingError } from '../../errors.ts';
import type { Log } from '../../workers/log.ts';
import { Supervisor } from '../../workers/supervisor.ts';
import type { Run, Task, WorkerUse } from '../../workers/worker-use.ts';
import { EmbeddingQueue, type EmbeddingCall, type Text, type TextsAtOnce, type TextVector } from './embedding-queue.ts';

export interface ModelHostOptions {
  /** The model is unloaded after this many milliseconds without a text. */
  idleMs: number;
  log: Log;
  /** Starts the process that takes `ToWorker` and answers with `TextVector`. */
  startWorker: () => ChildProcess;
  /** Number of texts that the process takes at once; one by default. */
  textsAtOnce?: TextsAtOnce;
}

/** Time limit for one text, which takes a tenth of a second on an ordinary machine. */
const textLimitMs = 30_000;
/** Time limit for the first text after a start, including loading. */
const firstTextLimitMs = 60_000;
/**
 * After this many workers in a row ended without an answer, calls are refused for `refusalMs`, because starting a
 * worker is expensive.
 */
const startsWithoutAnswer = 3;
const refusalMs = 60_000;

/** A job of the process is all texts from when it is free until it is free again. Jobs are all alike and have no result. */
const nextTexts: Task<null, null> = { job: null, accountId: '', resolve: () => undefined, reject: () => undefined };

/**
 * Manages at most one process with the model, and the calls that wait for it. It keeps this process alive only while a
 * call waits.
 */
export class ModelHost {
  readonly #use: WorkerUse<null, null, TextVector>;
  readonly #log: Log;
  readonly #queue: EmbeddingQueue;
  #process: Supervisor<null, null, TextVector> | null = null;
  /** While the process works on texts. */
  #run: Run<null> | null = null;
  /** True if it was given texts before, or was started without one. */
  #hasServed = false;
  /** True if the process has answered at least one text. */
  #hasAnswered = false;
  /**
   * Number of processes in a row that ended without an answer. A refusal does not reset it: after the refusal, one more
   * such process starts the next one.
   */
  #fruitless = 0;
  /** Timer, set while calls are refused. */
  #refusal: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ idleMs, log, startWorker, textsAtOnce = { passages: 1, isQueryBeside: false } }: ModelHostOptions) {
    this.#queue = new EmbeddingQueue(textsAtOnce);
    this.#log = log;
    this.#use = {
      start: startWorker,
      startMs: firstTextLimitMs,
      idleMs,
      open: (_task, run) => ({
        begin: () => {
          this.#run = run;
          // The time limit of a text for which the process was started includes loading, so it already runs.
          if (this.#hasServed) run.limits.limitClock(textLimitMs);
          this.#hasServed = true;
          this.#give(run);
        },
        receive: ({ id, vector }) => {
          this.#hasAnswered = true;
          this.#fruitless = 0;
          run.limits.limitClock(textLimitMs);
          this.#queue.answer(id, vector);
          this.#give(run);
        },
        failure: () => undefined,
      }),
    };
  }

  async ask(
    texts: readonly Text[],
    kind: EmbeddingCall['kind'],
    signal: AbortSignal,
    accountId = '',
  ): Promise<Float32Array[]> {
    signal.throwIfAborted();
    if (this.#isClosed) throw interrupted();
    if (texts.length === 0) return [];
    if (this.#refusal !== undefined) throw cannotRun();
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array[]>();
    const call = this.#queue.add({ kind, accountId, texts, resolve, reject });
    const drop = (): void => {
      this.#queue.remove(call);
      reject(signal.reason as Error);
      if (this.#queue.isEmpty) this.#process?.setNeeded(false);
    };
    signal.addEventListener('abort', drop, { once: true });
    this.#feed();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', drop);
    }
  }

  /** Starts the process before there is a text for it. It ends like an idle one if none comes. */
  load(): void {
    if (this.#isClosed || this.#refusal !== undefined || this.#process !== null) return;
    try {
      this.#process = this.#start();
    } catch (error) {
      // The first text tries again, and says why when that fails, too.
      this.#log.debug({ err: error }, 'the sentence model could not be started ahead of time');
      return;
    }
    this.#hasServed = true;
    this.#process.setNeeded(false);
  }

  /** Ends the process unless it has texts to work on. */
  unload(): void {
    if (this.#process?.isIdle === true && this.#queue.isEmpty) void this.#process.end();
  }

  /** True if a text would wait until a process has loaded. */
  get isLoading(): boolean {
    return this.#process?.isReady !== true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#queue.fail(interrupted());
    clearTimeout(this.#refusal);
    // Kill it without waiting: the system takes 8 ms to reclaim its memory.
    void this.#process?.end();
  }

  /** Gives the process the texts that are next. Its job is over when it has none. */
  #give(run: Run<null>): void {
    for (let text = this.#queue.next(); text !== undefined; text = this.#queue.next()) run.send(text);
    if (this.#queue.isAsking) return;
    this.#run = null;
    run.resolve(null);
  }

  /** Gives the process its next texts; starts a process if there is none. */
  #feed(): void {
    if (this.#queue.isEmpty) return;
    try {
      this.#process ??= this.#start();
    } catch (error) {
      // The system could not start a process. It usually reports this later, in an event.
      this.#queue.fail(isMachineLimit(error) ? machineLimit(error) : cannotRun(error));
      return;
    }
    if (this.#process.isIdle) this.#process.run(nextTexts);
    else {
      this.#process.setNeeded(true);
      if (this.#run !== null) this.#give(this.#run);
    }
  }

  #start(): Supervisor<null, null, TextVector> {
    this.#hasServed = false;
    this.#run = null;
    this.#hasAnswered = false;
    return new Supervisor(this.#use, {
      idle: () => this.#feed(),
      ending: (failure) => {
        this.#process = null;
        this.#run = null;
        if (failure !== null) this.#failed(failure.cause);
      },
    });
  }

  /**
   * Handles a process that ended or had to be killed. The calls whose texts it was processing fail, because one of these
   * may be the cause; other calls go to a new process. If the process ended while loading, all calls fail, because the next
   * one would not do better.
   */
  #failed(cause: Error): void {
    this.#log.warn({ err: cause }, 'the sentence model ended unexpectedly');
    if (!this.#hasAnswered) this.#fruitless += 1;
    if (this.#fruitless >= startsWithoutAnswer) return this.#refuse(cause);
    const message =
      'The sentence model stopped while it worked on this. It starts again with the next attempt; words are searchable meanwhile.';
    const failure = isMachineLimit(cause)
      ? machineLimit(cause)
      : new ProcessingError('embedding_failed', message, { retryable: true, cause });
    if (this.#queue.isAsking) this.#queue.failAsked(failure);
    else this.#queue.fail(failure);
    this.#feed();
  }

  /** Rejects all waiting calls, and new ones for the next minute; then one start is tried again. */
  #refuse(cause: unknown): void {
    this.#log.warn({ forSeconds: refusalMs / 1_000 }, 'the sentence model cannot run; it is not started for a while');
    this.#refusal = setTimeout(() => (this.#refusal = undefined), refusalMs).unref();
    this.#queue.fail(isMachineLimit(cause) ? machineLimit(cause) : cannotRun(cause));
  }
}

function cannotRun(cause?: unknown): ProcessingError {
  const message =
    'The sentence model cannot run on this machine: it stopped several times before it could answer. What you save is ' +
    'found by its words; set `embedder` to `none` (`--embedder none`) to turn the model off.';
  return new ProcessingError('embedding_failed', message, { retryable: false, cause });
}
