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
  /** Whether anything of an account can be found yet. */
  hasTexts(accountId: string): Promise<boolean>;
  embedder: Pick<Embedder, 'load'> | null;
  search(accountId: string, query: SearchQuery, signal: AbortSignal): Promise<unknown>;
}

export function createSearchPreparation({ hasTexts, embedder, search }: PreparationParts): SearchPreparation {
  const closed = new AbortController();
  let isPrepared = false;
  return {
    async loadModel(accountId = localAccountId) {
      if (embedder?.load !== undefined && (await hasTexts(accountId))) embedder.load();
    },
    async prepareSearch(accountId = localAccountId) {
      if (!(await hasTexts(accountId))) return;
      embedder?.load?.();
      if (isPrepared) return;
      isPrepared = true;
      await search(accountId, { query: 'what is this about', limit: 1 }, closed.signal);
    },
    close: () => closed.abort(interrupted()),
  };
}
