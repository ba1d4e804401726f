import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openDataFolder } from '../../src/app/installations/data-folder.ts';
import { AccountThreads } from '../../src/store/sqlite/threads/account-threads.ts';
import type { Store, Stores } from '../../src/store/store.ts';
import { ManualClock } from '../support/clock.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
const clock = new ManualClock();
let stores: Stores;
let withoutThreads: Stores;
let large: Store;
let largeHere: Store;
let small: Store;

/** Imports this many items with 50 tags and a highlight each. */
async function fill(store: Store, items: number): Promise<void> {
  const entries = Array.from({ length: items }, (_, n) => ({
    url: `https://site/${n}`,
    canonicalUrl: `https://site/${n}`,
    title: `Item ${n}`,
    tags: Array.from({ length: 50 }, (_tag, at) => (at === 0 ? 'all' : `tag ${n} ${at}`)),
    notes: null,
    createdAt: n,
    highlights: [{ source: `${n}`, quote: `words ${n}`, note: null, colour: null, createdAt: n }],
  }));
  await store.importContent(entries);
}

beforeAll(async () => {
  const path = join(folder.path, 'data');
  stores = await openDataFolder({ folder: path, clock, searchThreads: {} });
  large = await stores.open('local');
  await fill(large, 60);
  const { items } = await large.listContent({ limit: 2, offset: 0 });
  for (const { id } of items) await large.deleteContent(id);
  small = await stores.open((await stores.control.createAccount({ name: 'Ann', plan: 'pro' })).id);
  await fill(small, 10);
  withoutThreads = await openDataFolder({ folder: path, clock });
  largeHere = await withoutThreads.open('local');
});
afterAll(async () => {
  await stores.close();
  await withoutThreads.close();
  await folder.remove();
});

const page = { limit: 5, offset: 1 };
const lists: Record<string, (store: Store) => Promise<unknown>> = {
  listContent: (store) => store.listContent({ ...page, tags: ['all'] }),
  'listContent of deleted items': (store) => store.listContent({ ...page, deleted: true }),
  listTitles: (store) => store.listTitles({ ...page, order: 'title' }),
  countKinds: (store) => store.countKinds(),
  listTags: (store) => store.listTags(page),
  listNames: (store) => store.listNames(5),
  listNamesLike: (store) => store.listNamesLike('tag 7', 5),
  listHighlights: (store) => store.listHighlights({ ...page, text: 'words' }),
};

/** The reads that were sent to a thread meanwhile. */
async function sentDuring(read: Promise<unknown>): Promise<string[]> {
  const sent = vi.spyOn(AccountThreads.prototype, 'call');
  await read;
  const names = sent.mock.calls.map(([, name]) => name);
  sent.mockRestore();
  return names;
}

it.each(Object.keys(lists))('%s of a large library is read in a thread, with the same answer', async (name) => {
  const list = lists[name]!;
  const answer = () => list(large);
  expect(await sentDuring(answer())).toEqual([name.split(' ')[0]]);
  expect(await answer()).toEqual(await list(largeHere));
});

it.each(Object.keys(lists))('%s of a small library is read here', async (name) => {
  expect(await sentDuring(lists[name]!(small))).toEqual([]);
});

it('lists are read here in a process that serves one person', async () => {
  const alone = await openDataFolder({
    folder: join(folder.path, 'data'),
    clock,
    searchThreads: {},
    maxPassagesHere: 10,
    isForOnePerson: true,
  });
  const store = await alone.open('local');
  for (const list of Object.values(lists)) expect(await sentDuring(list(store))).toEqual([]);
  await alone.close();
});

it('a list of a large library ends with the call that asked for it', async () => {
  const store = await stores.open('local', AbortSignal.abort(new Error('gone')));
  await expect(store.listTags(page)).rejects.toThrow('gone');
});
