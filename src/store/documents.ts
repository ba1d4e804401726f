import type { Transcript } from '../domain/records/document.ts';
import type { Original, Resource } from '../domain/records/resource.ts';
import type { ItemVersion, ReadVersion } from '../domain/records/versions.ts';
import type { StoredDocument } from './records.ts';

/** Originals as they were fetched, and the documents extracted from them. Everything belongs to one account. */
export interface Documents {
  // The first three methods also work on deleted items: a worker may still hold one, and learns of the deletion when it
  // writes next.
  /**
   * The item's original as it was fetched; null before `fetch` has run. `name` is '' for the item itself, or a
   * companion's URL.
   */
  readOriginal(contentId: string, name?: string): Promise<Original | null>;
  /**
   * Keeps a resource that belongs to the item beside its original (captions, a player response); does nothing when the
   * item is gone.
   */
  keepCompanion(contentId: string, name: string, resource: Resource): Promise<void>;
  /** The newest version of the document; null before `extract` has run. */
  readDocument(contentId: string): Promise<StoredDocument | null>;
  /** The versions that can be read, the newest first; null without such an item. */
  listVersions(contentId: string): Promise<ItemVersion[] | null>;
  /** A version, and how it differs from another one, or from the visible one. Null when there is none of these. */
  readVersion(contentId: string, version: number, against?: number): Promise<ReadVersion | null>;
  /** Shows an earlier version again. False: there is none of this number. */
  restoreVersion(contentId: string, version: number): Promise<boolean>;
  /** The text of the visible version, to which passages and locators refer; null before there is one. */
  readTranscript(contentId: string): Promise<string | null>;
  /** The same text with the positions of its blocks. */
  readText(contentId: string): Promise<Transcript | null>;
}
