import type { ArchivedCopy, ContentType } from '../domain/records/content.ts';
import { nameOf } from '../domain/records/item.ts';
import type { TextSpan } from '../domain/text/graphemes.ts';
import { bestOfEachFirst } from '../domain/records/texts/passage.ts';
import type { Filter } from '../domain/search/filter.ts';
import {
  createTermMatcher,
  matchedRanges,
  type MatchedWords,
  type TermMatcher,
} from '../domain/search/term-matches.ts';
import type { Coverage, Facets } from '../store/records/search-records.ts';
import type { IndexReader } from '../store/index-reader.ts';
import { charactersPerToken, fittingEnd, tokensOf } from '../domain/text/token-budget.ts';
import { decodeCursor, encodeCursor } from '../domain/cursor.ts';
import type { Citations } from './citations.ts';
import type { Match } from './match.ts';
import { fittingNeighbours, type SurroundingText, readNeighbours } from './neighbours.ts';
import {
  createPassageView,
  type FindTerms,
  roundScore,
  type SearchPassage,
  type ShownPassage,
  type ShowPassage,
  createPassagePlaces,
  linkedAddressOf,
} from './passage-view.ts';
import type { AnsweringPassage } from './item-search.ts';
import { shortenTexts } from './shorten.ts';
import { likelyShown, unitsOf, windowThatFits } from './windows.ts';

export interface SearchQuery {
  query: string;
  /** Items, 1–50. */
  limit: number;
  /** Items to pass over, for pages of a fixed number of items. The answer then has `total`. */
  offset?: number | undefined;
  /** Conditions for items in addition to the query's. */
  filter?: Filter | null | undefined;
  maxTokens?: number | undefined;
  cursor?: string | undefined;
  /** Passages before and after each result passage that are given with it; none when 0 or absent. */
  neighbours?: number | undefined;
  facets?: boolean | undefined;
  /**
   * End the first answer where relevance falls off: behind the passages that come near the best one, or, when the match
   * is weak, behind the first three items. The rest comes with `nextCursor`.
   */
  endsAtFallOff?: boolean | undefined;
  /** How the answer is given on: a name of `AnswerForms`; whole when absent. */
  form?: keyof AnswerForms | undefined;
  /** Whether the question may be stored for suggestions: for people and assistants, not for measurements. */
  remember?: boolean | undefined;
  /** The query was not typed just now, so its spelling is not corrected. */
  asWritten?: boolean | undefined;
}

/**
 * An answer in another form: with text as a reader sees it (`readable-text.ts`), and with results as these functions
 * write them. The budget counts what they write; the answer itself holds the whole records.
 */
export interface AnswerForm {
  item(item: SearchResult): unknown;
  /** @param address which links to places in the item complete */
  passage(passage: SearchPassage, address: string | null): unknown;
}

/** `lean`: as models read it. */
export type AnswerForms = Readonly<Record<'lean', AnswerForm>>;

export interface SearchResult {
  id: string;
  /** The address when there is no title: research clients need a string. */
  title: string;
  url: string | null;
  archivedCopy?: ArchivedCopy;
  author: string | null;
  publishedAt: string | null;
  /** Null until the item has been fetched. */
  contentType: ContentType | null;
  /** Present when its text cannot be searched: it is not there yet, or fetching or reading it failed. */
  status?: 'pending' | 'failed';
  tags: string[];
  score: number;
  passages: (SearchPassage & SurroundingText)[];
}

/** `hybrid`: by words and meaning; `lexical`: by words alone. */
type SearchMode = 'hybrid' | 'lexical';

export interface SearchAnswer {
  results: SearchResult[];
  /** Whether anything saved is close to the question; absent if unknown. */
  match?: Match['match'];
  /** The meaning of a weak match, or advice when nothing can be searched yet. */
  hint?: string;
  mode: SearchMode;
  /** The corrected query, when a word of it was misspelt; without operators. */
  searchedFor?: string;
  /**
   * `passagesToEmbed`: passages without a vector, which only words can find until they have one; absent when there are
   * none.
   */
  coverage: Coverage & { passagesToEmbed?: number };
  /** With `offset`: items that match, on all pages. */
  total?: number;
  /** More items match than were ranked and counted. */
  hasMore?: true;
  /** `total` counts copies that later pages may leave out. */
  isUpperBound?: true;
  /** Facets of all matching items; only when asked for. */
  facets?: Facets;
  nextCursor?: string;
}

export const maxPassagesPerItem = 3;
/** A passage is near the best one when its score is at least this share of the best score. */
const nearShare = 0.6;
/** Items of a weak match. */
const maxWeakItems = 3;
/** Tokens that an answer's frame, its coverage and its cursor cost. */
const frameTokens = 60;
/** Shares of the budget: for an item's title, and for its title, address and tags together. */
const titleShare = 0.25;
const itemShare = 0.4;

/** The parts of an answer. */
export interface SearchParts {
  index: IndexReader;
  citations: Citations;
  forms: AnswerForms;
}

/** Upper bound of the characters of passages that fit into the first answer. */
export function charactersShown({ maxTokens = Number.POSITIVE_INFINITY }: SearchQuery): number {
  return (maxTokens - frameTokens) * charactersPerToken;
}

/** An item without its passages, and what it costs in tokens. */
interface Frame {
  item: SearchResult;
  cost: number;
}

/**
 * Puts as many of the passages into the answer as the budget allows: first every item's best passage, then the second
 * ones, then the third ones. When the best passages do not fit whole, each is shown as the window that matches the
 * question best, all windows of the same size, and the text outside the windows comes last. Text that does not fit
 * comes with the next cursor, each character exactly once.
 * @param words the query that was searched for
 */
export function fillAnswer(
  { index, citations, forms }: SearchParts,
  query: SearchQuery,
  words: MatchedWords,
  items: readonly AnsweringPassage[][],
  about: Omit<SearchAnswer, 'results' | 'nextCursor'>,
): SearchAnswer {
  const { maxTokens = Number.POSITIVE_INFINITY, cursor, neighbours = 0, form: formName, ...asked } = query;
  const form = formName === undefined ? undefined : forms[formName];
  const near = query.endsAtFallOff === true ? nearItems(items, about.match) : items;
  const nearOrder = bestOfEachFirst(near);
  // Of items that are not close, further passages are nothing to ask for.
  const isAll = about.match === 'weak' && query.endsAtFallOff === true && near.length === items.length;
  const order = isAll ? nearOrder : nearOrder.concat(without(bestOfEachFirst(items), nearOrder));
  // The cursor depends on the order of the passages: if that has changed, an old position would skip some.
  const question = ['search', { ...asked, isWhole: form === undefined }, order.map(({ passageId }) => passageId)];
  const [givenWindow = 0, firstUnit = 0, firstOffset = 0] = decodeCursor(cursor, question, 3);
  const { searchedFor } = about;
  const budget =
    maxTokens -
    frameTokens -
    (about.facets === undefined ? 0 : tokensOf(about.facets) + 4) -
    (searchedFor === undefined ? 0 : tokensOf({ searchedFor })) -
    (about.hint === undefined ? 0 : tokensOf({ match: about.match, hint: about.hint }));
  const matchers = new Map<string | null, TermMatcher>();
  const matcherFor = (language: string | null): TermMatcher => {
    const matcher = matchers.get(language) ?? createTermMatcher(words, language);
    matchers.set(language, matcher);
    return matcher;
  };
  // Cached, because the same texts are matched again until all of them fit together.
  const found = new Map<string, TextSpan[]>();
  const findTerms: FindTerms = (text, language) => {
    const ranges = found.get(text) ?? matchedRanges(text, matcherFor(language));
    found.set(text, ranges);
    return ranges;
  };
  const places = createPassagePlaces((parts) => citations.locate(index, parts));
  const show = createPassageView(places, findTerms, budget, form?.passage);
  const frames = new Map<string, Frame>();
  const frameOf = (passage: AnsweringPassage): Frame => {
    const known = frames.get(passage.contentId);
    if (known !== undefined) return known;
    const item = shortenTexts(describeItem(passage), budget * titleShare, budget * itemShare);
    const frame = { item, cost: tokensOf(form?.item(item) ?? item) };
    frames.set(passage.contentId, frame);
    return frame;
  };
  if (cursor === undefined) places.find(likelyShown(unitsOf(order, findTerms, givenWindow), budget));
  const best = order.slice(0, near.length);
  // Later pages use the window size of the first page.
  const window =
    cursor !== undefined || maxTokens === Number.POSITIVE_INFINITY || neighbours > 0
      ? givenWindow
      : windowThatFits(
          best,
          best.reduce((room, passage) => room - frameOf(passage).cost, budget),
          findTerms,
          (units) => {
            places.find(units);
            return units.map(({ passage, span }) => show(passage, span));
          },
        );
  const nearUnits = unitsOf(nearOrder, findTerms, window);
  const farUnits = unitsOf(order.slice(nearOrder.length), findTerms, window);
  const units = [...nearUnits, ...farUnits].map(({ passage, span: { start, end } }, at) => ({
    passage,
    span: { start: at === firstUnit ? Math.max(start, firstOffset) : start, end },
  }));
  places.find(likelyShown(units.slice(firstUnit), budget));
  const around = readNeighbours(index, order, neighbours);
  const results = new Map<string, SearchResult>();
  let left = budget;
  let next: number[] | null = null;

  for (const [at, { passage, span }] of units.entries()) {
    if (at < firstUnit) continue;
    if (at === nearUnits.length && cursor === undefined) {
      next = [at, span.start];
      break;
    }
    const known = results.get(passage.contentId);
    // An item may have more parts outside the windows. They come on the next page.
    if (known?.passages.length === maxPassagesPerItem) {
      next = [at, span.start];
      break;
    }
    const { item, cost: itemCost } = frameOf(passage);
    if (passage.cardOf !== undefined) {
      if (itemCost > left && results.size > 0) {
        next = [at, span.start];
        break;
      }
      left -= itemCost;
      results.set(passage.contentId, item);
      continue;
    }
    const result = known ?? { ...item, passages: [] };
    const frame = known === undefined ? itemCost : 0;
    let { shown, cost } = show(passage, span);
    if (frame + cost > left) {
      next = [at, span.start];
      if (results.size > 0) break;
      // Not even one part fits: give as much of its text as fits.
      const address = linkedAddressOf(passage);
      const costOf = (part: SearchPassage) => tokensOf(form?.passage(part, address) ?? part);
      const piece = showWhatFits(show, costOf, passage, span, left - frame, address);
      ({ shown, cost } = piece);
      next = piece.end < span.end ? [at, piece.end] : [at + 1, 0];
    }
    left -= frame + cost;
    const isWhole = span.start === 0 && span.end === passage.text.length && next === null;
    const given = isWhole ? fittingNeighbours(around.get(passage.passageId), left) : {};
    left -= tokensOf(given);
    result.passages.push({ ...shown, ...given });
    results.set(passage.contentId, result);
    if (next !== null) break;
  }
  const answer = { results: [...results.values()], ...about };
  if (next === null || next[0] === units.length) return answer;
  return { ...answer, nextCursor: encodeCursor(question, [window, ...next]) };
}

/** Of each item the passages that are near the best one; of a weak match, the best passage of the first items. */
function nearItems(items: readonly AnsweringPassage[][], match: SearchAnswer['match']): readonly AnsweringPassage[][] {
  if (match === 'weak') return items.slice(0, maxWeakItems).map((passages) => passages.slice(0, 1));
  const minScore = (items[0]?.[0]?.score ?? 0) * nearShare;
  return items
    .map((passages) => passages.filter(({ score }) => score >= minScore))
    .filter((passages) => passages.length > 0);
}

function without<T>(all: readonly T[], some: readonly T[]): T[] {
  const left = new Set(all);
  for (const one of some) left.delete(one);
  return [...left];
}

/**
 * As much of a passage as `room` tokens hold. Its exact link, highlights and headings are dropped before the text is
 * shortened further.
 */
function showWhatFits(
  show: ShowPassage,
  costOf: (shown: SearchPassage) => number,
  passage: AnsweringPassage,
  span: TextSpan,
  room: number,
  address: string | null,
): ShownPassage & { end: number } {
  const whole = show(passage, span);
  const frame = whole.cost - tokensOf(whole.shown.text);
  for (let most = Math.max(20, room - frame - 1); ; most = Math.floor(most / 2)) {
    const end = fittingEnd(passage.text.slice(0, span.end), span.start, most);
    let { shown } = show(passage, { start: span.start, end });
    if (costOf(shown) > room) shown = { ...shown, url: address };
    if (costOf(shown) > room) {
      const { highlights: _, headingPath: __, notes: ___, ...bare } = shown;
      shown = bare;
    }
    const cost = costOf(shown);
    if (cost <= room || most <= 5) return { shown, cost, end };
  }
}

function describeItem(passage: AnsweringPassage): SearchResult {
  return {
    id: passage.contentId,
    title: nameOf({ title: passage.itemTitle, url: passage.itemUrl }),
    url: passage.itemUrl,
    ...(passage.itemCopy !== undefined && { archivedCopy: passage.itemCopy }),
    author: passage.itemAuthor,
    publishedAt: passage.itemPublishedAt,
    contentType: passage.itemContentType,
    ...((passage.cardOf === 'pending' || passage.cardOf === 'failed') && { status: passage.cardOf }),
    tags: passage.itemTags,
    score: roundScore(passage.score),
    passages: [],
  };
}
