import { createSearches } from '../../search/searches.ts';
import { openSqliteStores, type SqliteStoresOptions } from '../../store/sqlite/open.ts';
import { startWorkerOf } from '../../store/sqlite/threads/account-thread.ts';
import type { SearchThreadSettings } from '../../store/sqlite/index/index.ts';
import type { Stores } from '../../store/store.ts';
import { workerFile } from '../../workers/start.ts';

export interface DataFolderOptions extends Omit<SqliteStoresOptions, 'searches' | 'searchThreads'> {
  /** Absent: searches and large writes run in the calling thread. */
  searchThreads?: Partial<SearchThreadSettings> | undefined;
}

/** `maxPassagesHere` of the program: a search in such a library takes a millisecond or two. */
export const maxPassagesOfSmall = 10_000;

const startSearchWorker = startWorkerOf(workerFile('../search-worker', import.meta.url));

/**
 * Opens a data folder with the searches of this program. They run beside the index: in the threads that
 * `search-worker.ts` begins, or in this one.
 * @throws {AppError} like `openSqliteStores`
 */
export function openDataFolder({ searchThreads, ...options }: DataFolderOptions): Promise<Stores> {
  return openSqliteStores({ ...options, ...searchesHere(searchThreads) });
}

/** The searches of this program, in threads of their own or not. */
export function searchesHere(searchThreads: DataFolderOptions['searchThreads']) {
  return {
    searches: createSearches(),
    searchThreads: searchThreads && { startWorker: startSearchWorker, ...searchThreads },
  };
}
