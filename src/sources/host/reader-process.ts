import type { PlacedBlock } from '../../domain/records/texts/document.ts';
import { ProcessingError, processUnavailable, receiveFailure, sendFailure } from '../../errors.ts';
import { patience } from '../../workers/limits.ts';
import { startProcess, workerFile } from '../../workers/start.ts';
import type { Conversation, Failure, Run, WorkerUse } from '../../workers/worker-use.ts';
import { isMemorySmall } from '../../workers/memory.ts';
import {
  brokenReading,
  endedFromOutside,
  type LostReading,
  tookTooLong,
  tooMuchMemory,
  tooMuchText,
} from './reading-failures.ts';
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
  resourcesOf,
  type SentJob,
  type SentResource,
} from './reading-protocol.ts';
import type { Resource } from '../../domain/records/resource.ts';

export interface ProcessSettings extends ReadingTimes {
  /** Processor time for one page or text, counted after the reading code is loaded. */
  timeLimitMs: number;
  /** An idle process is ended after this time, which frees its memory. */
  idleMs: number;
  maxBytes: number;
}

export interface FinishedReading {
  outcome: ReadingOutcome;
  cpuMs: number;
}

/** Share of the time limit for reading with a DOM (`whole`). The rest is kept for the `linear` way. */
const wholeShare = 0.6;
/** Starting the process and loading the reading code takes a second at most, but many times that on a busy machine. */
const startLimitMs = 60_000;
/** A process above this is ended instead of being reused. After most pages and files a process has about 140 MB. */
const maxRestingBytes = 160 * 1024 ** 2;
/**
 * The processes that read, one job at a time. A worker thread is not enough: when a page exhausts the heap of a thread,
 * the whole program ends with it (docs/decisions/reading-processes.md).
 */
export function readerProcess(
  reader: ReaderSettings,
  settings: ProcessSettings,
): WorkerUse<ReadingJob, FinishedReading, ReadingMessage> {
  const file = workerFile('../reading-worker', import.meta.url);
  return {
    start: () =>
      startProcess(file, {
        args: [JSON.stringify(reader)],
        // One V8 background thread for compiling and garbage collection instead of four saves a quarter of the memory.
        // A larger young generation takes memory and no less time. With a smaller one, a text that fills the heap takes so long to
        // end the process that it seems to be slow. The heap limit is below the memory limit of the watchdog.
        execArgv: ['--v8-pool-size=1', '--max-old-space-size=896', `--max-semi-space-size=${isMemorySmall() ? 1 : 8}`],
        readsBytes: true,
        returnsMemory: true,
      }),
    startMs: startLimitMs,
    idleMs: settings.idleMs,
    maxBytes: settings.maxBytes,
    maxRestingBytes,
    open: ({ job }, run) => new CurrentReading(job, settings, run),
  };
}

class CurrentReading implements Conversation<ReadingMessage> {
  readonly #job: ReadingJob;
  readonly #settings: ProcessSettings;
  readonly #run: Run<FinishedReading>;
  readonly #text: string[] = [];
  readonly #blocks: PlacedBlock[] = [];
  #characters = 0;
  #subject: ReadingSubject = 'text';
  /** How the current page is read. Null before that is known, and for everything that is not a page. */
  #way: ReadingWay | null = null;
  #isReadingFile = false;
  /** Processor time at the beginning of the file, and the file's allowance so far. */
  #cpuMsAtBegin = 0;
  #allowedMs = 0;

  constructor(job: ReadingJob, settings: ProcessSettings, run: Run<FinishedReading>) {
    this.#job = job;
    this.#settings = settings;
    this.#run = run;
  }

  begin(): void {
    this.#run.limits.limitSilence(startLimitMs);
    void sendJob(this.#run, this.#job, resourcesOf(this.#job));
  }

  receive(message: ReadingMessage): void {
    switch (message.kind) {
      case 'loading':
        return this.#run.limits.limitSilence(startLimitMs);
      case 'begun':
        return this.#begin(message.subject, message.cpuMs);
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

  failure({ kind, cause, wasReady }: Failure): unknown {
    if (kind === 'killed') return endedFromOutside(this.#subject, cause);
    // A process that exits by itself has a bug.
    if (!wasReady || kind === 'refused' || kind === 'exit') return processUnavailable(cause);
    if (kind === 'memory') return this.#lost(tooMuchMemory(this.#subject));
    return this.#lost(kind === 'time' ? tookTooLong(this.#subject) : brokenReading(this.#subject, cause));
  }

  #lost(reason: LostReading): LostReading {
    reason.way = this.#way;
    return reason;
  }

  #begin(subject: ReadingSubject, cpuMs: number): void {
    this.#subject = subject;
    this.#isReadingFile = subject !== 'text' && subject !== 'page';
    if (this.#isReadingFile) {
      this.#cpuMsAtBegin = cpuMs;
      this.#run.limits.stopTime();
      this.#receiveProgress(0, 0, cpuMs);
      return this.#run.limits.limitProcessor(() => this.#allowedMs);
    }
    this.#way = subject === 'page' && this.#job.task.kind === 'read' ? this.#job.task.way : null;
    const share = this.#way === null ? 1 : this.#way === 'linear' ? 1 - wholeShare : wholeShare;
    this.#allow(this.#settings.timeLimitMs * share);
  }

  #allow(ms: number): void {
    this.#run.limits.stopTime();
    this.#run.limits.limitProcessor(() => ms);
  }

  #receiveProgress(done: number, recognised: number, cpuMs: number): void {
    const { silenceMs, totalMs } = readingLimits(this.#settings, done, recognised);
    this.#allowedMs = Math.min(cpuMs - this.#cpuMsAtBegin + silenceMs, totalMs);
    this.#run.limits.limitClock(silenceMs * patience);
  }

  /** A file is fully read by now, so only the silence between the chunks of the result is limited. */
  #receivePiece(): void {
    if (this.#characters > maxCharacters || this.#blocks.length > maxBlocks) {
      this.#run.end(tooMuchText(this.#subject));
    } else if (this.#isReadingFile) this.#run.limits.limitSilence(this.#settings.silenceMs * patience);
  }

  #receiveFinal(message: FinalMessage): void {
    if (message.kind === 'broken') {
      // The state of the process is unknown after such an error, so the next job gets a new process.
      const cause = new Error(message.reason);
      const isOurs = message.fault === 'program';
      this.#run.end(isOurs ? processUnavailable(cause) : this.#lost(brokenReading(this.#subject, cause)));
    } else if (message.kind === 'failure') this.#run.reject(receiveFailure(message));
    else this.#run.resolve({ outcome: this.#outcomeOf(message), cpuMs: message.cpuMs });
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
      case 'pictures':
      case 'feed':
        return message;
      case 'decoded':
        return { kind: 'decoded', text: message.isText ? text : null };
      case 'opened': {
        const result = message.answer === null ? undefined : this.#job.answers[message.answer]?.result;
        if (result !== undefined && !(result instanceof ProcessingError)) return { kind: 'opened', resource: result };
        if (message.note === null) return { kind: 'opened', resource: null };
        const { text: note, ...rest } = message.note;
        return { kind: 'opened', resource: { ...rest, bytes: Buffer.from(note) } };
      }
    }
  }
}

interface ReadingTimes {
  /** Maximum time without a finished page. */
  silenceMs: number;
  /** Time for a whole file: `baseMs`, plus `perPageMs` for every finished page, but at most `maxTotalMs`. */
  baseMs: number;
  perPageMs: number;
  maxTotalMs: number;
}

/** Recognising the text of a picture takes seconds where reading text takes milliseconds. */
const recognitionFactor = 8;
/** Three hundred recognised pages take about ten minutes. */
const recognitionCeilingFactor = 5;

/**
 * Processor time that a file may use, given its progress: until its next page, and in total. Only pages whose text is
 * recognised get the longer times. So turning recognition on gives a hostile file without pictures no extra time.
 * @param done finished pages
 * @param recognised pages with text recognition, including the current one
 */
export function readingLimits(
  { silenceMs, baseMs, perPageMs, maxTotalMs }: ReadingTimes,
  done: number,
  recognised: number,
): { silenceMs: number; totalMs: number } {
  const totalMs = baseMs + (done + recognised * (recognitionFactor - 1)) * perPageMs;
  return recognised > 0
    ? { silenceMs: silenceMs * recognitionFactor, totalMs: Math.min(totalMs, maxTotalMs * recognitionCeilingFactor) }
    : { silenceMs, totalMs: Math.min(totalMs, maxTotalMs) };
}

const chunkBytes = 1024 * 1024;

async function sendJob(
  run: Pick<Run<unknown>, 'send' | 'write' | 'isActive'>,
  job: ReadingJob,
  resources: readonly Resource[],
): Promise<void> {
  run.send(sentJob(job));
  for (const { bytes } of resources) {
    // Send one chunk at a time, so that the write buffer does not hold a second copy of the file.
    for (let at = 0; at < bytes.byteLength; at += chunkBytes) {
      if (!run.isActive) return;
      await run.write(bytes.subarray(at, at + chunkBytes));
    }
  }
}

function sentJob({ task, answers }: ReadingJob): SentJob {
  return {
    task: 'resource' in task ? ({ ...task, resource: sentResource(task.resource) } as SentJob['task']) : task,
    answers: answers.map(({ need, result }) => ({
      need,
      result: result instanceof ProcessingError ? { failure: sendFailure(result) } : { resource: sentResource(result) },
    })),
  };
}

function sentResource({ url, finalUrl, declaredType, fetchedAt, bytes, ...rest }: Resource): SentResource {
  const given = 'given' in rest && { given: rest.given };
  return { url, finalUrl, declaredType, fetchedAt, size: bytes.byteLength, ...given };
}
