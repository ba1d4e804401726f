import Database from 'better-sqlite3';

/** What became of the rows of a table. */
export interface CopiedTable {
  table: string;
  copied: number;
  /** Rows that an index of the damaged file still counts and that could not be read; null when that is not known. */
  lost: number | null;
  /** Rows of which bytes have changed since they were written, and that no backup has: they are copied as they are. */
  changed: number;
  fromBackup: number;
}

/** Reads that may fail in one table. Each failure halves the range in which the damage is. */
const maxFailures = 300_000;

const damage = /^SQLITE_(CORRUPT|NOTADB|IOERR|TOOBIG|NOMEM|ERROR)/;

/** Whether an error says that a part of the file cannot be read. */
function isDamage(error: unknown): boolean {
  return (error instanceof Database.SqliteError && damage.test(error.code)) || error instanceof RangeError;
}

/** The result of a read; null where the file is damaged. */
export function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  }
}

interface Table {
  name: string;
  /** Columns that both files have. */
  columns: readonly string[];
  /** Columns of the primary key. */
  key: readonly string[];
  hasRowIds: boolean;
  /** SQL that is 1 for a row that is as it was written. */
  isWhole: string;
  /** No row id is greater. */
  maxRow: number;
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * Copies the rows of a table that can be read into an empty table of the same name.
 * @param backup an earlier state of the library, for rows that changed and, where rows were lost, for all that it has
 */
export function copyTable(
  from: Database.Database,
  to: Database.Database,
  table: Table,
  backup: Database.Database | null,
): CopiedTable {
  const { name, columns, key, hasRowIds } = table;
  const names = columns.map(quoted).join(', ');
  const insertion = (kind: string) =>
    to.prepare(`INSERT OR ${kind} INTO ${quoted(name)} (${names}) VALUES (${columns.map(() => '?').join(', ')})`);
  const [insert, insertMissing] = [insertion('REPLACE'), insertion('IGNORE')];
  const keep = (values: unknown[]): void => {
    try {
      insert.run(...values);
    } catch (error) {
      // Bytes of a damaged page that look like a row: the table's own conditions refuse them.
      if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_CONSTRAINT')) throw error;
    }
  };
  const changed: unknown[][] = [];
  const add = ([isWhole, ...values]: unknown[]): void => {
    if (isWhole === 1) keep(values);
    else changed.push(values);
  };
  if (hasRowIds) copyByRowId(from, table, `${table.isWhole}, ${names}`, add);
  else copyFromBothEnds(from, key, `SELECT ${table.isWhole}, ${names} FROM ${quoted(name)}`, add);
  const count = (db: Database.Database) =>
    db.prepare<[], { rows: number }>(`SELECT count(*) AS rows FROM ${quoted(name)}`).get()?.rows ?? 0;
  const same = backup
    ?.prepare<unknown[], unknown[]>(
      `SELECT ${names} FROM ${quoted(name)} WHERE ${key.map((column) => `${quoted(column)} = ?`).join(' AND ')}`,
    )
    .raw(true);
  const earlier = changed.map((values) => same?.get(...key.map((column) => values[columns.indexOf(column)])));
  for (const [nth, values] of changed.entries()) keep(earlier[nth] ?? values);
  const expected = readable(() => count(from));
  let fromBackup = earlier.filter((values) => values !== undefined).length;
  const stillChanged = changed.length - fromBackup;
  // A key that has changed, too, is in no backup: its row counts as lost.
  if (backup !== null && (expected === null || count(to) < expected || stillChanged > 0))
    for (const values of backup
      .prepare<[], unknown[]>(`SELECT ${names} FROM ${quoted(name)}`)
      .raw(true)
      .iterate())
      fromBackup += insertMissing.run(...values).changes;
  const copied = count(to);
  const lost = expected === null ? null : Math.max(0, expected - copied);
  return { table: name, copied, lost, changed: stillChanged, fromBackup };
}

/** Reads ranges of row ids, and halves a range in which something cannot be read. */
function copyByRowId(
  from: Database.Database,
  { name, maxRow }: Table,
  values: string,
  add: (values: unknown[]) => void,
): void {
  const select = readable(() =>
    from
      .prepare<[number, number], [number, ...unknown[]]>(
        `SELECT rowid, ${values} FROM ${quoted(name)} WHERE rowid BETWEEN ? AND ? ORDER BY rowid`,
      )
      .raw(true),
  );
  if (select === null) return;
  let failures = 0;
  const copy = (first: number, last: number): void => {
    let next = first;
    const isWhole = readable(() => {
      for (const [row, ...found] of select.iterate(first, last)) {
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
  sql: string,
  add: (values: unknown[]) => void,
): void {
  for (const direction of ['ASC', 'DESC']) {
    const order = key.map((column) => `${quoted(column)} ${direction}`).join(', ');
    const isWhole = readable(() => {
      for (const values of from.prepare<[], unknown[]>(`${sql} ORDER BY ${order}`).raw(true).iterate()) add(values);
      return true;
    });
    if (isWhole !== null) return;
  }
}
