import type { Config } from '../../settings/config.ts';
import type { Clock } from '../../domain/clock.ts';
import type { MakeLimiter } from '../../http/incoming/limits.ts';
import type { DatabaseChecked } from '../../services/operating/database-check.ts';
import type { Stores } from '../../store/store.ts';
import { type DataFolderOptions, openDataFolder } from './data-folder.ts';

/** The store of the records, and what all processes on it share. */
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

/**
 * Whether this process does what is due every `everyMs` milliseconds for the whole installation: true for one process in
 * that time.
 */
export type TakeTurn = (name: string, everyMs: number) => Promise<boolean>;

const inDataFolder = async ({ clock, ...options }: DataFolderOptions): Promise<Installation> => ({
  stores: await openDataFolder({ clock, ...options }),
  clock,
  onWork: () => undefined,
  // In a data folder, several processes may do the same due work.
  takeTurn: () => Promise.resolve(true),
});

/** Opens what the settings name: a database, or the data folder. @throws {AppError} as that does */
export async function openInstallation(config: Config, options: DataFolderOptions): Promise<Installation> {
  if (config.databaseUrl === '') return inDataFolder(options);
  const { openPostgresInstallation } = await import('./postgres-installation.ts');
  return openPostgresInstallation(config, options);
}
