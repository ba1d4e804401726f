import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { recoverFile } from '../../../src/store/sqlite/backup/recover-file.ts';
import { restoreBackup } from '../../../src/store/sqlite/backup/restore-backup.ts';
import { writeBackup } from '../../../src/store/sqlite/backup/write-backup.ts';
import { checkFile } from '../../../src/store/sqlite/checking/check-file.ts';
import { schemaOf } from '../../../src/store/sqlite/checking/check-records.ts';
import { checkLibrary } from '../../../src/store/sqlite/files/library-folder.ts';
import { bringUpToDate, firstVersion, type Schema } from '../../../src/store/sqlite/files/migrate.ts';
import { SqliteFile } from '../../../src/store/sqlite/files/sqlite-file.ts';
import { accountSchema, controlSchema } from '../../../src/store/sqlite/schema.ts';
import { saving } from '../contracts/items/store-items.ts';
import { ManualClock } from '../../support/clock.ts';
import { openRaw } from '../../support/store/raw-database.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const first = 'CREATE TABLE words (word TEXT NOT NULL) STRICT';
const present = 'CREATE TABLE words (word TEXT NOT NULL, language TEXT) STRICT';
const steps = [
  { name: 'language', sql: 'ALTER TABLE words ADD COLUMN language TEXT' },
  { name: 'English', sql: `UPDATE words SET language = 'en' WHERE language IS NULL` },
];

/** The schema of a program that knows so many migrations. */
const after = (migrations: number): Schema => ({
  sql: migrations === 0 ? first : present,
  migrations: steps.slice(0, migrations),
});

describe('migrations', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder();
    mkdirSync(folder.path);
    path = join(folder.path, 'words.db');
  });
  afterEach(() => folder.remove());

  const open = (migrations: number, readOnly = false) => SqliteFile.open({ path, schema: after(migrations), readOnly });

  it.each([0, 1])('bring a file after %i of them to the newest version and keep its rows', (before) => {
    const old = open(before);
    old.write(() => old.run('INSERT INTO words (word) VALUES (?)', 'fox'));
    old.close();
    const file = open(2);
    expect(file.all('SELECT * FROM words')).toEqual([{ word: 'fox', language: 'en' }]);
    file.close();
  });

  it('are not needed by a new file', () => {
    const file = open(2);
    expect(file.all('SELECT * FROM words')).toEqual([]);
    expect(file.get('PRAGMA user_version')).toEqual({ user_version: firstVersion + 2 });
    file.close();
  });

  it('refuse a file of a newer program, on opening and inside every later write', () => {
    const running = open(0);
    open(2).close();
    const writing = () => running.write(() => running.run('INSERT INTO words (word) VALUES (?)', 'fox'));
    expect(writing).toThrow(
      expect.objectContaining({ code: 'newer_data', message: expect.stringContaining('Update') }),
    );
    expect(running.all('SELECT * FROM words')).toEqual([]);
    running.close();
    expect(() => open(1)).toThrow(expect.objectContaining({ code: 'newer_data' }));
    expect(() => open(1, true)).toThrow(expect.objectContaining({ code: 'newer_data' }));
  });

  it('run inside a write when the file was replaced by an older version meanwhile', () => {
    const running = open(2);
    const other = openRaw(path);
    other.exec(`DROP TABLE words; ${first}; PRAGMA user_version = ${firstVersion}`);
    other.close();
    running.write(() => running.run('INSERT INTO words (word, language) VALUES (?, ?)', 'Fuchs', 'de'));
    expect(running.all('SELECT * FROM words')).toEqual([{ word: 'Fuchs', language: 'de' }]);
    running.close();
  });

  it('leave the file unchanged when one of them fails', () => {
    open(0).close();
    const broken = [...steps, { name: 'broken', sql: 'CREATE TABLE more (x TEXT) STRICT; nonsense' }];
    const schema = { sql: present, migrations: broken };
    expect(() => SqliteFile.open({ path, schema, readOnly: false })).toThrow('nonsense');
    const file = open(0);
    expect(file.get(`SELECT count(*) AS count FROM sqlite_schema WHERE name = 'more'`)).toEqual({ count: 0 });
    file.close();
  });

  it('are not run by a reader', () => {
    expect(() => open(2, true)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    open(0).close();
    expect(() => open(2, true)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    const reader = open(0, true);
    expect(reader.all('SELECT * FROM words')).toEqual([]);
    expect(() => reader.write(() => undefined)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    reader.close();
  });
});

it('remove the copies made before them after a week, and those of a removed account at once', async () => {
  const folder = temporaryFolder();
  const clock = new ManualClock();
  const stores = await openDataFolder({ folder: folder.path, clock });
  const { id } = await stores.control.createAccount({ name: 'Other', plan: 'pro' });
  const copies = join(folder.path, 'backups', 'before-update');
  mkdirSync(copies, { recursive: true });
  const ageDays = { 'local-v1.db': 8, 'local-v2.db': 6, [`${id}-v1.db`]: 1 };
  for (const [name, days] of Object.entries(ageDays)) {
    writeFileSync(join(copies, name), '');
    const seconds = clock.now() / 1_000 - days * 86_400;
    utimesSync(join(copies, name), seconds, seconds);
  }
  await stores.removeAccount(id);
  expect(readdirSync(copies).toSorted()).toEqual(['local-v1.db', 'local-v2.db']);
  await stores.close();
  await (await openDataFolder({ folder: folder.path, clock })).close();
  expect(readdirSync(copies)).toEqual(['local-v2.db']);
  await folder.remove();
});

describe('the schema files', () => {
  /** The catalogue of a file that the first version made and that went through all migrations. */
  function migrated(firstSql: string, { sql, migrations }: Schema): ReturnType<typeof schemaOf> {
    const db = new Database(':memory:');
    bringUpToDate(db, { sql: firstSql, migrations: [] });
    bringUpToDate(db, { sql, migrations });
    return schemaOf(db).toSorted();
  }
  function made(schema: Schema): ReturnType<typeof schemaOf> {
    const db = new Database(':memory:');
    bringUpToDate(db, schema);
    return schemaOf(db).toSorted();
  }

  it.each([
    ['schema', accountSchema],
    ['control', controlSchema],
  ])('%s.sql creates the same schema as the first version with all migrations', (name, schema) => {
    const fixture = readFileSync(new URL(`../fixtures/version-${firstVersion}/${name}.sql.zst`, import.meta.url));
    expect(made(schema)).toEqual(migrated(zstdDecompressSync(fixture).toString('utf8'), schema));
  });

  it('move the items of a first-version library into the archive, except those tagged unread or later', () => {
    const db = new Database(':memory:');
    const fixture = readFileSync(new URL(`../fixtures/version-${firstVersion}/schema.sql.zst`, import.meta.url));
    bringUpToDate(db, { sql: zstdDecompressSync(fixture).toString('utf8'), migrations: [] });
    const tags = [[], ['unread', 'later'], ['later', 'sleep'], ['sleep']];
    for (const [seq, own] of tags.entries()) {
      db.prepare(
        'INSERT INTO items (seq, id, url, canonical_url, created_at, updated_at) VALUES (?, ?, ?, ?, 0, 0)',
      ).run(seq, ...Array.from({ length: 3 }, () => String(seq)));
      for (const [ordinal, tag] of own.entries())
        db.prepare('INSERT INTO item_tags (item, folded, tag, ordinal) VALUES (?, ?, ?, ?)').run(
          seq,
          tag,
          tag,
          ordinal,
        );
    }
    bringUpToDate(db, accountSchema);
    expect(db.prepare('SELECT shelf, read_at FROM items ORDER BY seq').all()).toEqual(
      ['archive', 'inbox', 'later', 'archive'].map((shelf) => ({ shelf, read_at: null })),
    );
  });

  it('would be found to differ, and a column may have another position', () => {
    const sum = (columns: string) => `row_sum INTEGER AS (row_sum(concat_ws(char(31), ${columns}))) STORED`;
    const before = `CREATE TABLE t (a TEXT, ${sum('a')}, PRIMARY KEY (a)) STRICT`;
    const [migration] = [
      { name: 'b', sql: `ALTER TABLE t ADD COLUMN b INTEGER NOT NULL DEFAULT 0 CHECK (b IN (0, 1))` },
    ];
    const column = 'b INTEGER NOT NULL DEFAULT 0 CHECK (b IN (0, 1))';
    const schemaWith = (sql: string) => ({ sql, migrations: [migration] });
    const right = schemaWith(
      `CREATE TABLE t (\n  a TEXT,\n  ${column},\n  ${sum('a,\n  b')},\n  PRIMARY KEY (a)\n) STRICT;`,
    );
    expect(migrated(before, right)).toEqual(made(right));
    for (const sql of [
      before,
      `CREATE TABLE t (a TEXT, b INTEGER, ${sum('a, b')}, PRIMARY KEY (a)) STRICT`,
      `CREATE TABLE t (a TEXT, ${column}, ${sum('a')}, PRIMARY KEY (a)) STRICT`,
      `CREATE TABLE t (a TEXT, ${column}, ${sum('a, b')}) STRICT`,
    ])
      expect(migrated(before, schemaWith(sql))).not.toEqual(made(schemaWith(sql)));
  });

  it('bring their own tables, indexes, views and triggers, which no migration names', () => {
    const trigger = (what: string) => `CREATE TRIGGER t_gone AFTER DELETE ON t BEGIN ${what}; END;`;
    const table = (columns: string) => `CREATE TABLE t (${columns}) STRICT;`;
    const sql = `${table('a TEXT, b TEXT')} CREATE TABLE new (c TEXT) STRICT; CREATE VIEW seen AS SELECT c FROM new; CREATE INDEX t_by_b ON t (b); ${trigger('DELETE FROM t WHERE b = old.b')}`;
    const schema = { sql, migrations: [{ name: 'b', sql: 'ALTER TABLE t ADD COLUMN b TEXT' }] };
    const first = `${table('a TEXT')} CREATE INDEX t_by_a ON t (a); ${trigger('DELETE FROM t WHERE a = old.a')}`;
    expect(migrated(first, schema)).toEqual(made(schema));
  });
});

describe('a file written by a preview', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  const control = () => join(folder.path, 'control.db');
  const library = () => join(folder.path, 'accounts', 'local.db');
  const open = () => openDataFolder({ folder: folder.path, clock: new ManualClock() });
  const refused = {
    code: 'unavailable',
    message: expect.stringMatching(
      /preview of Commonplace.*`commonplace export <folder>`.*--account.*`commonplace import <folder> --data <new folder>`/,
    ) as unknown,
  };
  const backUp = () =>
    writeBackup({ folder: folder.path, target: join(folder.path, 'old.zip'), program: 'test', now: 0 }, () => {});

  beforeEach(async () => {
    folder = temporaryFolder();
    const stores = await open();
    await (await stores.open('local')).saveContent(saving('a'));
    await stores.close();
  });
  afterEach(() => folder.remove());

  function age(path: string, version: number): void {
    const db = openRaw(path);
    db.pragma(`user_version = ${version}`);
    db.close();
  }

  it('is not opened, adopted, backed up or recovered, and stays unchanged', async () => {
    age(library(), 35);
    const stores = await open();
    await expect((await stores.open('local')).listGoals({ offset: 0 })).rejects.toMatchObject(refused);
    await stores.close();
    expect(() => checkLibrary(library())).toThrow(expect.objectContaining(refused));
    const recovering = { file: library(), target: join(folder.path, 'new.db'), now: 0 };
    await expect(recoverFile(recovering, () => {})).rejects.toMatchObject(refused);
    age(control(), 9);
    await expect(open()).rejects.toMatchObject(refused);
    await expect(backUp()).rejects.toMatchObject(refused);
    expect(
      readdirSync(folder.path)
        .filter((name) => !/-(?:wal|shm)$/.test(name))
        .toSorted(),
    ).toEqual(['accounts', 'control.db']);
    for (const [path, version] of [
      [library(), 35],
      [control(), 9],
    ] as const) {
      const db = openRaw(path, { readonly: true });
      expect(db.pragma('user_version', { simple: true })).toBe(version);
      db.close();
    }
  });

  it.each([35, 100])('is named when it is checked, with version %i', (version) => {
    age(library(), version);
    expect(checkFile(library(), 'account')).toEqual([
      {
        problem: 'a preview of Commonplace wrote it',
        fix: expect.stringContaining('`commonplace export <folder>`') as unknown,
      },
    ]);
  });

  it('is not restored', async () => {
    age(library(), 35);
    await backUp();
    const restoring = { file: join(folder.path, 'old.zip'), folder: join(folder.path, 'elsewhere'), replace: false };
    await expect(restoreBackup({ ...restoring, now: 0 }, () => {})).rejects.toMatchObject(refused);
  });
});
