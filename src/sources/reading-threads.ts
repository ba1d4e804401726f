import { Worker } from 'node:worker_threads';
import type { Document } from '../domain/document.ts';
import { ProcessingError } from '../errors.ts';
import { watchProcessorTime } from './host/processor-budget.ts';
import { type Reader, type ReaderEvents, ReaderPool, type ReadingTask } from './host/reader-pool.ts';
import type { ReadingMessage, ReadingRequest, ReadingWay, TextKind } from './host/reading-protocol.ts';

export interface ReadingSettings {
  /** Of the processor for one page, once the worker has loaded. */
  timeLimitMs: number;
  /** How many pages are read at once. */
  threads: number;
  /** A worker without work is ended after this time, and its memory with it. */
  idleMs: number;
}

type Task = ReadingTask<ReadingRequest>;

/** Share of the time limit for the whole way; the rest is kept for the linear one. */
const wholeShare = 0.6;
/** Loading the extractors takes a second at most, many times that on a busy machine. */
const startLimitMs = 60_000;
/** Of the worker's heap; a page that needs more is hostile. */
const heapMegabytes = 768;

/**
 * Worker threads that read pages, so that a hostile one costs its own thread and never the process: a thread that
 * passes the time limit or its memory is ended, and the next page gets a new one. Threads start with the first
 * page and never keep the process alive without work.
 */
export class ReadingThreads {
  readonly #pool: ReaderPool<ReadingRequest>;

  constructor(settings: ReadingSettings) {
    this.#pool = new ReaderPool(settings.threads, (events) => new Thread(settings, events));
  }

  /** @throws {ProcessingError} as the reader does, or when the limits are passed. Aborting rejects with the signal's reason. */
  async readPage(text: string, url: string, signal: AbortSignal): Promise<Document> {
    const ask = (way: ReadingWay): Promise<Document> => this.#pool.read({ kind: 'page', text, url, way }, signal);
    try {
      return await ask('whole');
    } catch (error) {
      // What was too much for a DOM is read once more without one.
      if (!(error instanceof LostThread) || error.way === 'linear') throw error;
      return ask('linear');
    }
  }

  /** @throws as `readPage`; a text has one way of being read. */
  readText(kind: TextKind, text: string, url: string, signal: AbortSignal): Promise<Document> {
    return this.#pool.read({ kind, text, url }, signal);
  }

  /** Ends the threads; what is being read fails as interrupted. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** The thread had to be ended, or broke; `way` is how it was reading a page. */
class LostThread extends ProcessingError {
  way: ReadingWay | null = null;
}

/** One worker thread and the one page that it reads. */
class Thread implements Reader<ReadingRequest> {
  readonly #worker: Worker;
  readonly #settings: ReadingSettings;
  readonly #events: ReaderEvents;
  #task: Task | null = null;
  #ready = false;
  #ended = false;
  /** How the page is being read; null for a text. */
  #way: ReadingWay | null = null;
  #timer: NodeJS.Timeout | undefined;
  #stopWatch: (() => void) | undefined;

  constructor(settings: ReadingSettings, events: ReaderEvents) {
    this.#settings = settings;
    this.#events = events;
    // The same file runs from the sources and, compiled, from dist.
    const file = import.meta.url.endsWith('.ts') ? './reading-worker.ts' : './reading-worker.js';
    this.#worker = new Worker(new URL(file, import.meta.url), {
      // What libraries print must not reach our stdout, which belongs to the protocol.
      stdout: true,
      stderr: true,
      // Flags of the host, such as a loader of its tests, are not the worker's.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    });
    // Unread, it would fill up and hold up the thread.
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
    this.#worker.on('message', (message: ReadingMessage) => this.#receive(message));
    this.#worker.on('error', (error) => void this.end(this.#lost(broken(this.#task, error))));
    this.#worker.on('exit', () => void this.end(this.#lost(broken(this.#task, undefined))));
  }

  get isIdle(): boolean {
    return this.#task === null && !this.#ended;
  }

  run(task: Task): void {
    this.#task = task;
    this.#way = task.job.kind === 'page' ? task.job.way : null;
    this.#worker.ref();
    task.signal.addEventListener('abort', this.#abort, { once: true });
    if (this.#ready) this.#send();
    else this.#limit(startLimitMs);
  }

  /** Ends the worker; a page that it was reading fails with `reason`. */
  async end(reason: unknown): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#finish()?.reject(reason);
    this.#stopTimers();
    await this.#worker.terminate();
    this.#events.ended();
  }

  #send(): void {
    if (this.#task === null) return;
    this.#limit(startLimitMs);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    this.#worker.postMessage(this.#task.job);
  }

  #begin(): void {
    if (this.#task === null) return;
    const share = this.#way === null ? 1 : this.#way === 'linear' ? 1 - wholeShare : wholeShare;
    this.#allow(this.#settings.timeLimitMs * share);
  }

  #receive(message: ReadingMessage): void {
    if (message.kind === 'ready') {
      this.#ready = true;
      return this.#send();
    }
    if (message.kind === 'begun') return this.#begin();
    if (message.kind === 'linear') {
      // It will not be asked again, so it has the time of both ways.
      if (this.#way === 'whole') this.#allow(this.#settings.timeLimitMs);
      this.#way = 'linear';
      return;
    }
    const task = this.#finish();
    if (message.kind === 'result') task?.resolve(message.document);
    else if (message.kind === 'failure') task?.reject(new ProcessingError(message.code, message.message));
    else task?.reject(this.#lost(broken(task, message.error)));
    this.#rest();
    this.#events.idle();
  }

  #lost(error: LostThread): LostThread {
    error.way = this.#way;
    return error;
  }

  #finish(): Task | null {
    const task = this.#task;
    this.#task = null;
    this.#stopTimers();
    task?.signal.removeEventListener('abort', this.#abort);
    return task;
  }

  #rest(): void {
    this.#worker.unref();
    this.#timer = setTimeout(() => void this.end(undefined), this.#settings.idleMs).unref();
  }

  /** Ends the worker after `ms`. */
  #limit(ms: number): void {
    this.#stopTimers();
    this.#timer = setTimeout(() => this.#giveUp(), ms);
  }

  /** Ends the worker when it has had the processor for `ms`. */
  #allow(ms: number): void {
    this.#stopTimers();
    this.#stopWatch = watchProcessorTime(this.#worker, ms, () => this.#giveUp());
  }

  #giveUp(): void {
    void this.end(this.#lost(tookTooLong(this.#task, this.#settings.timeLimitMs)));
  }

  #stopTimers(): void {
    clearTimeout(this.#timer);
    this.#stopWatch?.();
  }

  readonly #abort = (): void => {
    void this.end(this.#task?.signal.reason);
  };
}

function tookTooLong(task: Task | null, ms: number): LostThread {
  const { name, wayOut } = words(task);
  return new LostThread(
    'extraction_timeout',
    `The ${name} took longer than ${Math.round(ms / 1000)} seconds to read and was given up: it is built in a way that ` +
      `cannot be read in reasonable time. ${wayOut}`,
  );
}

function broken(task: Task | null, cause: unknown): LostThread {
  const { name, wayOut } = words(task);
  return new LostThread(
    'extraction_failed',
    `The ${name} could not be read: it is too large or built in a way that breaks the reader. ${wayOut}`,
    { cause },
  );
}

function words(task: Task | null): { name: string; wayOut: string } {
  return task === null || task.job.kind === 'page'
    ? { name: 'page', wayOut: 'Save its text as a file, and save that file from the command line.' }
    : { name: 'text', wayOut: 'Split it into smaller files, and save those.' };
}
