import type { ActionItem } from '../../domain/records/action.ts';
import type { ContentItem, Insight } from '../../domain/records/content.ts';
import type { PlacedBlock } from '../../domain/records/document.ts';
import { outlineOf, type Section } from '../../domain/records/outline.ts';
import { charactersPerToken, countFitting, fittingEnd, tokensOf } from '../analyses/budget.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { shortenTexts } from '../search/shorten.ts';

/** A section with the cursor that opens it. */
export type OpenableSection = Omit<Section, 'level'> & { cursor: string };

/**
 * A piece of an item. The first one carries what is known about it and, where the text does not fit, its outline; the following
 * ones only `id`, `title` and what did not fit before: insights, then actions, then the transcript, cut at its sections.
 */
export type ItemPage = Partial<ContentItem> & {
  id: string;
  title: string | null;
  /** The sections of a text that comes in pieces, on the first one. */
  outline?: OpenableSection[];
  /** The section in which this piece of the text begins. */
  section?: string;
  /** Which part of the whole transcript this piece holds, UTF-16 units; absent when it is all of it. */
  transcriptRange?: { start: number; end: number; total: number };
  nextCursor?: string;
};

/** Tokens kept free for the range, the cursor and the braces. */
const reserveTokens = 60;
/** A transcript slice shorter than this is not worth its frame; it waits for the next page. */
const minSliceTokens = 40;
/** Of the budget, what the item's details may take on the first page. */
const detailsShare = 0.8;
/** Of the budget, what the title may take on the others. */
const titleShare = 0.2;
/** Of what the details leave, what the outline may take. */
const outlineShare = 0.4;
const maxSections = 60;
const minSections = 2;
/** A piece ends with a section when that leaves no more than this of it empty. */
const maxUnused = 0.5;

/**
 * Cuts an item into pieces of at most `maxTokens`; the walk along `nextCursor` gives every part exactly once.
 * @param blocks where the blocks of the item's transcript stand
 */
export function pageOfItem(
  item: ContentItem,
  blocks: readonly PlacedBlock[],
  budget: { maxTokens: number; cursor?: string | undefined },
): ItemPage {
  const { keyInsights, actions, transcript = '', ...details } = item;
  const question = ['get_content', item.id, item.processedAt, transcript.length];
  const [insightsBefore = 0, actionsBefore = 0, start = 0] = decodeCursor(budget.cursor, question, 3);
  const isFirst = budget.cursor === undefined;
  const room = budget.maxTokens - reserveTokens;
  const page: ItemPage = isFirst
    ? shortenTexts(details, room * detailsShare, room)
    : shortenTexts({ id: item.id, title: item.title }, room * titleShare);
  let left = room - tokensOf(page);
  let isBare = !isFirst;
  const sections = outlineOf({ text: transcript, blocks: [...blocks] }, maxSections);

  // JSON is never shorter than the text, so that of a text that cannot fit need not be made.
  const isLong = transcript.length > left * charactersPerToken;
  if (isFirst && (isLong || tokensOf({ keyInsights, actions, transcript }) > left)) {
    const outline = openable(sections, left * outlineShare, question, [keyInsights.length, actions.length]);
    if (outline.length >= minSections) {
      page.outline = outline;
      left -= tokensOf({ outline });
    }
  }

  const take = <T extends Insight | ActionItem>(items: readonly T[], before: number): T[] => {
    const waiting = items.slice(before);
    const taken = waiting.slice(0, countFitting(waiting, left));
    // One that no page could hold comes shortened, on a page that has nothing else.
    if (taken.length === 0 && isBare) taken.push(...waiting.slice(0, 1).map((one) => shortenTexts(one, left - 1)));
    left -= taken.reduce((sum, one) => sum + tokensOf(one) + 1, 0);
    isBare &&= taken.length === 0;
    return taken;
  };
  const shownInsights = take(keyInsights, insightsBefore);
  const insightsDone = insightsBefore + shownInsights.length;
  const shownActions = insightsDone >= keyInsights.length ? take(actions, actionsBefore) : [];
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

/** As many of the sections, evenly, as `maxTokens` hold, each with the cursor that opens the text there. */
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

/** The end of the last of the largest sections that end within a piece, unless the piece would be left half empty. */
function sectionEnd(sections: readonly Section[], start: number, end: number, total: number): number {
  if (end >= total) return end;
  const least = start + (end - start) * maxUnused;
  const borders = sections.filter((section) => section.start > least && section.start <= end);
  const highest = Math.min(...borders.map(({ level }) => level));
  return borders.findLast(({ level }) => level === highest)?.start ?? end;
}
