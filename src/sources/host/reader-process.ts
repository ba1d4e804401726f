import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { PlacedBlock } from '../../domain/records/document.ts';
import { ProcessingError } from '../../errors.ts';
import { ProcessLimits } from './process-limits.ts';
import { isMemorySmall } from './memory.ts';
import { patience } from '../../workers/processor-budget.ts';
import type { PoolTask, Reader, ReaderEvents } from './reader-pool.ts';
import {
  brokenReading,
  endedFromOutside,
  LostReading,
  readerUnavailable,
  tookTooLong,
  tooMuchMemory,
  tooMuchText,
} from './reading-failures.ts';
import { readingLimits, type ReadingTimes } from './reading-limits.ts';
import {
  type FinalMessage,
  maxBlocks,
  maxCharacters,
  type ReaderSettings,
  type ReadingJob,
  type ReadingMessage,
  type ReadingOutcome,
  type ReadingSubject,
  type ReadingWay,
  receiveFailure,
  resourcesOf,
} from './reading-protocol.ts';
import { sendJob } from './send-job.ts';

export interface ProcessSettings extends ReadingTimes {
  /** Processor time for one page or text, counted after the reading code is loaded. */
  timeLimitMs: number;
  /** An idle process is ended after this time, which frees its memory. */
  idleMs: number;
  /** Limit on the process's own memory. */
  maxBytes: number;
}

/** The outcome of a job that did not fail, and the processor time that it used. */
export interface Reading {
  outcome: ReadingOutcome;
  cpuMs: number;
}

type Task = PoolTask<ReadingJob, Reading>;

/** Share of the time limit for reading with a DOM (`whole`). The rest is kept for the `linear` way. */
const wholeShare = 0.6;
/** Starting the process and loading the reading code takes a second at most, but many times that on a busy machine. */
const startLimitMs = 60_000;
/** A process above this is ended instead of being reused. After most pages and files a process has about 140 MB. */
const maxRestingBytes = 160 * 1024 ** 2;
/**
 * Characters kept of what a process prints before it is ready, which show why it could not start. Later output is
 * dropped: libraries may print parts of the content that they read.
 */
const maxStartText = 4_000;

/**
 * One reading process and its current job. A worker thread is not enough: when a page exhausts the heap of a thread,
 * the whole program ends with it (docs/decisions/0034).
 */
export class ReaderProcess implements Reader<ReadingJob, Reading> {
  readonly #settings: ProcessSettings;
  readonly #events: ReaderEvents;
  readonly #child: ChildProcess;
  #task: Task | null = null;
  #text: string[] = [];
  #characters = 0;
  #blocks: PlacedBlock[] = [];
  #ready = false;
  #ended = false;
  #startText = '';
  #subject: ReadingSubject = 'text';
  /** How the current page is read. Null before that is known, and for everything that is not a page. */
  #way: ReadingWay | null = null;
  readonly #limits: ProcessLimits;
  #idle: NodeJS.Timeout | undefined;
  #isReadingFile = false;
  /**
   * Processor time of the request when its file was begun, and the processor time that the file is currently allowed in
   * total.
   */
  #cpuMsAtBegin = 0;
  #allowedMs = 0;
  /** True while the memory that is left after a job is being measured. */
  #isResting = false;

  constructor(reader: ReaderSettings, settings: ProcessSettings, events: ReaderEvents) {
    this.#settings = settings;
    this.#events = events;
    // This file runs both from the sources (.ts) and compiled from dist (.js).
    const file = import.meta.url.endsWith('.ts') ? '../reading-worker.ts' : '../reading-worker.js';
    this.#child = fork(new URL(file, import.meta.url), [JSON.stringify(reader)], {
      // One V8 background thread for compiling and garbage collection instead of four saves a quarter of the memory.
      // The heap limit is below the memory limit of the watchdog.
      execArgv: ['--v8-pool-size=1', '--max-old-space-size=896', `--max-semi-space-size=${isMemorySmall() ? 1 : 8}`],
      // What libraries print must not reach our stdout, which belongs to the protocol.
      stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
    });
    this.#limits = new ProcessLimits(this.#child.pid, () => this.#giveUp());
    this.#child.on('message', (message: ReadingMessage) => this.#receive(message));
    this.#child.on('error', (error) => void this.end(readerUnavailable(error)));
    this.#child.on('exit', (code, signal) => void this.end(this.#whyExited(code, signal)));
    // stdin and stderr are missing when the system has no file handles left; the `error` event reports that. Writing to
    // a process that was just ended fails with a closed pipe; the `exit` event reports its end.
    this.#child.stdin?.on('error', () => undefined);
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      if (!this.#ready && this.#startText.length < maxStartText) this.#startText += chunk.toString('latin1');
    });
  }

  get isIdle(): boolean {
    return this.#task === null && !this.#isResting && !this.#ended;
  }

  run(task: Task): void {
    this.#task = task;
    this.#text = [];
    this.#characters = 0;
    this.#blocks = [];
    this.#subject = 'text';
    this.#way = null;
    this.#isReadingFile = false;
    this.#hold(true);
    task.signal.addEventListener('abort', this.#abort, { once: true });
    clearTimeout(this.#idle);
    this.#limits.limitMemory(this.#settings.maxBytes, () => void this.end(tooMuchMemory(this.#subject)));
    if (this.#ready) this.#send();
    else this.#limits.limitSilence(startLimitMs);
  }

  /** Ends the process. The job that it was running fails with `reason`. */
  async end(reason: unknown): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    const task = this.#finish();
    const child = this.#child;
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      this.#hold(true);
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
    if (reason instanceof LostReading) reason.way = this.#way;
    task?.reject(reason);
    this.#events.ended();
  }

  /** V8 aborts when the heap is exhausted. An exit without a signal is a fault of our own code. */
  #whyExited(code: number | null, signal: NodeJS.Signals | null): unknown {
    const cause = new Error(`the reading process ended with ${signal ?? code}. ${this.#startText}`.trim());
    if (signal === 'SIGKILL' || signal === 'SIGTERM') return endedFromOutside(this.#subject, cause);
    if (!this.#ready) return readerUnavailable(cause);
    if (signal === 'SIGABRT' || code === 134) return tooMuchMemory(this.#subject);
    return signal === null ? readerUnavailable(cause) : brokenReading(this.#subject, cause);
  }

  #send(): void {
    const task = this.#task;
    if (task === null) return;
    this.#limits.limitSilence(startLimitMs);
    void sendJob(this.#child, task.job, resourcesOf(task.job), () => this.#task === task);
  }

  #receive(message: ReadingMessage): void {
    if (message.kind === 'ready') {
      this.#ready = true;
      return this.#send();
    }
    const task = this.#task;
    if (task === null) return;
    switch (message.kind) {
      case 'loading':
        return this.#limits.limitSilence(startLimitMs);
      case 'begun':
        return this.#begin(message.subject, message.cpuMs, task);
      case 'linear':
        // The page is not read a second time, so it may use the whole time limit.
        if (this.#way === 'whole') this.#allow(this.#settings.timeLimitMs);
        this.#way = 'linear';
        return;
      case 'progress':
        if (this.#isReadingFile) this.#receiveProgress(message.done, message.recognised, message.cpuMs);
        return;
      case 'text':
        this.#text.push(message.text);
        this.#characters += message.text.length;
        return this.#receivePiece();
      case 'blocks':
        this.#blocks.push(...message.blocks);
        return this.#receivePiece();
      default:
        this.#receiveFinal(message);
    }
  }

  #begin(subject: ReadingSubject, cpuMs: number, { job }: Task): void {
    this.#subject = subject;
    this.#isReadingFile = subject !== 'text' && subject !== 'page';
    if (this.#isReadingFile) {
      this.#cpuMsAtBegin = cpuMs;
      this.#limits.stopTime();
      this.#receiveProgress(0, 0, cpuMs);
      return this.#limits.limitProcessor(() => this.#allowedMs);
    }
    this.#way = subject === 'page' && job.task.kind === 'read' ? job.task.way : null;
    const share = this.#way === null ? 1 : this.#way === 'linear' ? 1 - wholeShare : wholeShare;
    this.#allow(this.#settings.timeLimitMs * share);
  }

  /** Limits the processor time, and only that. */
  #allow(ms: number): void {
    this.#limits.stopTime();
    this.#limits.limitProcessor(() => ms);
  }

  #receiveProgress(done: number, recognised: number, cpuMs: number): void {
    const { silenceMs, totalMs } = readingLimits(this.#settings, done, recognised);
    this.#allowedMs = Math.min(cpuMs - this.#cpuMsAtBegin + silenceMs, totalMs);
    this.#limits.limitClock(silenceMs * patience);
  }

  /**
   * Checks the size of the result so far. A file is fully read by now, so only the silence between its chunks is
   * limited.
   */
  #receivePiece(): void {
    if (this.#characters > maxCharacters || this.#blocks.length > maxBlocks) {
      void this.end(tooMuchText(this.#subject));
    } else if (this.#isReadingFile) this.#limits.limitSilence(this.#settings.silenceMs * patience);
  }

  #receiveFinal(message: FinalMessage): void {
    const task = this.#task;
    const outcome = message.kind === 'failure' || message.kind === 'broken' ? null : this.#outcomeOf(message);
    if (message.kind === 'broken') {
      // The state of the process is unknown after such an error, so the next job gets a new process.
      const cause = new Error(message.reason);
      void this.end(message.fault === 'program' ? readerUnavailable(cause) : brokenReading(this.#subject, cause));
      return;
    }
    this.#finish();
    if (outcome !== null) task?.resolve({ outcome, cpuMs: message.cpuMs });
    else if (message.kind === 'failure') task?.reject(receiveFailure(message));
    void this.#rest();
  }

  #outcomeOf(message: Exclude<FinalMessage, { kind: 'failure' | 'broken' }>): ReadingOutcome {
    const text = this.#text.join('');
    switch (message.kind) {
      case 'read': {
        const { document, mediaType, wordCount } = message;
        const transcript = { text, blocks: this.#blocks };
        return { kind: 'read', extraction: { document, mediaType, wordCount, transcript } };
      }
      case 'needs':
        return message;
      case 'decoded':
        return { kind: 'decoded', text: message.isText ? text : null };
      case 'opened': {
        const result = message.answer === null ? undefined : this.#task?.job.answers[message.answer]?.result;
        if (result !== undefined && !(result instanceof ProcessingError)) return { kind: 'opened', resource: result };
        if (message.note === null) return { kind: 'opened', resource: null };
        const { text: note, ...rest } = message.note;
        return { kind: 'opened', resource: { ...rest, bytes: Buffer.from(note) } };
      }
    }
  }

  #finish(): Task | null {
    const task = this.#task;
    this.#task = null;
    this.#text = [];
    this.#blocks = [];
    this.#limits.stop();
    clearTimeout(this.#idle);
    task?.signal.removeEventListener('abort', this.#abort);
    return task;
  }

  /**
   * Ends a process that still holds much memory after a job. That memory would count against the next job, and other
   * processes need it.
   */
  async #rest(): Promise<void> {
    this.#isResting = true;
    const bytes = await this.#limits.memory();
    this.#isResting = false;
    if (this.#ended) return;
    if (bytes !== null && bytes > maxRestingBytes) return this.end(undefined);
    this.#hold(false);
    this.#idle = setTimeout(() => void this.end(undefined), this.#settings.idleMs).unref();
    this.#events.idle();
  }

  /** Decides whether the main process stays alive until the child ends. */
  #hold(wanted: boolean): void {
    for (const part of [this.#child, this.#child.channel]) {
      if (wanted) part?.ref();
      else part?.unref();
    }
    for (const pipe of [this.#child.stdin, this.#child.stderr]) {
      // At run time a pipe is a socket and has `unref`; its declared type lacks it.
      if (pipe && 'unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
    }
  }

  #giveUp(): void {
    void this.end(this.#ready ? tookTooLong(this.#subject) : readerUnavailable(new Error('it did not start in time')));
  }

  readonly #abort = (): void => {
    void this.end(this.#task?.signal.reason);
  };
}
