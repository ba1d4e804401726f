import type { Document } from '../domain/document.ts';
import type { Resource, ResourceRequest } from '../domain/resource.ts';

/** What a source may use while it reads. */
export interface SourceContext {
  signal: AbortSignal;
  /** For a locked file. It is used for this one reading, and neither logged nor kept. */
  password?: string | undefined;
  /**
   * Gets a further resource that belongs to the item (captions, a player answer). It is guarded like
   * every fetch, kept beside the item's original, and answered from there when the item is processed again.
   */
  fetch(url: string, request?: ResourceRequest): Promise<Resource>;
  /** Keeps what did not come through `fetch` (a program's output) under a name of its own; `make` runs when it is not kept yet. */
  keep(name: string, make: () => Promise<Resource>): Promise<Resource>;
}

/** What a source may use before there is an original; nothing of it is kept. */
export type OpeningContext = Pick<SourceContext, 'signal' | 'fetch'> & {
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
   * Gets the item's original, where that is not simply what stands at the address; null when it is.
   * @throws {ProcessingError}
   */
  open?(url: URL, context: OpeningContext): Promise<Resource> | null;
  /** @throws {ProcessingError} when there is no text to be had, with the reason for the person who saved it. */
  read(resource: Resource, context: SourceContext): Promise<Document>;
}
