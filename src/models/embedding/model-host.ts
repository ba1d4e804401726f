import type { ChildProcess } from 'node:child_process';
import { isMachineLimit } from '../../domain/machine-limits.ts';
import { interrupted, machineLimit, ProcessingError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { Supervisor } from '../../workers/supervisor.ts';
import type { Task, WorkerUse } from '../../workers/worker-use.ts';
import { EmbeddingQueue, type EmbeddingCall } from './embedding-queue.ts';
import type { TextVector, ToWorker } from './minilm/messages.ts';

export interface ModelHostOptions {
  /** The model is unloaded after this many milliseconds without a text. */
  idleMs: number;
  log: Log;
  /** Starts the process that speaks `messages.ts`. */
  startWorker: () => ChildProcess;
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

/** The process takes any text that is next when it is free, so its jobs are all alike and have no result. */
const nextText: Task<null, null> = { job: null, accountId: '', resolve: () => undefined, reject: () => undefined };

/**
 * Manages at most one process with the model, and the calls that wait for it. It keeps this process alive only while a
 * call waits.
 */
export class ModelHost {
  readonly #use: WorkerUse<null, null, TextVector>;
  readonly #log: Log;
  readonly #queue = new EmbeddingQueue();
  #process: Supervisor<null, null, TextVector> | null = null;
  /** Whether the process has loaded, and whether it is busy with a text, even if the caller has left. */
  #hasLoaded = false;
  #isBusy = false;
  /** Whether the process has answered at least one text. */
  #hasAnswered = false;
  /**
   * Number of processes in a row that ended without an answer. A refusal does not reset it: after the refusal, one more
   * such process starts the next one.
   */
  #fruitless = 0;
  /** Timer, set while calls are refused. */
  #refusal: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ idleMs, log, startWorker }: ModelHostOptions) {
    this.#log = log;
    this.#use = {
      start: startWorker,
      startMs: firstTextLimitMs,
      idleMs,
      open: (_task, run) => ({
        begin: () => {
          const text = this.#queue.next();
          // The time limit of the first text includes loading, so it already runs.
          if (this.#hasLoaded) run.limits.limitClock(textLimitMs);
          this.#hasLoaded = true;
          if (text === undefined) return run.resolve(null);
          this.#isBusy = true;
          run.send(text);
        },
        receive: ({ vector }) => {
          this.#isBusy = false;
          this.#hasAnswered = true;
          this.#fruitless = 0;
          this.#queue.answer(vector);
          run.resolve(null);
        },
        failure: () => undefined,
      }),
    };
  }

  async ask(
    texts: readonly ToWorker[],
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

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#queue.fail(interrupted());
    clearTimeout(this.#refusal);
    await this.#process?.end();
  }

  /** Gives the process its next text; starts a process if there is none. */
  #feed(): void {
    if (this.#queue.isEmpty) return;
    try {
      this.#process ??= this.#start();
    } catch (error) {
      // The system could not start a process. It usually reports this later, in an event.
      this.#queue.fail(isMachineLimit(error) ? machineLimit(error) : cannotRun(error));
      return;
    }
    if (this.#process.isIdle) this.#process.run(nextText);
    else this.#process.setNeeded(true);
  }

  #start(): Supervisor<null, null, TextVector> {
    this.#hasLoaded = false;
    this.#isBusy = false;
    this.#hasAnswered = false;
    return new Supervisor(this.#use, {
      idle: () => this.#feed(),
      ending: (failure) => {
        this.#process = null;
        if (failure !== null) this.#failed(failure.cause);
      },
    });
  }

  /**
   * Handles a process that ended or had to be killed. The call whose text it was processing fails, because that text may
   * be the cause; other calls go to a new process. If the process ended while loading, all calls fail, because the next
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
    if (this.#isBusy) this.#queue.failAsked(failure);
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
