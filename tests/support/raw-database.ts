import Database from 'better-sqlite3';
import { registerRowSum, rowSumsIn } from '../../src/store/sqlite/files/row-sums.ts';

/** Opens a library beside the program. The checksums of rows that are written so are right, as those of the program are. */
export function openRaw(path: string, options?: Database.Options): Database.Database {
  const db = new Database(path, options);
  registerRowSum(db);
  return db;
}

/** Takes the checksums away again, as in a file of an older version: then other columns can be dropped. */
export function dropRowSums(db: Database.Database): void {
  for (const table of rowSumsIn(db).keys()) db.exec(`ALTER TABLE "${table}" DROP COLUMN row_sum`);
}
