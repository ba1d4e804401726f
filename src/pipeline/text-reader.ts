import { Worker } from 'node:worker_threads';
import { ProcessingError } from '../errors.ts';
import type { PlacedSentence } from '../models/embedding/embedder.ts';
import type { ReadSentences } from '../models/analysis/extractive/reader.ts';
import { isMemorySmall } from '../sources/host/memory.ts';
import { watchProcessorTime } from '../sources/host/processor-budget.ts';
import type { Reader, ReaderEvents, PoolTask } from '../sources/host/reader-pool.ts';
import type { SentenceScores, TextMessage, TextRequest, TextResult } from './text-protocol.ts';

export interface TextReaderSettings {
  /** A thread without work is ended after this time. */
  idleMs: number;
  /** Of the processor, for one text. */
  maxProcessorMs: number;
  /** Reads sentences with a model, which runs elsewhere; null where there is none. */
  read: ReadSentences | null;
  startWorker: () => Worker;
}

type Task = PoolTask<TextRequest, TextResult>;

/** For the thread to load, which takes a second at most, and many times that on a busy machine. */
const maxLoadMs = 60_000;
/** Of the thread's heap. Without it, a text that is too much for the thread is too much for the process. */
const maxHeapMegabytes = 320;
/** After an article a thread has some 50 MB. */
const maxRestingHeapBytes = 72 * 1024 ** 2;

export function startTextWorker(): Worker {
  // The same file runs from the sources and, compiled, from dist.
  const file = import.meta.url.endsWith('.ts') ? './text-worker.ts' : './text-worker.js';
  return new Worker(new URL(file, import.meta.url), {
    // What libraries print must not reach our stdout, which belongs to the protocol. The thread drops it; reading it here
    // would hold the process for as long as the thread lives, `unref` or not.
    stdout: true,
    stderr: true,
    // Flags of the host, such as a loader of its tests, are not the worker's.
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: maxHeapMegabytes,
      maxYoungGenerationSizeMb: isMemorySmall() ? 4 : 16,
    },
  });
}

/**
 * One worker thread and the text that it has in hand. What runs in the thread cannot be interrupted, so a text whose job is
 * aborted, that takes too long or that breaks the thread costs the thread. It holds the process only while it works.
 */
export class TextReader implements Reader<TextRequest, TextResult> {
  readonly #settings: TextReaderSettings;
  readonly #events: ReaderEvents;
  readonly #worker: Worker;
  #task: Task | null = null;
  #ready = false;
  #ended = false;
  #timer: NodeJS.Timeout | undefined;
  #stopWatch: (() => void) | undefined;

  constructor(settings: TextReaderSettings, events: ReaderEvents) {
    this.#settings = settings;
    this.#events = events;
    this.#worker = settings.startWorker();
    this.#worker.on('error', (error) => void this.end(isOutOfHeap(error) ? tooLarge(error) : broken(error)));
    this.#worker.on('exit', (code) => void this.end(broken(new Error(`the thread ended with ${code}`))));
    this.#worker.on('message', (message: TextMessage) => this.#receive(message));
  }

  get isIdle(): boolean {
    return this.#task === null && !this.#ended;
  }

  run(task: Task): void {
    clearTimeout(this.#timer);
    this.#task = task;
    this.#worker.ref();
    task.signal.addEventListener('abort', this.#abort, { once: true });
    if (this.#ready) this.#send();
    else this.#timer = setTimeout(() => void this.end(broken('the thread did not load in time')), maxLoadMs);
  }

  /** Ends the thread; the text in hand fails with `reason`. */
  async end(reason: unknown): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#finish()?.reject(reason);
    await this.#worker.terminate();
    this.#events.ended();
  }

  #send(): void {
    if (this.#task === null) return;
    this.#limit();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    this.#worker.postMessage(this.#task.job);
  }

  #receive(message: TextMessage): void {
    if (this.#ended) return;
    if (message.kind === 'sentences') {
      // The text fails, and not the program.
      this.#readSentences(message.sentences).catch((cause: unknown) => void this.end(broken(cause)));
      return;
    }
    if (message.kind === 'ready') {
      this.#ready = true;
      return this.#send();
    }
    const task = this.#finish();
    if (message.kind === 'result') {
      task?.resolve(message.result);
      // A heap that has grown does not shrink by itself, and others need the memory.
      if (message.heapBytes > maxRestingHeapBytes) return void this.end(undefined);
    } else task?.reject(message.kind === 'tooLong' ? tooLong(message.reason) : broken(message.reason));
    this.#rest();
    this.#events.idle();
  }

  /** The model may be busy with a book: the time that it takes is none of the text's. It has limits of its own. */
  async #readSentences(sentences: readonly PlacedSentence[]): Promise<void> {
    const task = this.#task;
    this.#stopTimers();
    const scores = (await this.#settings.read?.(sentences, task?.accountId)) ?? null;
    if (this.#ended || this.#task !== task) return;
    this.#limit();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    this.#worker.postMessage({ kind: 'scores', scores } satisfies SentenceScores);
  }

  #finish(): Task | null {
    const task = this.#task;
    this.#task = null;
    this.#stopTimers();
    task?.signal.removeEventListener('abort', this.#abort);
    return task;
  }

  /** Ends the thread when it has had the processor for too long. */
  #limit(): void {
    const { maxProcessorMs } = this.#settings;
    this.#stopTimers();
    const worker = this.#worker;
    const cpuUsage = (before?: NodeJS.CpuUsage): Promise<NodeJS.CpuUsage> => worker.cpuUsage(before);
    // Node tells what a thread had of the processor from 24.6 on.
    const watched = typeof worker.cpuUsage === 'function' ? { cpuUsage } : {};
    this.#stopWatch = watchProcessorTime(
      watched,
      () => maxProcessorMs,
      () => void this.end(tookTooLong(maxProcessorMs)),
    );
  }

  #rest(): void {
    this.#worker.unref();
    this.#timer = setTimeout(() => void this.end(undefined), this.#settings.idleMs).unref();
  }

  #stopTimers(): void {
    clearTimeout(this.#timer);
    this.#stopWatch?.();
  }

  readonly #abort = (): void => {
    void this.end(this.#task?.signal.reason);
  };
}

function tookTooLong(maxProcessorMs: number): ProcessingError {
  return new ProcessingError(
    'extraction_timeout',
    `This text took longer than ${maxProcessorMs / 1_000} seconds to split or to analyse and was given up. ` +
      'Save the part of it that matters to you as a file, and save that file from the command line.',
  );
}

/** Of its own limit, which has nothing to do with how much the machine has. */
function isOutOfHeap(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function tooLarge(cause: unknown): ProcessingError {
  return new ProcessingError(
    'too_large',
    `To split or to analyse this text took more than ${maxHeapMegabytes} MB of memory, so it was given up. ` +
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
      'If it keeps failing, the log says more, and parts of the text may be saved instead.',
    { retryable: true, cause },
  );
}
