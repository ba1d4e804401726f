import type { ContentType } from '../domain/content.ts';
import type { Locator } from '../domain/locator.ts';
import { deepLink } from '../domain/url.ts';
import type { Coverage, FoundPassage, PassageFilter, Store } from '../store/store.ts';
import { fittingEnd, tokensOf } from './budget.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { shortenTexts } from './shorten.ts';

export interface SearchQuery {
  query: string;
  /** Items, 1–50. */
  limit: number;
  filters?: PassageFilter | undefined;
  maxTokens?: number | undefined;
  cursor?: string | undefined;
}

export interface SearchPassage {
  text: string;
  locator: Locator;
  /** Opens the source at this place. */
  url: string;
  score: number;
}

export interface SearchResult {
  id: string;
  /** The address where nothing better is known: research clients want a string. */
  title: string;
  url: string;
  contentType: ContentType;
  tags: string[];
  score: number;
  passages: SearchPassage[];
}

/** `hybrid`: by words and meaning; `lexical`: by words alone. */
export type SearchMode = 'hybrid' | 'lexical';

export interface SearchAnswer {
  results: SearchResult[];
  mode: SearchMode;
  /** `passagesToEmbed`: so many can be found by words only until they have a vector; absent when that is not so. */
  coverage: Coverage & { passagesToEmbed?: number };
  nextCursor?: string;
}

/** A passage with its place in the ranking. */
export type ScoredPassage = FoundPassage & { score: number };

export const mostPassagesPerItem = 3;
/** Tokens that an answer's frame, its coverage and its cursor cost. */
const frameTokens = 60;
/** Of the budget, what an item's title may take, and what its title, address and tags may take together. */
const titleShare = 0.25;
const itemShare = 0.4;
/** Of the budget, what a link to one place may take; a longer one leads to the whole item instead. */
const linkShare = 0.3;

/**
 * Puts as much of what was found into the answer as the budget allows: first every item's best passage, then
 * the second ones, then the third ones. What does not fit comes with the next cursor, each passage exactly once.
 */
export async function fillAnswer(
  store: Store,
  query: SearchQuery,
  items: readonly ScoredPassage[][],
  about: Pick<SearchAnswer, 'mode' | 'coverage'>,
): Promise<SearchAnswer> {
  const { maxTokens = Number.POSITIVE_INFINITY, cursor, ...asked } = query;
  const order = Array.from({ length: mostPassagesPerItem }, (_, round) =>
    items.flatMap((item) => item[round] ?? []),
  ).flat();
  // The passages are part of the question: when they have changed, a place in the old order would skip some.
  const question = ['search', asked, order.map(({ passageId }) => passageId)];
  const [firstUnit = 0, firstOffset = 0] = decodeCursor(cursor, question, 2);
  const budget = maxTokens - frameTokens;
  const show = createPassageView(store, budget * linkShare);
  const results = new Map<string, SearchResult>();
  let left = budget;
  let next: number[] | null = null;

  for (const [unit, passage] of order.entries()) {
    if (unit < firstUnit) continue;
    const start = unit === firstUnit ? firstOffset : 0;
    const known = results.get(passage.contentId);
    const result = known ?? shortenTexts(describeItem(passage), budget * titleShare, budget * itemShare);
    const frame = known === undefined ? tokensOf(result) : 0;
    let shown = await show(passage, start, passage.text.length);
    if (frame + tokensOf(shown) > left) {
      next = [unit, start];
      if (results.size > 0) break;
      // Not even one fits: give as much of its text as does.
      const room = left - frame - (tokensOf(shown) - tokensOf(shown.text)) - 1;
      const end = fittingEnd(passage.text, start, Math.max(20, room));
      shown = await show(passage, start, end);
      if (frame + tokensOf(shown) > left) shown.url = result.url;
      next = end < passage.text.length ? [unit, end] : [unit + 1, 0];
    }
    left -= frame + tokensOf(shown);
    result.passages.push(shown);
    results.set(passage.contentId, result);
    if (next !== null) break;
  }
  const answer = { results: [...results.values()], ...about };
  if (next === null || next[0] === order.length) return answer;
  return { ...answer, nextCursor: encodeCursor(question, next) };
}

function describeItem(passage: ScoredPassage): SearchResult {
  return {
    id: passage.contentId,
    title: passage.itemTitle ?? passage.itemUrl,
    url: passage.itemUrl,
    contentType: passage.itemContentType,
    tags: passage.itemTags,
    score: roundScore(passage.score),
    passages: [],
  };
}

/** Shows `passage.text.slice(start, end)` with its place and the link that opens it. */
function createPassageView(store: Store, linkTokens: number) {
  const transcripts = new Map<string, string>();
  const transcriptOf = async (contentId: string) => {
    const transcript = transcripts.get(contentId) ?? (await store.readTranscript(contentId)) ?? '';
    transcripts.set(contentId, transcript);
    return transcript;
  };
  return async (passage: ScoredPassage, start: number, end: number): Promise<SearchPassage> => {
    const text = passage.text.slice(start, end);
    const locator: Locator =
      passage.locator.kind === 'text'
        ? { kind: 'text', start: passage.start + start, end: passage.start + end }
        : passage.locator;
    const transcript = locator.kind === 'text' ? await transcriptOf(passage.contentId) : null;
    const link = deepLink(passage.itemUrl, locator, text, transcript);
    const url = tokensOf(link) <= linkTokens ? link : shortenTexts({ url: passage.itemUrl }, linkTokens).url;
    return { text, locator, url, score: roundScore(passage.score) };
  };
}

/** Four decimals tell two scores apart and cost a model little to read. */
function roundScore(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}
