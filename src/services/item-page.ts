import type { ActionItem } from '../domain/action.ts';
import type { ContentItem, Insight } from '../domain/content.ts';
import { countFitting, fittingEnd, tokensOf } from './budget.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';

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
/** Of the budget, what notes and the like may take on the first page. */
const detailsShare = 0.6;

/** Cuts an item into pieces of at most `maxTokens`; the walk along `nextCursor` gives every part exactly once. */
export function pageOfItem(item: ContentItem, budget: { maxTokens: number; cursor?: string | undefined }): ItemPage {
  const transcript = item.transcript ?? '';
  const question = ['get_content', item.id, item.processedAt, transcript.length];
  const [insightsBefore = 0, actionsBefore = 0, start = 0] = decodeCursor(budget.cursor, question, 3);

  const { keyInsights, actions, transcript: _, ...details } = item;
  const page: ItemPage =
    budget.cursor === undefined ? shortenTexts(details, budget.maxTokens * detailsShare) : { id: item.id, title: item.title };
  let left = budget.maxTokens - reserveTokens - tokensOf(page);

  const take = <T extends Insight | ActionItem>(items: readonly T[], before: number): T[] => {
    const waiting = items.slice(before);
    if (waiting.length === 0 || (left < tokensOf(waiting[0]) && tokensOf(page) > budget.maxTokens / 4)) return [];
    const taken = waiting.slice(0, countFitting(waiting, left));
    left -= tokensOf(taken);
    return taken;
  };
  const shownInsights = take(keyInsights, insightsBefore);
  const insightsDone = insightsBefore + shownInsights.length;
  const shownActions = insightsDone === keyInsights.length ? take(actions, actionsBefore) : [];
  const actionsDone = actionsBefore + shownActions.length;
  if (budget.cursor === undefined || shownInsights.length > 0) page.keyInsights = shownInsights;
  if (budget.cursor === undefined || shownActions.length > 0) page.actions = shownActions;

  let end = start;
  const listsDone = insightsDone === keyInsights.length && actionsDone === actions.length;
  const nothingElse = shownInsights.length + shownActions.length === 0 && budget.cursor !== undefined;
  if (listsDone && start < transcript.length && (left >= leastSliceTokens || nothingElse)) {
    end = fittingEnd(transcript, start, Math.max(1, left));
    page.transcript = transcript.slice(start, end);
    if (start > 0 || end < transcript.length) page.transcriptRange = { start, end, total: transcript.length };
  }
  if (!listsDone || end < transcript.length) {
    page.nextCursor = encodeCursor(question, [insightsDone, actionsDone, end]);
  }
  return page;
}

const cutMark = ' … [cut; a larger maxTokens shows all]';
/** The texts of a person or a page that may be long; ids and addresses are never cut. */
const longTexts = ['notes', 'summary', 'title'] as const;

/** Shortens the longest texts of an item until it costs at most `maxTokens`, and says so where it did. */
export function shortenTexts<T extends { [key in (typeof longTexts)[number]]: string | null }>(item: T, maxTokens: number): T {
  let shortened = item;
  for (const name of longTexts) {
    const excess = tokensOf(shortened) - Math.floor(maxTokens);
    if (excess <= 0) break;
    const text = shortened[name];
    if (text === null || text.length <= cutMark.length * 2) continue;
    const keep = fittingEnd(text, 0, Math.max(20, tokensOf(text) - excess - Math.ceil(cutMark.length / 4) - 1));
    if (keep < text.length) shortened = { ...shortened, [name]: text.slice(0, keep) + cutMark };
  }
  return shortened;
}
