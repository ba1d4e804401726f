import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDataFolder } from '../../src/app/installations/data-folder.ts';
import { AppError } from '../../src/errors.ts';
import { recoverFile } from '../../src/store/sqlite/backup/recover-file.ts';
import { writeBackup } from '../../src/store/sqlite/backup/write-backup.ts';
import { checkFile } from '../../src/store/sqlite/checking/check-file.ts';
import { ManualClock } from '../support/clock.ts';
import { addFinishedItem, paragraphs } from '../support/content.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { claimJob } from '../support/store/claims.ts';

const items = 60;
/** Some 4,000 characters that do not repeat, in so many paragraphs that the list of them fills pages of documents. */
const foxes = (of: number): string[] =>
  Array.from({ length: 100 }, (_, paragraph) =>
    Array.from({ length: 3 }, (_one, at) => {
      const name = Math.imul(of * 300 + paragraph * 3 + at, 0x9e3779b1) >>> 0;
      return `Fox ${name.toString(36)}.`;
    }).join(' '),
  );
let folder: ReturnType<typeof temporaryFolder>;
let damaged: string;
let target: string;

beforeEach(async () => {
  folder = temporaryFolder();
  damaged = join(folder.path, 'accounts', 'local.db');
  target = join(folder.path, 'rescued.db');
  const stores = await openDataFolder({ folder: folder.path, clock: new ManualClock() });
  const store = await stores.open('local');
  await store.addGoal({ title: 'Sleep', category: 'Health' });
  for (let at = 0; at < items; at += 1)
    await addFinishedItem(store, {
      url: `https://example.com/${at}`,
      blocks: paragraphs(...foxes(at), `It lives in forest ${at}.`),
      about: { title: `Page ${at}` },
      tags: ['fox', `t${at}`],
      notes: `note ${at}`,
    });
  await stores.close();
});
afterEach(() => folder.remove());

/** Overwrites pages that belong to a table, as a failing disk does. Returns how many. */
function damagePages(table: string, share: number): number {
  const db = new Database(damaged);
  const pages = db
    .prepare<[string], { page: number }>(`SELECT pageno AS page FROM dbstat WHERE name = ? AND pagetype = 'leaf'`)
    .all(table)
    .map(({ page }) => page);
  const size = db.pragma('page_size', { simple: true }) as number;
  db.close();
  const meant = pages.filter((_, index) => index % Math.round(1 / share) === 0);
  const file = openSync(damaged, 'r+');
  for (const page of meant) writeSync(file, Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size);
  closeSync(file);
  return meant.length;
}

const recover = (more: { file?: string; backup?: string } = {}) =>
  recoverFile({ file: damaged, target, now: 1, ...more }, () => undefined);
const of = (recovered: Awaited<ReturnType<typeof recover>>, name: string) =>
  recovered.tables.find(({ table }) => table === name);

async function opened<T>(
  use: (store: Awaited<ReturnType<Awaited<ReturnType<typeof openDataFolder>>['open']>>) => Promise<T>,
) {
  const stores = await openDataFolder({ folder: folder.path, clock: new ManualClock() });
  const account = await stores.adoptLibrary(target, { name: 'Rescued', plan: 'pro' });
  const result = await use(await stores.open(account.id));
  await stores.close();
  return result;
}

function expectWhole(): void {
  const db = new Database(target, { readonly: true });
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(db.pragma('foreign_key_check')).toEqual([]);
  db.close();
}

test('an intact library is copied whole, and the file itself is unchanged', async () => {
  const bytes = readFileSync(damaged);
  const recovered = await recover();
  expect(recovered).toMatchObject({ file: target, lostItems: [], rebuiltItems: 0, itemsReadAgain: 0 });
  expect(recovered.tables.filter(({ lost }) => lost !== 0)).toEqual([]);
  expect(readFileSync(damaged)).toEqual(bytes);
  expectWhole();
  await opened(async (store) => {
    expect((await store.listContent({ limit: 1, offset: 0 })).total).toBe(items);
    expect(await store.searchWords('forest', {}, 100)).toHaveLength(items);
    expect((await store.listNames(100)).items).toHaveLength(items);
    expect((await store.listGoals({ offset: 0 })).total).toBe(1);
  });
});

test('all items of a library with damaged texts stay, and those without their text are read again', async () => {
  expect(damagePages('documents', 0.3)).toBeGreaterThan(2);
  const recovered = await recover();
  expect(of(recovered, 'items')).toMatchObject({ copied: items, lost: 0 });
  const documents = of(recovered, 'documents');
  expect([documents!.copied < items, documents!.copied > 0]).toEqual([true, true]);
  expect(recovered.itemsReadAgain).toBe(items - documents!.copied);
  expectWhole();
  await opened(async (store) => {
    expect((await store.listContent({ limit: 1, offset: 0 })).total).toBe(items);
    expect(await claimJob(store, 60_000)).toMatchObject({ stage: 'extract' });
  });
});

test('the intact part of a damaged text can be read until it is read again', async () => {
  expect(damagePages('passages', 0.2)).toBeGreaterThan(2);
  const recovered = await recover();
  const { copied } = of(recovered, 'passages')!;
  expect(copied).toBeGreaterThan(0);
  expect(recovered.itemsReadAgain).toBeGreaterThan(0);
  expectWhole();
  await opened(async (store) => {
    const ids = (await store.listContent({ limit: 100, offset: 0 })).items.map(({ id }) => id);
    const texts = await Promise.all(ids.map((id) => store.readTranscript(id)));
    expect(texts.filter((text) => text === null)).toEqual([]);
    const whole = texts.filter((text) => /^Fox .*\n\nIt lives in forest \d+\.$/s.test(text ?? ''));
    expect(whole.length).toBeGreaterThanOrEqual(items - recovered.itemsReadAgain);
    expect(texts.join('').length).toBeGreaterThan(1_000);
  });
});

test('items with damaged rows are named, and rebuilt from their pages', async () => {
  expect(damagePages('items', 0.5)).toBeGreaterThan(0);
  const recovered = await recover();
  const lost = items - of(recovered, 'items')!.copied;
  expect(lost).toBeGreaterThan(0);
  expect(recovered.lostItems).toHaveLength(lost);
  expect(recovered.rebuiltItems).toBe(lost);
  expectWhole();
  await opened(async (store) => {
    const { items: all, total } = await store.listContent({ limit: 100, offset: 0 });
    expect(total).toBe(items);
    expect(new Set(all.map(({ url }) => url)).size).toBe(items);
    // Their tags were elsewhere.
    expect(all.filter(({ tags }) => tags.includes('fox'))).toHaveLength(items);
  });
});

test('damage in several tables at once leaves a usable library', async () => {
  for (const table of ['passages', 'originals', 'item_tags', 'jobs']) damagePages(table, 0.4);
  const recovered = await recover();
  expect(of(recovered, 'items')).toMatchObject({ copied: items });
  expect(recovered.itemsReadAgain).toBeGreaterThan(0);
  expectWhole();
  expect(await opened(async (store) => (await store.listContent({ limit: 1, offset: 0 })).total)).toBe(items);
});

test('a file that is not a library, has a damaged beginning, or already exists is refused', async () => {
  writeFileSync(join(folder.path, 'text.txt'), 'Not a database. '.repeat(1_000));
  const refuse = (file: string, to = target) =>
    expect(recoverFile({ file, target: to, now: 1 }, () => undefined)).rejects.toThrow(AppError);
  await refuse(join(folder.path, 'text.txt'));
  await refuse(join(folder.path, 'nowhere.db'));
  await refuse(damaged, join(folder.path, 'text.txt'));
  const file = openSync(damaged, 'r+');
  writeSync(file, Buffer.alloc(8_192, 0xa5), 0, 8_192, 0);
  closeSync(file);
  await refuse(damaged);
});

/** Overwrites text wherever it stands in a file. */
function overwrite(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'latin1');
  expect(text).toContain(from);
  writeFileSync(path, text.replaceAll(from, to), 'latin1');
}

async function backUp(): Promise<string> {
  const backup = join(folder.path, 'backup.zip');
  await writeBackup({ folder: folder.path, target: backup, program: 'test', now: 1 }, () => undefined);
  return backup;
}

test("silently changed bytes of a note are named, and the backup's version is restored", async () => {
  const backup = await backUp();
  overwrite(damaged, 'note 7', 'nose 7');
  const [found, ...others] = checkFile(damaged, 'account');
  expect(others).toEqual([]);
  expect(found!.problem).toMatch(/^1 rows of items are not as they were written: c_[a-z2-7]{16}$/);
  expect(found!.fix).toContain('commonplace recover');
  expect(of(await recover(), 'items')).toMatchObject({ copied: items, lost: 0, changed: 1, fromBackup: 0 });
  rmSync(target);
  expect(of(await recover({ backup }), 'items')).toMatchObject({ copied: items, lost: 0, changed: 0, fromBackup: 1 });
  expect(checkFile(target, 'account')).toEqual([]);
  const notes = await opened(async (store) =>
    (await store.listContent({ limit: 100, offset: 0 })).items.map((item) => item.notes),
  );
  expect(notes.toSorted()).toEqual(Array.from({ length: items }, (_, at) => `note ${at}`).toSorted());
});

test('items of damaged pages are restored from a backup, together with newer ones of the file', async () => {
  const backup = await backUp();
  const stores = await openDataFolder({ folder: folder.path, clock: new ManualClock() });
  const store = await stores.open('local');
  await addFinishedItem(store, { url: 'https://example.com/new', blocks: paragraphs('Newer than the backup.') });
  await stores.close();
  damagePages('items', 0.3);
  const recovered = await recover({ backup });
  expect(of(recovered, 'items')!.fromBackup).toBeGreaterThan(5);
  expectWhole();
  const titles = await opened(async (all) =>
    (await all.listContent({ limit: 100, offset: 0 })).items.map(({ title }) => title),
  );
  expect(titles).toEqual(expect.arrayContaining(Array.from({ length: items }, (_, at) => `Page ${at}`)));
});

test.each(['new.db', 'backup.db'])('a damaged file may be named %s', async (name) => {
  const backup = await backUp();
  overwrite(damaged, 'note 7', 'nose 7');
  const file = join(folder.path, name);
  renameSync(damaged, file);
  expect(of(await recover({ file, backup }), 'items')).toMatchObject({ changed: 0, fromBackup: 1 });
  expect(checkFile(target, 'account')).toEqual([]);
});

test('a damaged account of control.db is named, and restored from a backup', async () => {
  const control = join(folder.path, 'control.db');
  const stores = await openDataFolder({ folder: folder.path, clock: new ManualClock() });
  const { id } = await stores.control.createAccount({ name: 'Ada of Westley', plan: 'pro' });
  await stores.close();
  const backup = await backUp();
  overwrite(control, 'Ada of Westley', 'Eve of Westley');
  expect(checkFile(control, 'control').map(({ problem }) => problem)).toEqual([
    `1 rows of accounts are not as they were written: ${id}`,
  ]);
  const recovered = await recover({ file: control, backup });
  expect(of(recovered, 'accounts')).toMatchObject({ copied: 2, changed: 0, fromBackup: 1 });
  expect(checkFile(target, 'control')).toEqual([]);
  const db = new Database(target, { readonly: true });
  expect(db.prepare('SELECT name FROM accounts WHERE id = ?').pluck().get(id)).toBe('Ada of Westley');
  db.close();
});

test('a backup without the file, or something else than a backup, is refused', async () => {
  writeFileSync(join(folder.path, 'other.zip'), 'no backup');
  await expect(recover({ backup: join(folder.path, 'other.zip') })).rejects.toThrow(AppError);
  const control = join(folder.path, 'control.db');
  const backup = join(folder.path, 'one.zip');
  await writeBackup(
    { folder: folder.path, target: backup, account: 'local', program: 'test', now: 1 },
    () => undefined,
  );
  await expect(recover({ file: control, backup })).rejects.toThrow('does not have the file');
});
