import type { ItemCounts } from '../../domain/records/shelves.ts';
import type { ContentItem } from '../../domain/records/content.ts';
import { nameOf, resourceOf } from '../../domain/records/item.ts';
import { fittingEnd, tokensOf } from '../../domain/text/token-budget.ts';
import { decodeCursor, encodeCursor } from '../../domain/cursor.ts';
import { shortenTexts } from '../../search/shorten.ts';
import type { PlacedBlock } from '../../domain/records/document.ts';
import { outlineOf, type Section } from '../../domain/records/outline.ts';
import type { KindCount } from '../../store/records.ts';
import type { Coverage } from '../../store/records/search-records.ts';
import type { Store } from '../../store/store.ts';

/** A part of an item's text, in the format of research clients: every part names its item. */
export interface TextPage {
  id: string;
  title: string;
  text: string;
  url: string;
  /** Other details as text; on the first part only. */
  metadata?: Record<string, string>;
  nextCursor?: string;
}

/** Tokens kept free for the cursor and the braces. */
const reserveTokens = 40;
/** Shares of the budget for the details: normally, and when cutting all texts was not enough. */
const detailsShare = 0.4;
const maxDetailsShare = 0.8;

/** Following `nextCursor` gives every character exactly once. */
export function textPageOf(item: ContentItem, budget: { maxTokens: number; cursor?: string | undefined }): TextPage {
  const { transcript = '' } = item;
  const question = ['fetch', item.id, item.processedAt, transcript.length];
  const [start = 0] = decodeCursor(budget.cursor, question, 1);
  const room = budget.maxTokens - reserveTokens;
  const about = { id: item.id, title: nameOf(item), url: item.url ?? resourceOf(item.id) };
  const details: Omit<TextPage, 'text'> = shortenTexts(
    start === 0 ? { ...about, metadata: metadataOf(item) } : about,
    room * detailsShare,
    room * maxDetailsShare,
  );
  const { id, title, url, ...rest } = details;
  const end = start < transcript.length ? fittingEnd(transcript, start, room - tokensOf(details)) : start;
  const page: TextPage = { id, title, text: transcript.slice(start, end), url, ...rest };
  if (end < transcript.length) page.nextCursor = encodeCursor(question, [end]);
  return page;
}

function metadataOf(item: ContentItem): Record<string, string> {
  const known: Record<string, string | null | undefined> = {
    status: item.status,
    contentType: item.contentType,
    author: item.author,
    siteName: item.siteName,
    publishedAt: item.publishedAt,
    language: item.language,
    // Explain an empty text: otherwise the page would look empty.
    message: item.failure?.message ?? (item.transcript === undefined ? 'This item has no text yet.' : undefined),
  };
  return Object.fromEntries(
    Object.entries(known).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** An item with the blocks of its text and its outline; both are empty without a text. */
export type StructuredItem = ContentItem & { blocks: PlacedBlock[]; outline: Section[] };

/** How much there is, what is under way, and which kinds there are. */
export type LibraryState = Pick<Coverage, 'searchable' | 'pending' | 'failed'> & {
  kinds: KindCount[];
  shelves: ItemCounts['shelves'];
};

const maxSections = 120;

export async function blocksOf(store: Store, { id, transcript }: ContentItem): Promise<PlacedBlock[]> {
  const text = await store.readText(id);
  // Since the item was read, another version of the text may have become the visible one.
  return text !== null && text.text === transcript ? text.blocks : [];
}

export async function structuredItem(store: Store, item: ContentItem): Promise<StructuredItem> {
  const blocks = await blocksOf(store, item);
  const { transcript: text = '' } = item;
  return { ...item, blocks, outline: text === '' ? [] : outlineOf({ text, blocks }, maxSections) };
}

export async function libraryState(store: Store): Promise<LibraryState> {
  const [{ searchable, pending, failed }, kinds, { shelves }] = await Promise.all([
    store.coverage(),
    store.countKinds(),
    store.countItems(),
  ]);
  return { searchable, pending, failed, kinds, shelves };
}
