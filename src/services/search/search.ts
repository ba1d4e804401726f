import type { Clock } from '../../domain/clock.ts';
import type { RankBy } from '../../domain/search/fusion.ts';
import type { Log } from '../../log.ts';
import type { Embedder } from '../../models/embedding/index.ts';
import type { SearchAnswer, SearchQuery } from '../../search/answer.ts';
import { answerQuery } from '../../search/query.ts';
import type { Store, Stores } from '../../store/store.ts';
import { createMeaning } from './meaning.ts';

export type { SearchAnswer, SearchQuery } from '../../search/answer.ts';

/** `hint` says what to do first, when nothing can be searched yet. */
export type HintedAnswer = SearchAnswer & { hint?: string };

export interface SearchService {
  /** @param by rank by words or meaning alone, for measurements; the default is both */
  search(account: string, query: SearchQuery, signal: AbortSignal, by?: RankBy): Promise<HintedAnswer>;
}

export interface SearchSettings {
  /** Keep questions for suggestions. */
  rememberQueries: boolean;
  /** By how much a goal may raise an item's score, as a share of the score; 0: not at all. */
  goalWeight: number;
  /** See `createMeaning`. */
  findEmbedder?: (id: string) => Embedder | null;
  maxLoadingMs?: number | undefined;
}

/** A longer question is a pasted text, which nobody types again. */
const maxRememberedLength = 200;

export function createSearchService(
  stores: Stores,
  embedder: Embedder | null,
  clock: Clock,
  log: Log,
  settings: SearchSettings = { rememberQueries: false, goalWeight: 0 },
): SearchService {
  const meaning = createMeaning(embedder, clock, log, settings.findEmbedder, settings.maxLoadingMs);
  /** Runs in the background: no search waits for it or fails because of it. */
  const keepQuestion = (store: Store, { query, cursor, remember }: SearchQuery) => {
    if (remember !== true || !settings.rememberQueries || cursor !== undefined || query.length > maxRememberedLength)
      return;
    store.rememberQuery(query).catch((error: unknown) => log.debug({ err: error }, 'a question was not kept'));
  };
  return {
    async search(account, query, signal, by = 'both') {
      const store = await stores.open(account, signal);
      const answer = await answerQuery(
        store,
        query,
        {
          embed: (text) => meaning.ofQuestion(store, text, signal),
          now: clock.now(),
          goalWeight: settings.goalWeight,
          noteAnswered: () => keepQuestion(store, query),
        },
        signal,
        by,
      );
      const hint = whatToDoFirst(answer);
      return hint === null ? answer : { ...answer, hint };
    },
  };
}

/** Which tools a caller has differs from token to token, so none is named. */
function whatToDoFirst({ results, coverage: { searchable, pending, failed } }: SearchAnswer): string | null {
  if (results.length > 0 || searchable > 0) return null;
  if (pending > 0)
    return 'Nothing can be searched yet: what was saved is still being processed. Search again in a moment.';
  if (failed > 0)
    return 'Nothing can be searched: everything that was saved has failed. Each saved item says why, and what to do.';
  return 'Nothing is saved yet, so there is nothing to find. Save a page, a video or a document first, then search again.';
}
