import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { restorableForMs } from '../../src/domain/records/limits.ts';
import { openDataFolder } from '../../src/app/installations/data-folder.ts';
import type { Claim, ImportContent } from '../../src/store/records.ts';
import type { Store, Stores } from '../../src/store/store.ts';
import { documentOf, leaseMs, processToPassages, resource, saving, transcriptOf } from '../contracts/store-items.ts';
import { ManualClock } from '../support/clock.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { listPassages } from '../support/store-reads.ts';
import { claimJob, keepOriginal } from '../support/claims.ts';

let folder: ReturnType<typeof temporaryFolder>;
let stores: Stores;
const clock = new ManualClock();

beforeEach(async () => {
  folder = temporaryFolder();
  stores = await openDataFolder({ folder: folder.path, clock, searchThreads: {} });
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

/** How often this thread came by other work before the write was done. A write that it does itself lets it come by twice. */
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

it('a small write is done here, and a large one leaves this thread free', async () => {
  const store = await stores.open('local');
  const { claim, documentId, id } = await keepText(store);
  expect(await turnsDuring(store.updateContent(id, { notes: 'small' }))).toBeLessThan(10);
  expect(await turnsDuring(store.keepPassages(claim, documentId, split))).toBeGreaterThan(50);
  expect(await store.searchWords('hen', {}, 5)).toHaveLength(5);
  expect(await turnsDuring(store.updateContent(id, { title: 'Poultry' }))).toBeGreaterThan(50);
  expect(await store.searchWords('poultry', {}, 5)).toHaveLength(5);
  await store.deleteContent(id);
  clock.advance(restorableForMs + 1);
  expect(await turnsDuring(store.purgeExpired(4))).toBeGreaterThan(50);
  expect(await listPassages(store, id)).toEqual([]);
});

it('a new title of an item of some passages is written here, and of one of a hundred elsewhere', async () => {
  const store = await stores.open('local');
  const turns: number[] = [];
  for (const passages of [10, 100]) {
    const { id } = await store.saveContent(saving(`of ${passages}`));
    const text = hens.slice(0, passages * length);
    await processToPassages(store, (await claimJob(store, leaseMs))!, { text, passageLength: length });
    turns.push(await turnsDuring(store.updateContent(id, { title: 'Poultry' })));
  }
  expect(turns[0]).toBeLessThan(10);
  expect(turns[1]).toBeGreaterThan(20);
  expect((await store.searchWords('poultry', {}, 200)).length).toBe(110);
});

it('a short text whose letters stand for many in the index is written elsewhere, too', async () => {
  const store = await stores.open('local');
  const size = 2_000;
  const ligatures = '\uFDFA'.repeat(40 * size);
  const { claim, documentId } = await keepText(store, ligatures);
  const parts = Array.from({ length: 40 }, (_, ordinal) => {
    const [start, end] = [ordinal * size, (ordinal + 1) * size];
    return { ordinal, start, end, headingPath: [], locator: { kind: 'text' as const, start, end } };
  });
  expect(await turnsDuring(store.keepPassages(claim, documentId, parts))).toBeGreaterThan(50);
  expect(await store.searchWords('\uFDFA', {}, 5)).toHaveLength(5);
});

it('an item that many others are copies of is deleted elsewhere, and the next one takes its place', async () => {
  const store = await stores.open('local');
  const ids: string[] = [];
  for (let n = 0; n < 300; n += 1) {
    const { id } = await store.saveContent(saving(`copy-${n}`));
    ids.push(id);
    const claim = (await claimJob(store, leaseMs))!;
    await processToPassages(store, claim, { text: 'The very same text.' });
  }
  const [first, second, third] = ids as [string, string, string];
  expect(await turnsDuring(store.deleteContent(first))).toBeGreaterThan(20);
  expect((await store.getContentSummary(second))?.duplicateOf).toBeNull();
  expect((await store.getContentSummary(third))?.duplicateOf).toBe(second);
  expect((await store.getContentSummary(ids.at(-1)!))?.duplicateOf).toBe(second);
});

it('an import of one item with many highlights, or of few with many tags, is written elsewhere', async () => {
  const store = await stores.open('local');
  const entry = (url: string, more: Partial<ImportContent>) => ({
    url,
    canonicalUrl: url,
    title: null,
    tags: [],
    notes: null,
    createdAt: null,
    ...more,
  });
  const highlights = Array.from({ length: 1_000 }, (_, n) => ({
    source: `id:${n}`,
    note: null,
    colour: null,
    createdAt: null,
    quote: `words of number ${n}`,
  }));
  expect(await turnsDuring(store.importContent([entry('https://a/', {})]))).toBeLessThan(10);
  expect(await turnsDuring(store.importContent([entry('https://b/', { highlights })]))).toBeGreaterThan(20);
  expect((await store.listHighlights({ offset: 0, limit: 1 })).total).toBe(1_000);
  const tags = Array.from({ length: 50 }, (_, n) => `tag ${n}`);
  const many = Array.from({ length: 20 }, (_, n) => entry(`https://c/${n}`, { tags }));
  expect(await turnsDuring(store.importContent(many))).toBeGreaterThan(20);
});

it('a large write of one account keeps its own later writes waiting, and no other account’s', async () => {
  const store = await stores.open('local');
  const other = await stores.open((await stores.control.createAccount({ name: 'Ann', plan: 'pro' })).id);
  await other.saveContent(saving('first'));
  const { claim, documentId } = await keepText(store);
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  await Promise.all([
    store.keepPassages(claim, documentId, split).then(note('large')),
    store.addGoal({ title: 'after it', category: 'Health' }).then(note('own')),
    other.saveContent(saving('second')).then(note('other')),
  ]);
  expect(order).toEqual(['other', 'large', 'own']);
});

it('a large write whose lease was lost keeps nothing', async () => {
  const store = await stores.open('local');
  const { claim, documentId, id } = await keepText(store);
  await store.deleteContent(id);
  await expect(store.keepPassages(claim, documentId, split)).rejects.toThrow('lease');
  expect(await listPassages(store, id)).toEqual([]);
});

it('an account can be removed while a large write of it goes on', async () => {
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

it('what was asked for is written before the folder is closed', async () => {
  const store = await stores.open('local');
  const { claim, documentId, id } = await keepText(store);
  const writing = store.keepPassages(claim, documentId, split);
  await stores.close();
  await writing;
  stores = await openDataFolder({ folder: folder.path, clock });
  expect(await listPassages(await stores.open('local'), id)).toHaveLength(count);
});
