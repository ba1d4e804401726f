import Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { bringUpToDate, type Schema } from '../files/migrate.ts';
import { plainTables } from '../files/row-sums.ts';

export interface Finding {
  /** `control` for `control.db`, otherwise the account's id. */
  file: string;
  /** The problem in words. They contain nothing from saved content. */
  problem: string;
  fix: string;
}

/** A problem of the file that is looked at. */
export type FileProblem = Omit<Finding, 'file'>;

export const restoreBackup =
  'Stop what uses the data folder, restore a backup of it (docs/backups.md), and run `commonplace doctor --check` again.';

/** For rows that were written once and are in no other place of the library. */
export const recoverRows =
  'Stop what uses the data folder and take them from a backup: `commonplace recover <this file> <new file> --backup <backup>`, or restore the backup (docs/backups.md).';

/* Checks what belongs together: texts and originals with their SHA-256, passages with their text, vectors with their passage. */

/** A finding names at most this many items. */
const maxNamed = 5;

export function naming(ids: readonly string[]): string {
  const more = ids.length > maxNamed ? ` and ${ids.length - maxNamed} more` : '';
  return `${ids.slice(0, maxNamed).join(', ')}${more}`;
}

function problemOf(ids: readonly string[], problem: (items: string) => string, fix: string): FileProblem[] {
  const distinct = [...new Set(ids)];
  return distinct.length === 0 ? [] : [{ problem: problem(naming(distinct)), fix }];
}

export function checkOriginals(db: Database.Database): FileProblem[] {
  const damaged: string[] = [];
  const rows = db.prepare<[], { id: string; packing: string; bytes: Uint8Array; hash: Buffer }>(
    `SELECT coalesce(c.id, 'an item that is gone') AS id, o.packing, o.bytes, o.hash
     FROM (SELECT item, packing, bytes, hash FROM originals
       UNION ALL SELECT item, packing, bytes, hash FROM history_originals) o LEFT JOIN items c ON c.seq = o.item`,
  );
  for (const { id, packing, bytes, hash } of rows.iterate()) {
    if (!isWhole(packing, bytes, hash)) damaged.push(id);
  }
  return problemOf(
    damaged,
    (items) => `originals that are not what was fetched or given: ${items}`,
    'Restore a backup, or save these addresses or files again. What was read from them before is still there.',
  );
}

function isWhole(packing: string, bytes: string | Uint8Array, hash: Buffer): boolean {
  try {
    const unpacked = packing === 'zstd' ? zstdDecompressSync(bytes) : bytes;
    return createHash('sha256').update(unpacked).digest().equals(hash);
  } catch {
    // Bytes that cannot be decompressed are damaged.
    return false;
  }
}

export function checkDocuments(db: Database.Database): FileProblem[] {
  const damaged: string[] = [];
  const rows = db.prepare<[], { id: string; hash: Buffer; warnings: string; text: string; blocks: string }>(
    `SELECT coalesce(c.id, 'an item that is gone') AS id, d.text_hash AS hash, d.warnings, d.text, d.blocks
     FROM documents d LEFT JOIN items c ON c.seq = d.item`,
  );
  for (const { id, hash, warnings, text, blocks } of rows.iterate())
    if (!isWhole('none', text, hash) || !isJson(blocks) || !isJson(warnings)) damaged.push(id);
  return problemOf(
    damaged,
    (items) => `texts that are not as they were read: ${items}`,
    'Restore a backup, or read them again from their originals: commonplace reprocess <id>.',
  );
}

/** Checks that each passage is the slice of its document's text that its offsets say. */
export function checkPassages(db: Database.Database): FileProblem[] {
  const damaged: string[] = [];
  const texts = db.prepare<[], { id: string; documentId: number; hash: Buffer; text: string }>(
    `SELECT coalesce(c.id, 'an item that is gone') AS id, d.id AS documentId, d.text_hash AS hash, d.text
     FROM documents d LEFT JOIN items c ON c.seq = d.item`,
  );
  const passages = db.prepare<
    [number],
    { start: number; end: number; text: string; headingPath: string; locator: string }
  >(
    'SELECT start_at AS start, end_at AS "end", text, heading_path AS headingPath, locator FROM passages WHERE document = ?',
  );
  for (const { id, documentId, hash, text } of texts.iterate()) {
    // A damaged text is reported with the documents.
    if (!isWhole('none', text, hash)) continue;
    const isRight = passages
      .all(documentId)
      .every(
        (passage) =>
          text.slice(passage.start, passage.end) === passage.text &&
          isJson(passage.headingPath) &&
          isJson(passage.locator),
      );
    if (!isRight) damaged.push(id);
  }
  return problemOf(
    damaged,
    (items) => `passages that are not in their text: ${items}`,
    'Split them again: commonplace reprocess <id> --from split.',
  );
}

export function checkVectors(db: Database.Database): FileProblem[] {
  const rows = db.prepare<[], { id: string }>(
    `SELECT coalesce(c.id, 'an item that is gone') AS id
     FROM vectors v LEFT JOIN passages p ON p.id = v.passage LEFT JOIN embedders e ON e.id = v.embedder
       LEFT JOIN items c ON c.seq = p.item
     WHERE p.id IS NULL OR e.id IS NULL OR v.item IS NOT p.item
       OR length(v.components) <> e.dimensions OR NOT (v.scale >= 0 AND v.scale < 1e9)`,
  );
  return problemOf(
    rows.all().map(({ id }) => id),
    (items) => `vectors that belong to no passage, or are not those of their model: ${items}`,
    'Rebuild them: commonplace reprocess <id> --from embed, or --all for the whole account.',
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // A parse error means that the text is not JSON.
    return false;
  }
}

/** Rows that can be rebuilt, and how. Those of other tables were written once. */
const madeAnew: Readonly<Record<string, string>> = {
  documents: 'Restore a backup, or read them again from their originals: commonplace reprocess <id>.',
  passages: 'Split them again: commonplace reprocess <id> --from split.',
  vectors: 'Rebuild them: commonplace reprocess <id> --from embed, or --all for the whole account.',
};

/** One of our ids. Damaged ones are not printed. */
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

/** Compares the tables, indexes and triggers of a file with this version's schema. */
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

/** SQLite's numbers for new rows are never smaller than existing ones. */
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
