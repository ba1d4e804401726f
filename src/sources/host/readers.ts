import { isMemorySmall } from '../../workers/memory.ts';
import { availableParallelism } from 'node:os';
import type { FeedPage, FeedQuestion } from '../../domain/records/sources/feed.ts';
import { localAccountId } from '../../domain/records/account.ts';
import type { Original, Resource } from '../../domain/records/resource.ts';
import { interrupted, ProcessingError } from '../../errors.ts';
import { WorkerPool } from '../../workers/worker-pool.ts';
import { type FinishedReading, type ProcessSettings, readerProcess } from './reader-process.ts';
import { LostReading, needsTooMuch, tookTooLong } from './reading-failures.ts';
import type {
  Extraction,
  Need,
  PagePictures,
  ReaderSettings,
  ReadingJob,
  ReadingOutcome,
  ReadingTask,
  ResourceAnswer,
} from './reading-protocol.ts';
import { redditThreadId, isPostOnX } from '../../domain/links/url.ts';
import { youtubePageName, youtubeVideoId } from '../../domain/links/youtube-url.ts';

export interface ReadingContext {
  signal: AbortSignal;
  /** The account that owns the item. Accounts take turns. */
  accountId: string;
  /** For a locked file. It is used for this one reading, and neither logged nor kept. */
  password?: string | undefined;
  /** Gets what the reading needs. A `ProcessingError` counts as an answer: the reading may work without it. */
  supply(need: Need): Promise<Resource>;
}

/** Reads content from outside in separate processes. The calling thread never parses it. */
export type Readers = ReturnType<typeof createReaders>;

interface ReaderPoolSettings {
  /** Processes that read for one account at the same time. There is one more for other accounts. */
  processes: number;
  /** An account gets one more process when its own have used this much processor time for one page or file. */
  growMs: number;
}

const usual: ReaderSettings & ProcessSettings & ReaderPoolSettings = {
  ocr: false,
  hasYtDlp: false,
  // More processes than processors read no faster, and each takes a hundred megabytes. On low memory an account's processes take
  // turns.
  processes: isMemorySmall() ? 1 : Math.max(2, Math.min(3, availableParallelism())),
  // Of two processors, one is needed to split and to embed: sixty pages become searchable as soon with one process, in 80 MB less.
  // Work behind a long file waits until that has used a second of processor time.
  growMs: availableParallelism() > 2 ? 0 : 1_000,
  timeLimitMs: 10_000,
  // With little memory a process makes room for the next step of its item.
  idleMs: isMemorySmall() ? 0 : 30_000,
  maxBytes: 1024 ** 3,
  silenceMs: 8_000,
  baseMs: 30_000,
  perPageMs: 1_000,
  maxTotalMs: 120_000,
};

/** Kept free for another account, which then never waits for the first. */
const reservedProcesses = 1;
/** Needs of one item. A video for which every way to its captions is tried has a dozen. */
const maxNeeds = 24;
/** Bytes of all resources that one item needs besides its original. */
const maxSuppliedBytes = 100 * 1024 * 1024;
/** Processor time for all readings of one item together, as a multiple of the time limit for one reading. */
const maxTimeLimits = 3;

/** Processes start with the first job and end when idle. An idle process never keeps the main process alive. */
export function createReaders(given: Partial<typeof usual> = {}) {
  const settings = { ...usual, ...given };
  const { ocr, hasYtDlp } = settings;
  const pool = new WorkerPool(readerProcess({ ocr, hasYtDlp }, settings), {
    places: { total: settings.processes + reservedProcesses, reserved: reservedProcesses },
    growMs: settings.growMs,
    closing: interrupted,
  });

  const readOnce = async (job: ReadingJob, signal: AbortSignal, accountId: string): Promise<FinishedReading> => {
    try {
      return await pool.run(job, signal, accountId);
    } catch (error) {
      // A page that was too much for a DOM is read once more without one.
      const { task } = job;
      if (!(error instanceof LostReading) || error.way !== 'whole' || task.kind !== 'read') throw error;
      return pool.run({ ...job, task: { ...task, way: 'linear' } }, signal, accountId);
    }
  };

  /** Repeats until nothing is missing. No process is held between two readings, so a slow site blocks no one else. */
  const readWith = async (
    task: ReadingTask,
    { signal, accountId, supply }: Pick<ReadingContext, 'signal' | 'accountId' | 'supply'>,
  ): Promise<ReadingOutcome> => {
    const answers: ResourceAnswer[] = [];
    let suppliedBytes = 0;
    let cpuMs = 0;
    for (;;) {
      const reading = await readOnce({ task, answers }, signal, accountId);
      if (reading.outcome.kind !== 'needs') return reading.outcome;
      cpuMs += reading.cpuMs;
      if (cpuMs > settings.timeLimitMs * maxTimeLimits) throw tookTooLong('page');
      if (answers.length >= maxNeeds) throw needsTooMuch();
      const { need } = reading.outcome;
      let result = await answerOf(supply(need));
      signal.throwIfAborted();
      if (!(result instanceof ProcessingError)) {
        suppliedBytes += result.bytes.byteLength;
        if (suppliedBytes > maxSuppliedBytes) result = tooLargeTogether();
      }
      answers.push({ need, result });
    }
  };

  const readAlone = async (task: ReadingTask, signal: AbortSignal, accountId: string): Promise<ReadingOutcome> =>
    (await readOnce({ task, answers: [] }, signal, accountId)).outcome;

  return {
    /**
     * Gets an item's original where that is not simply the resource at its address; null where it is.
     * @param now ISO 8601
     * @throws as `read`
     */
    async open(
      url: URL,
      now: string,
      context: Pick<ReadingContext, 'signal' | 'accountId' | 'supply'>,
    ): Promise<Resource | null> {
      if (!opensInItsOwnWay(url)) return null;
      return only('opened', await readWith({ kind: 'open', url: url.href, now }, context)).resource;
    },
    /**
     * Makes the document that is stored.
     * @throws {ProcessingError} when no text can be extracted, with a reason for the person who saved the item. Aborting
     * rejects with the signal's reason.
     */
    async read(resource: Original, context: ReadingContext): Promise<Extraction> {
      const password = context.password ?? null;
      return only('read', await readWith({ kind: 'read', resource, password, way: 'whole' }, context)).extraction;
    },
    /** The text of a file that belongs to the owner of the local account; null when the file is not text. */
    decode: async (resource: Resource, signal: AbortSignal): Promise<string | null> =>
      only('decoded', await readAlone({ kind: 'decode', resource }, signal, localAccountId)).text,
    /** Finds the addresses of the icon and the picture of a page; none in a file. */
    findPictures: async (resource: Original, signal: AbortSignal, accountId: string): Promise<PagePictures> =>
      only('pictures', await readAlone({ kind: 'pictures', resource }, signal, accountId)).pictures,
    /**
     * Reads the entries of a feed, or finds the feeds that a page names.
     * @throws {ProcessingError}
     */
    readFeed: async (
      resource: Resource,
      question: FeedQuestion,
      signal: AbortSignal,
      accountId: string,
    ): Promise<FeedPage> => only('feed', await readAlone({ kind: 'feed', resource, question }, signal, accountId)).page,
    /** Ends the processes. Running jobs fail with `interrupted`. */
    close: (): Promise<void> => pool.close(),
  };
}

/** The outcome, which must answer the question that was asked. */
function only<Kind extends ReadingOutcome['kind']>(kind: Kind, outcome: ReadingOutcome) {
  if (outcome.kind !== kind) throw new Error('a reading process answered another question than it was asked');
  return outcome as Extract<ReadingOutcome, { kind: Kind }>;
}

async function answerOf(supplied: Promise<Resource>): Promise<Resource | ProcessingError> {
  try {
    return await supplied;
  } catch (error) {
    if (error instanceof ProcessingError) return error;
    throw error;
  }
}

function tooLargeTogether(): ProcessingError {
  return new ProcessingError(
    'too_large',
    'This page and the files that belong to it are larger than 100 MB together. Save its text as a file.',
  );
}

/** Whether a source fetches this address in its own way (`Source.open`). Decided from the address alone. */
export function opensInItsOwnWay(url: URL): boolean {
  return (
    youtubeVideoId(url) !== null || youtubePageName(url) !== null || redditThreadId(url) !== null || isPostOnX(url)
  );
}
