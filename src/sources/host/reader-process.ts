import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Block, Document } from '../../domain/document.ts';
import { ProcessingError } from '../../errors.ts';
import { type Reader, type ReaderEvents, ReaderPool, type ReadingTask } from './reader-pool.ts';
import { mostCharacters, type FileMessage, type FileRequest } from '../files/file-protocol.ts';
import { brokenFile, slowFile, tooMuchMemory, tooMuchText } from './reading-failures.ts';
import { processMemory } from './process-usage.ts';
import { readingLimits, type ReadingTimes } from './reading-limits.ts';

export interface FileSettings extends ReadingTimes {
  /** How many files are read at once. */
  processes: number;
  /** A process without work is ended after this time. */
  idleMs: number;
  /** Of memory that is the process's own. */
  maxBytes: number;
}

export const usualFileSettings: FileSettings = {
  processes: 2,
  idleMs: 20_000,
  maxBytes: 1024 ** 3,
  silenceMs: 8_000,
  baseMs: 30_000,
  perPageMs: 1_000,
};

/** What a file is read with: see `FileRequest`. */
export interface FileJob extends Omit<FileRequest, 'size'> {
  bytes: Uint8Array;
}

type Task = ReadingTask<FileJob>;

/** Loading takes a tenth of a second, many times that on a busy machine. */
const startLimitMs = 60_000;
const memoryCheckMs = 50;
const chunkBytes = 1024 * 1024;

/**
 * Processes that read files of other people's making, so that a hostile one costs its own process and never this one:
 * worker threads share their memory limits with the host, processes do not. They start with the first file, leave when idle, and never keep this process alive without work.
 */
export class FileProcesses {
  readonly #pool: ReaderPool<FileJob>;

  constructor(settings: Partial<FileSettings> = {}) {
    const limits = { ...usualFileSettings, ...settings };
    this.#pool = new ReaderPool(limits.processes, (events) => new FileProcess(limits, events));
  }

  /** @throws {ProcessingError} as the reader does, or when a limit is passed. Aborting rejects with the signal's reason. */
  read(job: FileJob, signal: AbortSignal): Promise<Document> {
    return this.#pool.read(job, signal);
  }

  /** Ends the processes; files being read fail as interrupted. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** One process and the one file that it reads. */
class FileProcess implements Reader<FileJob> {
  readonly #settings: FileSettings;
  readonly #events: ReaderEvents;
  readonly #child: ChildProcess;
  #task: Task | null = null;
  #blocks: Block[] = [];
  #characters = 0;
  #ready = false;
  #ended = false;
  #silence: NodeJS.Timeout | undefined;
  #total: NodeJS.Timeout | undefined;
  #memory: NodeJS.Timeout | undefined;
  #startedAt = 0;

  constructor(settings: FileSettings, events: ReaderEvents) {
    this.#settings = settings;
    this.#events = events;
    // The same file runs from the sources and, compiled, from dist.
    const file = import.meta.url.endsWith('.ts') ? '../files/file-worker.ts' : '../files/file-worker.js';
    this.#child = fork(new URL(file, import.meta.url), {
      // One thread compiles and collects instead of four: a quarter less memory. Its heap ends before the watchdog's limit.
      execArgv: ['--v8-pool-size=1', '--max-old-space-size=896'],
      // What libraries print must not reach our stdout, which belongs to the protocol.
      stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.on('message', (message: FileMessage) => this.#receive(message));
    this.#child.on('error', (error) => void this.end(brokenFile(this.#kind, error)));
    this.#child.on('exit', (code, signal) => {
      void this.end(brokenFile(this.#kind, new Error(`the file process ended with ${signal ?? code}`)));
    });
    // A process that is ended while it is given its file closes the pipe: its end is reported by `exit`.
    this.#child.stdin?.on('error', () => undefined);
  }

  get isIdle(): boolean {
    return this.#task === null && !this.#ended;
  }

  get #kind(): FileRequest['kind'] {
    return this.#task?.job.kind ?? 'pdf';
  }

  run(task: Task): void {
    this.#task = task;
    this.#blocks = [];
    this.#characters = 0;
    this.#hold(true);
    task.signal.addEventListener('abort', this.#abort, { once: true });
    this.#watchMemory();
    if (this.#ready) this.#send();
    else this.#limitSilence(startLimitMs);
  }

  /** Ends the process; a file that it was reading fails with `reason`. */
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
    task?.reject(reason);
    this.#events.ended();
  }

  #send(): void {
    const task = this.#task;
    if (task === null) return;
    const { bytes, ...request } = task.job;
    this.#startedAt = performance.now();
    this.#receiveProgress(0, 0);
    this.#child.send({ ...request, size: bytes.byteLength } satisfies FileRequest);
    void this.#write(task, bytes);
  }

  /** A piece at a time: a file is not held a second time in what waits to be written. */
  async #write(task: Task, bytes: Uint8Array): Promise<void> {
    const { stdin } = this.#child;
    if (stdin === null) return;
    for (let at = 0; at < bytes.byteLength; at += chunkBytes) {
      if (this.#task !== task || stdin.destroyed) return;
      const chunk = bytes.subarray(at, at + chunkBytes);
      await new Promise<void>((resolve) => void stdin.write(chunk, () => resolve()));
    }
  }

  #receive(message: FileMessage): void {
    if (message.kind === 'ready') {
      this.#ready = true;
      return this.#send();
    }
    if (this.#task === null) return;
    if (message.kind === 'progress') return this.#receiveProgress(message.done, message.recognised);
    if (message.kind === 'blocks') return this.#receiveBlocks(message.blocks);
    const blocks = this.#blocks;
    const task = this.#finish();
    if (message.kind === 'result') task?.resolve({ ...message.document, blocks });
    else if (message.kind === 'failure') task?.reject(new ProcessingError(message.code, message.message));
    else task?.reject(brokenFile(task.job.kind));
    this.#rest();
    this.#events.idle();
  }

  #receiveProgress(done: number, recognised: number): void {
    const { silenceMs, totalMs } = readingLimits(this.#settings, done, recognised);
    this.#limitSilence(silenceMs);
    clearTimeout(this.#total);
    const left = this.#startedAt + totalMs - performance.now();
    this.#total = setTimeout(() => void this.end(slowFile(this.#kind)), Math.max(0, left));
  }

  #receiveBlocks(blocks: readonly Block[]): void {
    this.#blocks.push(...blocks);
    this.#characters += blocks.reduce((sum, { text }) => sum + text.length, 0);
    if (this.#characters > mostCharacters) void this.end(tooMuchText(this.#kind));
    else this.#limitSilence(this.#settings.silenceMs);
  }

  #finish(): Task | null {
    const task = this.#task;
    this.#task = null;
    this.#blocks = [];
    for (const timer of [this.#silence, this.#total, this.#memory]) clearTimeout(timer);
    task?.signal.removeEventListener('abort', this.#abort);
    return task;
  }

  #rest(): void {
    if (this.#ended) return;
    this.#hold(false);
    this.#silence = setTimeout(() => void this.end(undefined), this.#settings.idleMs).unref();
  }

  /** Whether this process waits for the child before it ends. */
  #hold(wanted: boolean): void {
    for (const part of [this.#child, this.#child.channel]) {
      if (wanted) part?.ref();
      else part?.unref();
    }
    const { stdin } = this.#child;
    // A pipe is a socket, whatever its type says.
    if (stdin !== null && 'unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  }

  #limitSilence(ms: number): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => void this.end(slowFile(this.#kind)), ms);
  }

  #watchMemory(): void {
    const task = this.#task;
    this.#memory = setTimeout(async () => {
      const bytes = this.#child.pid === undefined ? null : await processMemory(this.#child.pid);
      if (this.#task !== task || this.#ended) return;
      if (bytes !== null && bytes > this.#settings.maxBytes) await this.end(tooMuchMemory(this.#kind));
      else this.#watchMemory();
    }, memoryCheckMs);
  }

  readonly #abort = (): void => {
    void this.end(this.#task?.signal.reason);
  };
}
