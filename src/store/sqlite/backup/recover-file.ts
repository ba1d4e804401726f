import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { newId } from '../../../domain/records/ids.ts';
import { invalidInput, unavailable } from '../../../errors.ts';
import { makeTemporaryFolder } from '../../../workers/temporary-folder.ts';
import { logOf } from '../files/file-state.ts';
import { bringUpToDate, presentVersion, refuseOtherVersion, type Schema, schemaVersion } from '../files/migrate.ts';
import { createPrivately } from '../files/open-database.ts';
import { plainTables, registerRowSum, rowSumsIn } from '../files/row-sums.ts';
import { accountSchema, controlSchema } from '../schema.ts';
import { indexAll, insertCards } from '../items/indexed-words.ts';
import { isAccountId } from '../../../domain/access/account-names.ts';
import { BackupFile } from './read-backup.ts';

export interface RecoverRequest {
  /** The damaged file: of an account, or `control.db`. It is not changed. */
  file: string;
  target: string;
  /** A backup that has the file as it was. */
  backup?: string | undefined;
  now: number;
}

export interface CopiedTable {
  table: string;
  copied: number;
  /** Rows that an index of the damaged file still counts and that could not be read; null when that is not known. */
  lost: number | null;
  /** Rows of which bytes have changed since they were written, and that no backup has: they are copied as they are. */
  changed: number;
  fromBackup: number;
}

export interface Recovered {
  file: string;
  tables: CopiedTable[];
  /** Addresses of items that an index still names and that are gone; at most `maxNamed`. */
  lostItems: string[];
  /** Items whose row was lost, rebuilt from their stored pages: without title, notes and dates. */
  rebuiltItems: number;
  /** Items that are read again, because parts of their text were lost. */
  itemsReadAgain: number;
}

const maxNamed = 1_000;
/** Reads that may fail in one table. Each failure halves the range in which the damage is. */
const maxFailures = 300_000;
/** More row ids than a table can have that does not say how many there were. */
const unknownRows = 1_000_000;

/**
 * Copies the readable part of a damaged file into a new one, and makes it consistent: remains of lost records are removed, indexes
 * are rebuilt, and items that lost parts of their text are queued. With a backup, tables that have lost or changed rows get all
 * rows that only the backup has.
 * @throws {AppError} `invalid_input` when the file is not a library or unreadable, when the target exists, or when the backup cannot
 * be used; `newer_data` or `unavailable` when another version of the program wrote the file
 */
export async function recoverFile(
  request: RecoverRequest,
  onDone: (done: number, total: number) => void,
): Promise<Recovered> {
  const { file, target, now } = request;
  if (!existsSync(file)) throw invalidInput('There is no file at this path.');
  if (existsSync(target)) throw invalidInput('There is a file at the new path already. Choose another name.');
  const folder = makeTemporaryFolder(join(dirname(target), '.recovering-'));
  const [part, backup] = [join(folder, 'new.db'), join(folder, 'backup.db')];
  const opened: Database.Database[] = [];
  try {
    const { db: from, schema } = openCopy(file, folder);
    opened.push(from);
    if (request.backup !== undefined) await unpackBackup(request.backup, basename(file, '.db'), backup, schema);
    createPrivately(part);
    const to = new Database(part);
    opened.push(to);
    to.pragma('page_size = 8192');
    to.pragma('foreign_keys = OFF');
    registerRowSum(to);
    if (request.backup !== undefined) to.prepare('ATTACH ? AS backup').run(backup);
    const recovered = to.transaction(() => copyInto(to, from, { now, schema }, onDone)).immediate();
    to.close();
    renameSync(part, target);
    return { ...recovered, file: target };
  } finally {
    for (const db of opened) db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Unpacks the same file of a backup, and brings it up to date. */
async function unpackBackup(path: string, name: string, copy: string, schema: Schema): Promise<void> {
  const backup = await BackupFile.open(path);
  try {
    const { parts } = backup.info;
    const accounts = parts.filter(isAccountId);
    // A copy of the damaged file may have another name.
    const part = parts.includes(name) || name === 'control' || accounts.length !== 1 ? name : (accounts[0] ?? name);
    if (!(await backup.unpack(part, copy)))
      throw invalidInput(
        'This backup does not have the file, or it is damaged there. Name the file as it is named in the data folder, or choose another backup.',
      );
  } finally {
    backup.close();
  }
  const db = new Database(copy);
  try {
    registerRowSum(db);
    db.transaction(() => bringUpToDate(db, schema))();
  } finally {
    db.close();
  }
}

/** Opens a copy, because reading a database may write to its log. */
function openCopy(file: string, folder: string): { db: Database.Database; schema: Schema } {
  const copy = join(folder, 'damaged.db');
  copyFileSync(file, copy);
  if ((statSync(logOf(file), { throwIfNoEntry: false })?.size ?? 0) > 0) copyFileSync(logOf(file), logOf(copy));
  const db = readable(() => new Database(copy));
  const version = db === null ? null : readable(() => schemaVersion(db));
  const has = (table: string) =>
    (readable(() => db?.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table)) ?? null) !== null;
  const schema = has('items') ? accountSchema : has('accounts') ? controlSchema : null;
  try {
    if (version !== null) refuseOtherVersion(version, schema ?? accountSchema);
    if (db === null || version === null || version < 1 || schema === null)
      throw invalidInput(
        'Nothing can be read of this file: it is not the library of an account, or its beginning is damaged. Only a backup helps.',
      );
    if (version < presentVersion(schema))
      throw unavailable(
        'An older version of Commonplace wrote this file. Recover it with that version, then open the new file with this one.',
      );
    db.pragma('cell_size_check = ON');
    registerRowSum(db);
    return { db, schema };
  } catch (error) {
    db?.close();
    throw error;
  }
}

/** The result of a read; null where the file is damaged. */
function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    const damage = /^SQLITE_(CORRUPT|NOTADB|IOERR|TOOBIG|NOMEM|ERROR)/;
    if ((error instanceof Database.SqliteError && damage.test(error.code)) || error instanceof RangeError) return null;
    throw error;
  }
}

function copyInto(
  to: Database.Database,
  from: Database.Database,
  { now, schema }: { now: number; schema: Schema },
  onDone: (done: number, total: number) => void,
): Omit<Recovered, 'file'> {
  bringUpToDate(to, schema);
  // Neither indexes nor what follows from other tables within a transaction.
  const names = plainTables(to).filter((name) => name !== 'vector_changes' && name !== 'items_due');
  const sums = rowSumsIn(from);
  const tables = names.map((name, index) => {
    const copied = copyTable(from, to, name, sums.get(name));
    onDone(index + 1, names.length + 1);
    return copied;
  });
  const isLibrary = names.includes('items');
  const lostItems = isLibrary ? lostAddresses(from, to) : [];
  const rebuiltItems = isLibrary ? rebuildItems(to, now) : 0;
  removeOrphans(to, names);
  const itemsReadAgain = isLibrary ? queueBroken(to, now) : 0;
  if (isLibrary) buildIndexes(to);
  onDone(names.length + 1, names.length + 1);
  return { tables, lostItems, rebuiltItems, itemsReadAgain };
}

/**
 * Copies the rows of a table that can be read into an empty table of the same name.
 * @param rowSum SQL of the checksum of a row
 */
function copyTable(
  from: Database.Database,
  to: Database.Database,
  table: string,
  rowSum: string | undefined,
): CopiedTable {
  const columns = to
    .prepare<[string], { name: string; pk: number }>('SELECT name, pk FROM pragma_table_info(?) ORDER BY pk')
    .all(table);
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const insert = to.prepare(
    `INSERT OR IGNORE INTO main."${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  const keep = (values: unknown[]): boolean => {
    try {
      return insert.run(...values).changes > 0;
    } catch (error) {
      // Bytes of a damaged page that look like a row: the types of the columns refuse them.
      if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT')) return false;
      throw error;
    }
  };
  const changed: unknown[][] = [];
  const add = ([isWhole, ...values]: unknown[]): void => {
    if (isWhole === 1) keep(values);
    else changed.push(values);
  };
  const select = `${rowSum === undefined ? '1' : `row_sum IS ${rowSum}`}, ${names} FROM "${table}"`;
  const hasRowIds = to.prepare('SELECT 1 FROM pragma_table_list WHERE name = ? AND wr = 0').get(table) !== undefined;
  if (hasRowIds) copyByRowId(from, table, select, add);
  else {
    const key = columns.filter(({ pk }) => pk > 0).map(({ name }) => `"${name}"`);
    copyFromBothEnds(from, key, select, add);
  }
  const count = (db: Database.Database) => db.prepare(`SELECT count(*) FROM main."${table}"`).pluck().get() as number;
  const expected = readable(() => count(from));
  const hasBackup = to.prepare(`SELECT 1 FROM pragma_database_list WHERE name = 'backup'`).get() !== undefined;
  const fromBackup =
    hasBackup && (expected === null || count(to) < expected)
      ? to.prepare(`INSERT OR IGNORE INTO main."${table}" (${names}) SELECT ${names} FROM backup."${table}"`).run()
          .changes
      : 0;
  const stillChanged = changed.filter((values) => keep(values)).length;
  const copied = count(to);
  const lost = expected === null ? null : Math.max(0, expected - copied);
  return { table, copied, lost, changed: stillChanged, fromBackup };
}

/** Reads ranges of row ids, and halves a range in which something cannot be read. */
function copyByRowId(from: Database.Database, table: string, select: string, add: (values: unknown[]) => void): void {
  const read = readable(() =>
    from
      .prepare<[number, number], [number, ...unknown[]]>(
        `SELECT rowid, ${select} WHERE rowid BETWEEN ? AND ? ORDER BY rowid`,
      )
      .raw(true),
  );
  if (read === null) return;
  const ask = (sql: string, ...values: string[]) =>
    readable(
      () =>
        from
          .prepare<string[], number | null>(sql)
          .pluck()
          .get(...values) ?? null,
    );
  const maxRow =
    ask(`SELECT max(rowid) FROM "${table}"`) ??
    ask('SELECT seq FROM sqlite_sequence WHERE name = ?', table) ??
    ask('SELECT max(seq) FROM sqlite_sequence') ??
    unknownRows;
  let failures = 0;
  const copy = (first: number, last: number): void => {
    let next = first;
    const isWhole = readable(() => {
      for (const [row, ...found] of read.iterate(first, last)) {
        add(found);
        next = row + 1;
      }
      return true;
    });
    failures += isWhole === null ? 1 : 0;
    if (isWhole !== null || next >= last || failures > maxFailures) return;
    const middle = next + Math.floor((last - next) / 2);
    copy(next, middle);
    copy(middle + 1, last);
  };
  copy(0, maxRow);
}

/** Reads up to the first damaged page, and then from the other end. */
function copyFromBothEnds(
  from: Database.Database,
  key: readonly string[],
  select: string,
  add: (values: unknown[]) => void,
): void {
  for (const direction of ['ASC', 'DESC']) {
    const order = key.map((column) => `${column} ${direction}`).join(', ');
    const isWhole = readable(() => {
      const rows = from.prepare<[], unknown[]>(`SELECT ${select} ORDER BY ${order}`).raw(true);
      for (const values of rows.iterate()) add(values);
      return true;
    });
    if (isWhole !== null) return;
  }
}

/** Addresses that the index of addresses has and that no copied item has. */
function lostAddresses(from: Database.Database, to: Database.Database): string[] {
  const has = to.prepare('SELECT 1 FROM items WHERE canonical_url = ?');
  const lost: string[] = [];
  readable(() => {
    const named = from
      .prepare<[], string>('SELECT canonical_url FROM items INDEXED BY items_by_url WHERE deleted_at IS NULL')
      .pluck()
      .iterate();
    for (const url of named) if (lost.length < maxNamed && has.get(url) === undefined) lost.push(url);
  });
  return lost;
}

/** Rebuilds the rows of items of which only the page is left. */
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

/** Removes rows that refer to lost ones, or their reference, as the tables say for a row that is deleted. */
function removeOrphans(db: Database.Database, tables: readonly string[]): void {
  const referencesOf = db.prepare<[string], { from: string; table: string; to: string; onDelete: string }>(
    'SELECT "from", "table", "to", on_delete AS onDelete FROM pragma_foreign_key_list(?)',
  );
  const statements = tables.flatMap((table) =>
    referencesOf.all(table).map(({ from, table: parent, to, onDelete }) => {
      const change = onDelete === 'SET NULL' ? `UPDATE "${table}" SET "${from}" = NULL` : `DELETE FROM "${table}"`;
      return db.prepare(
        `${change} WHERE "${from}" IS NOT NULL AND "${from}" NOT IN (SELECT "${to}" FROM main."${parent}")`,
      );
    }),
  );
  while (statements.reduce((changes, statement) => changes + statement.run().changes, 0) > 0);
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
  const others = db.prepare<[], number>('SELECT seq FROM items WHERE seq NOT IN (SELECT item FROM jobs)').pluck();
  const finish = db.prepare(`INSERT INTO jobs (item, id, stage, state, attempts) VALUES (?, ?, 'analyse', 'done', 0)`);
  for (const seq of others.all()) finish.run(seq, newId('j'));
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
