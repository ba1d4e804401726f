import type { ActionItem } from '../../domain/records/analyses/action.ts';
import type { ContentItem, ContentSummary, Insight } from '../../domain/records/content.ts';
import { resourceOf } from '../../domain/records/item.ts';
import type { SearchAnswer } from '../../services/search/search.ts';
import type { Locator } from '../../domain/records/texts/locator.ts';
import type { Highlight } from '../../domain/records/highlights/highlight.ts';
import { completionOf, pageAddress } from '../../domain/links/url.ts';
import { plainText } from '../../domain/text/plain-text.ts';
import { shortened } from '../../domain/text/shortened.ts';

/*
 * Answers over MCP are lean, because a model pays for every token of them: without nulls and empty lists, without what follows from
 * the rest of the answer, and without offsets and other values that only a program can use. `url` followed by `at` is the link to a
 * place; where the text is from an archived copy, that is `archivedCopy` followed by `at`. REST, the command line and `detail:
 * "full"` give whole answers; `get_content` has it for fields that lists leave out.
 */

/** What is the answer itself: when it is empty, that says that there is nothing. */
const answerFields: ReadonlySet<string> = new Set(['results', 'items', 'item']);

export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]: [string, unknown]) =>
      isEmpty(field) && !answerFields.has(name) ? [] : [[name, withoutEmpty(field)]],
    ),
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

/** Times to the day: the minute does not matter here. */
export function day(instant: string | null | undefined): string | null {
  return instant?.slice(0, 10) ?? null;
}

/** In a list, a summary gives the subject of an item; `get_content` has all of it. */
const maxListedSummary = 160;

type ListedDetails = Partial<ContentSummary>;

/** The details of an item that a model can use. The shelf and read state are given only where they are unusual. */
function leanDetails(item: ListedDetails) {
  const { canonicalUrl: _, processedAt: __, analysis: ___, reading: ____, archivedCopy, ...rest } = item;
  return {
    ...rest,
    shelf: item.shelf === 'later' ? item.shelf : null,
    readAt: day(item.readAt),
    publishedAt: day(item.publishedAt),
    createdAt: day(item.createdAt),
    warnings: item.warnings?.map(({ message }) => message),
    archivedCopy: archivedCopy?.url,
  };
}

export function leanSummary(item: ContentSummary): unknown {
  // The address names the site, and nearly all items are completed.
  const { siteName: _, language: __, status, ...rest } = leanDetails(item);
  const shownStatus = status === 'completed' ? null : status;
  return withoutEmptyFields({
    ...rest,
    status: shownStatus,
    summary: item.summary && shortened(item.summary, maxListedSummary),
  });
}

type ShownItem = Partial<ContentItem> & { outline?: readonly { start: number }[] | undefined };

/** An item in full, or a page of one. */
export function leanItem(item: ShownItem): unknown {
  const { keyInsights, actions, highlights, outline, proposedTags: _, ...details } = item;
  return withoutEmptyFields({
    ...leanDetails(details),
    warnings: noticesOf(details),
    keyInsights: keyInsights?.map(leanInsight),
    actions: actions?.map((action) => withoutEmptyFields(leanEntry(action))),
    highlights: highlights?.map(leanMark),
    outline: outline?.map((section) => {
      const { start: _, ...shown } = section;
      return shown;
    }),
  });
}

/** Notices about the text and its analysis for a reader. */
function noticesOf({ warnings = [], analysis }: ListedDetails): string[] {
  const messages = warnings.map(({ message }) => message);
  // Omissions of an analysis matter to the person who pays for it, not to a reader of this answer.
  return analysis?.by === 'extractive' && analysis.unread !== undefined ? [...messages, analysis.unread] : messages;
}

/** An insight that is a sentence of the text, word for word. */
export function isSentenceOfText({ text, quote }: Insight): boolean {
  return quote !== null && sameWords(text, quote);
}

export function leanInsight(insight: Insight): unknown {
  const { text, quote, locator, url, unquoted, goalId, goalReason } = insight;
  return withoutEmptyFields({
    text,
    quote: isSentenceOfText(insight) ? null : quote,
    ...leanPlace(url, locator),
    unquoted,
    goalId,
    goalReason,
  });
}

/** The completion of the item's address to the link to a place; the page number or time where there is no address. */
function leanPlace(url: string | null, locator: Locator | null) {
  if (locator === null) return {};
  if (url !== null) return { at: completionOf(url, locator) };
  return locator.kind === 'text' ? {} : { locator };
}

/** A highlight beside the item that it is in. */
function leanMark({ id, quote, note, place, locator, url }: Highlight): Record<string, unknown> {
  return withoutEmptyFields({ id, quote, note, place: place === 'found' ? null : place, ...leanPlace(url, locator) });
}

/** A highlight of a list, with the address of its item. */
export function leanHighlight(highlight: Highlight): Record<string, unknown> {
  const { contentId, contentTitle, colour, url, locator } = highlight;
  const { id, at, ...mark } = leanMark(highlight);
  const address = url === null ? null : pageAddress(url, locator);
  return withoutEmptyFields({ id, contentId, contentTitle, ...mark, colour, url: address, at });
}

/** An action item beside the item that asks for it. */
function leanEntry(action: ActionItem): Record<string, unknown> {
  const { id, goalId, title, reason, quote, locator, url, state, due, priority, snoozedUntil } = action;
  return {
    id,
    goalId,
    title,
    reason,
    quote: quote === null || sameWords(title, quote) ? null : quote,
    ...leanPlace(url, locator),
    state: state === 'open' ? null : state,
    completedAt: day(action.completedAt),
    due,
    priority: priority === 'normal' ? null : priority,
    snoozedUntil,
  };
}

/** An action item of a list, with the address of its item. */
export function leanAction(action: ActionItem): Record<string, unknown> {
  const { contentId, contentTitle, url, locator, alsoIn, alsoInTotal } = action;
  const { id, at, ...entry } = leanEntry(action);
  return withoutEmptyFields({
    id,
    contentId,
    contentTitle,
    ...entry,
    url: url === null ? null : pageAddress(url, locator),
    at,
    alsoIn: alsoIn?.map((source) => source.contentId),
    alsoInTotal,
  });
}

/** The first action of an item has its title and address, and a goal that was asked for is omitted. */
export function leanActions(items: readonly ActionItem[], askedGoal: unknown): unknown[] {
  const told = new Set<unknown>();
  return items.map((item) => {
    const { id, contentId, contentTitle, goalId, url, ...action } = leanAction(item);
    const source = `${String(contentId)} ${String(url)}`;
    const isTold = told.has(source);
    const shownUrl = isTold ? null : url;
    told.add(source);
    const shownGoal = goalId === askedGoal ? null : goalId;
    const { title, at, ...rest } = action;
    const from = isTold ? null : contentTitle;
    return withoutEmptyFields({ id, contentId, goalId: shownGoal, title, from, url: shownUrl, at, ...rest });
  });
}

type Result = Pick<
  SearchAnswer['results'][number],
  'id' | 'title' | 'url' | 'archivedCopy' | 'contentType' | 'status' | 'tags' | 'score'
>;
type ResultPassage = Omit<SearchAnswer['results'][number]['passages'][number], 'highlights'>;

/** A result of a search, without its passages. */
function leanResult(item: Result & { author?: string | null; publishedAt?: string | null }) {
  const { id, title, url, archivedCopy, author = null, publishedAt, contentType, status, tags, score } = item;
  return withoutEmptyFields({
    id,
    title,
    // Research clients need an address: a file or a note gets that of the resource.
    url: url ?? resourceOf(id),
    // Its date is in the address.
    archivedCopy: archivedCopy?.url,
    author,
    publishedAt: day(publishedAt),
    contentType,
    status,
    tags,
    score: Math.round(score * 100) / 100,
  });
}

/**
 * A passage of a result: `at` completes the address of the item or of its archived copy; a link that does not begin with it is
 * given whole.
 */
export function leanPassage(passage: ResultPassage, address: string | null): Record<string, unknown> {
  const { text, headingPath, isPart, notes, alsoIn, locator, url, before, after } = passage;
  const beginning = text.slice(0, 300);
  const firstLines = headingPath === undefined ? [] : beginning.split('\n').map(bare);
  const completes = url === null || address === null || url.startsWith(address);
  return withoutEmptyFields({
    text,
    // A heading that begins the passage is not said twice. In the text it may have marks (`3\.`, `*type*`).
    headingPath: headingPath?.filter(
      (heading) => !beginning.includes(heading) && !firstLines.includes(bareText(heading)),
    ),
    at: completes && url !== null && address !== null && url !== address ? url.slice(address.length) : null,
    url: completes ? null : url,
    locator: url === address && locator.kind !== 'text' ? locator : null,
    isPart,
    notes,
    alsoIn,
    before,
    after,
  });
}

/** How a budget counts a result over MCP. */
export const leanForm = { item: leanResult, passage: leanPassage };

export function leanResults(
  results: readonly (Parameters<typeof leanResult>[0] & { passages: readonly ResultPassage[] })[],
): unknown[] {
  return results.map(({ passages, ...item }) => ({
    ...leanResult(item),
    passages: passages.map((passage) => leanPassage(passage, item.archivedCopy?.url ?? item.url)),
  }));
}

function withoutEmptyFields(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => !isEmpty(value)));
}

/** Whether two texts have the same words, whatever their marks and the punctuation at their ends. */
function sameWords(a: string, b: string): boolean {
  return bare(a) === bare(b);
}

const bare = (markdown: string) => bareText(plainText(markdown));

const bareText = (text: string) =>
  text
    .replaceAll(/[\s.!?:;,]+/g, ' ')
    .trim()
    .toLowerCase();
