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
  /** The model leaves the memory after this long without a text, milliseconds. */
  idleMs: number;
  log: Log;
  /** Another model than the one in the package. */
  files?: ModelFiles;
  /** Starts the process that speaks `messages.ts`. */
  startWorker?: () => ChildProcess;
}

/** Refuses no text. */
export interface MiniLm extends Embedder {
  embedPassages(texts: readonly string[], signal: AbortSignal, accountId?: string): Promise<Float32Array[]>;
  judgeInstructions(sentences: readonly PlacedSentence[], signal: AbortSignal, accountId?: string): Promise<number[]>;
}

/** For one text, which takes a tenth of a second on an ordinary machine. */
const textLimitMs = 30_000;
/** For the first text after a start, loading included. */
const firstTextLimitMs = 60_000;
/** After so many workers in a row that ended without an answer, calls are refused for a while: starting is dear. */
const startsWithoutAnswer = 3;
const refusalMs = 60_000;

/**
 * all-MiniLM-L6-v2 from the package, or an installed model of its kind, in a process of its own: loaded with the first text, released
 * when idle. Texts are cut at what the model takes (256 tokens). Nothing is read or started before the first call but a small manifest.
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
 * A process and not a thread: what breaks in WASM would take the server with it, a thread that has ended leaves 17 MB behind, and what
 * is asked of the engine for the model's sake (`useWideInstructions`) would hold for the server's WASM, too. A thread is no faster.
 */
function startModelWorker(folder: string): ChildProcess {
  // The same file runs from the sources and, compiled, from dist.
  const file = import.meta.url.endsWith('.ts') ? './minilm-worker.ts' : './minilm-worker.js';
  return fork(new URL(file, import.meta.url), [folder], {
    // One thread beside the main one is enough to compile the kernel.
    execArgv: ['--v8-pool-size=1'],
    serialization: 'advanced',
    // What the engine prints must not reach our stdout, which belongs to the protocol.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** One worker process at most, and the calls that wait for it. It holds this process only while a call waits. */
class ModelWorker {
  readonly #idleMs: number;
  readonly #log: Log;
  readonly #startWorker: () => ChildProcess;
  readonly #queue = new EmbeddingQueue();
  #worker: ChildProcess | null = null;
  /** Of `#worker`; busy while it has a text, be it one that nobody waits for any more. */
  #state: 'loading' | 'free' | 'busy' = 'loading';
  /** When the worker is given up: it may hang without ending. */
  #deadline: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** Workers in a row that ended without an answer. A refusal leaves it: one more of them, and calls are refused again. */
  #fruitless = 0;
  /** Whether `#worker` has answered a text. */
  #answered = false;
  /** Set while calls are refused. */
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

  /** Gives the worker its next text, starting one if there is none. */
  #feed(): void {
    clearTimeout(this.#idle);
    let worker: ChildProcess;
    try {
      worker = this.#worker ??= this.#start();
    } catch (error) {
      // The system did not start a process; mostly it says so later, by an event.
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

  /** With nothing left to do: lets the process end, and the model go after a while. */
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
   * A worker that ended by itself, or that had to be ended, takes the call with it whose text it had: that text may be
   * the cause. The others go to a new worker. One that ended while it loaded takes all: the next would not fare better.
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

  /** Rejects all calls, those that wait and those of the next minute; then one start is tried again. */
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
