import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { openRaw } from '../../support/store/raw-database.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataFolder, type DataFolderOptions } from '../../../src/app/installations/data-folder.ts';
import type { Stores } from '../../../src/store/store.ts';
import { saveAndProcess, saving } from '../contracts/items/store-items.ts';
import { ManualClock } from '../../support/clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

let folder: ReturnType<typeof temporaryFolder>;
let opened: Stores[];

beforeEach(() => {
  folder = temporaryFolder();
  opened = [];
});
afterEach(async () => {
  for (const stores of opened) await stores.close();
  await folder.remove();
});

async function open(options: Partial<DataFolderOptions> = {}): Promise<Stores> {
  const stores = await openDataFolder({ folder: folder.path, clock: new ManualClock(), ...options });
  opened.push(stores);
  return stores;
}

async function closeAll(): Promise<void> {
  for (const stores of opened.splice(0)) await stores.close();
}

const control = () => join(folder.path, 'control.db');
const library = (id = 'local') => join(folder.path, 'accounts', `${id}.db`);
const missing = { code: 'unavailable', message: expect.stringContaining('is missing') };

/** A folder with one saved item, that nobody has open. */
async function saveOne(): Promise<void> {
  await saveAndProcess(await (await open()).open('local'), 'a', { text: 'A fox.' });
  await closeAll();
}

function writeEmptyDatabase(path: string): void {
  const db = openRaw(path);
  db.pragma('journal_mode = WAL');
  db.close();
}

describe('the library of a known account', () => {
  it.each<[string, (path: string) => void]>([
    ['is gone', (path) => rmSync(path)],
    ['has 0 bytes', (path) => truncateSync(path, 0)],
    ['is an empty database', (path) => (rmSync(path), writeEmptyDatabase(path))],
  ])('that %s is refused with an explanation and not recreated', async (_, lose) => {
    await saveOne();
    lose(library());
    for (const readOnly of [false, true]) {
      const stores = await open({ readOnly });
      const store = await stores.open('local');
      await expect(store.listContent({ limit: 1, offset: 0 })).rejects.toMatchObject(missing);
      await expect(store.searchWords('fox', {}, 5)).rejects.toMatchObject(missing);
      await expect(store.saveContent(saving('b'))).rejects.toMatchObject({ code: 'unavailable' });
      expect(await stores.checkLibraries()).toMatchObject({ unusable: [{ accountId: 'local' }], unknown: [] });
      await closeAll();
    }
    const left = openRaw(library(), { fileMustExist: false });
    expect(left.prepare('SELECT name FROM sqlite_schema').all()).toEqual([]);
    left.close();
  });

  it('is found again when it is put back, without a restart', async () => {
    await saveOne();
    const backup = join(folder.path, 'backup.db');
    renameSync(library(), backup);
    const store = await (await open()).open('local');
    await expect(store.saveContent(saving('b'))).rejects.toMatchObject(missing);
    renameSync(backup, library());
    expect((await store.saveContent(saving('a'))).outcome).toBe('existed');
  });

  it('can start empty on request, and only when it is missing', async () => {
    await saveOne();
    const stores = await open();
    await expect(stores.startEmpty('local')).rejects.toMatchObject({ code: 'invalid_input' });
    expect((await (await stores.open('local')).listContent({ limit: 1, offset: 0 })).total).toBe(1);
    await closeAll();
    rmSync(library());
    const again = await open();
    await again.startEmpty('local');
    expect((await (await again.open('local')).listContent({ limit: 1, offset: 0 })).total).toBe(0);
    rmSync(library());
    await expect((await again.open('local')).saveContent(saving('a'))).rejects.toMatchObject(missing);
  });

  it('is created at its first use, and missing after that', async () => {
    const stores = await open();
    const { id } = await stores.control.createAccount({ name: 'Ann', plan: 'pro' });
    expect(existsSync(library(id))).toBe(false);
    const store = await stores.open(id);
    expect((await store.listContent({ limit: 1, offset: 0 })).total).toBe(0);
    await closeAll();
    rmSync(library(id));
    await expect((await (await open()).open(id)).saveContent(saving('a'))).rejects.toMatchObject(missing);
  });
});

describe('a data folder without its control.db', () => {
  it.each<[string, (path: string) => void]>([
    ['that is gone', (path) => rmSync(path)],
    ['that has 0 bytes', (path) => truncateSync(path, 0)],
    ['that is an empty database', (path) => (rmSync(path), writeEmptyDatabase(path))],
  ])('%s is refused while there are libraries', async (_, lose) => {
    await saveOne();
    lose(control());
    for (let i = 0; i < 2; i += 1)
      await expect(open()).rejects.toMatchObject({ message: expect.stringContaining('control.db is missing') });
  });

  it('is recovered library by library', async () => {
    const first = await open();
    const { id } = await first.control.createAccount({ name: 'Ann', plan: 'pro' });
    await saveAndProcess(await first.open('local'), 'mine', { text: 'A fox.' });
    await saveAndProcess(await first.open(id), 'hers', { text: 'A hen.' });
    await closeAll();
    rmSync(control());

    await expect(open({ adopting: join(folder.path, 'nothing.db') })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(existsSync(control())).toBe(false);
    const stores = await open({ adopting: library() });
    expect(await stores.adoptLibrary(library(), { name: 'x', plan: 'pro' })).toMatchObject({
      id: 'local',
      name: 'Local',
    });
    expect(await stores.checkLibraries()).toEqual({ unusable: [], unknown: [`${id}.db`] });
    expect(await stores.adoptLibrary(library(id), { name: 'Ann', plan: 'free' })).toMatchObject({ id, plan: 'free' });
    expect(await stores.checkLibraries()).toEqual({ unusable: [], unknown: [] });
    for (const [account, url] of [
      ['local', 'mine'],
      [id, 'hers'],
    ] as const) {
      expect((await (await stores.open(account)).listContent({ limit: 9, offset: 0 })).items).toMatchObject([{ url }]);
    }
  });
});

describe('an adopted library file', () => {
  it('from elsewhere replaces a missing one, with the content of its log, and a log without a file is set aside', async () => {
    await saveOne();
    const elsewhere = join(folder.path, 'backups');
    mkdirSync(elsewhere);
    const backup = join(elsewhere, 'local.db');
    renameSync(library(), backup);
    const db = openRaw(backup);
    db.pragma('journal_mode = WAL');
    db.exec("INSERT INTO goals (id, title, category, created_at) VALUES ('g_x', 'In the log', 'Health', 1)");
    const left = `${library()}-wal`;
    writeFileSync(left, 'what another file left');
    const stores = await open();
    await stores.adoptLibrary(backup, { name: 'x', plan: 'pro' });
    db.close();
    const store = await stores.open('local');
    expect((await store.listContent({ limit: 1, offset: 0 })).total).toBe(1);
    expect((await store.listGoals({ offset: 0 })).items).toMatchObject([{ title: 'In the log' }]);
    expect(existsSync(`${left}.old`)).toBe(true);
    expect(existsSync(backup)).toBe(true);
  });

  it('becomes a new account where its own is in use', async () => {
    await saveOne();
    const copy = join(folder.path, 'local.db');
    copyFileSync(library(), copy);
    const stores = await open();
    const account = await stores.adoptLibrary(copy, { name: 'Copy', plan: 'pro' });
    expect(account).toMatchObject({ id: expect.stringMatching(/^u_/), name: 'Copy' });
    expect((await (await stores.open(account.id)).listContent({ limit: 1, offset: 0 })).total).toBe(1);
    expect(readdirSync(join(folder.path, 'accounts')).filter((name) => name.includes('part'))).toEqual([]);
  });

  it('must be a library: other databases, pictures and folders are refused', async () => {
    await saveOne();
    const stores = await open();
    const paths = ['empty.db', 'picture.db', 'folder.db', 'control.db'].map((name) => join(folder.path, name));
    const [empty, picture, directory] = paths as [string, string, string];
    writeEmptyDatabase(empty);
    writeFileSync(picture, Buffer.alloc(9000, 7));
    mkdirSync(directory);
    for (const path of paths)
      await expect(stores.adoptLibrary(path, { name: 'x', plan: 'pro' }), path).rejects.toMatchObject({
        code: 'invalid_input',
      });
    expect(await stores.control.listAccounts()).toHaveLength(1);
  });
});
