import type { ActionItem } from '../../domain/records/analyses/action.ts';
import type { ContentItem, Insight, ItemCounts } from '../../domain/records/content.ts';
import type { PlacedBlock } from '../../domain/records/texts/document.ts';
import { outlineOf, type Section } from '../../domain/records/texts/outline.ts';
import { charactersPerToken, countFitting, fittingEnd, tokensOf } from '../../domain/text/token-budget.ts';
import { decodeCursor, encodeCursor } from '../../domain/cursor.ts';
import { shortenTexts } from '../../search/shorten.ts';
import { nameOf, resourceOf } from '../../domain/records/item.ts';
import type { KindCount } from '../../store/records.ts';
import type { Coverage } from '../../store/records/search-records.ts';
import type { Store } from '../../store/store.ts';

export type OpenableSection = Omit<Section, 'level'> & { cursor: string };

/**
 * A part of an item. The first one has the item's details and, when the text does not fit, its outline. The following ones have
 * only `id`, `title` and what did not fit before: insights, then actions, then the transcript, split at its sections. The first
 * page has as many highlights as fit; the list of highlights has all.
 */
export type ItemPage = Partial<ContentItem> & {
  id: string;
  title: string | null;
  /** The sections of a text that does not fit; on the first page only. */
  outline?: OpenableSection[];
  /** The section in which this part of the text begins. */
  section?: string;
  /** The range of this part in the whole transcript, in UTF-16 units; absent when it is all of it. */
  transcriptRange?: { start: number; end: number; total: number };
  nextCursor?: string;
};

export interface ItemBudget {
  maxTokens: number;
  cursor?: string | undefined;
  /** How the answer gives the item on; whole when absent. */
  form?: ItemForm | undefined;
}

/** An item in another form. The budget counts what `write` writes; the page itself holds whole records. */
interface ItemForm {
  /** Whether an insight is left out of an item that has its text. */
  isLeftOut(insight: Insight): boolean;
  write(page: Partial<ItemPage>): unknown;
}

/** Several items within one budget, in the order of their ids. */
export interface ItemPages {
  items: (ItemPage | MissingItem)[];
  /** The ids that would have had too little room each: ask for them alone. */
  left?: string[];
}

/** An id that no item has. */
interface MissingItem {
  id: string;
  message: string;
}

/** Tokens kept free for the range, the cursor and the braces. */
const reserveTokens = 60;
/** A transcript slice shorter than this is not worth its frame; it waits for the next page. */
const minSliceTokens = 40;
/** Share of the budget for the item's details on the first page. */
const detailsShare = 0.8;
/** Share of the budget for the title on the other pages. */
const titleShare = 0.2;
/** Share of the budget after the details that highlights may take. */
const highlightsShare = 0.25;
/** Maximum share of the remaining budget that the outline may take. */
const outlineShare = 0.4;
const maxSections = 60;
const minSections = 2;
/** The least part of a budget for one of several items. */
const minItemTokens = 250;
/** Tokens that the frame of several items costs. */
const framesTokens = 20;
/** A page ends at a section boundary when that leaves at most this share of it empty. */
const maxUnused = 0.5;

/** Following `nextCursor` gives every part exactly once. @param blocks of the item's transcript */
export function pageOfItem(item: ContentItem, blocks: readonly PlacedBlock[], budget: ItemBudget): ItemPage {
  const { keyInsights: allInsights, actions, highlights = [], highlightsTotal, transcript = '', ...details } = item;
  const { form } = budget;
  const costOf = (part: Partial<ItemPage>) => tokensOf(form?.write(part) ?? part);
  const keyInsights =
    form === undefined || transcript === '' ? allInsights : allInsights.filter((insight) => !form.isLeftOut(insight));
  const question = ['get_content', item.id, item.processedAt, transcript.length, form === undefined];
  const [insightsBefore = 0, actionsBefore = 0, start = 0] = decodeCursor(budget.cursor, question, 3);
  const isFirst = budget.cursor === undefined;
  const room = budget.maxTokens - reserveTokens;
  const page: ItemPage = isFirst
    ? costOf(details) <= room * detailsShare
      ? details
      : shortenTexts(details, room * detailsShare, room)
    : shortenTexts({ id: item.id, title: item.title }, room * titleShare);
  let left = room - costOf(page);
  if (isFirst && highlights.length > 0) {
    const written = form === undefined ? highlights : highlights.map((one) => form.write({ highlights: [one] }));
    page.highlights = highlights.slice(0, countFitting(written, left * highlightsShare));
    const total = highlightsTotal ?? highlights.length;
    if (total > page.highlights.length) page.highlightsTotal = total;
    left -= costOf({ highlights: page.highlights, highlightsTotal: total });
  }
  let isBare = !isFirst;
  const sections = outlineOf({ text: transcript, blocks: [...blocks] }, maxSections);

  // JSON is never shorter than the text, so do not build it for a text that cannot fit.
  const isLong = transcript.length > left * charactersPerToken;
  if (isFirst && (isLong || costOf({ keyInsights, actions, transcript }) > left)) {
    const outline = openable(sections, left * outlineShare, question, [keyInsights.length, actions.length]);
    if (outline.length >= minSections) {
      page.outline = outline;
      left -= tokensOf({ outline });
    }
  }

  const take = <T extends Insight | ActionItem>(
    items: readonly T[],
    before: number,
    asPage: (items: T[]) => Partial<ItemPage>,
  ): T[] => {
    const waiting = items.slice(before);
    const written = form === undefined ? waiting : waiting.map((one) => form.write(asPage([one])));
    const taken = waiting.slice(0, countFitting(written, left));
    // An entry that is too large for any page is shortened, on a page that has nothing else.
    if (taken.length === 0 && isBare) taken.push(...waiting.slice(0, 1).map((one) => shortenTexts(one, left - 1)));
    left -= written.slice(0, taken.length).reduce((sum: number, one) => sum + tokensOf(one) + 1, 0);
    isBare &&= taken.length === 0;
    return taken;
  };
  const shownInsights = take(keyInsights, insightsBefore, (some) => ({ keyInsights: some }));
  const insightsDone = insightsBefore + shownInsights.length;
  const shownActions =
    insightsDone >= keyInsights.length ? take(actions, actionsBefore, (some) => ({ actions: some })) : [];
  const actionsDone = actionsBefore + shownActions.length;
  if (isFirst || shownInsights.length > 0) page.keyInsights = shownInsights;
  if (isFirst || shownActions.length > 0) page.actions = shownActions;

  let end = start;
  const listsDone = insightsDone >= keyInsights.length && actionsDone >= actions.length;
  if (listsDone && start < transcript.length && (left >= minSliceTokens || isBare)) {
    const section =
      sections.length > 1 && start > 0 ? sections.findLast((one) => one.start <= start)?.title : undefined;
    const named = section !== undefined && section !== '' && tokensOf({ section }) < left / 4;
    if (named) {
      page.section = section;
      left -= tokensOf({ section });
    }
    end = sectionEnd(sections, start, fittingEnd(transcript, start, left), transcript.length);
    page.transcript = transcript.slice(start, end);
    if (start > 0 || end < transcript.length) page.transcriptRange = { start, end, total: transcript.length };
  }
  if (!listsDone || end < transcript.length) {
    page.nextCursor = encodeCursor(question, [insightsDone, actionsDone, end]);
  }
  return page;
}

/** One of several items that were asked for, with the blocks of its text. */
export type GivenItem = { item: ContentItem; blocks: readonly PlacedBlock[] } | MissingItem;

/** The first parts of several items. One that needs less than its share leaves the rest to longer ones. */
export function pagesOfItems(given: readonly GivenItem[], { maxTokens, form }: Omit<ItemBudget, 'cursor'>): ItemPages {
  const fitting = Math.max(1, Math.floor((maxTokens - framesTokens) / minItemTokens));
  const left = given.slice(fitting).map((one) => ('item' in one ? one.item.id : one.id));
  const room = maxTokens - framesTokens - (left.length === 0 ? 0 : tokensOf({ left }));
  const shown = given.slice(0, fitting).map((one) => {
    if (!('item' in one)) return { need: tokensOf(one) + 1, page: () => one };
    const page = (tokens: number) => pageOfItem(one.item, one.blocks, { maxTokens: tokens, form });
    const whole = page(room);
    return { need: whole.nextCursor === undefined ? Math.min(neededFor(whole, form), room) : room, page };
  });
  const shares = fairShares(
    shown.map(({ need }) => need),
    room,
  );
  const items = shown.map(({ page }, index) => page(shares[index] ?? minItemTokens));
  return left.length === 0 ? { items } : { items, left };
}

/** The budget in which `pageOfItem` shortens nothing of an item. */
function neededFor(whole: ItemPage, form: ItemForm | undefined): number {
  const costOf = (part: Partial<ItemPage>) => tokensOf(form?.write(part) ?? part);
  const { keyInsights = [], actions = [], highlights: _, transcript: __, ...details } = whole;
  // A comma is counted for each.
  const parts = costOf(whole) + minSliceTokens + keyInsights.length + actions.length;
  return reserveTokens + Math.max(parts, Math.ceil(costOf(details) / detailsShare) + 1);
}

/** Divides a total: none gets more than it needs, and the others get equal parts. */
function fairShares(needs: readonly number[], total: number): number[] {
  const shares: number[] = [];
  let left = total;
  const smallestFirst = [...needs.entries()].sort(([, a], [, b]) => a - b);
  for (const [place, [index, need]] of smallestFirst.entries()) {
    const share = Math.min(need, Math.floor(left / (needs.length - place)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}

/** As many of the sections, evenly spaced, as fit into `maxTokens`, each with the cursor that opens the text there. */
function openable(
  sections: readonly Section[],
  maxTokens: number,
  question: unknown,
  behindLists: readonly [number, number],
): OpenableSection[] {
  for (let step = 1; step < sections.length; step += 1) {
    const outline = sections
      .filter((_, index) => index % step === 0)
      .map((section) => {
        const { level: _, ...shown } = section;
        return { ...shown, cursor: encodeCursor(question, [...behindLists, section.start]) };
      });
    if (tokensOf({ outline }) <= maxTokens) return outline;
  }
  return [];
}

/** At the last section boundary of the highest level after `maxUnused` of the page, else at `end`. */
function sectionEnd(sections: readonly Section[], start: number, end: number, total: number): number {
  if (end >= total) return end;
  const minEnd = start + (end - start) * maxUnused;
  const borders = sections.filter((section) => section.start > minEnd && section.start <= end);
  const highest = Math.min(...borders.map(({ level }) => level));
  return borders.findLast(({ level }) => level === highest)?.start ?? end;
}

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
const textReserveTokens = 40;
/** Shares of the budget for the details: normally, and when cutting all texts was not enough. */
const textDetailsShare = 0.4;
const maxDetailsShare = 0.8;

/** Following `nextCursor` gives every character exactly once. */
export function textPageOf(item: ContentItem, budget: { maxTokens: number; cursor?: string | undefined }): TextPage {
  const { transcript = '' } = item;
  const question = ['fetch', item.id, item.processedAt, transcript.length];
  const [start = 0] = decodeCursor(budget.cursor, question, 1);
  const room = budget.maxTokens - textReserveTokens;
  const about = { id: item.id, title: nameOf(item), url: item.url ?? resourceOf(item.id) };
  const details: Omit<TextPage, 'text'> = shortenTexts(
    start === 0 ? { ...about, metadata: metadataOf(item) } : about,
    room * textDetailsShare,
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

const maxOutlineSections = 120;

export async function blocksOf(store: Store, { id, transcript }: ContentItem): Promise<PlacedBlock[]> {
  const text = await store.readText(id);
  // Since the item was read, another version of the text may have become the visible one.
  return text !== null && text.text === transcript ? text.blocks : [];
}

export async function structuredItem(store: Store, item: ContentItem): Promise<StructuredItem> {
  const blocks = await blocksOf(store, item);
  const { transcript: text = '' } = item;
  return { ...item, blocks, outline: text === '' ? [] : outlineOf({ text, blocks }, maxOutlineSections) };
}

export async function libraryState(store: Store): Promise<LibraryState> {
  const [{ searchable, pending, failed }, kinds, { shelves }] = await Promise.all([
    store.coverage(),
    store.countKinds(),
    store.countItems(),
  ]);
  return { searchable, pending, failed, kinds, shelves };
}
