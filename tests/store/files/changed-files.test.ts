import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { openRaw } from '../../support/store/raw-database.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import type { Store, Stores } from '../../../src/store/store.ts';
import { saveAndProcess, saving } from '../contracts/items/store-items.ts';
import { ManualClock } from '../../support/clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// An open file cannot be renamed or removed there.
describe.skipIf(process.platform === 'win32').each([
  ['here', undefined],
  ['in threads', {}],
])('files that are changed while they are open, with searches %s', (_, libraryThreads) => {
  let folder: ReturnType<typeof temporaryFolder>;
  let stores: Stores;
  let store: Store;
  let opened: Stores[];

  const open = async () => {
    const one = await openDataFolder({ folder: folder.path, clock: new ManualClock(), libraryThreads });
    opened.push(one);
    return one;
  };
  beforeEach(async () => {
    folder = temporaryFolder();
    opened = [];
    stores = await open();
    store = await stores.open('local');
    await saveAndProcess(store, 'a', { text: 'A fox.' });
    // Opens the file in a thread as well.
    await count('fox');
  });
  afterEach(async () => {
    for (const one of opened) await one.close();
    await folder.remove();
  });

  const library = () => join(folder.path, 'accounts', 'local.db');
  const count = async (word: string, of = store) => (await of.searchWords(word, {}, 5)).length;
  const addresses = async (of = store) => (await of.listContent({ limit: 9, offset: 0 })).items.map(({ url }) => url);
  /** What a process that opens the folder now finds. */
  const found = async () => addresses(await (await open()).open('local'));
  const emptyLog = () => {
    const other = openRaw(library());
    other.pragma('wal_checkpoint(TRUNCATE)');
    other.close();
  };
  const refused = { code: 'unavailable' };

  it('a folder that is moved away accepts no saves until it is back', async () => {
    const away = `${folder.path}-away`;
    renameSync(folder.path, away);
    for (let i = 0; i < 2; i += 1) {
      await expect(store.saveContent(saving('b'))).rejects.toMatchObject(refused);
      await expect(count('fox')).rejects.toMatchObject(refused);
      await expect(stores.checkWritable()).rejects.toMatchObject(refused);
      await expect(stores.control.createAccount({ name: 'x', plan: 'pro' })).rejects.toMatchObject(refused);
    }
    expect(() => statSync(folder.path)).toThrow('ENOENT');
    renameSync(away, folder.path);
    await store.saveContent(saving('c'));
    await stores.checkWritable();
    expect(await count('fox')).toBe(1);
    expect(await found()).toEqual(['c', 'a']);
  });

  it('a removed folder accepts no saves and is not recreated', async () => {
    rmSync(folder.path, { recursive: true });
    await expect(store.saveContent(saving('b'))).rejects.toMatchObject(refused);
    await expect(stores.checkWritable()).rejects.toMatchObject(refused);
    mkdirSync(join(folder.path, 'accounts'), { recursive: true });
    await expect(store.saveContent(saving('b'))).rejects.toMatchObject(refused);
    expect(readdirSync(join(folder.path, 'accounts'))).toEqual([]);
  });

  it('a folder replaced by a copy continues in the copy', async () => {
    await stores.checkWritable();
    const away = `${folder.path}-away`;
    const copy = `${folder.path}-copy`;
    // A copy is whole once nobody has the folder open.
    await stores.close();
    stores = await open();
    store = await stores.open('local');
    expect(await count('fox')).toBe(1);
    cpSync(folder.path, copy, { recursive: true });
    await store.saveContent(saving('b'));
    renameSync(folder.path, away);
    renameSync(copy, folder.path);
    await store.saveContent(saving('c'));
    expect(await addresses()).toEqual(['c', 'a']);
    expect(await count('fox')).toBe(1);
    expect(await found()).toEqual(['c', 'a']);
    // What was acknowledged before is where it was written, in the file itself.
    rmSync(join(away, 'accounts', 'local.db-wal'), { force: true });
    const db = openRaw(join(away, 'accounts', 'local.db'));
    expect(db.prepare('SELECT url FROM items ORDER BY seq').pluck().all()).toEqual(['a', 'b']);
    db.close();
  });

  it('a removed library is missing, for searches and saves', async () => {
    rmSync(library());
    const missing = { message: expect.stringContaining('is missing') };
    await expect(count('fox')).rejects.toMatchObject(missing);
    await expect(store.saveContent(saving('b'))).rejects.toMatchObject(missing);
  });

  it('a truncated library is restored from its log, where that is complete', async () => {
    truncateSync(library(), 0);
    await store.saveContent(saving('b'));
    expect(await addresses()).toEqual(['b', 'a']);
    expect(await count('fox')).toBe(1);
    expect(await found()).toEqual(['b', 'a']);
  });

  it('a truncated library with an incomplete log is missing', async () => {
    emptyLog();
    await store.saveContent(saving('b'));
    truncateSync(library(), 0);
    const missing = { message: expect.stringContaining('is missing') };
    await expect(store.saveContent(saving('c'))).rejects.toMatchObject(missing);
    await expect(count('fox')).rejects.toMatchObject(missing);
    await expect(addresses()).rejects.toMatchObject(missing);
    expect(statSync(library()).size).toBe(0);
  });

  it.each([['-wal'], ['-shm'], ['-wal', '-shm']])('removing a log (%s %s) loses nothing', async (...suffixes) => {
    await store.saveContent(saving('b'));
    for (const suffix of suffixes) rmSync(library() + suffix);
    await store.saveContent(saving('c'));
    expect(await count('fox')).toBe(1);
    expect(await found()).toEqual(['c', 'b', 'a']);
    const db = openRaw(library(), { readonly: true });
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.close();
  });

  it('removing logs of control.db loses nothing either', async () => {
    const { id } = await stores.control.createAccount({ name: 'Ann', plan: 'pro' });
    for (const suffix of ['-wal', '-shm']) rmSync(join(folder.path, `control.db${suffix}`));
    await stores.control.createAccount({ name: 'Bob', plan: 'pro' });
    const names = (await (await open()).control.listAccounts()).map(({ name }) => name);
    expect(names).toEqual(['Local', 'Ann', 'Bob']);
    expect((await stores.open(id)).accountId).toBe(id);
  });

  it("a replaced log that another process writes to refuses everything, and that process's data stays", async () => {
    emptyLog();
    for (const suffix of ['-wal', '-shm']) rmSync(library() + suffix);
    const insert = "INSERT INTO goals (id, title, category, created_at) VALUES ('g_x', 'Theirs', 'Health', 1)";
    // In its own process, which ends without closing the file.
    const program = `const db = new (require('better-sqlite3'))(process.argv[1]);
      db.function('row_sum', { deterministic: true, varargs: true }, () => 0);
      db.exec(process.argv[2]); process.kill(process.pid, 'SIGKILL')`;
    spawnSync(process.execPath, ['-e', program, library(), insert]);
    const stop = { message: expect.stringContaining('stopped and started again') };
    await expect(store.saveContent(saving('b'))).rejects.toMatchObject(stop);
    await expect(addresses()).rejects.toMatchObject(stop);
    const read = `console.log(new (require('better-sqlite3'))(process.argv[1]).prepare('SELECT title FROM goals').pluck().get())`;
    expect(spawnSync(process.execPath, ['-e', read, library()]).stdout.toString()).toBe('Theirs\n');
  });
});
