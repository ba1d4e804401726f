import { crc32 } from 'node:zlib';
import type Database from 'better-sqlite3';

/*
 * Each row of each table has a checksum of its values, `row_sum`: a stored generated column, which SQLite computes with
 * every write. Bytes of the file that change by themselves are found by computing it again.
 */

const column = 'row_sum';

/** Registers the function of the checksums. A connection without it can read and delete rows, but not write them. */
export function registerRowSum(db: Database.Database): void {
  db.function(column, { deterministic: true, varargs: true }, (...values: unknown[]) =>
    values.reduce<number>((sum, value) => crc32(value instanceof Uint8Array ? value : String(value), sum), 0),
  );
}

/** Our tables, neither SQLite's own nor those of a full-text index. */
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
      const made = rowSumIn(read.get(table) ?? '');
      return made === null ? [] : [[table, made]];
    }),
  );
}

const [before, after] = [`${column} INTEGER AS (`, ') STORED'];

/** The checksum in the text of a table; null when it has none. */
function rowSumIn(sql: string): string | null {
  const start = sql.indexOf(before) + before.length;
  const end = sql.indexOf(after, start);
  return start < before.length || end < 0 ? null : sql.slice(start, end);
}

interface Column {
  name: string;
  type: string;
}

function columnsOf(db: Database.Database, table: string): Column[] {
  return db.prepare<[string], Column>('SELECT name, type FROM pragma_table_info(?) ORDER BY cid').all(table);
}

/**
 * The checksum of a row with these columns as SQL. Texts and integers are joined by SQLite, because each value that is
 * handed to JavaScript costs as much as joining all of them. The bytes of originals have a SHA-256 in their row.
 */
function rowSumOf(all: readonly Column[]): string {
  const columns = all.filter(({ name, type }) => name !== 'bytes' || type !== 'BLOB');
  const isJoined = ({ type }: Column) => type === 'TEXT' || type === 'INTEGER';
  const joined = columns.filter(isJoined).map(({ name }) => name);
  const others = columns.filter((one) => !isJoined(one)).map(({ name }) => name);
  return `${column}(concat_ws(char(31), ${joined.join(', ')})${others.map((name) => `, ${name}`).join('')})`;
}

/** A schema in which `row_sum()` is a placeholder for the checksum of the columns before it, with the columns. */
export function withRowSums(schema: string): string {
  return schema
    .split(/(?=^CREATE TABLE )/m)
    .map((table) => {
      const columns = table.slice(0, table.indexOf('row_sum()')).matchAll(/^ {2}(\w+) (TEXT|INTEGER|REAL|BLOB)\b/gm);
      const named = Array.from(columns, ([, name = '', type = '']): Column => ({ name, type }));
      return table.replace('row_sum()', () => rowSumOf(named.filter(({ name }) => name !== column)));
    })
    .join('');
}

/** Computes the checksums of tables that have other columns than when they were made. Call after migrations. */
export function renewRowSums(db: Database.Database): void {
  const tables = [...rowSumsIn(db)].filter(
    ([table, made]) => made.replaceAll(/\s+/g, ' ') !== rowSumOf(columnsOf(db, table)),
  );
  if (tables.length === 0) return;
  // ALTER TABLE cannot change a column.
  db.unsafeMode(true);
  db.pragma('writable_schema = ON');
  const write = db.prepare(`UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = ?`);
  for (const [table, made] of tables) write.run(made, rowSumOf(columnsOf(db, table)), table);
  db.pragma('writable_schema = RESET');
  // Other connections have to read the schema again.
  db.pragma(`schema_version = ${(db.pragma('schema_version', { simple: true }) as number) + 1}`);
  db.unsafeMode(false);
  for (const [table] of tables) {
    const last = columnsOf(db, table).at(-1)?.name;
    db.exec(`UPDATE "${table}" SET "${last}" = "${last}"`);
  }
}
