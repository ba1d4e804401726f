import { Worker } from 'node:worker_threads';
import { LargeValue } from '../domain/json/large-value.ts';
import type { Resource } from '../domain/records/resource.ts';
import { AppError } from '../errors.ts';
import { parseJsonBytes, type JsonBytes } from './json-bytes.ts';
import { largeFields } from './parse-large.ts';
import type { Pushed } from './pushed-original.ts';
import type { LargePlaces, RequestAnswer, RequestTask } from './request-protocol.ts';

/** What a client handed over, some of it perhaps not read yet. */
export type GivenPushed = { [K in keyof Pushed]: Pushed[K] | LargeValue };

/** Reads what clients send in a thread of its own, so that no request holds up the thread that answers all of them. */
export interface RequestThread {
  /**
   * Parses what was collected: here when it is small, else in the thread. Then the values at `places` come as `LargeValue`.
   * @throws {AppError} `invalid_input`
   */
  parse(collected: JsonBytes, places: LargePlaces): Promise<unknown>;
  /**
   * The original made of what a client handed over with an address; null when it handed over nothing.
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

/** For one task. The largest text takes a second or two of a slow machine. */
const maxTaskMs = 60_000;
/** Of the thread's heap. What needs more is refused, and the program goes on. */
const maxHeapMegabytes = 512;

/** @param idleMs after so long without a task the thread is ended, and its memory with it */
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
  // The same file runs from the sources and, compiled, from dist.
  const file = import.meta.url.endsWith('.ts') ? './request-worker.ts' : './request-worker.js';
  const worker = new Worker(new URL(file, import.meta.url), {
    // Standard output belongs to the protocol.
    stdout: true,
    stderr: true,
    // Flags of the host, such as a loader of its tests, are not the worker's.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
  });
  worker.unref();
  return worker;
}

/** One worker thread at most and the tasks that wait for it. A task that takes too long or breaks the thread costs the thread. */
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
      // The machine has no room for a thread: this request fails, and the next one tries again.
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
    // What is given away need not be copied.
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

  /** Ends the thread; the task in hand fails with `reason`, and a new thread takes those that wait. */
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
