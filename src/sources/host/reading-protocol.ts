import type { FeedPage, FeedQuestion } from '../../domain/records/sources/feed.ts';
import type { Document, PlacedBlock, Transcript } from '../../domain/records/texts/document.ts';
import type { Original, Resource, ResourceRequest } from '../../domain/records/resource.ts';
import { maxCharactersWith } from '../../domain/machine-limits.ts';
import { ProcessingError, type SentFailure } from '../../errors.ts';
import { memoryMegabytes } from '../../workers/memory.ts';

/** `linear` never builds a DOM. It separates text from clutter less well, but no page can make it slow. */
export type ReadingWay = 'whole' | 'linear';

export type FileKind = 'pdf' | 'ebook' | 'docx' | 'mail' | 'image';
/** The subject of a reading process. Files have other limits than pages, and error messages name the subject. */
export type ReadingSubject = 'text' | 'page' | 'feed' | FileKind;

/** A missing resource. The reading ends there, so that no process waits for the network, and starts again with the answer. */
export type Need = { kind: 'fetch'; url: string; request?: ResourceRequest } | { kind: 'yt-dlp'; address: string };

/** A failure is a valid answer, too. */
export interface ResourceAnswer {
  need: Need;
  result: Resource | ProcessingError;
}

/**
 * `read` makes the document of an original; `open` gets an original that is not simply the resource at `url`; `feed`
 * gets a feed's entries, or the feeds that a page names.
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

export interface ReaderSettings {
  ocr: boolean;
  hasYtDlp: boolean;
}

export interface Extraction {
  document: Omit<Document, 'blocks'>;
  transcript: Transcript;
  mediaType: string;
  wordCount: number;
}

export interface PagePictures {
  icon: string[];
  picture: string[];
}

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

/** A request to a reading process. The bytes of its resources follow on stdin, in the order of `resourcesOf`. */
export interface SentJob {
  task: Sent<ReadingTask>;
  answers: { need: Need; result: { resource: SentResource } | { failure: SentFailure } }[];
}

/**
 * A long text and its blocks come in chunks, so that a book is never one message, and then one `FinalMessage`. `cpuMs`:
 * processor time that the request has used so far.
 */
export type ReadingMessage =
  /** On a busy machine, loading the code takes longer than reading most pages, and the page is not to blame. */
  | { kind: 'loading' }
  | { kind: 'begun'; subject: ReadingSubject; cpuMs: number }
  /** A first scan showed that no DOM can be built of the page in reasonable time. */
  | { kind: 'linear' }
  /** Finished pages or chapters, and those with text recognition. See `readingLimits`. */
  | { kind: 'progress'; done: number; recognised: number; cpuMs: number }
  | { kind: 'text'; text: string }
  | { kind: 'blocks'; blocks: PlacedBlock[] }
  | FinalMessage;

export type FinalMessage = { cpuMs: number } & (
  | ({ kind: 'read' } & Omit<Extraction, 'transcript'>)
  | { kind: 'needs'; need: Need }
  /** One of the answers, or a short text that the source made. Both null: there is nothing special to open. */
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
/** Blocks of one document. More would block the process that stores them. */
export const maxBlocks = 200_000;

export function resourcesOf({ task, answers }: ReadingJob): Resource[] {
  const first = 'resource' in task ? [task.resource] : [];
  return [...first, ...answers.flatMap(({ result }) => (result instanceof ProcessingError ? [] : [result]))];
}
