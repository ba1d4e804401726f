import Database from 'better-sqlite3';
import { registerRowSum } from '../../../src/store/sqlite/files/row-sums.ts';

/** Opens a library beside the program. The checksums of rows that are written so are right, as those of the program are. */
export function openRaw(path: string, options?: Database.Options): Database.Database {
  const db = new Database(path, options);
  registerRowSum(db);
  return db;
}
