import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { isMachineLimit } from '../../../domain/machine-limits.ts';
import { machineLimit, ProcessingError } from '../../../errors.ts';
import type { Log } from '../../../log.ts';
import type { Embedder, PlacedSentence } from '../embedder.ts';
import { EmbeddingQueue, type EmbeddingCall } from '../embedding-queue.ts';
import { readMiniLmFiles, type ModelFiles } from './files.ts';
import type { FromWorker, ToWorker } from './messages.ts';

export interface MiniLmOptions {
  /** The model is unloaded after this many milliseconds without a text. */
  idleMs: number;
  log: Log;
  /** A model to use in place of the one in the package. */
  files?: ModelFiles;
  /** Starts the process that speaks `messages.ts`. */
  startWorker?: () => ChildProcess;
}

/** This embedder refuses no text, so no vector is null. */
export interface MiniLm extends Embedder {
  embedPassages(texts: readonly string[], signal: AbortSignal, accountId?: string): Promise<Float32Array[]>;
  judgeInstructions(sentences: readonly PlacedSentence[], signal: AbortSignal, accountId?: string): Promise<number[]>;
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

/**
 * Runs all-MiniLM-L6-v2 from the package, or an installed model of its kind, in its own process. The model is loaded
 * with the first text and unloaded when idle. Texts are truncated to the model's limit (256 tokens). Before the first
 * call, only a small manifest is read, and no process is started.
 */
export function createMiniLm(options: MiniLmOptions): MiniLm {
  const files = options.files ?? readMiniLmFiles();
  const { id, dimensions, languages, unrelatedCosine, queryPrefix, passagePrefix } = files;
  const worker = new ModelWorker({ startWorker: () => startModelWorker(files.folder), ...options });
  return {
    id,
    dimensions,
    languages,
    unrelatedCosine,
    embedPassages: (texts, signal, accountId) =>
      worker.ask(
        texts.map((text) => ({ text: passagePrefix + text })),
        'passages',
        signal,
        accountId,
      ),
    async embedQuery(text, signal, accountId) {
      const [vector] = await worker.ask([{ text: queryPrefix + text }], 'query', signal, accountId);
      if (vector === undefined) throw new Error('one text gives one vector');
      return vector;
    },
    async judgeInstructions(sentences, signal, accountId) {
      const answers = await worker.ask(sentences, 'passages', signal, accountId);
      return answers.map(([odds]) => {
        if (odds === undefined) throw new Error('the layers that judge instructions cannot be loaded');
        return odds;
      });
    },
    close: () => worker.close(),
  };
}

/**
 * Starts a process and not a thread: a crash in WASM would also end the server, a thread leaves 17 MB behind when it
 * ends, and the engine flag set for the model (`useWideInstructions`) would also affect the server's WASM. A thread is
 * no faster.
 */
function startModelWorker(folder: string): ChildProcess {
  // This module runs as a source file and, compiled, from `dist`.
  const file = import.meta.url.endsWith('.ts') ? './minilm-worker.ts' : './minilm-worker.js';
  return fork(new URL(file, import.meta.url), [folder], {
    // One V8 worker thread is enough to compile the kernel.
    execArgv: ['--v8-pool-size=1'],
    serialization: 'advanced',
    // Output of the engine must not reach our stdout, which belongs to the protocol.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/**
 * Manages at most one worker process, and the calls that wait for it. It keeps this process alive only while a call
 * waits.
 */
class ModelWorker {
  readonly #idleMs: number;
  readonly #log: Log;
  readonly #startWorker: () => ChildProcess;
  readonly #queue = new EmbeddingQueue();
  #worker: ChildProcess | null = null;
  /** State of `#worker`. It is busy while it has a text, even if the caller has left. */
  #state: 'loading' | 'free' | 'busy' = 'loading';
  /** Timer after which the worker is killed: it may hang without ending. */
  #deadline: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  /**
   * Number of workers in a row that ended without an answer. A refusal does not reset it: after the refusal, one more
   * such worker starts the next one.
   */
  #fruitless = 0;
  /** Whether `#worker` has answered at least one text. */
  #answered = false;
  /** Timer, set while calls are refused. */
  #refusal: NodeJS.Timeout | undefined;
  #closed = false;

  constructor({ idleMs, log, startWorker }: Required<Pick<MiniLmOptions, 'idleMs' | 'log' | 'startWorker'>>) {
    this.#idleMs = idleMs;
    this.#log = log;
    this.#startWorker = startWorker;
  }

  async ask(
    texts: readonly ToWorker[],
    kind: EmbeddingCall['kind'],
    signal: AbortSignal,
    accountId = '',
  ): Promise<Float32Array[]> {
    signal.throwIfAborted();
    if (this.#closed) throw closing();
    if (texts.length === 0) return [];
    if (this.#refusal !== undefined) throw cannotRun();
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array[]>();
    const call = this.#queue.add({ kind, accountId, texts, resolve, reject });
    const drop = (): void => {
      this.#queue.remove(call);
      reject(signal.reason as Error);
      this.#rest();
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
    this.#closed = true;
    this.#queue.fail(closing());
    clearTimeout(this.#refusal);
    await this.#release();
  }

  /** Sends the worker its next text; starts a worker if there is none. */
  #feed(): void {
    clearTimeout(this.#idle);
    let worker: ChildProcess;
    try {
      worker = this.#worker ??= this.#start();
    } catch (error) {
      // The system could not start a process. It usually reports this later, in an event.
      this.#queue.fail(isMachineLimit(error) ? machineLimit(error) : cannotRun(error));
      return;
    }
    worker.ref();
    worker.channel?.ref();
    if (this.#state !== 'free') return;
    const text = this.#queue.next();
    if (text === undefined) {
      this.#disarm();
      return this.#rest();
    }
    this.#state = 'busy';
    if (this.#deadline === undefined) this.#arm(worker, textLimitMs);
    worker.send(text);
  }

  /** When no calls are left: lets this process exit, and unloads the model after the idle time. */
  #rest(): void {
    if (!this.#queue.isEmpty || this.#worker === null) return;
    this.#worker.unref();
    this.#worker.channel?.unref();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#release(), this.#idleMs).unref();
  }

  #start(): ChildProcess {
    const worker = this.#startWorker();
    this.#state = 'loading';
    this.#answered = false;
    this.#arm(worker, firstTextLimitMs);
    worker.on('error', (error) => this.#ended(worker, error));
    worker.on('exit', (code, signal) => this.#ended(worker, new Error(`the process ended with ${signal ?? code}`)));
    worker.on('message', (message: FromWorker) => {
      if (worker !== this.#worker) return;
      if (message.kind === 'failed') return this.#ended(worker, new Error(message.reason));
      if (message.kind === 'vector') {
        this.#disarm();
        this.#answered = true;
        this.#fruitless = 0;
        this.#queue.answer(message.vector);
      }
      this.#state = 'free';
      this.#feed();
    });
    return worker;
  }

  #arm(worker: ChildProcess, limitMs: number): void {
    clearTimeout(this.#deadline);
    const late = (): void => this.#ended(worker, new Error(`no answer within ${limitMs / 1_000} seconds`));
    this.#deadline = setTimeout(late, limitMs).unref();
  }

  #disarm(): void {
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
  }

  /**
   * Handles a worker that ended or had to be killed. The call whose text it was processing fails, because that text may
   * be the cause; other calls go to a new worker. If the worker ended while loading, all calls fail, because the next
   * worker would not do better.
   */
  #ended(worker: ChildProcess, cause: unknown): void {
    if (worker !== this.#worker) return;
    const isTextToBlame = this.#state === 'busy';
    this.#worker = null;
    this.#disarm();
    clearTimeout(this.#idle);
    worker.kill('SIGKILL');
    this.#log.warn({ err: cause }, 'the sentence model ended unexpectedly');
    if (!this.#answered) this.#fruitless += 1;
    if (this.#fruitless >= startsWithoutAnswer) return this.#refuse(cause);
    const message =
      'The sentence model stopped while it worked on this. It starts anew with the next attempt; words are searchable meanwhile.';
    const failure = isMachineLimit(cause)
      ? machineLimit(cause)
      : new ProcessingError('embedding_failed', message, { retryable: true, cause });
    if (isTextToBlame) this.#queue.failAsked(failure);
    else this.#queue.fail(failure);
    if (!this.#queue.isEmpty) this.#feed();
  }

  /** Rejects all waiting calls, and new ones for the next minute; then one start is tried again. */
  #refuse(cause: unknown): void {
    this.#log.warn({ forSeconds: refusalMs / 1_000 }, 'the sentence model cannot run; it is not started for a while');
    this.#refusal = setTimeout(() => (this.#refusal = undefined), refusalMs).unref();
    this.#queue.fail(isMachineLimit(cause) ? machineLimit(cause) : cannotRun(cause));
  }

  async #release(): Promise<void> {
    this.#disarm();
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = null;
    this.#queue.forgetAnswer();
    if (worker === null || worker.pid === undefined || worker.exitCode !== null || worker.signalCode !== null) return;
    worker.ref();
    const exited = once(worker, 'exit');
    worker.kill('SIGKILL');
    await exited;
  }
}

function cannotRun(cause?: unknown): ProcessingError {
  const message =
    'The sentence model cannot run on this machine: it ended again and again before it could answer. What you save is ' +
    'found by its words; set `embedder` to `none` (`--embedder none`) to turn the model off.';
  return new ProcessingError('embedding_failed', message, { retryable: false, cause });
}

function closing(): ProcessingError {
  const message = 'The program is closing. What was saved goes on at the next start.';
  return new ProcessingError('interrupted', message, { retryable: true });
}
