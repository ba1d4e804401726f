import { crc32 } from 'node:zlib';
import type Database from 'better-sqlite3';
import type { Migration } from './migrate.ts';

/*
 * Each row of each table ends in a checksum of its values: a stored generated column, which SQLite computes with every
 * write. Bytes of the file that change by themselves are found by computing it again.
 */

const column = 'row_sum';

/** Registers the function of the checksums. A connection without it can read and delete rows, but not write them. */
export function registerRowSum(db: Database.Database): void {
  db.function(column, { deterministic: true, varargs: true }, (...values: unknown[]) =>
    values.reduce<number>((sum, value) => crc32(value instanceof Uint8Array ? value : String(value), sum), 0),
  );
}

/** The tables that hold rows of ours, neither SQLite's own nor those of a full-text index. */
export function plainTables(db: Database.Database): string[] {
  return db
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
         AND name NOT LIKE '\\_litestream\\_%' ESCAPE '\\' ORDER BY name`,
    )
    .pluck()
    .all();
}

/** The checksums as SQL, by the names of the tables that have them. */
export function rowSumsIn(db: Database.Database): Map<string, string> {
  const read = db.prepare<[string], string>(`SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?`).pluck();
  return new Map(
    plainTables(db).flatMap((table) => {
      const made = partsOf(read.get(table) ?? '');
      return made === null ? [] : [[table, made.rowSum]];
    }),
  );
}

const [before, after] = [`${column} INTEGER AS (`, ') STORED'];

/** What stands before, in and after the checksum in the text of a table; null when it has none. */
function partsOf(sql: string): { head: string; rowSum: string; tail: string } | null {
  const start = sql.indexOf(before) + before.length;
  const end = sql.indexOf(after, start);
  if (start < before.length || end < 0) return null;
  return { head: sql.slice(0, start), rowSum: sql.slice(start, end), tail: sql.slice(end) };
}

function columnsOf(db: Database.Database, table: string): { name: string; type: string }[] {
  return db
    .prepare<[string], { name: string; type: string }>('SELECT name, type FROM pragma_table_info(?) ORDER BY cid')
    .all(table);
}

/**
 * The checksum of a table's rows as SQL. Texts and integers are joined by SQLite, because each value that is handed to
 * JavaScript costs as much as joining all of them. The bytes of originals have a SHA-256 in their row.
 */
function rowSumOf(db: Database.Database, table: string): string {
  const columns = columnsOf(db, table).filter(({ name }) => name !== 'bytes');
  const isJoined = ({ type }: { type: string }) => type === 'TEXT' || type === 'INTEGER';
  const joined = columns.filter(isJoined).map(({ name }) => `"${name}"`);
  const others = columns.filter((one) => !isJoined(one)).map(({ name }) => `"${name}"`);
  return `${column}(concat_ws(char(31), ${joined.join(', ')})${others.map((name) => `, ${name}`).join('')})`;
}

/** Gives each table its checksums, those of the rows that it has included. A migration that adds a column does so again. */
export function addRowSums(db: Database.Database): void {
  registerRowSum(db);
  const known = rowSumsIn(db);
  const tables = plainTables(db).filter((table) => known.get(table) !== rowSumOf(db, table));
  // ALTER TABLE adds no stored column, although the rows it would have to add to are as they are for any other one.
  db.unsafeMode(true);
  db.pragma('writable_schema = ON');
  const read = db.prepare<[string], string>(`SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?`).pluck();
  const write = db.prepare(`UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?`);
  for (const table of tables) write.run(withColumn(read.get(table) ?? '', rowSumOf(db, table)), table);
  db.pragma('writable_schema = RESET');
  // Other connections have to read the schema anew.
  db.pragma(`schema_version = ${(db.pragma('schema_version', { simple: true }) as number) + 1}`);
  db.unsafeMode(false);
  for (const table of tables) {
    if (db.prepare(`SELECT 1 FROM "${table}"`).get() === undefined) continue;
    const last = columnsOf(db, table).at(-1)?.name;
    db.exec(`UPDATE "${table}" SET "${last}" = "${last}"`);
  }
}

export const rowSums: Migration = { name: 'row sums', sql: '', run: addRowSums };

/** Columns stand before the conditions of the whole table. */
function withColumn(sql: string, rowSum: string): string {
  const made = partsOf(sql);
  if (made !== null) return `${made.head}${rowSum}${made.tail}`;
  const condition = sql.search(/,\s*(?:PRIMARY KEY|UNIQUE)\s*\(/);
  const end = condition < 0 ? sql.lastIndexOf(')') : condition;
  return `${sql.slice(0, end)}, ${before}${rowSum}${after}${sql.slice(end)}`;
}
