import Database from 'better-sqlite3';
import { AppError, unavailable } from '../../../errors.ts';
import { plainTables, registerRowSum, renewRowSums } from './row-sums.ts';

export interface Schema {
  readonly sql: string;
  /** How a file of the first version gets the same tables, in order. */
  migrations: readonly Migration[];
}

/**
 * One step from the first version to the present one: what it changes of tables and rows. New tables, indexes and triggers
 * follow the schema by themselves. Only append: a migration that was released never changes. A migration that
 * changes a table which a schema brought creates that table in its older form first; a test fails otherwise.
 */
export interface Migration {
  name: string;
  sql: string;
}

/**
 * The version of a file without migrations. Smaller ones are those of previews, which had different migrations. A preview refuses
 * this version as a newer one.
 */
export const firstVersion = 101;

/** The version of a file that is up to date. */
export function presentVersion({ migrations }: Schema): number {
  return firstVersion + migrations.length;
}

/** The version of a file; 0 for a new one. */
export function schemaVersion(db: Database.Database): number {
  return db.pragma('user_version', { simple: true }) as number;
}

export function isOfPreview(version: number): boolean {
  return version > 0 && version < firstVersion;
}

/** Advice for a preview's file. */
export const exportFromPreview =
  'Export the library with the version that wrote it (`commonplace export <folder>`; each account with --account), then import that folder here into a new data folder (`commonplace import <folder> --data <new folder>`).';

/** @throws {AppError} `unavailable` when the file is of a preview */
export function refusePreview(version: number): void {
  if (!isOfPreview(version)) return;
  throw unavailable(
    `A preview of Commonplace wrote this library, in a form that this version does not read. ${exportFromPreview}`,
  );
}

/**
 * @throws {AppError} `newer_data` when a newer program than this one has migrated the file, `unavailable` when it is of a
 *   preview
 */
export function refuseOtherVersion(version: number, schema: Schema): void {
  refusePreview(version);
  if (version <= presentVersion(schema)) return;
  throw new AppError(
    'newer_data',
    'A newer version of Commonplace than this one has migrated this data folder. ' +
      'Update this one, or choose another folder with --data.',
  );
}

/**
 * Makes a new file, or applies all missing migrations. Call only inside a write transaction: then no other process can
 * change the schema between reading its version and running the statements.
 */
export function bringUpToDate(db: Database.Database, schema: Schema): void {
  const version = schemaVersion(db);
  refuseOtherVersion(version, schema);
  if (version === presentVersion(schema)) return;
  // Makes this connection reload its cached schema, which another process may have changed.
  db.prepare('SELECT count(*) FROM sqlite_schema').get();
  registerRowSum(db);
  if (version === 0) db.exec(schema.sql);
  else {
    for (const { sql } of schema.migrations.slice(version - firstVersion)) db.exec(sql);
    renewRowSums(db);
    follow(db, schema);
  }
  db.pragma(`user_version = ${presentVersion(schema)}`);
}

/** Makes the tables that are missing, and the indexes, views and triggers that are missing or other ones. */
function follow(db: Database.Database, { sql }: Schema): void {
  const fresh = new Database(':memory:');
  registerRowSum(fresh);
  fresh.exec(sql);
  const wanted = catalogueOf(fresh);
  fresh.close();
  const present = catalogueOf(db);
  for (const [name, { type, sql: made }] of present)
    if (type !== 'table' && wanted.get(name)?.sql !== made) db.exec(`DROP ${type} IF EXISTS "${name}"`);
  for (const [name, { type, sql: made }] of wanted) {
    const before = present.get(name)?.sql;
    if (type === 'table' ? before === undefined : before !== made) db.exec(made);
  }
}

function catalogueOf(db: Database.Database): Map<string, { type: string; sql: string }> {
  const rows = db
    .prepare<[string], { name: string; type: string; sql: string }>(
      `SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL AND (type IN ('index', 'view', 'trigger')
         OR name IN (SELECT value FROM json_each(?)))`,
    )
    .all(JSON.stringify(plainTables(db)));
  return new Map(rows.map((row) => [row.name, row]));
}
