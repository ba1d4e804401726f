import { AppError } from '../errors.ts';
import type { PostgresStore } from '../store/postgres/account-store.ts';
import type { SearchIndex } from '../store/search-index.ts';
import type { Store } from '../store/store.ts';
import type { WorkQueue } from '../store/work-queue.ts';

/*
 * Stands in for search on PostgreSQL until that is there; then this file goes. What asks is refused in words. What works
 * in the background finds nothing to do: passages get their vectors later.
 */

const refuse = (): Promise<never> =>
  Promise.reject(
    new AppError(
      'unavailable',
      'Search is not available on PostgreSQL yet. Lists, items, actions and goals answer; for search, use a data folder.',
    ),
  );

const search: SearchIndex & Pick<WorkQueue, 'keepVectors'> = {
  findItems: refuse,
  locate: refuse,
  searchWords: refuse,
  searchVectors: refuse,
  readPassages: refuse,
  readSurroundings: refuse,
  sampleItem: refuse,
  listNamesLike: refuse,
  rememberQuery: refuse,
  listPastQueries: () => Promise.resolve([]),
  forgetQueries: () => Promise.resolve(0),
  listPassagesToEmbed: () => Promise.resolve([]),
  countVectors: () => Promise.resolve({ passages: 0, embedded: 0 }),
  listEmbedders: () => Promise.resolve([]),
  keepVectors: () => Promise.resolve(),
};

export const withoutSearch = (store: PostgresStore): Store => ({ ...search, ...store });
