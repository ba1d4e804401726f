import type { FeedPage, FeedQuestion } from '../../domain/records/sources/feed.ts';
import type { Document, PlacedBlock, Transcript } from '../../domain/records/document.ts';
import type { Original, Resource, ResourceRequest } from '../../domain/records/resource.ts';
import { maxCharactersWith } from '../../domain/memory-needs.ts';
import { ProcessingError, type SentFailure } from '../../errors.ts';
import { memoryMegabytes } from '../../workers/memory.ts';

/** `linear` never builds a DOM. It separates text from clutter less well, but no page can make it slow. */
export type ReadingWay = 'whole' | 'linear';

export type FileKind = 'pdf' | 'ebook' | 'docx' | 'mail' | 'image';
/** What a reading process is reading. Files have other limits than pages, and error messages name the subject. */
export type ReadingSubject = 'text' | 'page' | 'feed' | FileKind;

/**
 * Something that a reading needs and does not have. The reading ends there, so that no process waits for the network.
 * The main thread gets it, and the reading starts again with all answers so far.
 */
export type Need =
  | { kind: 'fetch'; url: string; request?: ResourceRequest }
  /** The output of the user's own yt-dlp for a video. */
  | { kind: 'yt-dlp'; address: string };

/** A need with its result. A failure is a valid answer, too. */
export interface ResourceAnswer {
  need: Need;
  result: Resource | ProcessingError;
}

/**
 * The kinds of jobs: `read` makes the document of an original, `open` gets an original that is not simply the resource
 * at `url`, `decode` gets the text of a file, `pictures` finds the addresses of a page's icon and picture, `feed` gets the
 * entries of a feed, or the feeds that a page names.
 */
export type ReadingTask =
  | { kind: 'read'; resource: Original; password: string | null; way: ReadingWay }
  | { kind: 'open'; url: string; now: string }
  | { kind: 'decode'; resource: Resource }
  | { kind: 'pictures'; resource: Resource }
  | { kind: 'feed'; resource: Resource; question: FeedQuestion };

export interface ReadingJob {
  task: ReadingTask;
  answers: readonly ResourceAnswer[];
}

/** Settings with which the reading processes are started. */
export interface ReaderSettings {
  /** Whether text recognition (OCR) runs on pages that are pictures. */
  ocr: boolean;
  /** Whether the user has configured a yt-dlp. */
  hasYtDlp: boolean;
}

/** The data that is stored for an original after reading it. */
export interface Extraction {
  document: Omit<Document, 'blocks'>;
  transcript: Transcript;
  /** Media type detected from the bytes. */
  mediaType: string;
  wordCount: number;
}

/** Addresses to try in their order. */
export interface PagePictures {
  icon: string[];
  picture: string[];
}

/** The outcome of a reading that did not fail. */
export type ReadingOutcome =
  | { kind: 'read'; extraction: Extraction }
  | { kind: 'needs'; need: Need }
  | { kind: 'opened'; resource: Resource | null }
  | { kind: 'decoded'; text: string | null }
  | { kind: 'pictures'; pictures: PagePictures }
  | { kind: 'feed'; page: FeedPage };

/** A resource in the form that is sent between processes. Its bytes are sent separately. */
export type SentResource<From extends Resource = Resource> = Omit<From, 'bytes'> & { size: number };
type Sent<Task> = Task extends { resource: infer R extends Resource }
  ? Omit<Task, 'resource'> & { resource: SentResource<R> }
  : Task;

/**
 * A request to a reading process. The bytes of its resources follow on stdin, one resource after the other, in the
 * order of `resourcesOf`.
 */
export interface SentJob {
  task: Sent<ReadingTask>;
  answers: { need: Need; result: { resource: SentResource } | { failure: SentFailure } }[];
}

/**
 * Messages from a reading process. For each request it sends its progress, then a long text and
 * its blocks in chunks, so that a book is never one message, and finally one `FinalMessage`. `cpuMs` is the processor
 * time that the request has used so far.
 */
export type ReadingMessage =
  /**
   * The process is loading its code. On a busy machine that takes longer than reading most pages, and the page is not
   * to blame.
   */
  | { kind: 'loading' }
  | { kind: 'begun'; subject: ReadingSubject; cpuMs: number }
  /** A first scan showed that no DOM can be built of the page in reasonable time. */
  | { kind: 'linear' }
  /**
   * Progress of a file: `done` counts finished pages or chapters, `recognised` those with text recognition. See
   * `readingLimits`.
   */
  | { kind: 'progress'; done: number; recognised: number; cpuMs: number }
  | { kind: 'text'; text: string }
  | { kind: 'blocks'; blocks: PlacedBlock[] }
  | FinalMessage;

export type FinalMessage = { cpuMs: number } & (
  | ({ kind: 'read' } & Omit<Extraction, 'transcript'>)
  | { kind: 'needs'; need: Need }
  /**
   * Either one of the answers, by its index, or a short text that the source made instead of a page. Both null: there
   * is nothing special to open.
   */
  | { kind: 'opened'; answer: number | null; note: (Omit<Resource, 'bytes'> & { text: string }) | null }
  | { kind: 'decoded'; isText: boolean }
  | { kind: 'pictures'; pictures: PagePictures }
  | { kind: 'feed'; page: FeedPage }
  | ({ kind: 'failure' } & SentFailure)
  /** `program` means that this machine or Commonplace is at fault, not the content. */
  | { kind: 'broken'; fault: 'content' | 'program'; reason: string }
);

/** UTF-16 units of one document. */
export const maxCharacters = maxCharactersWith(memoryMegabytes());
/**
 * Blocks of one document. A text with one word per line may have this many; more would block the process that stores
 * them.
 */
export const maxBlocks = 200_000;

/** The resources of a job, in the order in which their bytes are sent. */
export function resourcesOf({ task, answers }: ReadingJob): Resource[] {
  const first = 'resource' in task ? [task.resource] : [];
  return [...first, ...answers.flatMap(({ result }) => (result instanceof ProcessingError ? [] : [result]))];
}
