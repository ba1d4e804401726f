import type { ContentItem } from '../../domain/records/content.ts';
import type { PlacedBlock } from '../../domain/records/document.ts';
import { outlineOf, type Section } from '../../domain/records/outline.ts';
import type { KindCount } from '../../store/records.ts';
import type { Coverage } from '../../store/records/search-records.ts';
import type { Store } from '../../store/store.ts';

/** An item with the blocks of its text and its outline; both are empty without a text. */
export type StructuredItem = ContentItem & { blocks: PlacedBlock[]; outline: Section[] };

/** How much there is, what is under way, and which kinds there are. */
export type LibraryState = Pick<Coverage, 'searchable' | 'pending' | 'failed'> & { kinds: KindCount[] };

/** Sections of the outline of a whole text. */
const maxSections = 120;

/** The blocks of the item's text. */
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
  const [{ searchable, pending, failed }, kinds] = await Promise.all([store.coverage(), store.countKinds()]);
  return { searchable, pending, failed, kinds };
}
