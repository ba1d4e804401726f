import { Worker } from 'node:worker_threads';
import { LargeValue } from '../domain/json/large-value.ts';
import type { Resource } from '../domain/records/resource.ts';
import { AppError } from '../errors.ts';
import { parseJsonBytes, type JsonBytes } from './json-bytes.ts';
import { largeFields } from './parse-large.ts';
import type { Pushed } from './pushed-original.ts';
import type { LargePlaces, RequestAnswer, RequestTask } from './request-protocol.ts';

/** Content that a client sent; some of it may not be parsed yet. */
export type GivenPushed = { [K in keyof Pushed]: Pushed[K] | LargeValue };

/** Parses large requests in a worker thread, so that no request blocks the main thread, which answers all of them. */
export interface RequestThread {
  /**
   * Parses the collected bytes: on this thread when they are small, otherwise in the worker thread. In the latter case
   * the values at `places` are returned as `LargeValue`.
   * @throws {AppError} `invalid_input`
   */
  parse(collected: JsonBytes, places: LargePlaces): Promise<unknown>;
  /**
   * Makes the original from the content that a client sent with an address; null when it sent none.
   * @throws {AppError} `invalid_input` naming the fields
   */
  makeOriginal(url: string, pushed: GivenPushed, fetchedAt: string): Promise<Resource | null>;
  close(): Promise<void>;
}

type Answer = Exclude<RequestAnswer, { kind: 'ready' | 'refused' | 'broken' }>;

interface Call {
  task: RequestTask;
  resolve(answer: Answer): void;
  reject(reason: unknown): void;
}

/** Time limit for one task. The largest text takes a second or two on a slow machine. */
const maxTaskMs = 60_000;
/** Heap limit of the thread. A task that needs more is refused, and the program continues. */
const maxHeapMegabytes = 512;

/** @param idleMs the thread is ended after this time without a task, which frees its memory */
export function createRequestThread(idleMs: number): RequestThread {
  const host = new ThreadHost(idleMs);
  return {
    async parse(collected, places) {
      const bytes = collected.take();
      if (!collected.isLarge) return parseJsonBytes(bytes);
      const answer = await host.run({ kind: 'parse', bytes, places });
      if (answer.kind !== 'parsed') throw new Error('the thread answered another question');
      const message = parseJsonBytes(answer.message.json);
      const holder = largeFields(message, places)?.holder ?? {};
      for (const { name, json } of answer.message.large) holder[name] = new LargeValue(json);
      return message;
    },
    async makeOriginal(url, pushed, fetchedAt) {
      const given = Object.entries(pushed).filter(([, value]) => value !== undefined);
      if (given.length === 0) return null;
      const answer = await host.run({ kind: 'original', url, pushed: Object.fromEntries(given), fetchedAt });
      if (answer.kind !== 'original') throw new Error('the thread answered another question');
      return answer.resource;
    },
    close: () => host.close(),
  };
}

function startWorker(): Worker {
  // This file runs both from the sources (.ts) and compiled from dist (.js).
  const file = import.meta.url.endsWith('.ts') ? './request-worker.ts' : './request-worker.js';
  const worker = new Worker(new URL(file, import.meta.url), {
    // Capture the worker's output: standard output belongs to the protocol.
    stdout: true,
    stderr: true,
    // Do not pass on Node flags of the main process, such as a test loader.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
  });
  worker.unref();
  return worker;
}

/**
 * At most one worker thread, and the tasks that wait for it. If a task takes too long or crashes the thread, the thread
 * is ended.
 */
class ThreadHost {
  readonly #idleMs: number;
  readonly #waiting = new Set<Call>();
  #inHand: Call | null = null;
  #worker: Worker | null = null;
  #isReady = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  async run(task: RequestTask): Promise<Answer> {
    if (this.#closed) throw closing();
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.add({ task, resolve, reject });
    this.#next();
    return promise;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const call of this.#waiting) call.reject(closing());
    this.#waiting.clear();
    await this.#end(closing());
  }

  #next(): void {
    if (this.#inHand !== null) return;
    const [call] = this.#waiting;
    if (call === undefined) return this.#rest();
    this.#waiting.delete(call);
    this.#inHand = call;
    try {
      this.#worker ??= this.#start();
    } catch (error) {
      // The machine cannot start a thread. This request fails, and the next one tries again.
      this.#finish()?.reject(noThread(error));
      return this.#next();
    }
    this.#worker.ref();
    if (this.#isReady) this.#send();
    else this.#limit();
  }

  #start(): Worker {
    const worker = startWorker();
    const lost = (cause: unknown): void => {
      if (worker === this.#worker) void this.#end(tooMuch(cause));
    };
    worker.on('error', lost);
    worker.on('exit', (code) => lost(new Error(`the thread ended with ${code}`)));
    worker.on('message', (answer: RequestAnswer) => {
      if (worker === this.#worker) this.#receive(answer);
    });
    return worker;
  }

  #send(): void {
    if (this.#inHand === null) return;
    this.#limit();
    const { task } = this.#inHand;
    // Transfer the buffer to avoid a copy.
    const moved = task.kind === 'parse' && task.bytes.buffer instanceof ArrayBuffer ? [task.bytes.buffer] : [];
    this.#worker?.postMessage(task, moved);
  }

  #receive(answer: RequestAnswer): void {
    if (answer.kind === 'ready') {
      this.#isReady = true;
      return this.#send();
    }
    const call = this.#finish();
    if (answer.kind === 'refused') call?.reject(new AppError(answer.code, answer.message, { fields: answer.fields }));
    else if (answer.kind === 'broken') call?.reject(new Error(`the request thread failed: ${answer.reason}`));
    else call?.resolve(answer);
    this.#next();
  }

  #finish(): Call | null {
    const call = this.#inHand;
    this.#inHand = null;
    clearTimeout(this.#timer);
    return call;
  }

  /** Ends the thread. The current task fails with `reason`, and a new thread runs the waiting tasks. */
  async #end(reason: unknown): Promise<void> {
    this.#finish()?.reject(reason);
    const ended = this.#worker;
    this.#worker = null;
    this.#isReady = false;
    this.#next();
    await ended?.terminate();
  }

  #limit(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#end(tooMuch(undefined)), maxTaskMs);
  }

  #rest(): void {
    if (this.#worker === null) return;
    this.#worker.unref();
    this.#timer = setTimeout(() => void this.#end(undefined), this.#idleMs).unref();
  }
}

function tooMuch(cause: unknown): AppError {
  return new AppError(
    'invalid_input',
    'What was sent takes too much time or memory to read. Send it in smaller parts, or save it as a file from the command line.',
    { cause },
  );
}

function noThread(cause: unknown): AppError {
  return new AppError(
    'unavailable',
    'This machine has no memory or threads left to read what was sent. Send it again in a moment.',
    { cause },
  );
}

function closing(): AppError {
  return new AppError('cancelled', 'The server is stopping. Send the request again in a moment.');
}
