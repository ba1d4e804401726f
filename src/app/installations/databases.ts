import type { Config } from '../../settings/config.ts';
import { moveInstallation } from '../../services/moving/move.ts';
import { migratePostgres } from '../../store/postgres/migrate.ts';
import { openObjectStore } from './postgres-installation.ts';
import { openPostgresStores } from '../../store/postgres/open.ts';
import type { Stores } from '../../store/store.ts';
import type { Clock } from '../../domain/clock.ts';

/** The operator's commands on a database. @param openFolder opens the data folder of the settings */
export function createDatabases(openFolder: (config: Config) => Promise<Stores>, clock: Clock) {
  return {
    /** Applies missing migrations. @param url for the role that owns the tables @param nodeRole the servers' role */
    migrate: (url: string, nodeRole: string) => migratePostgres({ url, nodeRole }),
    /** Copies all accounts between the data folder of the settings and a database, and compares both by hash. */
    async move(
      config: Config,
      { url, to }: { url: string; to: 'database' | 'folder' },
      signal: AbortSignal,
      onItem: (account: string, done: number, total: number) => void,
    ) {
      const folder = await openFolder(config);
      try {
        const database = await openPostgresStores({
          url,
          clock,
          usesDatabaseTime: true,
          objects: openObjectStore(config, clock),
        });
        try {
          const [source, target] = to === 'database' ? [folder, database] : [database, folder];
          return await moveInstallation(source, target, { signal, onItem });
        } finally {
          await database.close();
        }
      } finally {
        await folder.close();
      }
    },
  };
}

export type Databases = ReturnType<typeof createDatabases>;
