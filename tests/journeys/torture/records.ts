import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { checkFile, isOfOlderVersion } from '../../../src/store/sqlite/checking/check-file.ts';
import type { FoundRecord, Ledger } from './ledger.ts';

const libraryOf = (folder: string): string => join(folder, 'accounts', 'local.db');

function reading<T>(folder: string, read: (db: Database.Database) => T): T {
  const db = new Database(libraryOf(folder), {
    readonly: true,
    fileMustExist: true,
    timeout: 60_000,
  });
  try {
    return db.transaction(() => read(db)).deferred();
  } finally {
    db.close();
  }
}

interface Row {
  id: string;
  name: string;
  deleted: number;
  notes: string | null;
  tags: string;
}

/** Whether the process that was to make the library was killed before it had made its tables, which are made all at once. */
const isUnmade = (db: Database.Database): boolean => db.pragma('user_version', { simple: true }) === 0;

function findRecords(db: Database.Database): FoundRecord[] {
  const rows = db
    .prepare<[], Row>(
      `SELECT id, CASE WHEN url LIKE 'note:%' THEN coalesce(given_title, json_extract(known, '$.title')) ELSE url END AS name,
         deleted_at IS NOT NULL AS deleted, notes,
         (SELECT json_group_array(tag ORDER BY tag) FROM item_tags WHERE item = seq) AS tags
       FROM items
       UNION ALL SELECT id, title, 0, NULL, '[]' FROM goals`,
    )
    .all();
  return rows.map(({ id, name, deleted, notes, tags }) => ({
    id,
    name,
    state: { deleted: deleted === 1, notes, tags: JSON.parse(tags) as string[] },
  }));
}

/** Rows that would be there twice if a step had been done twice, and that no index of the file forbids. */
const doubles = [
  `SELECT 'action item ' || title FROM actions WHERE merged_into IS NULL GROUP BY item, title HAVING count(*) > 1`,
  `SELECT 'insight ' || text FROM insights GROUP BY item, text HAVING count(*) > 1`,
  `SELECT 'passage of ' || item FROM passages GROUP BY item, start_at HAVING count(*) > 1`,
];

const ids = (db: Database.Database, sql: string): Set<string> => new Set(db.prepare<[], string>(sql).pluck().all());

/** Compares the library with what clients were promised, and looks through its files as `doctor --check` does. */
export function checkRecords(folder: string, ledger: Ledger): string[] {
  const none = { records: [], changes: new Set<string>(), doneActions: new Set<string>() };
  const compare = (db: Database.Database): string[] => {
    if (isUnmade(db)) return ledger.settle(none);
    const found = {
      records: findRecords(db),
      changes: ids(db, 'SELECT id FROM history'),
      doneActions: ids(db, `SELECT id FROM actions WHERE state = 'done'`),
    };
    const twice = doubles.flatMap((sql) => [...ids(db, sql)].map((double) => `${double} is there twice`));
    return [...ledger.settle(found), ...twice];
  };
  try {
    // Killed even before it had made the file.
    const wrong = existsSync(libraryOf(folder)) ? reading(folder, compare) : ledger.settle(none);
    return [...wrong, ...findDamage(folder)];
  } catch (error) {
    if (error instanceof Database.SqliteError) return [`the library cannot be read: ${error.code}`];
    throw error;
  }
}

/** What `doctor --check` finds, without the thread in which it looks: that costs ten times as much. */
export function findDamage(folder: string): string[] {
  const files = [
    { path: join(folder, 'control.db'), kind: 'control' },
    { path: libraryOf(folder), kind: 'account' },
  ] as const;
  return (
    files
      .filter(({ path, kind }) => kind === 'control' || existsSync(path))
      .flatMap(({ path, kind }) => checkFile(path, kind))
      // No damage: a process was killed before it had made the tables, or brought them up to date.
      .filter((problem) => !isOfOlderVersion(problem))
      .map((problem) => `doctor --check: ${JSON.stringify(problem)}`)
  );
}

/** Items that neither ended, completed or failed with a reason, nor go on by themselves at a known time. */
export function findStuck(folder: string): string[] {
  return reading(folder, (db) =>
    db
      .prepare<[], string>(
        `SELECT c.id || ' (' || url || ') is ' || c.state || ', its job ' || j.state || ' at ' || j.stage
         FROM items c JOIN jobs j ON j.item = c.seq
         WHERE deleted_at IS NULL AND NOT (
           (c.state = 'completed' AND j.state = 'done')
           OR (c.state = 'failed' AND j.state = 'failed' AND failure_code IS NOT NULL AND failure_message IS NOT NULL)
           OR (j.state = 'waiting' AND failure_code IS NOT NULL AND due_at IS NOT NULL))`,
      )
      .pluck()
      .all(),
  );
}

/** How items ended. */
export function countItems(folder: string): Record<string, number> {
  return reading(folder, (db) => {
    const rows = db
      .prepare<[], { how: string; count: number }>(
        `SELECT coalesce(failure_code, c.state) AS how, count(*) AS count FROM items c JOIN jobs j ON j.item = c.seq GROUP BY 1`,
      )
      .all();
    return Object.fromEntries(rows.map(({ how, count }) => [how, count]));
  });
}
