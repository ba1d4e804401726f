import type { Databases } from '../../cli/context.ts';
import type { Config } from '../../settings/config.ts';
import { moveInstallation } from '../../services/moving/move-installation.ts';
import { migratePostgres } from '../../store/postgres/migrate.ts';
import { openObjectStore } from './postgres-installation.ts';
import { openPostgresStores } from '../../store/postgres/open.ts';
import type { Stores } from '../../store/store.ts';
import type { Clock } from '../../domain/clock.ts';

/**
 * The operator's commands on a database before servers use it, and when they no longer shall.
 * @param openFolder opens the data folder of the settings
 */
export function createDatabases(openFolder: (config: Config) => Promise<Stores>, clock: Clock): Databases {
  return {
    migrate: (url, nodeRole) => migratePostgres({ url, nodeRole }),
    async move(config, { url, to }, signal, onItem) {
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
