import type Database from 'better-sqlite3';
import { AppError } from '../../../errors.ts';

/** One step of a file's schema. Its number is its place in the series, counted from 1. */
export interface Migration {
  name: string;
  sql: string;
  /** SQL functions that the statements call, by name. */
  functions?: Readonly<Record<string, (value: string) => string>>;
  /** Work after the statements. */
  run?: (db: Database.Database) => void;
}

/** The number of the last migration applied to the file; 0 for a new file. */
export function schemaVersion(db: Database.Database): number {
  return db.pragma('user_version', { simple: true }) as number;
}

/** @throws {AppError} `newer_data` when a newer program than this one has migrated the file. */
export function refuseNewerFile(version: number, series: readonly Migration[]): void {
  if (version <= series.length) return;
  throw new AppError(
    'newer_data',
    'A newer version of Commonplace than this one has migrated this data folder. ' +
      'Update this one, or choose another folder with --data.',
  );
}

/**
 * Applies all missing migrations. Call only inside a write transaction: then no other process can change the schema
 * between reading its version and running the statements.
 */
export function bringUpToDate(db: Database.Database, series: readonly Migration[]): void {
  const version = schemaVersion(db);
  refuseNewerFile(version, series);
  if (version === series.length) return;
  // Makes this connection reload its cached schema, which another process may have changed.
  db.prepare('SELECT count(*) FROM sqlite_schema').get();
  for (const { sql, functions, run } of series.slice(version)) {
    for (const [name, compute] of Object.entries(functions ?? {})) db.function(name, { deterministic: true }, compute);
    db.exec(sql);
    run?.(db);
  }
  db.pragma(`user_version = ${series.length}`);
}
