import type { Transcript } from '../domain/records/document.ts';
import type { Original, Resource } from '../domain/records/resource.ts';
import type { StoredDocument } from './records.ts';

/** Originals as they were fetched, and the documents that were read from them. Everything here is one account's. */
export interface Documents {
  // The three about originals and documents read a deleted item's as well: a worker may still hold it, and learns at its next write.
  /** The item's original as it was fetched; null before `fetch` has run. `name` is '' for the item itself, else a companion's URL. */
  readOriginal(contentId: string, name?: string): Promise<Original | null>;
  /** Keeps a resource that belongs to the item beside its original (captions, a player answer); nothing when the item is gone. */
  keepCompanion(contentId: string, name: string, resource: Resource): Promise<void>;
  /** The newest version of the document; null before `extract` has run. */
  readDocument(contentId: string): Promise<StoredDocument | null>;
  /** The text of the visible version, which passages and locators point into; null before there is one. */
  readTranscript(contentId: string): Promise<string | null>;
  /** The same text with the places of its blocks. */
  readText(contentId: string): Promise<Transcript | null>;
}
