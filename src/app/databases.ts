import type { Databases } from '../cli/context.ts';
import { createLog } from '../log.ts';
import { moveInstallation } from '../services/moving/move-installation.ts';
import { migratePostgres } from '../store/postgres/migrate.ts';
import { openPostgresStores } from '../store/postgres/open.ts';
import { openDataFolder } from './data-folder.ts';
import { createSystemClock } from './system-clock.ts';

/* What an operator does with a database before servers use it, and when they no longer shall. */

export const migrate: Databases['migrate'] = (url, nodeRole) => migratePostgres({ url, nodeRole });

/** Both sides may be in use meanwhile. @throws {AppError} like `moveInstallation`, and what opening them throws */
export const move: Databases['move'] = async (config, { url, to }, signal, onItem) => {
  const clock = createSystemClock();
  const folder = await openDataFolder({
    folder: config.data,
    clock,
    log: createLog(config.logLevel),
    synchronous: config.synchronous,
  });
  try {
    const database = await openPostgresStores({ url, clock, usesDatabaseTime: true });
    try {
      const [source, target] = to === 'database' ? [folder, database] : [database, folder];
      return await moveInstallation(source, target, { signal, onItem });
    } finally {
      await database.close();
    }
  } finally {
    await folder.close();
  }
};
