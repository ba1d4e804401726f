import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { restorableForMs } from '../../src/domain/records/limits.ts';
import { openDataFolder } from '../../src/app/installations/data-folder.ts';
import { AppError } from '../../src/errors.ts';
import { AccountFiles } from '../../src/store/sqlite/files/account-files.ts';
import type { Claim } from '../../src/store/records.ts';
import type { Store, Stores } from '../../src/store/store.ts';
import {
  documentOf,
  leaseMs,
  processToPassages,
  resource,
  saving,
  transcriptOf,
} from './contracts/items/store-items.ts';
import { AccountThreads } from '../../src/store/sqlite/threads/account-threads.ts';
import { ManualClock } from '../support/clock.ts';
import { openRaw } from '../support/store/raw-database.ts';
import { until } from '../support/vitest/workers.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { listPassages } from '../support/store/store-reads.ts';
import { claimJob, keepOriginal } from '../support/store/claims.ts';

let folder: ReturnType<typeof temporaryFolder>;
let stores: Stores;
const clock = new ManualClock();

beforeEach(async () => {
  folder = temporaryFolder();
  stores = await openDataFolder({ folder: folder.path, clock, libraryThreads: { growMs: 0 } });
});
afterEach(async () => {
  await stores.close();
  await folder.remove();
});

const length = 400;
const count = 3_000;
const hens = Array.from({ length: count }, (_, n) => `Passage ${n} of a hen. `.padEnd(length, 'egg ')).join('');
const split = Array.from({ length: count }, (_, ordinal) => {
  const [start, end] = [ordinal * length, (ordinal + 1) * length];
  return { ordinal, start, end, headingPath: [], locator: { kind: 'text' as const, start, end } };
});

/** An item whose text is kept and whose passages are not. */
async function keepText(store: Store, text: string = hens): Promise<{ claim: Claim; documentId: number; id: string }> {
  const { id } = await store.saveContent(saving('large'));
  const claimed = (await claimJob(store, leaseMs))!;
  const fetched = await keepOriginal(store, claimed, resource('large', text));
  const claim = await store.keepDocument(fetched, documentOf({ title: 'Hens' }), transcriptOf(text));
  return { claim, documentId: (await store.readDocument(id))!.documentId, id };
}

/** How often this thread came by other work before the write was done. */
async function turnsDuring(write: Promise<unknown>): Promise<number> {
  let turns = 0;
  const state = { isDone: false };
  const done = write.finally(() => (state.isDone = true));
  while (!state.isDone) {
    await nextTurn();
    turns += 1;
  }
  await done;
  return turns;
}

it('writes and lists leave the main thread free', async () => {
  const store = await stores.open('local');
  const { claim, documentId, id } = await keepText(store);
  expect(await turnsDuring(store.keepPassages(claim, documentId, split))).toBeGreaterThan(50);
  expect(await store.searchWords('hen', {}, 5)).toHaveLength(5);
  expect(await turnsDuring(store.updateContent(id, { title: 'Poultry' }))).toBeGreaterThan(50);
  expect(await store.searchWords('poultry', {}, 5)).toHaveLength(5);
  await store.deleteContent(id);
  clock.advance(restorableForMs + 1);
  expect(await turnsDuring(store.purgeExpired(4))).toBeGreaterThan(50);
  expect(await listPassages(store, id)).toEqual([]);
});

/** How many writes were sent in each call to a thread. */
function sentTogether(): { sizes: number[]; [Symbol.dispose](): void } {
  const call = AccountThreads.prototype.call;
  const sizes: number[] = [];
  const spy = vi.spyOn(AccountThreads.prototype, 'call').mockImplementation(function (this: AccountThreads, ...asked) {
    if (asked[0].kind === 'write') sizes.push(asked[0].calls.length);
    return call.apply(this, asked);
  });
  return { sizes, [Symbol.dispose]: () => spy.mockRestore() };
}

const addThree = (store: Store) =>
  Promise.allSettled(['a', 'b', 'c'].map((title) => store.addGoal({ title, category: 'Health' })));

it("writes that wait for another process's lock stay together", async () => {
  const store = await stores.open('local');
  await store.addGoal({ title: 'first', category: 'Health' });
  const other = openRaw(join(folder.path, 'accounts', 'local.db'));
  other.exec('BEGIN IMMEDIATE');
  using sent = sentTogether();
  const added = addThree(store);
  await until(() => sent.sizes.length >= 3);
  other.exec('COMMIT');
  other.close();
  expect(new Set((await added).map(({ status }) => status))).toEqual(new Set(['fulfilled']));
  // On a busy machine, one of the three may be sent before the others.
  const together = Math.max(...sent.sizes.slice(0, 2));
  expect(together).toBeGreaterThan(1);
  expect(Math.max(...sent.sizes.slice(-2))).toBe(together);
});

it('writes are repeated one by one when the thread refused one, but not when the thread was lost', async () => {
  const store = await stores.open('local');
  const { id } = await store.addGoal({ title: 'first', category: 'Health' });
  using sent = sentTogether();
  const category = 'Health';
  const [lost] = await Promise.allSettled([
    store.addGoal({ title: 'second', category }),
    store.keepPassages({ contentId: id } as Claim, 1, []),
  ]);
  expect(lost.status).toBe('fulfilled');
  expect(sent.sizes).toEqual([2, 1, 1]);
  vi.mocked(AccountThreads.prototype.call).mockRejectedValueOnce(new AppError('unavailable', 'The thread ended.'));
  expect((await addThree(store)).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect((await store.listGoals({ offset: 0 })).total).toBe(2);
});

it('a library that is opened twice is migrated once', async () => {
  await (await stores.open('local')).coverage();
  using sent = sentTogether();
  const needed = vi.spyOn(AccountFiles.prototype, 'needsMigration').mockReturnValue(true);
  await Promise.all([stores.open('local'), stores.open('local')]);
  needed.mockRestore();
  expect(sent.sizes).toEqual([0]);
});

it('another account searches and writes during a large write', async () => {
  const [store, other] = [
    await stores.open('local'),
    await stores.open((await stores.control.createAccount({ name: 'Ann', plan: 'pro' })).id),
  ];
  await processToPassages(other, await claimOf(other), { text: 'A fox of Ann.' });
  const { claim, documentId } = await keepText(store);
  const state = { isDone: false };
  const writing = store.keepPassages(claim, documentId, split).finally(() => (state.isDone = true));
  expect(await other.searchWords('fox', {}, 5)).toHaveLength(1);
  await other.saveContent(saving('second'));
  expect(state.isDone).toBe(false);
  await writing;
});

async function claimOf(store: Store): Promise<Claim> {
  await store.saveContent(saving('first'));
  return (await claimJob(store, leaseMs))!;
}

it('a large write of an account delays only its own later writes', async () => {
  const store = await stores.open('local');
  const other = await stores.open((await stores.control.createAccount({ name: 'Ann', plan: 'pro' })).id);
  await other.saveContent(saving('first'));
  const { claim, documentId } = await keepText(store);
  // A thread takes as long to load as this write.
  await Promise.all([store.coverage(), other.coverage()]);
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  await Promise.all([
    store.keepPassages(claim, documentId, split).then(note('large')),
    store.addGoal({ title: 'after it', category: 'Health' }).then(note('own')),
    other.saveContent(saving('second')).then(note('other')),
  ]);
  expect(order).toEqual(['other', 'large', 'own']);
});

it('an account can be removed during a large write', async () => {
  const { id: accountId } = await stores.control.createAccount({ name: 'Ann', plan: 'pro' });
  const store = await stores.open(accountId);
  const { claim, documentId } = await keepText(store);
  const writing = store.keepPassages(claim, documentId, split).then(
    () => 'kept',
    (error: { code?: string }) => error.code,
  );
  await nextTurn();
  await stores.removeAccount(accountId);
  expect(['not_found', 'unavailable']).toContain(await writing);
  expect(existsSync(join(folder.path, 'accounts', `${accountId}.db`))).toBe(false);
});

it('requested writes are completed before the folder is closed', async () => {
  const store = await stores.open('local');
  const { claim, documentId, id } = await keepText(store);
  const writing = store.keepPassages(claim, documentId, split);
  await stores.close();
  await writing;
  stores = await openDataFolder({ folder: folder.path, clock });
  expect(await listPassages(await stores.open('local'), id)).toHaveLength(count);
});
