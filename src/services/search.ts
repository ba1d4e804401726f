import type { Clock } from '../domain/clock.ts';
import { isListing, parseSearchQuery, type ParsedQuery } from '../domain/search-query.ts';
import { containsPhrase } from '../domain/term-matches.ts';
import type { RankedPassage } from '../domain/passage.ts';
import type { Log } from '../log.ts';
import type { Embedder } from '../models/embedder.ts';
import type { Correction, PassageFilter } from '../store/records.ts';
import type { Store, Stores } from '../store/store.ts';
import { createMeaning } from './meaning.ts';
import { orderByGoals } from './goal-order.ts';
import { createNearDuplicates } from './near-duplicates.ts';
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

export interface SearchSettings {
  /** Keep questions for suggestions. */
  rememberQueries: boolean;
  /** By how much a goal may move an item up, as a share of its score; 0: not at all. */
  goalWeight: number;
  /** See `createMeaning`. */
  findEmbedder?: (id: string) => Embedder | null;
}

/** A longer question is a pasted text, which nobody types again. */
const longestRemembered = 200;

export function createSearchService(
  stores: Stores,
  embedder: Embedder | null,
  clock: Clock,
  log: Log,
  settings: SearchSettings = { rememberQueries: false, goalWeight: 0 },
): SearchService {
  const meaning = createMeaning(embedder, clock, log, settings.findEmbedder);
  /** Nobody waits for it, and no search fails because of it. */
  const keepQuestion = (store: Store, { query, cursor }: SearchQuery) => {
    if (!settings.rememberQueries || cursor !== undefined || query.length > longestRemembered) return;
    store.rememberQuery(query).catch((error: unknown) => log.debug({ err: error }, 'a question was not kept'));
  };
  return {
    async search(account, query, signal, by = 'both') {
      const store = await stores.open(account, signal);
      const parsed = parseSearchQuery(query.query);
      const filter = narrowed(query.filters, parsed);
      const read = (text: string) =>
        meaning.ofQuestion(store, by === 'words' || isListing(parsed) ? null : text, signal);
      // A model reads a misspelt word by its parts; beside others it gets on better without our guess.
      let { vector, passagesToEmbed } = await read(parsed.text);
      let correction = query.asWritten === true || by === 'meaning' ? null : await correct(store, parsed);
      if (correction?.nothingFound === true) {
        // Words that no passage has are often good ones: what they mean may be there in others.
        const [nearest] = vector === null ? [] : await rankPassages(store, { text: '', filter, vector }, 'meaning', 1);
        if (nearest !== undefined && nearest.score >= nearEnough) correction = null;
        else ({ vector, passagesToEmbed } = await read(correction.text));
      }
      const text = correction?.text ?? parsed.text;
      const question = { text, filter, vector };
      const coverage = { ...(await store.coverage()), ...(passagesToEmbed > 0 && { passagesToEmbed }) };
      const goals = settings.goalWeight > 0 ? (await store.listGoals({ offset: 0 })).items : [];
      // A book can have more passages on a subject than the list is long: items behind it are looked for deeper.
      const wanted = Math.min(query.limit, coverage.searchable);
      for (let depth = rankingDepth; ; depth *= 5) {
        const hits = isListing(parsed)
          ? await store.listNewestPassages(question.filter, depth)
          : await rankPassages(store, question, by, depth);
        signal.throwIfAborted();
        const found = orderByGoals(
          await groupByItem(store, await havingPhrases(store, hits, parsed), query.limit),
          goals,
          settings.goalWeight,
        );
        if (found.length < wanted && hits.length >= depth && depth < deepestRanking) continue;
        const { facets: wantsFacets, remember, asWritten: _asWritten, ...asking } = query;
        if (remember === true && found.length > 0) keepQuestion(store, query);
        const mode = vector === null ? 'lexical' : 'hybrid';
        const about = { mode, ...(correction !== null && { searchedFor: text }), coverage } as const;
        if (wantsFacets !== true) return fillAnswer(store, asking, { ...parsed, text }, found, about);
        const facets = await store.countFacets(await matchingItems(store, question, hits));
        return fillAnswer(store, asking, { ...parsed, text }, found, { ...about, facets });
      }
    },
  };
}

/** A cosine from which on a passage is on the subject of a question that shares no word with it. */
const nearEnough = 0.35;

/** A question that is longer was not typed, and what is in quotation marks is meant as it is written. */
const longestTyped = 200;

async function correct(store: Store, { text, phrases }: ParsedQuery): Promise<Correction | null> {
  return text === '' || text.length > longestTyped || phrases.length > 0 ? null : store.correctQuery(text);
}

/** What the filters and the operators of the query both let through. */
function narrowed(filters: PassageFilter = {}, parsed: ParsedQuery): PassageFilter {
  const { phrases, excluded, sites, types, since, before } = parsed;
  return {
    ...filters,
    phrases,
    excluded,
    sites,
    types,
    since,
    before,
    tags: [...(filters.tags ?? []), ...parsed.tags],
  };
}

/** The index knows words by their stems; a phrase in quotation marks is meant as it is written. */
async function havingPhrases(
  store: Store,
  hits: readonly RankedPassage[],
  { phrases }: ParsedQuery,
): Promise<readonly RankedPassage[]> {
  if (phrases.length === 0) return hits;
  const passages = await store.readPassages(hits.map(({ passageId }) => passageId));
  const having = passages.filter(({ text, itemTitle, headingPath }) =>
    phrases.every((phrase) => [text, itemTitle ?? '', ...headingPath].some((part) => containsPhrase(part, phrase))),
  );
  const ids = new Set(having.map(({ passageId }) => passageId));
  return hits.filter(({ passageId }) => ids.has(passageId));
}

/** All items that have words of the question, and those that were found by what they mean. */
async function matchingItems(
  store: Store,
  { text, filter }: { text: string; filter: PassageFilter },
  found: readonly RankedPassage[],
): Promise<string[]> {
  const { hits } = await store.searchWords(text, filter, deepestRanking);
  return [...new Set([...hits, ...found].map(({ contentId }) => contentId))];
}

/**
 * The best `limit` items, each with its best passages, best first. An item that is a copy of a shown one is not shown, nor is
 * a passage that nearly repeats one: the one that is shown says where else it stands.
 */
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
  const shownBefore = createNearDuplicates<ScoredPassage>();
  for (const group of wanted) {
    const found = group.flatMap((hit) => {
      const passage = passages.get(hit.passageId);
      return passage === undefined ? [] : [{ ...passage, score: hit.score } satisfies ScoredPassage];
    });
    const first = found[0];
    if (first === undefined) continue;
    const original = first.itemDuplicateOf ?? first.contentId;
    if (shown.has(original)) continue;
    shown.add(original);
    const fresh = found.filter((passage) => {
      const same = shownBefore(passage.text, passage);
      if (same !== null && same.contentId !== passage.contentId)
        same.alsoIn = [...new Set([...(same.alsoIn ?? []), passage.contentId])];
      return same === null;
    });
    if (fresh.length > 0) items.push(fresh);
    if (items.length === limit) break;
  }
  return items;
}
