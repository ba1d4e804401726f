import type { ActionItem } from '../domain/action.ts';
import type { ContentItem, Insight } from '../domain/content.ts';
import { countFitting, fittingEnd, tokensOf } from './budget.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { shortenTexts } from './shorten.ts';

/**
 * A piece of an item. The first one carries what is known about it; the following ones only `id`, `title` and
 * what did not fit before: insights, then actions, then the transcript.
 */
export type ItemPage = Partial<ContentItem> & {
  id: string;
  title: string | null;
  /** Which part of the whole transcript this piece holds, UTF-16 units; absent when it is all of it. */
  transcriptRange?: { start: number; end: number; total: number };
  nextCursor?: string;
};

/** Tokens kept free for the range, the cursor and the braces. */
const reserveTokens = 60;
/** A transcript slice shorter than this is not worth its frame; it waits for the next page. */
const leastSliceTokens = 40;
/** Of the budget, what the item's details may take on the first page. */
const detailsShare = 0.8;
/** Of the budget, what the title may take on the others. */
const titleShare = 0.2;

/** Cuts an item into pieces of at most `maxTokens`; the walk along `nextCursor` gives every part exactly once. */
export function pageOfItem(item: ContentItem, budget: { maxTokens: number; cursor?: string | undefined }): ItemPage {
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
  if (listsDone && start < transcript.length && (left >= leastSliceTokens || isBare)) {
    end = fittingEnd(transcript, start, left);
    page.transcript = transcript.slice(start, end);
    if (start > 0 || end < transcript.length) page.transcriptRange = { start, end, total: transcript.length };
  }
  if (!listsDone || end < transcript.length) {
    page.nextCursor = encodeCursor(question, [insightsDone, actionsDone, end]);
  }
  return page;
}
