import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  removeExpiredBackups,
  restoreBackup,
  verifyBackup,
  writeBackup,
} from '../../src/store/sqlite/backup/backups.ts';
import { verifyBackup as verifyHere } from '../../src/store/sqlite/backup/read-backup.ts';
import { openDataFolder } from '../../src/app/installations/data-folder.ts';
import { saveAndProcess, saving } from './contracts/items/store-items.ts';
import { ManualClock } from '../support/clock.ts';
import { temporaryFolder } from './temporary-folder.ts';

const signal = new AbortController().signal;
const nobody = (): void => undefined;
const source = temporaryFolder();
const elsewhere = temporaryFolder();
const now = Date.UTC(2026, 5, 1);
const open = (folder: string) => openDataFolder({ folder, clock: new ManualClock() });
const target = (name: string) => join(elsewhere.path, name);
const backUp = (file: string, account?: string) =>
  writeBackup({ folder: source.path, target: file, account, program: '1.2.3', now }, signal, nobody);
const restore = (file: string, folder: string, more: { account?: string; replace?: boolean } = {}) =>
  restoreBackup({ file, folder, replace: false, now, ...more }, signal, nobody);
let other = '';

beforeAll(async () => {
  mkdirSync(elsewhere.path);
  const stores = await open(source.path);
  const local = await stores.open('local');
  for (const letter of ['a', 'b', 'c'])
    await saveAndProcess(local, letter, { text: `The fox reads about ${letter}. `.repeat(200) });
  other = (await stores.control.createAccount({ name: 'Another', plan: 'pro' })).id;
  await (await stores.open(other)).saveContent(saving('https://example.org/other'));
  await stores.control.createAccount({ name: 'Has saved nothing', plan: 'free' });
  await stores.close();
  writeFileSync(join(source.path, 'config.json'), '{"workers":2}');
  await backUp(target('whole.zip'));
});
afterAll(async () => {
  await source.remove();
  await elsewhere.remove();
});

/** Every row of every table, by database. */
function contentsOf(folder: string): Record<string, unknown> {
  const files = [
    'control.db',
    ...readdirSync(join(folder, 'accounts'))
      .filter((name) => name.endsWith('.db'))
      .map((name) => `accounts/${name}`),
  ];
  return Object.fromEntries(
    files.toSorted().map((name) => {
      const db = new Database(join(folder, name), { readonly: true });
      const tables = db
        .prepare<[], { name: string }>(
          `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name <> 'sqlite_schema' ORDER BY name`,
        )
        .all();
      const rows = tables.map((table) => [table.name, db.prepare(`SELECT * FROM "${table.name}"`).all()]);
      db.close();
      return [name, rows];
    }),
  );
}

/** Changes bytes behind the first header of an entry. */
function damage(file: string, entryName: string): void {
  const header = readFileSync(file).indexOf(entryName);
  if (header < 0) throw new Error(`there is no ${entryName}`);
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(64, 7), 0, 64, header + entryName.length + 100);
  closeSync(descriptor);
}

function copyOf(name: string): string {
  writeFileSync(target(name), readFileSync(target('whole.zip')));
  return target(name);
}

test('a backup restored into an empty folder holds every row, and opens', async () => {
  const folder = join(elsewhere.path, 'empty');
  const restored = await restore(target('whole.zip'), folder);
  expect(restored).toEqual({ parts: ['control', 'local', other, 'config'], before: null, adopt: null });
  expect(contentsOf(folder)).toEqual(contentsOf(source.path));
  expect(readFileSync(join(folder, 'config.json'), 'utf8')).toBe('{"workers":2}');
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  const stores = await open(folder);
  expect(await (await stores.open('local')).searchWords('fox', {}, 9)).not.toEqual([]);
  await stores.close();
});

test('a backup is complete, readable only by its owner, and leaves nothing else behind', async () => {
  const { isWhole, parts } = await verifyBackup(target('whole.zip'), signal, nobody);
  expect({ isWhole, parts: parts.map(({ part }) => part) }).toEqual({
    isWhole: true,
    parts: ['control', 'local', other, 'config'],
  });
  expect(statSync(target('whole.zip')).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600);
  expect(readdirSync(elsewhere.path).filter((name) => name.includes('.part'))).toEqual([]);
});

test('a backup is written during other writes, and has one moment of each library', async () => {
  const stores = await open(source.path);
  const store = await stores.open('local');
  const ended = new AbortController();
  let saved = 0;
  const writing = (async () => {
    while (!ended.signal.aborted) {
      await store.saveContent(saving(`https://example.org/meanwhile/${saved}`));
      saved += 1;
    }
  })();
  await backUp(target('meanwhile.zip'));
  ended.abort();
  await writing;
  await stores.close();
  expect(saved).toBeGreaterThan(0);
  expect((await verifyBackup(target('meanwhile.zip'), signal, nobody)).isWhole).toBe(true);
  const folder = join(elsewhere.path, 'meanwhile');
  await restore(target('meanwhile.zip'), folder);
  const rows = new Database(join(folder, 'accounts', 'local.db'), { readonly: true });
  const jobs = rows.prepare('SELECT (SELECT count(*) FROM items) - (SELECT count(*) FROM jobs) AS lacking').get();
  rows.close();
  expect(jobs).toEqual({ lacking: 0 });
});

test('existing libraries are replaced only on request, and put aside', async () => {
  const folder = join(elsewhere.path, 'used');
  const stores = await open(folder);
  await (await stores.open('local')).saveContent(saving('https://example.org/of-before'));
  const mine = (await stores.control.createAccount({ name: 'Only here', plan: 'pro' })).id;
  await (await stores.open(mine)).saveContent(saving('https://example.org/mine'));
  await expect(restore(target('whole.zip'), folder)).rejects.toThrow('--replace');
  await expect(restore(target('whole.zip'), folder, { replace: true })).rejects.toThrow(
    'A process uses this data folder',
  );
  await stores.close();
  const contentsBefore = contentsOf(folder);
  const { before } = await restore(target('whole.zip'), folder, { replace: true });
  expect(contentsOf(folder)).toEqual(contentsOf(join(elsewhere.path, 'empty')));
  expect(contentsOf(before ?? '')).toEqual(contentsBefore);
  const again = await open(folder);
  expect(await again.checkLibraries()).toEqual({ unusable: [], unknown: [] });
  await again.close();
});

test('a failure to put a file aside changes nothing, and a failure to replace one reports what was changed', async () => {
  const folder = join(elsewhere.path, 'half');
  await restore(target('whole.zip'), folder);
  const config = join(folder, 'config.json');
  writeFileSync(join(folder, 'accounts', 'local.db'), 'of before');
  rmSync(config);
  mkdirSync(config);
  await expect(restore(target('whole.zip'), folder, { replace: true })).rejects.toThrow('copyfile');
  expect(readFileSync(join(folder, 'accounts', 'local.db'), 'utf8')).toBe('of before');
  expect(readdirSync(join(folder, 'backups'))).toEqual([]);
  rmSync(config, { recursive: true });
  mkdirSync(join(folder, 'accounts', `${other}.db-shm`));
  const before = join(folder, 'backups', 'before-restore-2026-06-01T000000Z');
  await expect(restore(target('whole.zip'), folder, { replace: true })).rejects.toThrow(
    `restored in part. Replaced files: accounts/local.db. All files of before are in ${before}.`,
  );
  expect(readFileSync(join(before, 'accounts', 'local.db'), 'utf8')).toBe('of before');
  expect(existsSync(join(before, 'control.db'))).toBe(true);
});

test('a damaged part is named, nothing is changed, and the other accounts can be restored', async () => {
  const file = copyOf('damaged.zip');
  damage(file, 'accounts/local.db.zst');
  const folder = join(elsewhere.path, 'from-damaged');
  await expect(restore(file, folder)).rejects.toThrow(`Damaged: local. Whole: ${other}.`);
  expect(existsSync(join(folder, 'control.db'))).toBe(false);
  const verified = await verifyBackup(file, signal, nobody);
  expect(verified.parts.filter(({ problems }) => problems.length > 0).map(({ part }) => part)).toEqual(['local']);
  await expect(restore(file, folder, { account: 'local' })).rejects.toThrow('Damaged: local');
  const restored = await restore(file, folder, { account: other });
  expect(restored.adopt).toMatchObject({ id: other, name: 'Another', plan: 'pro' });
  expect(contentsOf(source.path)[`accounts/${other}.db`]).toEqual(rowsOf(join(folder, 'accounts', `${other}.db`)));
});

function rowsOf(path: string): unknown {
  const folder = join(elsewhere.path, 'one');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'accounts'), { recursive: true });
  writeFileSync(join(folder, 'accounts', 'x.db'), readFileSync(path));
  writeFileSync(join(folder, 'control.db'), readFileSync(join(source.path, 'control.db')));
  return contentsOf(folder)['accounts/x.db'];
}

test.each([0.2, 0.5, 0.8, 0.9])('a backup cut off at %d of its length is refused', async (share) => {
  const file = copyOf('cut.zip');
  truncateSync(file, Math.floor(statSync(file).size * share));
  const folder = join(elsewhere.path, `cut-${share}`);
  await expect(restore(file, folder)).rejects.toThrow('it was cut off');
  expect(existsSync(join(folder, 'control.db'))).toBe(false);
});

test('damage to any byte is found, or changes nothing that is restored', async () => {
  const whole = await verifyHere(target('whole.zip'), nobody);
  const { size } = statSync(target('whole.zip'));
  const believed: unknown[] = [];
  for (let at = 0; at < size; at += Math.floor(size / 40)) {
    const file = copyOf('flipped.zip');
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, Buffer.from([(readFileSync(file)[at] ?? 0) ^ 0xff]), 0, 1, at);
    closeSync(descriptor);
    const verified = await verifyHere(file, nobody).catch(() => null);
    if (verified?.isWhole === true) believed.push(verified);
  }
  expect(believed).toEqual(believed.map(() => whole));
  // Times and permissions in headers.
  expect(believed.length).toBeLessThan(6);
});

test('a backup of a preview is refused, and so is one with a damaged description', async () => {
  const header = Buffer.alloc(1_024);
  header.write('backup.json');
  header.write('ustar', 257);
  writeFileSync(target('preview.tar'), header);
  await expect(restore(target('preview.tar'), join(elsewhere.path, 'x'))).rejects.toThrow('A preview of Commonplace');
  const file = copyOf('undescribed.zip');
  writeFileSync(file, readFileSync(file, 'latin1').replace('"format": 2', '"format": 1'), 'latin1');
  await expect(restore(file, join(elsewhere.path, 'x'))).rejects.toThrow('its description is damaged');
});

test('a backup by a newer program is refused, by its description and by its files', async () => {
  const folder = join(elsewhere.path, 'from-newer');
  const newer = temporaryFolder();
  const stores = await open(newer.path);
  await stores.close();
  const db = new Database(join(newer.path, 'control.db'));
  db.pragma('user_version = 9999');
  db.close();
  await writeBackup({ folder: newer.path, target: target('newer.zip'), program: '9', now }, signal, nobody);
  await newer.remove();
  await expect(restore(target('newer.zip'), folder)).rejects.toMatchObject({ code: 'newer_data' });
});

test('one account is backed up and restored alone', async () => {
  const written = await backUp(target('one.zip'), other);
  expect(written.accounts).toEqual([other]);
  const folder = join(elsewhere.path, 'one-account');
  const { adopt } = await restore(target('one.zip'), folder);
  const stores = await openDataFolder({ folder, clock: new ManualClock(), adopting: adopt?.path });
  expect(await stores.adoptLibrary(adopt?.path ?? '', { name: adopt?.name ?? '', plan: 'pro' })).toMatchObject({
    id: other,
    name: 'Another',
  });
  expect((await (await stores.open(other)).listContent({ limit: 9, offset: 0 })).total).toBe(1);
  await stores.close();
});

test('a damaged library does not prevent the backup of others, and is named', async () => {
  const folder = temporaryFolder();
  await restore(target('whole.zip'), folder.path);
  writeFileSync(join(folder.path, 'accounts', 'local.db'), 'this is not a database');
  const written = await writeBackup(
    { folder: folder.path, target: target('rest.zip'), program: '1', now },
    signal,
    nobody,
  );
  expect(written).toMatchObject({ accounts: [other], left: [{ part: 'local' }] });
  await folder.remove();
});

test('a library that is locked too long does not prevent the backup of others, and is named', async () => {
  const folder = temporaryFolder();
  await restore(target('whole.zip'), folder.path);
  const holder = new Database(join(folder.path, 'accounts', 'local.db'));
  holder.pragma('locking_mode = EXCLUSIVE');
  holder.exec('BEGIN EXCLUSIVE');
  const request = { folder: folder.path, target: target('held.zip'), program: '1', now };
  const { accounts, left } = await writeBackup(request, signal, nobody);
  holder.close();
  expect({ accounts, left }).toEqual({
    accounts: [other],
    left: [{ part: 'local', reason: expect.stringContaining('held it for too long') as unknown }],
  });
  await folder.remove();
});

test('an existing file, an unknown account and another file are refused', async () => {
  await expect(backUp(target('whole.zip'))).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(backUp(target('new.zip'), 'u_aaaaaaaaaaaaaaaa')).rejects.toMatchObject({ code: 'not_found' });
  await expect(backUp(join(elsewhere.path, 'no', 'such', 'folder.zip'))).rejects.toMatchObject({
    code: 'invalid_input',
  });
  writeFileSync(target('note.zip'), 'only a note');
  await expect(restore(target('note.zip'), join(elsewhere.path, 'x'))).rejects.toThrow('not a backup');
  await expect(
    restore(target('whole.zip'), join(elsewhere.path, 'x'), { account: 'u_aaaaaaaaaaaaaaaa' }),
  ).rejects.toMatchObject({ code: 'not_found' });
});

test('old backups of a folder are removed by the rules, together with remains of killed backups', () => {
  const folder = join(elsewhere.path, 'kept');
  mkdirSync(folder);
  const names = ['2026-05-29T010000Z', '2026-05-30T010000Z', '2026-05-31T010000Z', '2026-05-31T020000Z'].map(
    (stamp) => `commonplace-${stamp}.zip`,
  );
  const abandoned = '.commonplace-2026-05-01T010000Z.zip.part';
  for (const name of [...names, 'commonplace-local-2026-01-01T010000Z.zip', 'notes.txt', abandoned])
    writeFileSync(join(folder, name), '');
  utimesSync(join(folder, abandoned), now / 1_000 - 100_000, now / 1_000 - 100_000);
  expect(removeExpiredBackups(folder, undefined, [{ count: 2, unit: 'd' }], now).toSorted()).toEqual([
    names[0],
    names[2],
  ]);
  expect(readdirSync(folder).toSorted()).toEqual(
    [names[1], names[3], 'commonplace-local-2026-01-01T010000Z.zip', 'notes.txt'].toSorted(),
  );
});
