import type Database from 'better-sqlite3';
import { AppError } from '../../../errors.ts';

/** One step of a file's schema. Its number is its place in the series, counted from 1. */
export interface Migration {
  name: string;
  sql: string;
  /** What the statements call. */
  functions?: Readonly<Record<string, (value: string) => string>>;
}

/** The number of the last migration that the file went through; 0 for a new file. */
export function schemaVersion(db: Database.Database): number {
  return db.pragma('user_version', { simple: true }) as number;
}

/** @throws {AppError} `newer_data` when a newer program than this one has migrated the file. */
export function refuseNewerFile(version: number, series: readonly Migration[]): void {
  if (version <= series.length) return;
  throw new AppError(
    'newer_data',
    'This data folder was brought up to date by a newer version of Commonplace than the one that is running. ' +
      'Update this one, or choose another folder with --data.',
  );
}

/**
 * Brings the file to the end of the series. To be called inside a write transaction, and only there: the version
 * that it reads is then the one that the transaction's own statements will meet, whatever other processes do.
 */
export function bringUpToDate(db: Database.Database, series: readonly Migration[]): void {
  const version = schemaVersion(db);
  refuseNewerFile(version, series);
  if (version === series.length) return;
  // Makes this connection read the schema anew: what it knows of it may be from before another process's change.
  db.prepare('SELECT count(*) FROM sqlite_schema').get();
  for (const { sql, functions } of series.slice(version)) {
    for (const [name, compute] of Object.entries(functions ?? {})) db.function(name, { deterministic: true }, compute);
    db.exec(sql);
  }
  db.pragma(`user_version = ${series.length}`);
}
