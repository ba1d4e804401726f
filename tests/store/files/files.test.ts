import { createCipheriv } from 'node:crypto';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRaw } from '../../support/store/raw-database.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AccountFiles } from '../../../src/store/sqlite/files/account-files.ts';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { resource, saveAndProcess, saving } from '../contracts/items/store-items.ts';
import { ManualClock } from '../../support/clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { countUnfinishedJobs } from '../../support/store/store-reads.ts';
import { claimJob } from '../../support/store/claims.ts';

describe('the files of a data folder', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  const clock = new ManualClock();
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const open = (readOnly = false) => openDataFolder({ folder: folder.path, clock, readOnly });
  const mode = (path: string) => (statSync(join(folder.path, path)).mode & 0o777).toString(8);

  it.skipIf(process.platform === 'win32')('belong to their owner only', async () => {
    const stores = await open();
    await (await stores.open('local')).saveContent(saving('a'));
    expect([mode('.'), mode('accounts')]).toEqual(['700', '700']);
    const files = [
      ...readdirSync(folder.path),
      ...readdirSync(join(folder.path, 'accounts')).map((name) => `accounts/${name}`),
    ];
    const databases = files.filter((name) => name.includes('.db'));
    expect(databases).toContain('accounts/local.db-wal');
    expect(databases).toContain('control.db');
    expect(databases.map(mode)).toEqual(databases.map(() => '600'));
    await stores.close();
  });

  it('cannot be created where there is a file or a forbidden folder, without waiting for a change', async () => {
    writeFileSync(join(folder.path, '..', 'letter'), 'not a folder');
    const file = join(folder.path, '..', 'letter');
    const refusing = process.platform === 'linux' ? ['/proc/nowhere/data'] : [];
    for (const place of [file, join(file, 'below'), ...refusing]) {
      await expect(openDataFolder({ folder: place, clock })).rejects.toThrow('The data folder cannot be created.');
    }
  });

  it('keep saved data, also after a process that did not close them', async () => {
    const first = await open();
    const { id } = await (await first.open('local')).saveContent(saving('a', { tags: ['x'] }));
    const second = await open();
    expect((await (await second.open('local')).getContent(id))?.tags).toEqual(['x']);
    await second.close();
    await first.close();
    const third = await open();
    expect(await third.control.listAccounts()).toHaveLength(1);
    await third.close();
    await expect(third.open('local')).rejects.toThrow('closed because Commonplace is stopping');
  });

  it('can be read by a reader that writes nothing', async () => {
    await expect(open(true)).rejects.toMatchObject({ code: 'unavailable' });
    const stores = await open();
    const writer = await stores.open('local');
    const id = await saveAndProcess(writer, 'a', { text: 'A fox.' });
    const readers = await open(true);
    const reader = await readers.open('local');
    expect((await reader.getContent(id))?.transcript).toBe('A fox.');
    expect(await reader.searchWords('fox', {}, 5)).toHaveLength(1);
    await expect(reader.saveContent(saving('b'))).rejects.toMatchObject({ code: 'unavailable' });
    await expect(reader.retryContent(id)).rejects.toMatchObject({ code: 'unavailable' });
    await readers.close();
    await stores.close();
  });

  it('are refused with an explanation when they cannot be used', async () => {
    mkdirSync(folder.path);
    writeFileSync(join(folder.path, 'control.db'), 'This is not a database. '.repeat(100));
    await expect(open()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('not a database'),
    });
    writeFileSync(join(folder.path, 'file'), '');
    await expect(openDataFolder({ folder: join(folder.path, 'file'), clock })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.not.stringContaining(folder.path),
    });
  });

  it('compress text and keep compressed data unchanged', async () => {
    const stores = await open();
    const store = await stores.open('local');
    const bytes = Buffer.from('<p>again and again</p>'.repeat(1000));
    const page = await store.saveContent(saving('page', { original: resource('page', '', { bytes }) }));
    // No two parts of it are alike, as in what is compressed already.
    const packed = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(bytes);
    await store.saveContent(saving('packed', { original: resource('packed', '', { bytes: packed }) }));
    expect((await store.readOriginal(page.id))!.bytes.length).toBe(bytes.length);
    const db = openRaw(join(folder.path, 'accounts', 'local.db'), { readonly: true });
    const [first, second] = db.prepare<[], { size: number }>('SELECT length(bytes) AS size FROM originals').all();
    expect(first!.size).toBeLessThan(bytes.length / 10);
    expect(second!.size).toBe(bytes.length);
    db.close();
    await stores.close();
  });

  it('are closed when too many are open, and reopened on use', async () => {
    const stores = await open();
    const accounts = [];
    for (let i = 0; i < 70; i += 1) accounts.push(await stores.control.createAccount({ name: `${i}`, plan: 'pro' }));
    const opened = [];
    for (const { id } of accounts) opened.push(await stores.open(id));
    for (const store of opened) await store.saveContent(saving('a'));
    for (const store of opened) expect(await countUnfinishedJobs(store)).toBe(1);
    await opened[0]!.close();
    expect(await countUnfinishedJobs(await stores.open(accounts[0]!.id))).toBe(1);
    await stores.close();
    await expect(countUnfinishedJobs(opened[1]!)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('have names that no id can lead elsewhere', () => {
    const files = new AccountFiles({ folder: folder.path, readOnly: false, recordOf: () => 'made' });
    for (const id of ['../local', 'a/b', '', 'u_AAAAAAAAAAAAAAAA', 'local\u0000']) {
      expect(() => files.use(id), id).toThrow(expect.objectContaining({ code: 'not_found' }));
    }
  });

  it('accept no writes once the account is marked as removed', async () => {
    const stores = await open();
    const store = await stores.open('local');
    const { id } = await store.saveContent(saving('a'));
    const db = openRaw(join(folder.path, 'accounts', 'local.db'));
    db.exec('UPDATE libraries SET removed_at = 1');
    db.close();
    await expect(store.saveContent(saving('b'))).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.addGoal({ title: 'x', category: 'Health' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(claimJob(store, 1000)).rejects.toMatchObject({ code: 'not_found' });
    expect((await store.getContent(id))?.status).toBe('pending');
    await stores.close();
  });
});
