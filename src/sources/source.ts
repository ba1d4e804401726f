import type { Document } from '../domain/records/texts/document.ts';
import type { Resource, ResourceRequest } from '../domain/records/resource.ts';
import type { DecodedResource } from './decoding/sniff.ts';
import type { ReadingSubject, ReadingWay } from './host/reading-protocol.ts';

export interface SourceContext {
  way: ReadingWay;
  /** Password of a locked file. It is used for this one reading only, and is neither logged nor stored. */
  password?: string | undefined;
  /**
   * Gets another resource that belongs to the item (captions, a player response). The request is guarded like every
   * fetch, and the result is stored beside the item's original and reused when the item is processed again. A resource
   * that is not there yet ends this reading, and the reading starts again with this call answered. So a source must
   * make the same calls each time.
   */
  fetch(url: string, request?: ResourceRequest): Promise<DecodedResource>;
  /** The output of the user's yt-dlp for a video, fetched and stored as by `fetch`; null when there is no yt-dlp. */
  askYtDlp(address: string): Promise<DecodedResource> | null;
  report: ReadingReport;
}

/** Reports the progress of a reading. The time limits depend on it. */
export interface ReadingReport {
  /** Call before loading large modules; call `begun` afterwards. */
  loading(): void;
  begun(subject: ReadingSubject): void;
  linear(): void;
  /** For files: call at least after every finished page or chapter. */
  progress(done: number, recognised?: number): void;
}

/** Before there is an original. Resources that are fetched here are not stored, except the one that becomes it. */
export type OpeningContext = Pick<SourceContext, 'fetch'> & {
  /** ISO 8601. */
  now(): string;
};

/** One kind of content. How to add one: docs/adding-a-source.md. */
export interface Source {
  readonly name: string;
  matches(url: URL, mediaType: string): boolean;
  /**
   * Gets the item's original where that is not simply the resource at the address; null when it is.
   * `opensInItsOwnWay` in `host/readers.ts` must recognise the address, too.
   * @throws {ProcessingError}
   */
  open?(url: URL, context: OpeningContext): Promise<Resource> | null;
  /** @throws {ProcessingError} when no text can be extracted, with a reason for the person who saved the item. */
  read(resource: DecodedResource, context: SourceContext): Promise<Document>;
}

export interface FileTask {
  /** Address of the file, for names and links. */
  url: string;
  /** Password of a locked file. Never logged or stored. */
  password: string | null;
  ocr: boolean;
  /**
   * Must be called at least after every finished page or chapter: the process is ended after too long a silence.
   * @param recognised pages with text recognition, including the current one; 0 when omitted
   */
  progress(done: number, recognised?: number): void;
}
