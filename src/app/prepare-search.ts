import { localAccountId } from '../domain/records/account.ts';
import { interrupted } from '../errors.ts';
import type { Embedder } from '../models/embedding/index.ts';
import type { SearchQuery } from '../services/search/search.ts';

/** Does, while nobody waits, what the first question would wait for. An account without texts needs none of it. */
export interface SearchPreparation {
  /** Begins to load the sentence model. */
  loadModel(accountId?: string): Promise<void>;
  /** Begins to load the model, and the first time searches once, which loads the code of a search and the account's index. */
  prepareSearch(accountId?: string): Promise<void>;
  close(): void;
}

interface PreparationParts {
  /** Counts the items of an account that can be found. */
  countSearchable(accountId: string): Promise<number>;
  embedder: Pick<Embedder, 'load'> | null;
  search(accountId: string, query: SearchQuery, signal: AbortSignal): Promise<unknown>;
}

/**
 * The index of a larger library is loaded by the first question alone: with 100,000 items that takes 5 seconds and 600 MB, which
 * somebody who asks nothing does not need.
 */
const maxPreparedItems = 10_000;

export function createSearchPreparation({ countSearchable, embedder, search }: PreparationParts): SearchPreparation {
  const closed = new AbortController();
  let isPrepared = false;
  const loadModel: SearchPreparation['loadModel'] = async (accountId = localAccountId) => {
    if (embedder?.load !== undefined && (await countSearchable(accountId)) > 0) embedder.load();
  };
  return {
    loadModel,
    async prepareSearch(accountId = localAccountId) {
      if (isPrepared) return loadModel(accountId);
      const items = await countSearchable(accountId);
      if (items === 0) return;
      embedder?.load?.();
      // Another client may have come meanwhile.
      if (isPrepared || items > maxPreparedItems) return;
      isPrepared = true;
      await search(accountId, { query: 'what is this about', limit: 1 }, closed.signal);
    },
    close: () => closed.abort(interrupted()),
  };
}
