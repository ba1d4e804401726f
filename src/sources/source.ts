import type { Document } from '../domain/document.ts';
import type { Resource } from '../domain/resource.ts';

/** What a source may use while it reads. */
export interface SourceContext {
  signal: AbortSignal;
  /**
   * Gets a further resource that belongs to the item (captions, a player answer). It is guarded like
   * every fetch, kept beside the item's original, and answered from there when the item is processed again.
   */
  fetch(url: string): Promise<Resource>;
}

/** One kind of content. Adding a kind is one file that exports one of these, and a line in `sources/index.ts`. */
export interface Source {
  /** Short name for logs and docs, e.g. `article`. */
  readonly name: string;
  /** Whether this source reads what stands at `url` and was found to be `mediaType`. */
  matches(url: URL, mediaType: string): boolean;
  /** @throws {ProcessingError} when there is no text to be had, with the reason for the person who saved it. */
  read(resource: Resource, context: SourceContext): Promise<Document>;
}
