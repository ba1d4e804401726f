import { Worker } from 'node:worker_threads';
import { ProcessingError } from '../errors.ts';
import type { PlacedSentence } from '../models/embedding/embedder.ts';
import type { ReadSentences } from '../models/analysis/extractive/reader.ts';
import { isMemorySmall } from '../sources/host/memory.ts';
import { watchProcessorTime } from '../workers/processor-budget.ts';
import type { Reader, ReaderEvents, PoolTask } from '../sources/host/reader-pool.ts';
import type { SentenceScores, TextMessage, TextRequest, TextResult } from './text-protocol.ts';

export interface TextReaderSettings {
  /** A thread without work is ended after this time. */
  idleMs: number;
  /** Limit of processor time for one text. */
  maxProcessorMs: number;
  /** Scores sentences with a model that runs outside the thread; null when there is no model. */
  read: ReadSentences | null;
  startWorker: () => Worker;
}

type Task = PoolTask<TextRequest, TextResult>;

/** Limit for loading the thread. Loading takes a second at most, and many times that on a busy machine. */
const maxLoadMs = 60_000;
/** Limit of the thread's heap. Without it, a text that is too large for the thread would exhaust the whole process. */
const maxHeapMegabytes = 320;
/** A thread with a larger heap is ended after its text. After an article, the heap is about 50 MB. */
const maxRestingHeapBytes = 72 * 1024 ** 2;

export function startTextWorker(): Worker {
  // This file runs from the sources and, compiled, from dist.
  const file = import.meta.url.endsWith('.ts') ? './text-worker.ts' : './text-worker.js';
  return new Worker(new URL(file, import.meta.url), {
    // Output of libraries must not reach our stdout, which carries the protocol. The thread discards it. Reading it
    // here would keep the process alive as long as the thread, even after `unref`.
    stdout: true,
    stderr: true,
    // Do not inherit flags of the host process, such as the loader of its test runner.
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: maxHeapMegabytes,
      maxYoungGenerationSizeMb: isMemorySmall() ? 4 : 16,
    },
  });
}

/**
 * One worker thread and its current text. Code in the thread cannot be interrupted, so the thread is ended when the
 * text's job is aborted, when the text takes too long or when it breaks the thread. The thread keeps the process alive
 * only while it works.
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

  /** Ends the thread; its current text fails with `reason`. */
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
      // Let the text fail, not the program.
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
      // A grown heap does not shrink by itself, and the memory is needed elsewhere.
      if (message.heapBytes > maxRestingHeapBytes) return void this.end(undefined);
    } else task?.reject(message.kind === 'tooLong' ? tooLong(message.reason) : broken(message.reason));
    this.#rest();
    this.#events.idle();
  }

  /**
   * The time that the model takes does not count for the text: the model may be busy with a book, and it has its own
   * limits.
   */
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

  /** Ends the thread when it exceeds its processor time. */
  #limit(): void {
    const { maxProcessorMs } = this.#settings;
    this.#stopTimers();
    const worker = this.#worker;
    const cpuUsage = (before?: NodeJS.CpuUsage): Promise<NodeJS.CpuUsage> => worker.cpuUsage(before);
    // Node reports a thread's processor time from version 24.6 on.
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

/** Whether the thread hit its own heap limit, which does not depend on the machine's memory. */
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
