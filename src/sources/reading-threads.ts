import { Worker } from 'node:worker_threads';
import type { Document } from '../domain/document.ts';
import { ProcessingError } from '../errors.ts';
import { type Reader, type ReaderEvents, ReaderPool, type ReadingTask } from './reader-pool.ts';
import type { ReadingMessage, ReadingRequest, ReadingWay, TextKind } from './reading-protocol.ts';

export interface ReadingSettings {
  /** For one page, once the worker has loaded. */
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
/** What became of pages that were too much for a DOM; they are read once more without one. */
const lostThread = new Set<string>(['extraction_timeout', 'extraction_failed']);
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
      if (!(error instanceof ProcessingError) || !lostThread.has(error.code)) throw error;
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

/** One worker thread and the one page that it reads. */
class Thread implements Reader<ReadingRequest> {
  readonly #worker: Worker;
  readonly #settings: ReadingSettings;
  readonly #events: ReaderEvents;
  #task: Task | null = null;
  #ready = false;
  #ended = false;
  #timer: NodeJS.Timeout | undefined;

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
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
    this.#worker.on('message', (message: ReadingMessage) => this.#receive(message));
    this.#worker.on('error', (error) => void this.end(broken(this.#task, error)));
    this.#worker.on('exit', () => void this.end(broken(this.#task, undefined)));
  }

  get isIdle(): boolean {
    return this.#task === null && !this.#ended;
  }

  run(task: Task): void {
    this.#task = task;
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
    clearTimeout(this.#timer);
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
    const { job: request } = this.#task;
    const share = request.kind !== 'page' ? 1 : request.way === 'linear' ? 1 - wholeShare : wholeShare;
    this.#limit(this.#settings.timeLimitMs * share);
  }

  #receive(message: ReadingMessage): void {
    if (message.kind === 'ready') {
      this.#ready = true;
      return this.#send();
    }
    if (message.kind === 'begun') return this.#begin();
    const task = this.#finish();
    if (message.kind === 'result') task?.resolve(message.document);
    else if (message.kind === 'failure') task?.reject(new ProcessingError(message.code, message.message));
    else task?.reject(broken(task, message.error));
    this.#rest();
    this.#events.idle();
  }

  #finish(): Task | null {
    const task = this.#task;
    this.#task = null;
    clearTimeout(this.#timer);
    task?.signal.removeEventListener('abort', this.#abort);
    return task;
  }

  #rest(): void {
    this.#worker.unref();
    this.#timer = setTimeout(() => void this.end(undefined), this.#settings.idleMs).unref();
  }

  #limit(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.end(tookTooLong(this.#task, this.#settings.timeLimitMs)), ms);
  }

  readonly #abort = (): void => {
    void this.end(this.#task?.signal.reason);
  };
}

function tookTooLong(task: Task | null, ms: number): ProcessingError {
  const { name, wayOut } = words(task);
  return new ProcessingError(
    'extraction_timeout',
    `The ${name} took longer than ${Math.round(ms / 1000)} seconds to read and was given up: it is built in a way that ` +
      `cannot be read in reasonable time. ${wayOut}`,
  );
}

function broken(task: Task | null, cause: unknown): ProcessingError {
  const { name, wayOut } = words(task);
  return new ProcessingError(
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
