import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { newId } from '../../../domain/records/ids.ts';
import { AppError } from '../../../errors.ts';
import { makeTemporaryFolder } from '../../../temporary-folder.ts';
import { indexAll, insertCards } from '../writing/indexed-words.ts';
import { bringUpToDate, presentVersion, refuseOtherVersion, type Schema, schemaVersion } from '../files/migrate.ts';
import { createPrivately } from '../files/open-database.ts';
import { plainTables, registerRowSum, rowSumsIn } from '../files/row-sums.ts';
import { logOf } from '../files/file-state.ts';
import { accountSchema, controlSchema } from '../schema.ts';
import { type CopiedTable, copyTable, readable } from './copy-rows.ts';
import { BackupFile } from './read-backup.ts';

export interface RecoverRequest {
  /** The damaged file: of an account, or `control.db`. It is not changed. */
  file: string;
  /** The new file. */
  target: string;
  /** A backup that has the file as it was. */
  backup?: string | undefined;
  now: number;
}

export interface Recovered {
  file: string;
  tables: CopiedTable[];
  /** Addresses of items that an index still names and that are gone; at most `maxNamed`. */
  lostItems: string[];
  /** Items whose own row was lost, made anew from the pages that were kept of them: without title, notes and dates. */
  rebuiltItems: number;
  /** Items that are read again, because parts of their text were lost. */
  itemsReadAgain: number;
}

const maxNamed = 1_000;

/**
 * Copies what can be read of a damaged file into a new one, and makes it consistent: what belongs to lost records goes,
 * indexes are built anew, and items that lost parts of their text are queued. With a backup, rows that were lost or have
 * changed by themselves are taken from it.
 * @throws {AppError} `invalid_input` when the file is no library or nothing can be read of it, when the target is there,
 *   or when the backup cannot be used; `newer_data` or `unavailable` when another version of the program wrote the file
 */
export async function recoverFile(
  request: RecoverRequest,
  onDone: (done: number, total: number) => void,
): Promise<Recovered> {
  const { file, target, now } = request;
  if (!existsSync(file)) throw new AppError('invalid_input', 'There is no file at this path.');
  if (existsSync(target))
    throw new AppError('invalid_input', 'There is a file at the new path already. Choose another name.');
  const folder = makeTemporaryFolder(join(dirname(target), '.recovering-'));
  const part = join(folder, 'new.db');
  const opened: Database.Database[] = [];
  try {
    const { db: from, schema } = openCopy(file, folder);
    opened.push(from);
    const backup = request.backup === undefined ? null : await openBackup(request.backup, file, folder, schema);
    if (backup !== null) opened.push(backup);
    const recovered = copyInto(part, from, { now, schema, backup }, onDone);
    renameSync(part, target);
    return { ...recovered, file: target };
  } finally {
    for (const db of opened) db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same file in a backup, brought up to date. */
async function openBackup(path: string, file: string, folder: string, schema: Schema): Promise<Database.Database> {
  const name = basename(file, '.db');
  const backup = new BackupFile(path);
  try {
    const accounts = backup.parts.filter(({ part }) => part !== 'control' && part !== 'config');
    // A copy of the damaged file may have another name.
    const only = name !== 'control' && accounts.length === 1 ? accounts[0] : undefined;
    const part = backup.parts.find((one) => one.part === name) ?? only;
    const copy = join(folder, 'backup.db');
    if (part === undefined || !(await backup.unpack(part, copy)))
      throw new AppError(
        'invalid_input',
        'This backup does not have the file, or it is damaged there. Name the file as it is named in the data folder, or choose another backup.',
      );
    const db = new Database(copy);
    registerRowSum(db);
    db.transaction(() => bringUpToDate(db, schema))();
    return db;
  } finally {
    backup.close();
  }
}

/** Opens a copy, because reading a database may write to its log. */
function openCopy(file: string, folder: string): { db: Database.Database; schema: Schema } {
  const copy = join(folder, basename(file));
  copyFileSync(file, copy);
  if ((statSync(logOf(file), { throwIfNoEntry: false })?.size ?? 0) > 0) copyFileSync(logOf(file), logOf(copy));
  const db = readable(() => new Database(copy));
  const version = db === null ? null : readable(() => schemaVersion(db));
  const has = (table: string) =>
    db !== null &&
    (readable(() => db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table)) ?? null) !== null;
  const schema = has('items') ? accountSchema : has('accounts') ? controlSchema : null;
  try {
    if (db === null || version === null || version < 1) throw unreadable();
    refuseOtherVersion(version, schema ?? accountSchema);
    if (schema === null) throw unreadable();
    if (version < presentVersion(schema)) throw olderFile();
    db.pragma('cell_size_check = ON');
    registerRowSum(db);
    return { db, schema };
  } catch (error) {
    db?.close();
    throw error;
  }
}

function olderFile(): AppError {
  return new AppError(
    'unavailable',
    'An older version of Commonplace wrote this file. Recover it with that version, then open the new file with this one.',
  );
}

function unreadable(): AppError {
  return new AppError(
    'invalid_input',
    'Nothing can be read of this file: it is not the library of an account, or its beginning is damaged. Only a backup helps.',
  );
}

function copyInto(
  path: string,
  from: Database.Database,
  { now, schema, backup }: { now: number; schema: Schema; backup: Database.Database | null },
  onDone: (done: number, total: number) => void,
): Omit<Recovered, 'file'> {
  createPrivately(path);
  const to = new Database(path);
  try {
    to.pragma('page_size = 8192');
    to.pragma('foreign_keys = OFF');
    registerRowSum(to);
    return to
      .transaction(() => {
        bringUpToDate(to, schema);
        const names = tablesOf(to);
        const tables = names.map((name, index) => {
          const table = { name, ...shapeOf(from, to, name), maxRow: maxRowOf(from, name) };
          const copied = copyTable(from, to, table, backup);
          onDone(index + 1, names.length + 1);
          return copied;
        });
        if (!names.includes('items')) {
          removeOrphans(to, names);
          return { tables, lostItems: [], rebuiltItems: 0, itemsReadAgain: 0 };
        }
        const lostItems = lostAddresses(from, to);
        const rebuiltItems = rebuildItems(to, now);
        removeOrphans(to, names);
        const itemsReadAgain = queueBroken(to, now);
        buildIndexes(to);
        onDone(names.length + 1, names.length + 1);
        return { tables, lostItems, rebuiltItems, itemsReadAgain };
      })
      .immediate();
  } finally {
    to.close();
  }
}

/** The tables whose rows are copied: neither indexes nor what follows from other tables within a transaction. */
function tablesOf(db: Database.Database): string[] {
  return plainTables(db).filter((name) => name !== 'vector_changes' && name !== 'items_due');
}

function shapeOf(
  from: Database.Database,
  to: Database.Database,
  table: string,
): { columns: string[]; key: string[]; hasRowIds: boolean; isWhole: string } {
  const columnsOf = (db: Database.Database) =>
    db
      .prepare<[string], { name: string; pk: number }>('SELECT name, pk FROM pragma_table_info(?) ORDER BY cid')
      .all(table);
  const rowSum = rowSumsIn(from).get(table);
  const there = new Set(columnsOf(from).map(({ name }) => name));
  const columns = columnsOf(to);
  const isWithoutRowId =
    to.prepare('SELECT 1 FROM pragma_table_list WHERE name = ? AND wr = 1').get(table) !== undefined;
  const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  return {
    columns: columns.map(({ name }) => name).filter((name) => there.has(name)),
    key: key.map(({ name }) => name),
    hasRowIds: !isWithoutRowId,
    isWhole: rowSum === undefined ? '1' : `row_sum IS ${rowSum}`,
  };
}

/** More row ids than a table can have that does not say how many there were. */
const unknownRows = 1_000_000;

function maxRowOf(from: Database.Database, table: string): number {
  const ask = (sql: string, ...values: string[]) =>
    readable(() => from.prepare<string[], { row: number | null }>(sql).get(...values)?.row ?? null);
  const known = ask('SELECT seq AS row FROM sqlite_sequence WHERE name = ?', table);
  const last = readable(() =>
    from.prepare<[], { row: number }>(`SELECT rowid AS row FROM "${table}" ORDER BY rowid DESC LIMIT 1`).get(),
  );
  if (last === undefined) return 0;
  const others = ask('SELECT max(seq) AS row FROM sqlite_sequence');
  return last?.row ?? known ?? others ?? unknownRows;
}

/** Addresses that the index of addresses has and that no copied item has. */
function lostAddresses(from: Database.Database, to: Database.Database): string[] {
  const has = to.prepare('SELECT 1 FROM items WHERE canonical_url = ?');
  const lost: string[] = [];
  readable(() => {
    const named = from
      .prepare<[], { url: string }>(
        'SELECT canonical_url AS url FROM items INDEXED BY items_by_url WHERE deleted_at IS NULL',
      )
      .iterate();
    for (const { url } of named) if (lost.length < maxNamed && has.get(url) === undefined) lost.push(url);
  });
  return lost;
}

/** Makes the rows of items anew of which only the page is left. */
function rebuildItems(to: Database.Database, now: number): number {
  const pages = to
    .prepare<[], { item: number; url: string }>(
      `SELECT item, url FROM originals WHERE name = '' AND item NOT IN (SELECT seq FROM items)
         AND url NOT IN (SELECT canonical_url FROM items)`,
    )
    .all();
  const insert = to.prepare(
    `INSERT OR IGNORE INTO items (seq, id, url, canonical_url, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  return pages.reduce((made, { item, url }) => made + insert.run(item, newId('c'), url, url, now, now).changes, 0);
}

interface Reference {
  from: string;
  table: string;
  to: string;
  onDelete: string;
}

/** Removes rows that refer to lost ones, or their reference, as the tables say for a row that is deleted. */
function removeOrphans(db: Database.Database, tables: readonly string[]): void {
  for (let changes = 1; changes > 0;) {
    changes = 0;
    for (const table of tables) {
      const references = db
        .prepare<[string], Reference>(
          'SELECT "from", "table", "to", on_delete AS onDelete FROM pragma_foreign_key_list(?)',
        )
        .all(table);
      for (const { from, table: parent, to, onDelete } of references) {
        const orphans = `"${from}" IS NOT NULL AND "${from}" NOT IN (SELECT "${to}" FROM "${parent}")`;
        const sql =
          onDelete === 'SET NULL'
            ? `UPDATE "${table}" SET "${from}" = NULL WHERE ${orphans}`
            : `DELETE FROM "${table}" WHERE ${orphans}`;
        changes += db.prepare(sql).run().changes;
      }
    }
  }
}

/** Queues items that have lost their text or passages, or their job. */
function queueBroken(db: Database.Database, now: number): number {
  const broken = db
    .prepare<[], { seq: number; stage: string }>(
      `SELECT c.seq, iif(EXISTS (SELECT 1 FROM originals o WHERE o.item = c.seq AND o.name = ''), 'extract', 'fetch') AS stage
       FROM items c WHERE c.deleted_at IS NULL AND (
         (c.state = 'completed' AND (c.visible_document IS NULL
           OR c.passage_count <> (SELECT count(*) FROM passages p WHERE p.document = c.visible_document)))
         OR (c.state = 'unfinished' AND c.seq NOT IN (SELECT item FROM jobs)))`,
    )
    .all();
  const queue = db.prepare(
    `INSERT OR REPLACE INTO jobs (item, id, stage, state, attempts, due_at) VALUES (?, ?, ?, 'waiting', 0, ?)`,
  );
  const reopen = db.prepare(`UPDATE items SET state = 'unfinished' WHERE seq = ?`);
  for (const { seq, stage } of broken) {
    queue.run(seq, newId('j'), stage, now);
    reopen.run(seq);
  }
  for (const { seq } of db
    .prepare<[], { seq: number }>('SELECT seq FROM items WHERE seq NOT IN (SELECT item FROM jobs)')
    .all())
    db.prepare(`INSERT INTO jobs (item, id, stage, state, attempts) VALUES (?, ?, 'analyse', 'done', 0)`).run(
      seq,
      newId('j'),
    );
  return broken.length;
}

/** The full-text indexes are made of the copied rows. */
function buildIndexes(db: Database.Database): void {
  // Of rows that have changed by themselves.
  db.exec(`UPDATE passages SET heading_path = '[]' WHERE NOT json_valid(heading_path);
    UPDATE passages SET marks = NULL WHERE NOT json_valid(marks);
    UPDATE items SET known = NULL WHERE NOT json_valid(known)`);
  db.exec(insertCards('SELECT NULL AS id, seq AS item FROM items'));
  indexAll(db);
  db.exec(`
    DELETE FROM items_due;
    DELETE FROM item_titles;
    INSERT INTO item_titles (rowid, title)
      SELECT c.seq, coalesce(c.given_title, d.title) FROM items c LEFT JOIN documents d ON d.id = c.visible_document
      WHERE c.deleted_at IS NULL AND coalesce(c.given_title, d.title) IS NOT NULL`);
}
