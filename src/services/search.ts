import type { ContentType } from '../domain/content.ts';
import type { Locator } from '../domain/locator.ts';
import type { RankedPassage } from '../domain/passage.ts';
import { deepLink } from '../domain/url.ts';
import { isAbortError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Embedder } from '../models/embedder.ts';
import type { Coverage, FoundPassage, PassageFilter, Store, Stores } from '../store/store.ts';
import { fittingEnd, tokensOf } from './budget.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { fuseRankings } from './fusion.ts';

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
  title: string | null;
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
  coverage: Coverage;
  nextCursor?: string;
}

export interface Ranking {
  hits: RankedPassage[];
  mode: SearchMode;
}

export interface SearchService {
  search(account: string, query: SearchQuery, signal: AbortSignal): Promise<SearchAnswer>;
}

/** How deep the two lists are that are fused. */
const rankingDepth = 200;
const passagesPerItem = 3;
/** Tokens that an answer's frame, its coverage and its cursor cost. */
const frameTokens = 60;

/**
 * Ranks the passages of one account by words and, where vectors of this embedder exist, by meaning.
 * When the question cannot be embedded the words decide alone and `mode` says so.
 */
export async function rankPassages(
  store: Store,
  parts: { embedder: Embedder | null; log: Log },
  query: { query: string; filters?: PassageFilter | undefined },
  depth: number,
  signal: AbortSignal,
): Promise<Ranking> {
  const filter = query.filters ?? {};
  const { embedder, log } = parts;
  const vector =
    embedder !== null && (await store.countVectors(embedder.id)).embedded > 0
      ? await embedder.embedQuery(query.query, signal).catch((error: unknown) => {
          if (signal.aborted || isAbortError(error)) throw error;
          log.warn({ err: error }, 'the question could not be embedded; words alone decide');
          return null;
        })
      : null;
  const lexical = await store.searchWords(query.query, filter, depth);
  if (embedder === null || vector === null) return { hits: lexical.hits, mode: 'lexical' };
  const semantic = await store.searchVectors(embedder.id, vector, filter, depth);
  return { hits: fuseRankings(lexical, semantic), mode: 'hybrid' };
}

export function createSearchService(stores: Stores, embedder: Embedder | null, log: Log): SearchService {
  return {
    async search(account, query, signal) {
      const store = await stores.open(account);
      const ranking = await rankPassages(store, { embedder, log }, query, rankingDepth, signal);
      signal.throwIfAborted();
      const found = await groupByItem(store, ranking.hits, query.limit);
      const coverage = await store.coverage();
      return fillAnswer(store, query, found, { mode: ranking.mode, coverage });
    },
  };
}

type ScoredPassage = FoundPassage & { score: number };

/** The best `limit` items, each with its best passages, best first. An item that is a copy of a shown one is not shown. */
async function groupByItem(store: Store, hits: readonly RankedPassage[], limit: number): Promise<ScoredPassage[][]> {
  const byItem = new Map<string, RankedPassage[]>();
  for (const hit of hits) {
    const passages = byItem.get(hit.contentId) ?? [];
    if (passages.length < passagesPerItem) byItem.set(hit.contentId, [...passages, hit]);
  }
  // A few more than asked for, because copies fall out below.
  const wanted = [...byItem.values()].slice(0, limit * 2);
  const read = await store.readPassages(wanted.flat().map((hit) => hit.passageId));
  const passages = new Map(read.map((passage) => [passage.passageId, passage]));
  const items: ScoredPassage[][] = [];
  const shown = new Set<string>();
  for (const group of wanted) {
    const found = group.flatMap((hit) => {
      const passage = passages.get(hit.passageId);
      return passage === undefined ? [] : [{ ...passage, score: hit.score }];
    });
    const first = found[0];
    if (first === undefined) continue;
    const original = first.itemDuplicateOf ?? first.contentId;
    if (shown.has(original)) continue;
    shown.add(original);
    items.push(found);
    if (items.length === limit) break;
  }
  return items;
}

/**
 * Puts as much of what was found into the answer as the budget allows: first every item's best passage, then
 * the second ones, then the third ones. What does not fit comes with the next cursor, each passage exactly once.
 */
async function fillAnswer(
  store: Store,
  query: SearchQuery,
  items: readonly ScoredPassage[][],
  about: { mode: SearchMode; coverage: Coverage },
): Promise<SearchAnswer> {
  const { maxTokens, cursor, ...asked } = query;
  const [firstUnit = 0, firstOffset = 0] = decodeCursor(cursor, ['search', asked], 2);
  const order = Array.from({ length: passagesPerItem }, (_, round) => items.flatMap((item) => item[round] ?? [])).flat();
  const results = new Map<string, SearchResult>();
  const transcripts = new Map<string, string>();
  let left = maxTokens === undefined ? Number.POSITIVE_INFINITY : maxTokens - frameTokens;
  let next: number[] | null = null;

  for (const [unit, passage] of order.entries()) {
    if (unit < firstUnit) continue;
    const skipped = unit === firstUnit ? firstOffset : 0;
    const known = results.get(passage.contentId);
    const result = known ?? describeItem(passage);
    let shown = await showPassage(store, transcripts, passage, skipped, passage.text.length);
    const frame = known === undefined ? tokensOf(result) : 0;
    if (frame + tokensOf(shown) > left) {
      next = [unit, skipped];
      if (results.size > 0) break;
      // Not even one fits: give as much of its text as does.
      const room = left - frame - (tokensOf(shown) - tokensOf(shown.text));
      const end = fittingEnd(passage.text, skipped, Math.max(20, room));
      shown = await showPassage(store, transcripts, passage, skipped, end);
      next = end < passage.text.length ? [unit, end] : [unit + 1, 0];
      results.set(passage.contentId, { ...result, passages: [shown] });
      break;
    }
    left -= frame + tokensOf(shown);
    result.passages.push(shown);
    results.set(passage.contentId, result);
  }
  const answer = { results: [...results.values()], ...about };
  if (next === null || next[0] === order.length) return answer;
  return { ...answer, nextCursor: encodeCursor(['search', asked], next) };
}

function describeItem(passage: ScoredPassage): SearchResult {
  return {
    id: passage.contentId,
    title: passage.itemTitle,
    url: passage.itemUrl,
    contentType: passage.itemContentType,
    tags: passage.itemTags,
    score: roundScore(passage.score),
    passages: [],
  };
}

/** `passage.text.slice(start, end)` with its place and the link that opens it. */
async function showPassage(
  store: Store,
  transcripts: Map<string, string>,
  passage: ScoredPassage,
  start: number,
  end: number,
): Promise<SearchPassage> {
  const text = passage.text.slice(start, end);
  const locator: Locator =
    passage.locator.kind === 'text' ? { kind: 'text', start: passage.start + start, end: passage.start + end } : passage.locator;
  let transcript = transcripts.get(passage.contentId);
  if (transcript === undefined && locator.kind === 'text') {
    transcript = (await store.readDocument(passage.contentId))?.transcript.text ?? '';
    transcripts.set(passage.contentId, transcript);
  }
  return { text, locator, url: deepLink(passage.itemUrl, locator, text, transcript ?? ''), score: roundScore(passage.score) };
}

/** Four decimals tell two scores apart and cost a model little to read. */
function roundScore(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}
