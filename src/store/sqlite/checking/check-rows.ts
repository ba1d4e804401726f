import Database from 'better-sqlite3';
import { bringUpToDate, type Schema } from '../files/migrate.ts';
import { plainTables } from '../files/row-sums.ts';
import { naming } from './check-contents.ts';
import { type FileProblem, recoverRows } from './finding.ts';

/** Rows that can be made anew, and how. Those of other tables were written once. */
const madeAnew: Readonly<Record<string, string>> = {
  documents: 'Restore a backup, or read them again from their originals: commonplace reprocess <id>.',
  passages: 'Split them again: commonplace reprocess <id> --from split.',
  vectors: 'Make them anew: commonplace reprocess <id> --from embed, or --all for the whole account.',
};

/** An id of ours. Damaged ones are not printed. */
const soundId = /^(?:[a-z]{1,2}_[a-z2-7]{16}|local)$/;

/** Finds rows of a table that do not have their checksum: bytes of the file have changed since they were written. */
export function checkRows(db: Database.Database, table: string, rowSum: string): FileProblem[] {
  const ids = db
    .prepare<[], string | null>(`SELECT ${ownerOf(db, table)} FROM "${table}" t WHERE row_sum IS NOT ${rowSum}`)
    .pluck()
    .all();
  if (ids.length === 0) return [];
  const names = ids.map((id) => (id !== null && soundId.test(id) ? id : 'one that cannot be named'));
  const problem = `${ids.length} rows of ${table} are not as they were written: ${naming([...new Set(names)])}`;
  return [{ problem, fix: madeAnew[table] ?? recoverRows }];
}

/** The record that a row belongs to: an item, or the record itself, or an account. */
function ownerOf(db: Database.Database, table: string): string {
  const columns = db
    .prepare<[string], string>(`SELECT name || ' ' || type FROM pragma_table_info(?)`)
    .pluck()
    .all(table);
  if (columns.includes('id TEXT')) return 't.id';
  if (columns.includes('item INTEGER')) return '(SELECT c.id FROM items c WHERE c.seq = t.item)';
  return columns.includes('account_id TEXT') ? 't.account_id' : 'NULL';
}

/** The tables, indexes and triggers of a new file, by schema. */
const made = new Map<Schema, ReturnType<typeof schemaOf>>();

function schemaMadeBy(schema: Schema): ReturnType<typeof schemaOf> {
  const known = made.get(schema);
  if (known !== undefined) return known;
  const db = new Database(':memory:');
  try {
    db.transaction(() => bringUpToDate(db, schema))();
    const parts = schemaOf(db);
    made.set(schema, parts);
    return parts;
  } finally {
    db.close();
  }
}

/** Compares the tables, indexes and triggers of a file with those that this version makes. */
export function checkSchema(db: Database.Database, schema: Schema): FileProblem[] {
  const kept = new Map(schemaOf(db));
  const differing = schemaMadeBy(schema).filter(([name, sql]) => kept.get(name) !== sql);
  if (differing.length === 0) return [];
  const problem = `tables, indexes or triggers are not as they were made: ${naming(differing.map(([name]) => name))}`;
  return [{ problem, fix: recoverRows }];
}

/**
 * Reads the definitions of tables, indexes and triggers, and the settings of full-text indexes, of which SQLite checks the rest.
 * The order of a table's columns does not count: a migration adds one behind the others.
 */
export function schemaOf(db: Database.Database): [name: string, made: unknown][] {
  const inside = db.prepare<[], string>(`SELECT name FROM pragma_table_list WHERE type = 'shadow'`).pluck().all();
  const parts = db
    .prepare<[], [string, string]>(`SELECT name, concat_ws(' ', type, tbl_name, sql) FROM sqlite_schema`)
    .raw()
    .all()
    .filter(([name]) => !inside.includes(name))
    .map(([name, sql]): [string, string] => [name, inOrder(sql)]);
  const settings = inside
    .filter((name) => name.endsWith('_config'))
    .flatMap((name) => db.prepare<[string], [string, unknown]>(`SELECT ? || ' ' || k, v FROM ${name}`).raw().all(name));
  return [...parts, ...settings];
}

/** The text of a table with its columns and conditions sorted, and any other text, without line breaks and quotes. */
function inOrder(made: string): string {
  const sql = made.replaceAll('"', '').replaceAll(/\s+/g, ' ');
  const start = sql.indexOf('(');
  if (!sql.startsWith('table ') || start < 0) return sql;
  const end = sql.lastIndexOf(')');
  const parts: string[] = [''];
  let depth = 0;
  for (const character of sql.slice(start + 1, end)) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return [sql.slice(0, start), ...parts.map((part) => part.trim()).sort(), sql.slice(end + 1)].join('\n');
}

/** The numbers that SQLite gives to new rows are never smaller than those that rows have. */
export function checkNumbers(db: Database.Database): FileProblem[] {
  const numbers = db.prepare<[], { name: string; seq: number }>('SELECT name, seq FROM sqlite_sequence').all();
  const tables = new Set(plainTables(db));
  const wrong = numbers.filter(
    ({ name, seq }) =>
      !tables.has(name) ||
      !(seq >= (db.prepare<[], number>(`SELECT coalesce(max(rowid), 0) FROM "${name}"`).pluck().get() ?? 0)),
  );
  return wrong.length === 0
    ? []
    : [{ problem: 'the numbers of new rows are not as they were written', fix: recoverRows }];
}
