import type { Document, KnownMetadata, PlacedBlock, Transcript } from '../../domain/records/document.ts';
import type { Original, Resource, ResourceRequest } from '../../domain/records/resource.ts';
import { ProcessingError, type FailureCode } from '../../errors.ts';

/** `linear` never builds a DOM: less text is told from clutter, but no page can make it slow. */
export type ReadingWay = 'whole' | 'linear';

export type FileKind = 'pdf' | 'ebook' | 'docx' | 'image';
/** What a reading process is at work on: files have other limits than pages, and failures name it. */
export type ReadingSubject = 'text' | 'page' | FileKind;

/**
 * Something that a reading lacks. The reading ends with it, so that no process waits for the network; the main thread gets it, and the
 * reading begins again with all answers so far.
 */
export type Need =
  | { kind: 'fetch'; url: string; request?: ResourceRequest }
  /** What the user's own yt-dlp prints of a video. */
  | { kind: 'yt-dlp'; address: string };

/** A need with what came of it: a failure is an answer, too. */
export interface Answer {
  need: Need;
  result: Resource | ProcessingError;
}

/** What is to be done: the document of an original; an original, where that is not simply what stands at `url`; the text of a file. */
export type ReadingTask =
  | { kind: 'read'; original: Original; password: string | null; way: ReadingWay }
  | { kind: 'open'; url: string; now: string }
  | { kind: 'decode'; resource: Resource };

export interface ReadingJob {
  task: ReadingTask;
  answers: readonly Answer[];
}

/** What the reading processes are started with. */
export interface ReaderSettings {
  /** Whether text is recognised on pages that are pictures. */
  ocr: boolean;
  /** Whether the user has put a yt-dlp in place. */
  hasYtDlp: boolean;
}

/** What is stored of an original that was read. */
export interface Extraction {
  document: Omit<Document, 'blocks'>;
  transcript: Transcript;
  /** What the bytes turned out to be. */
  mediaType: string;
  wordCount: number;
}

/** How a reading ended that did not fail. */
export type ReadingOutcome =
  | { kind: 'read'; extraction: Extraction }
  | { kind: 'needs'; need: Need }
  | { kind: 'opened'; resource: Resource | null }
  | { kind: 'decoded'; text: string | null };

/** A `ProcessingError` as it travels. */
export interface SentFailure {
  code: FailureCode;
  message: string;
  retryable: boolean;
  retryAfterMs?: number | undefined;
  known?: KnownMetadata | undefined;
}

/** A resource as it travels: its bytes come on another way. */
export type SentResource = Omit<Resource, 'bytes'> & { size: number };

/** A request to a reading process. The bytes of its resources follow on its stdin, one after the other in the order of `sentResources`. */
export interface SentJob {
  task:
    | { kind: 'read'; original: SentResource & { given: boolean }; password: string | null; way: ReadingWay }
    | { kind: 'open'; url: string; now: string }
    | { kind: 'decode'; resource: SentResource };
  answers: { need: Need; result: { resource: SentResource } | { failure: SentFailure } }[];
}

/**
 * What a reading process posts. Once: `ready`. Of each request: how it gets on, then a long text and its blocks in pieces, so that a
 * book is never one message, and in the end one of the others. `cpuMs` is what the request has taken of the processor so far.
 */
export type ReadingMessage =
  | { kind: 'ready' }
  /** Loads what it needs: on a busy machine that takes longer than most pages, and is not their fault. */
  | { kind: 'loading' }
  | { kind: 'begun'; subject: ReadingSubject; cpuMs: number }
  /** A first look showed that no DOM can be built of the page in reasonable time. */
  | { kind: 'linear' }
  /** Of a file: `done` counts finished pages or chapters, `recognised` those whose text is recognised. See `readingLimits`. */
  | { kind: 'progress'; done: number; recognised: number; cpuMs: number }
  | { kind: 'text'; text: string }
  | { kind: 'blocks'; blocks: PlacedBlock[] }
  | FinalMessage;

export type FinalMessage = { cpuMs: number } & (
  | ({ kind: 'read' } & Omit<Extraction, 'transcript'>)
  | { kind: 'needs'; need: Need }
  /** Either one of the answers, by its place, or a short text of the source's own in the place of a page. */
  | { kind: 'opened'; answer: number | null; note: (Omit<Resource, 'bytes'> & { text: string }) | null }
  | { kind: 'decoded'; isText: boolean }
  | ({ kind: 'failure' } & SentFailure)
  /** `program`: the fault lies with this machine or with Commonplace, not with what was read. */
  | { kind: 'broken'; fault: 'content' | 'program'; reason: string }
);

/** UTF-16 units of one document. More than twenty Bibles is no document that a person saves, but it is what a small bomb unfolds to. */
export const maxCharacters = 20_000_000;
/** Of one document. A text of one word a line may have so many; more of them would hold up whoever stores them. */
export const maxBlocks = 200_000;

export function sendFailure({ code, message, retryable, retryAfterMs, known }: ProcessingError): SentFailure {
  return { code, message, retryable, retryAfterMs, known };
}

export function receiveFailure({ code, message, ...rest }: SentFailure): ProcessingError {
  return new ProcessingError(code, message, rest);
}

/** The resources of a job, in the order in which their bytes are sent. */
export function resourcesOf({ task, answers }: ReadingJob): Resource[] {
  const first = task.kind === 'read' ? [task.original] : task.kind === 'decode' ? [task.resource] : [];
  return [...first, ...answers.flatMap(({ result }) => (result instanceof ProcessingError ? [] : [result]))];
}
