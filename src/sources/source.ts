import type { Document } from '../domain/records/document.ts';
import type { Resource, ResourceRequest } from '../domain/records/resource.ts';
import type { DecodedResource } from './decoding/decode-resource.ts';
import type { ReadingSubject, ReadingWay } from './host/reading-protocol.ts';

/** What a source may use while it reads. */
export interface SourceContext {
  /** How pages are read. */
  way: ReadingWay;
  /** For a locked file. It is used for this one reading, and neither logged nor kept. */
  password?: string | undefined;
  /**
   * Gets a further resource that belongs to the item (captions, a player answer). It is guarded like
   * every fetch, kept beside the item's original, and answered from there when the item is processed again.
   * What is not there yet ends this reading: it begins again, with this call answered. So a source does the same each time.
   */
  fetch(url: string, request?: ResourceRequest): Promise<DecodedResource>;
  /** What the user's yt-dlp prints of a video, got and kept as by `fetch`; null where there is none. */
  askYtDlp(address: string): Promise<DecodedResource> | null;
  report: ReadingReport;
}

/** How a reading gets on; its limits go by it. */
export interface ReadingReport {
  /** Before something heavy is loaded; then `begun`. */
  loading(): void;
  begun(subject: ReadingSubject): void;
  /** The page was told to be too much for a DOM. */
  linear(): void;
  /** Of a file: with every finished page or chapter at least. */
  progress(done: number, recognised?: number): void;
}

/** What a source may use before there is an original; nothing of it is kept. */
export type OpeningContext = Pick<SourceContext, 'fetch'> & {
  /** ISO 8601. */
  now(): string;
};

/** One kind of content. Adding a kind is one file that exports one of these, and a line in `sources/index.ts`. */
export interface Source {
  /** Short name for logs and docs, e.g. `article`. */
  readonly name: string;
  /** Whether this source reads what stands at `url` and was found to be `mediaType`. */
  matches(url: URL, mediaType: string): boolean;
  /**
   * Gets the item's original, where that is not simply what stands at the address; null when it is. `host/own-openings.ts` has to know
   * the address, too.
   * @throws {ProcessingError}
   */
  open?(url: URL, context: OpeningContext): Promise<Resource> | null;
  /** @throws {ProcessingError} when there is no text to be had, with the reason for the person who saved it. */
  read(resource: DecodedResource, context: SourceContext): Promise<Document>;
}
