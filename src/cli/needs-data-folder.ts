import type { Config } from '../settings/config.ts';
import { AppError } from '../errors.ts';

/**
 * Refuses what works on the files of a data folder where the records are in a database.
 * @param instead what to do there
 * @throws {AppError} `invalid_input`
 */
export function requireDataFolder({ databaseUrl }: Pick<Config, 'databaseUrl'>, instead: string): void {
  if (databaseUrl === '') return;
  throw new AppError('invalid_input', `The records are in a database (databaseUrl), not in files. ${instead}`);
}
