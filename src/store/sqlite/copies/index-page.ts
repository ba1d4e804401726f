import type { ContentType } from '../../../domain/records/content.ts';

/* What a copy of an account's index is made of. The records are elsewhere: whoever has them writes these pages. JSON is text here. */

/**
 * How far a copy has come. Everything up to the change `complete` is in it. It is brought further in two steps: items are
 * copied in the order of their last changes until none is left; then the vectors that were there by that time.
 */
export interface CopyState {
  /** Names the library that the numbers of changes belong to. */
  source: string;
  complete: number;
  items: ChangePosition;
  vectors: ChangePosition;
  /** The last change of vectors that are being copied; null while items are. */
  toward: number | null;
}

export interface ChangePosition {
  change: number;
  /** The item or passage within the change. */
  key: number;
}

/** The state of a copy that has everything up to a change. */
export function completeCopy(source: string, change: number): CopyState {
  const end = { change, key: Number.MAX_SAFE_INTEGER };
  return { source, complete: change, items: end, vectors: end, toward: null };
}

export interface CopiedPassage {
  id: number;
  ordinal: number;
  start: number;
  end: number;
  headingPath: string;
  locator: string;
  text: string;
  /** As in the file: null means not computed, and an empty string that there is none. */
  fragment: string | null;
  marks: string | null;
}

export interface CopiedDocument {
  id: number;
  contentType: ContentType;
  title: string | null;
  author: string | null;
  siteName: string | null;
  publishedAt: string | null;
  language: string | null;
  warnings: string;
  text: string;
  blocks: string;
}

export interface CopiedItem {
  seq: number;
  /** The number of its card, among those of passages. */
  card: number;
  id: string;
  url: string;
  canonicalUrl: string;
  state: string;
  contentType: string | null;
  passageCount: number;
  duplicateOf: string | null;
  givenTitle: string | null;
  notes: string | null;
  known: string | null;
  createdAt: number;
  deletedAt: number | null;
  /** In the order in which they were given. */
  tags: readonly { folded: string; tag: string }[];
  /** Absent: the text and its passages are as they were. Null: there is no text. */
  text?: { document: CopiedDocument; passages: readonly CopiedPassage[] } | null;
  /** Absent with `text`: the marks of all passages that have any. */
  marks?: readonly { id: number; marks: string }[];
}

export interface CopiedVector {
  passage: number;
  embedder: string;
  scale: number;
  components: Uint8Array;
}

export interface IndexPage {
  /** What the copy has to be for the page to be applied. */
  before: CopyState;
  after: CopyState;
  /** Keys of items that are gone. */
  gone: readonly number[];
  items: readonly CopiedItem[];
  vectors: readonly CopiedVector[];
}
