import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dropRowSums, openRaw } from '../support/raw-database.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Migration } from '../../src/store/sqlite/files/migrate.ts';
import { accountMigrations } from '../../src/store/sqlite/migrations/account.ts';
import { controlMigrations } from '../../src/store/sqlite/migrations/control.ts';
import { openDataFolder } from '../../src/app/installations/data-folder.ts';
import { SqliteFile } from '../../src/store/sqlite/files/sqlite-file.ts';
import { saveAndProcess, saving } from '../contracts/store-items.ts';
import { ManualClock } from '../support/clock.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { claimJob } from '../support/claims.ts';

const series: Migration[] = [
  { name: 'one', sql: 'CREATE TABLE words (word TEXT NOT NULL) STRICT' },
  { name: 'two', sql: 'ALTER TABLE words ADD COLUMN language TEXT' },
  { name: 'three', sql: `UPDATE words SET language = 'en' WHERE language IS NULL` },
];

describe('migrations', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder();
    mkdirSync(folder.path);
    path = join(folder.path, 'words.db');
  });
  afterEach(() => folder.remove());

  const open = (upTo: number, readOnly = false) =>
    SqliteFile.open({ path, migrations: series.slice(0, upTo), readOnly });

  it.each([0, 1, 2])('bring a file of version %i to the newest and keep its rows', (version) => {
    if (version > 0) {
      const old = open(version);
      old.write(() => old.run('INSERT INTO words (word) VALUES (?)', 'fox'));
      old.close();
    }
    const file = open(3);
    expect(file.all('SELECT * FROM words')).toEqual(version === 0 ? [] : [{ word: 'fox', language: 'en' }]);
    file.close();
  });

  it('refuse a file of a newer program, on opening and inside every later write', () => {
    const running = open(1);
    open(3).close();
    const writing = () => running.write(() => running.run('INSERT INTO words (word) VALUES (?)', 'fox'));
    expect(writing).toThrow(
      expect.objectContaining({ code: 'newer_data', message: expect.stringContaining('Update') }),
    );
    expect(running.all('SELECT * FROM words')).toEqual([]);
    running.close();
    expect(() => open(2)).toThrow(expect.objectContaining({ code: 'newer_data' }));
    expect(() => open(2, true)).toThrow(expect.objectContaining({ code: 'newer_data' }));
  });

  it('happen inside a write when the file was put back to an older version meanwhile', () => {
    const running = open(3);
    const other = openRaw(path);
    other.exec('DROP TABLE words; CREATE TABLE words (word TEXT NOT NULL) STRICT; PRAGMA user_version = 1');
    other.close();
    running.write(() => running.run('INSERT INTO words (word, language) VALUES (?, ?)', 'Fuchs', 'de'));
    expect(running.all('SELECT * FROM words')).toEqual([{ word: 'Fuchs', language: 'de' }]);
    running.close();
  });

  it('leave the file as it was when one of them fails', () => {
    open(1).close();
    const broken = [...series.slice(0, 2), { name: 'broken', sql: 'CREATE TABLE more (x TEXT) STRICT; nonsense' }];
    expect(() => SqliteFile.open({ path, migrations: broken, readOnly: false })).toThrow('nonsense');
    const file = open(1);
    expect(file.get(`SELECT count(*) AS count FROM sqlite_schema WHERE name = 'more'`)).toEqual({ count: 0 });
    file.close();
  });

  it('are not made by a reader', () => {
    expect(() => open(3, true)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    open(1).close();
    expect(() => open(3, true)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    const reader = open(1, true);
    expect(reader.all('SELECT * FROM words')).toEqual([]);
    expect(() => reader.write(() => undefined)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    reader.close();
  });
});

it('removes the copies of before a migration after a week, and those of a removed account at once', async () => {
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

describe('the released schema', () => {
  const fingerprint = (migrations: readonly Migration[]) =>
    migrations.map(({ sql }) => createHash('sha256').update(sql).digest('hex').slice(0, 12));

  it('is only ever added to', () => {
    // An entry that has changed here was in a file of somebody's already: add a migration instead.
    expect(fingerprint(accountMigrations)).toMatchInlineSnapshot(`
      [
        "7e972bc8c9a3",
        "f589951adfe4",
        "2a319e1c8f3b",
        "6b1d60b9fe9a",
        "b24fb87e60b8",
        "ad2167832e31",
        "6bc7055edb58",
        "663b3452dec5",
        "bd8345308ad6",
        "b32026abcedc",
        "8a5dcd21c9e0",
        "c001b1677d7d",
        "2483672976aa",
        "828cc265696c",
        "41472d0fe337",
        "68c28a49c281",
        "5145e91aad7e",
        "69bf73b8eb0b",
        "f487f821484a",
        "6b8f3596d3fa",
        "247a96c43525",
        "ee364c6d4f17",
        "109f0f393395",
        "38c777379be5",
        "9683ae3087b7",
        "6e6f0f76bd58",
        "559f668e381c",
        "0884613c07f9",
        "e3b0c44298fc",
        "69cfbe53fda5",
        "3ad1a314d327",
        "ffae3731176f",
        "e3b0c44298fc",
        "fbd9296fb568",
        "9f788b731062",
        "5e2bf3c54a64",
        "f95c85f04981",
      ]
    `);
    expect(fingerprint(controlMigrations)).toMatchInlineSnapshot(`
      [
        "5cbd92755deb",
        "350182119911",
        "4c1084501a7b",
        "169ad420a199",
        "364183ba2967",
        "29c4e341b8b9",
        "3963bb482c79",
        "edb1f5dd33c6",
        "e3b0c44298fc",
      ]
    `);
  });

  /** What `account/021-history.ts`, `account/024-restored-history.ts` and `account/032-actions-of-persons.ts` added. */
  const withoutHistory = [
    'DROP TABLE restored_changes',
    ...['content', 'actions', 'goals', 'insights', 'highlights', 'content_tags'].flatMap((table) =>
      ['add_to', 'change_in', 'remove_in'].map((what) => `DROP TRIGGER ${table}_${what}_history`),
    ),
    'DROP TRIGGER content_tags_rename_in_history',
    'DROP TRIGGER originals_add_to_history',
    'DROP TRIGGER originals_remove_in_history',
    'DROP TABLE history_originals',
    'DROP TABLE history_changes',
    'DROP TABLE history',
    'ALTER TABLE actions DROP COLUMN due',
    'ALTER TABLE content DROP COLUMN undone',
    'ALTER TABLE file_state DROP COLUMN recording',
    'ALTER TABLE file_state DROP COLUMN history_bytes',
  ].join(';');

  it('indexes anew what is spelled otherwise in the index than before', async () => {
    const folder = temporaryFolder();
    const open = () => openDataFolder({ folder: folder.path, clock: new ManualClock() });
    const written = await open();
    const store = await written.open('local');
    await saveAndProcess(store, 'a', { text: 'اشترى الحذاء.', document: { title: 'متجر الأحذية' } });
    await saveAndProcess(store, 'b', { text: 'У нас ёлка.' });
    await saveAndProcess(store, 'c', { text: 'A plain fox.' });
    await written.close();
    const db = openRaw(join(folder.path, 'accounts', 'local.db'));
    dropRowSums(db);
    db.exec(`DELETE FROM passage_words WHERE rowid < 3;
      INSERT INTO passage_words (rowid, title, text) SELECT id, '', text FROM passages WHERE id < 3;
      ${withoutHistory};
      ALTER TABLE file_state DROP COLUMN older_words;
      DROP TABLE indexed_languages;
      ALTER TABLE file_state DROP COLUMN titles_given;
      ALTER TABLE file_state DROP COLUMN settled_generation;
      ALTER TABLE file_state DROP COLUMN noted_at;
      ALTER TABLE file_state DROP COLUMN noted_uptime;
      ALTER TABLE file_state DROP COLUMN passed_ms;
      DROP INDEX content_deleted_by_url;
      DROP INDEX content_deleted_passed;
      ALTER TABLE content DROP COLUMN deleted_passed;
      ALTER TABLE passages DROP COLUMN fragment;
      ALTER TABLE passages DROP COLUMN marks;
      DROP TABLE highlights;
      DROP INDEX insights_by_goal;
      DROP INDEX insights_by_goals_version;
      ALTER TABLE insights DROP COLUMN goal;
      ALTER TABLE insights DROP COLUMN goal_reason;
      ALTER TABLE insights DROP COLUMN goals_version;
      DROP INDEX jobs_due;
      DROP INDEX jobs_newest;
      ALTER TABLE jobs DROP COLUMN host;
      CREATE INDEX jobs_due ON jobs (background, due_at, content) WHERE due_at IS NOT NULL;
      DROP TABLE requests_answered;
      ALTER TABLE better_analyses DROP COLUMN given_up;
      ALTER TABLE documents DROP COLUMN packed;
      ALTER TABLE documents DROP COLUMN text_in_passages;
      DROP INDEX documents_author;
      DROP INDEX documents_site_name`);
    db.pragma('user_version = 11');
    db.close();
    const stores = await open();
    const found = async (words: string) => {
      const hits = await (await stores.open('local')).searchWords(words, {}, 9);
      return hits.map(({ passageId }) => passageId);
    };
    await (await stores.open('local')).saveContent(saving('d'));
    expect(await Promise.all(['حذاء', 'متجر', 'елка', 'ёлка', 'fox'].map(found))).toEqual([[1], [1], [2], [2], [3]]);
    await stores.close();
    await folder.remove();
  });

  it.each([
    ['here', {}],
    ['in a thread', { searchThreads: {}, largeSizes: { bytesToMigrate: 0 } }],
  ])('opens the oldest data folder with all that is in it: migrated %s', async (_, where) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder.path, 'accounts'), { recursive: true });
    for (const [name, path] of [
      ['control', 'control.db'],
      ['local', 'accounts/local.db'],
    ] as const) {
      const db = openRaw(join(folder.path, path));
      db.exec(readFileSync(new URL(`fixtures/version-1/${name}.sql`, import.meta.url), 'utf8'));
      db.close();
    }
    const vectors = { few: 0 };
    const stores = await openDataFolder({ folder: folder.path, clock: new ManualClock(), vectors, ...where });
    const store = await stores.open('local');
    const [done, waiting] = (await store.listContent({ limit: 9, offset: 0 })).items.toReversed();
    const copies = join(folder.path, 'backups', 'before-update');
    expect(readdirSync(copies).toSorted()).toEqual(['control-v1.db', 'local-v1.db']);
    const copy = openRaw(join(copies, 'local-v1.db'), { readonly: true });
    expect(copy.prepare('SELECT count(*) AS count FROM content').get()).toEqual({ count: 2 });
    copy.close();
    expect(done).toMatchObject({ title: 'Foxes', status: 'completed', tags: ['Animals'], notes: 'From Ann.' });
    expect(waiting).toMatchObject({ url: 'https://example.org/waiting', status: 'pending' });
    const hits = await store.searchWords('fox', {}, 10);
    const [passage] = await store.readPassages(hits.map(({ passageId }) => passageId));
    expect(passage?.text).toBe('Feed the fox.');
    expect(await store.searchVectors('e', new Float32Array([1, 0]), {}, 1)).toHaveLength(1);
    expect((await store.listActions({ offset: 0 })).items).toMatchObject([{ title: 'Feed the fox.', state: 'done' }]);
    expect((await store.listGoals({ offset: 0 })).items).toMatchObject([{ title: 'Sleep' }]);
    expect(Buffer.from((await store.readOriginal(done!.id))!.bytes).toString()).toBe('Feed the fox.');
    expect(await claimJob(store, 1000)).toMatchObject({ url: 'https://example.org/waiting' });
    expect((await store.listNamesLike('fo', 9)).titles).toEqual([{ id: done!.id, title: 'Foxes' }]);
    await store.updateContent(done!.id, { title: 'Vixens' });
    expect((await store.listNamesLike('foxes', 9)).titles).toEqual([]);
    expect((await store.listNamesLike('vix', 9)).titles).toMatchObject([{ title: 'Vixens' }]);
    await saveAndProcess(store, 'https://example.org/new', { text: 'A new fox.' });
    expect(await store.searchWords('fox', {}, 10)).toHaveLength(2);
    await stores.close();
    await folder.remove();
  });
});
