import type { HeldTo } from '../domain/access/held.ts';
import type { AnalysedItem } from '../domain/records/analysis.ts';
import type { Transcript } from '../domain/records/document.ts';
import type { Highlight, HighlightChanges, NewHighlight } from '../domain/records/highlights/highlight.ts';
import type { FoundPlace } from '../domain/records/highlights/place.ts';
import type { Page } from './records.ts';

export interface DeletedHighlight {
  id: string;
  contentId: string;
}

export interface HighlightQuery {
  limit?: number | undefined;
  offset: number;
  /** Only those of this item, in the order of its text. */
  contentId?: string | undefined;
  /** Only those whose quote or note contains this, whatever the case of its letters. */
  text?: string | undefined;
  /** Only those of items that a caller held to these knows. */
  held?: HeldTo | undefined;
}

/** An item whose highlights are to be looked for in its text. */
export interface HighlightsToPlace {
  contentId: string;
  item: AnalysedItem;
  documentId: number;
  transcript: Transcript;
  highlights: { id: string; quote: string }[];
}

/** What people marked in saved items. Everything belongs to one account; highlights of deleted items are hidden. */
export interface Highlights {
  /** Newest first, or in the order of the text of one item. */
  listHighlights(query: HighlightQuery): Promise<Page<Highlight>>;
  getHighlight(id: string): Promise<Highlight | null>;
  /**
   * The same words of the same item again are the same highlight: it takes the given note and colour.
   * Null when there is no such item. @throws {AppError} `invalid_input` when the item has `maxHighlights`
   */
  addHighlight(highlight: NewHighlight): Promise<Highlight | null>;
  /** Null when there is no such highlight. */
  updateHighlight(id: string, changes: HighlightChanges): Promise<Highlight | null>;
  /** Null when there never was one. Deleting again changes nothing. No later import brings it back. */
  deleteHighlight(id: string): Promise<DeletedHighlight | null>;
  /**
   * An item with highlights that were not yet looked for in the text that it has now, with at most `limit` of them.
   * @param contentId only of this item
   */
  nextHighlightsToPlace(limit: number, contentId?: string): Promise<HighlightsToPlace | null>;
  /**
   * Keeps where highlights stand (null: not in this text), and makes them findable. Nothing is kept when the item has
   * another text by now: they are due again then.
   */
  keepHighlightPlaces(
    contentId: string,
    documentId: number,
    places: readonly { id: string; quote: string; place: FoundPlace | null }[],
  ): Promise<void>;
}
