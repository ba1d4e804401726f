import { indexMethods } from '../index-methods.ts';
import { openSqliteStores, type SqliteStoresOptions } from '../../store/sqlite/open.ts';
import { startWorkerOf } from '../../store/sqlite/threads/account-thread.ts';
import type { LibraryThreadSettings } from '../../store/sqlite/threads/account-threads.ts';
import type { Stores } from '../../store/store.ts';
import { workerFile } from '../../workers/start.ts';
import type { Clock } from '../../domain/clock.ts';
import type { MakeLimiter } from '../../http/incoming/limits.ts';
import type { DatabaseChecked } from '../../services/operating/inspection.ts';

export interface DataFolderOptions extends Omit<SqliteStoresOptions, 'indexMethods' | 'libraryThreads'> {
  /** Absent: libraries are in the calling thread. */
  libraryThreads?: Partial<LibraryThreadSettings> | undefined;
}

const startLibraryWorker = startWorkerOf(workerFile('../library-worker', import.meta.url));

/** Opens a data folder with the searches of this program. @throws {AppError} like `openSqliteStores` */
export function openDataFolder({ libraryThreads, ...options }: DataFolderOptions): Promise<Stores> {
  return openSqliteStores({ ...options, ...placesOfLibraries(libraryThreads) });
}

/** Says where libraries and the searches of this program are: in threads or not. */
export function placesOfLibraries(libraryThreads: DataFolderOptions['libraryThreads']) {
  return {
    indexMethods: indexMethods(),
    libraryThreads: libraryThreads && { startWorker: startLibraryWorker, ...libraryThreads },
  };
}

/** The store of the records, and the resources that all processes on it share. */
export interface Installation {
  stores: Stores;
  /** The clock that decides when records are due. */
  clock: Clock;
  /** Calls `wake` when another process has written work. Polling finds what this misses. */
  onWork: (wake: () => void) => void;
  /** Absent: each process counts requests for itself. */
  makeLimiter?: MakeLimiter;
  takeTurn: TakeTurn;
  /** Absent: the records are in the data folder. */
  readDatabase?: () => Promise<DatabaseChecked>;
}

/** True if it is this process's turn to do what is due every `everyMs` milliseconds for the whole installation. */
export type TakeTurn = (name: string, everyMs: number) => Promise<boolean>;
