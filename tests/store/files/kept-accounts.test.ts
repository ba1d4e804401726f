import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { restorableForMs } from '../../../src/domain/records/limits.ts';
import { newChange } from '../../../src/domain/records/change.ts';
import type { Stores } from '../../../src/store/store.ts';
import { ManualClock } from '../../support/clock.ts';
import { addFinishedItem, paragraphs } from '../../support/content.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Stands in everything that the account has, however it is stored. */
const marker = 'Zyxomma';
const dayMs = 24 * 60 * 60_000;

let folder: ReturnType<typeof temporaryFolder>;
let clock: ManualClock;
let stores: Stores;
let id: string;

const open = () => openDataFolder({ folder: folder.path, clock });

beforeEach(async () => {
  folder = temporaryFolder();
  clock = new ManualClock();
  stores = await open();
  ({ id } = await stores.control.createAccount({ name: `${marker} Ada`, plan: 'pro' }));
  const change = newChange({ face: 'cli', by: marker, operation: 'save_content', scopes: [] });
  const store = await stores.open({ account: id, change });
  await addFinishedItem(store, {
    url: `https://example.com/${marker}`,
    blocks: paragraphs(`${marker} ${crypto.randomUUID()} ${marker}.`),
    notes: marker,
    tags: [marker],
  });
  await store.updateContent((await store.listContent({ limit: 1, offset: 0 })).items[0]!.id, { notes: 'other' });
  // What was sent to be imported.
  const upload = join(folder.path, 'jobs', id, 'j_aaaaaaaaaaaaaaaa', 'upload');
  mkdirSync(upload, { recursive: true });
  writeFileSync(join(upload, 'list.txt'), marker);
  await stores.control.tokens.createToken({
    accountId: id,
    name: `${marker} laptop`,
    hash: Buffer.from(`${marker} hash of a token, 32`),
    scopes: [],
    permissions: null,
    requestsPerMinute: null,
    expiresAt: null,
    madeBy: null,
    heldTo: null,
  });
});
afterEach(async () => {
  await stores.close();
  await folder.remove();
});

/** Names of the files that hold the marker or the account's id, except for the id in `control.db`, which is never given again. */
function holding(): string[] {
  const files = readdirSync(folder.path, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return files
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => path.includes(id) || readFileSync(path).includes(marker))
    .map((path) => path.slice(folder.path.length + 1));
}

test('a removed account is hidden, refuses every use, and can be restored completely', async () => {
  const before = await (await stores.open(id)).listContent({ limit: 10, offset: 0 });
  const old = await stores.open(id);
  await stores.setAsideAccount(id);
  expect((await stores.control.listAccounts()).map((account) => account.id)).toEqual(['local']);
  expect(await stores.control.tokens.listTokens()).toEqual([]);
  expect(await stores.control.tokens.findCredential(Buffer.from(`${marker} hash of a token, 32`))).toBeNull();
  await expect(stores.open(id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(old.addGoal({ title: 'Too late', category: 'Health' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(stores.setAsideAccount(id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await stores.listSetAside()).toMatchObject([
    { id, name: `${marker} Ada`, removedAt: '2026-01-01T00:00:00.000Z' },
  ]);
  expect((await stores.checkLibraries()).unknown).toEqual([]);
  // Another start of the program keeps it.
  await stores.close();
  stores = await open();
  expect(await stores.bringBackAccount(id)).toMatchObject({ id, name: `${marker} Ada` });
  expect(await (await stores.open(id)).listContent({ limit: 10, offset: 0 })).toEqual(before);
  expect(await stores.control.tokens.findCredential(Buffer.from(`${marker} hash of a token, 32`))).not.toBeNull();
  await (await stores.open(id)).addGoal({ title: 'In time', category: 'Health' });
  expect(await stores.bringBackAccount(id)).toBeNull();
});

test('after 30 elapsed days, whatever the clock says, it is removed for good with every byte', async () => {
  await stores.setAsideAccount(id);
  clock.setBy(400 * dayMs);
  await stores.removeExpiredAccounts();
  expect(await stores.listSetAside()).toHaveLength(1);
  for (let days = 0; days < 30; days += 1) {
    clock.advance(dayMs);
    await stores.removeExpiredAccounts();
  }
  clock.advance(restorableForMs);
  await stores.removeExpiredAccounts();
  expect(await stores.listSetAside()).toEqual([]);
  expect(await stores.bringBackAccount(id)).toBeNull();
  expect(holding()).toEqual([]);
});

test('immediate removal leaves no byte in the data folder, copies of its files included', async () => {
  const aside = join(folder.path, 'backups', 'before-restore-x', 'accounts');
  const updates = join(folder.path, 'backups', 'before-update');
  for (const path of [aside, updates]) mkdirSync(path, { recursive: true });
  for (const path of [join(aside, `${id}.db`), join(updates, `${id}-v3.db`), join(updates, 'control-v2.db')])
    writeFileSync(path, marker);
  expect(holding().length).toBeGreaterThan(3);
  await stores.removeAccount(id);
  expect(holding()).toEqual([]);
  expect(stores.copiesPutAside()).toEqual([join(folder.path, 'backups', 'before-restore-x')]);
  expect(await stores.control.listAccounts()).toHaveLength(1);
});

test('an account removed before can be removed for good at once', async () => {
  await stores.setAsideAccount(id);
  expect(holding()).not.toEqual([]);
  await stores.removeAccount(id);
  expect(holding()).toEqual([]);
});
