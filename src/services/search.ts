import type { RankedPassage } from '../domain/passage.ts';
import { isAbortError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Embedder } from '../models/embedder.ts';
import type { PassageFilter, Store, Stores } from '../store/store.ts';
import { fuseRankings } from './fusion.ts';
import {
  fillAnswer,
  mostPassagesPerItem,
  type ScoredPassage,
  type SearchAnswer,
  type SearchMode,
  type SearchQuery,
} from './search-answer.ts';

export type { SearchAnswer, SearchQuery } from './search-answer.ts';

export interface Ranking {
  hits: RankedPassage[];
  mode: SearchMode;
}

export interface SearchService {
  search(account: string, query: SearchQuery, signal: AbortSignal): Promise<SearchAnswer>;
}

/** How deep the two lists are that are fused: at first, and at most where a few long items fill them. */
const rankingDepth = 200;
const deepestRanking = 5_000;

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
      for (let depth = rankingDepth; ; depth *= 5) {
        const { hits, mode } = await rankPassages(store, { embedder, log }, query, depth, signal);
        signal.throwIfAborted();
        const found = await groupByItem(store, hits, query.limit);
        // A book can have more passages on a subject than the list is long: items behind it are looked for deeper.
        if (found.length < query.limit && hits.length >= depth && depth < deepestRanking) continue;
        return fillAnswer(store, query, found, { mode, coverage: await store.coverage() });
      }
    },
  };
}

/** The best `limit` items, each with its best passages, best first. An item that is a copy of a shown one is not shown. */
async function groupByItem(store: Store, hits: readonly RankedPassage[], limit: number): Promise<ScoredPassage[][]> {
  const byItem = new Map<string, RankedPassage[]>();
  for (const hit of hits) {
    const passages = byItem.get(hit.contentId) ?? [];
    if (passages.length < mostPassagesPerItem) byItem.set(hit.contentId, [...passages, hit]);
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
