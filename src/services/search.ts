import type { Clock } from '../domain/clock.ts';
import type { RankedPassage } from '../domain/passage.ts';
import type { Log } from '../log.ts';
import type { Embedder } from '../models/embedder.ts';
import type { Store, Stores } from '../store/store.ts';
import { createMeaning } from './meaning.ts';
import { rankPassages, type RankBy } from './ranking.ts';
import {
  fillAnswer,
  mostPassagesPerItem,
  type ScoredPassage,
  type SearchAnswer,
  type SearchQuery,
} from './search-answer.ts';

export type { SearchAnswer, SearchQuery } from './search-answer.ts';

export interface SearchService {
  /** @param by measure with words or meaning alone; both, unless told otherwise */
  search(account: string, query: SearchQuery, signal: AbortSignal, by?: RankBy): Promise<SearchAnswer>;
}

/** How deep the two lists are that are fused: at first, and at most where a few long items fill them. */
const rankingDepth = 200;
const deepestRanking = 5_000;

export function createSearchService(stores: Stores, embedder: Embedder | null, clock: Clock, log: Log): SearchService {
  const meaning = createMeaning(embedder, clock, log);
  return {
    async search(account, query, signal, by = 'both') {
      const store = await stores.open(account);
      const { vector, passagesToEmbed } = await meaning.ofQuestion(store, by === 'words' ? null : query.query, signal);
      const question = { text: query.query, filter: query.filters ?? {}, vector };
      const coverage = { ...(await store.coverage()), ...(passagesToEmbed > 0 && { passagesToEmbed }) };
      // A book can have more passages on a subject than the list is long: items behind it are looked for deeper.
      const wanted = Math.min(query.limit, coverage.searchable);
      for (let depth = rankingDepth; ; depth *= 5) {
        const hits = await rankPassages(store, question, by, depth);
        signal.throwIfAborted();
        const found = await groupByItem(store, hits, query.limit);
        if (found.length < wanted && hits.length >= depth && depth < deepestRanking) continue;
        return fillAnswer(store, query, found, { mode: vector === null ? 'lexical' : 'hybrid', coverage });
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
