import { createSearches } from '../../search/searches.ts';
import { openSqliteStores, type SqliteStoresOptions } from '../../store/sqlite/open.ts';
import { startWorkerOf } from '../../store/sqlite/threads/account-thread.ts';
import type { LibraryThreadSettings } from '../../store/sqlite/threads/account-threads.ts';
import type { Stores } from '../../store/store.ts';
import { workerFile } from '../../workers/start.ts';

export interface DataFolderOptions extends Omit<SqliteStoresOptions, 'searches' | 'libraryThreads'> {
  /** Absent: libraries are in the calling thread. */
  libraryThreads?: Partial<LibraryThreadSettings> | undefined;
}

const startLibraryWorker = startWorkerOf(workerFile('../library-worker', import.meta.url));

/**
 * Opens a data folder with the searches of this program. They run beside the index: in the threads that
 * `library-worker.ts` begins, or in this one.
 * @throws {AppError} like `openSqliteStores`
 */
export function openDataFolder({ libraryThreads, ...options }: DataFolderOptions): Promise<Stores> {
  return openSqliteStores({ ...options, ...searchesHere(libraryThreads) });
}

/** The searches of this program, in threads of their own or not. */
export function searchesHere(libraryThreads: DataFolderOptions['libraryThreads']) {
  return {
    searches: createSearches(),
    libraryThreads: libraryThreads && { startWorker: startLibraryWorker, ...libraryThreads },
  };
}
