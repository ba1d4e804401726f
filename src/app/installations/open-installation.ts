import type { Config } from '../../settings/config.ts';
import { type DataFolderOptions, type Installation, openDataFolder } from './data-folder.ts';

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
