import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { indexMethods } from '../../../src/app/index-methods.ts';
import { restorableForMs } from '../../../src/domain/records/limits.ts';
import { openPostgresStores } from '../../../src/store/postgres/open.ts';
import { connect } from '../../../src/store/postgres/database.ts';
import type { IndexOptions } from '../../../src/store/postgres/searching/index-node.ts';
import { saveAndProcess } from '../contracts/items/store-items.ts';
import { ManualClock } from '../../support/clock.ts';
import { Relay } from '../../support/postgres/relay.ts';
import { PostgresServer, type TestDatabase } from '../../support/postgres/server.ts';
import { temporaryFolder } from '../temporary-folder.ts';

type Stores = Awaited<ReturnType<typeof openPostgresStores>>;
type Store = Awaited<ReturnType<Stores['open']>>;

let server: PostgresServer;
let database: TestDatabase;
const folder = temporaryFolder();
const clock = new ManualClock();
const nodes: Stores[] = [];

const folderOf = (name: string): string => join(folder.path, name);

async function openNode(name: string, options: Partial<IndexOptions> = {}): Promise<Stores> {
  const index = { folder: folderOf(name), maxBytes: 1e9, indexMethods: indexMethods(), ...options };
  const node = await openPostgresStores({ url: database.url, clock, index, maxConnections: 3 });
  nodes.push(node);
  return node;
}

const newAccount = async (): Promise<string> => (await a.control.createAccount({ name: 'n', plan: 'pro' })).id;

const found = async (store: Store, word: string): Promise<string[]> =>
  (await store.searchWords(word, {}, 10)).map(({ contentId }) => contentId);

let a: Stores;
let b: Stores;

beforeAll(async () => {
  server = await PostgresServer.start();
  database = await server.createDatabase();
  [a, b] = await Promise.all([openNode('a'), openNode('b')]);
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await server.stop();
  await folder.remove();
});

it('finds on one node what another has acknowledged, and no longer what another has deleted', async () => {
  const account = await newAccount();
  const [onA, onB] = [await a.open(account), await b.open(account)];
  expect(await found(onB, 'walrus')).toEqual([]);
  const id = await saveAndProcess(onA, 'one', { text: 'A walrus sleeps.' });
  const other = await saveAndProcess(onA, 'two', { text: 'A walrus wakes.' });
  expect((await found(onB, 'walrus')).toSorted()).toEqual([id, other].toSorted());
  await onA.updateContent(id, { addTags: ['ice'], title: 'Pinnipeds' });
  expect((await onB.searchWords('walrus', { items: { tag: 'ice' } }, 9)).map(({ contentId }) => contentId)).toEqual([
    id,
  ]);
  expect(await found(onB, 'pinnipeds')).toEqual([id]);
  expect((await onB.listNamesLike('pinn', 5)).titles).toEqual([{ id, title: 'Pinnipeds' }]);
  await onA.deleteContent(id);
  expect(await found(onB, 'walrus')).toEqual([other]);
  await onA.restoreContent(id);
  expect(await found(onB, 'pinnipeds')).toEqual([id]);
  await onA.deleteContent(id);
  // The time that has passed is noted at most once a minute.
  for (let passed = 0; passed <= restorableForMs; passed += 60 * 60_000) clock.advance(60 * 60_000);
  expect(await onA.purgeExpired(9)).toBe(1);
  expect(await found(onB, 'walrus')).toEqual([other]);
  // Ids of passages are the same wherever they are read.
  const [hit] = await onB.searchWords('walrus', {}, 1);
  expect(await onA.searchWords('walrus', {}, 1)).toEqual([hit]);
});

it("sees all or nothing of other nodes' concurrent writes", async () => {
  const account = await newAccount();
  const [onA, onB] = [await a.open(account), await b.open(account)];
  const acknowledged = new Set<string>();
  const total = 30;
  const writing = (async () => {
    for (let n = 0; n < total; n += 1) {
      const id = await saveAndProcess(onA, `w${n}`, { text: `Gannet number ${n}.`, passageLength: 6 });
      const [passage] = await onA.listPassagesToEmbed('e', 1, { contentId: id });
      await onA.keepVectors('e', [{ passageId: passage!.passageId, vector: Float32Array.of(1, n) }]);
      acknowledged.add(id);
    }
  })();
  while (acknowledged.size < total) {
    const before = [...acknowledged];
    const hits = new Set((await onB.searchWords('gannet', {}, 100)).map(({ contentId }) => contentId));
    expect(before.filter((id) => !hits.has(id))).toEqual([]);
  }
  await writing;
  const query = Float32Array.of(1, 0);
  expect((await onB.searchVectors('e', query, {}, 100)).length).toBe(total);
  expect(await onB.searchVectors('e', query, {}, 100)).toEqual(await onA.searchVectors('e', query, {}, 100));
});

it('rebuilds a replica that is damaged, incomplete, deleted, foreign or ahead of the database', async () => {
  const account = await newAccount();
  const id = await saveAndProcess(await a.open(account), 'one', { text: 'A puffin dives.' });
  const path = join(folderOf('c'), `${account}.db`);
  let node = await openNode('c');
  const restart = async (): Promise<Store> => {
    await node.close();
    node = await openNode('c');
    return node.open(account);
  };
  expect(await found(await node.open(account), 'puffin')).toEqual([id]);
  await node.close();
  for (const bytes of ['', 'no database at all', Buffer.alloc(40_000, 7)]) {
    writeFileSync(path, bytes);
    expect(await found(await restart(), 'puffin')).toEqual([id]);
  }
  const store = await node.open(account);
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix);
  expect(await Promise.all([1, 2, 3].map(() => found(store, 'puffin')))).toEqual([[id], [id], [id]]);
  const admin = connect({ url: server.adminUrl(database), maxConnections: 1 });
  try {
    await admin`UPDATE libraries SET index_change = index_change - 1 WHERE account_id = ${account}`;
    expect(await found(store, 'puffin')).toEqual([id]);
    await admin`UPDATE libraries SET index_epoch = gen_random_uuid() WHERE account_id = ${account}`;
    expect(await found(store, 'puffin')).toEqual([id]);
  } finally {
    await admin.end();
  }
});

it('copies a large account page by page, for several searches at once, and removes obsolete rows', async () => {
  const account = await newAccount();
  const onA = await a.open(account);
  for (let n = 0; n < 4; n += 1)
    await saveAndProcess(onA, `l${n}`, { text: 'Terns fly far away. '.repeat(150), passageLength: 10 });
  const others = [];
  for (let n = 0; n < 2; n += 1) {
    const other = await newAccount();
    await saveAndProcess(await a.open(other), 'one', { text: 'A tern rests.' });
    others.push(other);
  }
  const node = await openNode('d', { maxBytes: 1 });
  const store = await node.open(account);
  const answers = await Promise.all([1, 2, 3].map(() => store.searchWords('terns', {}, 1_000)));
  expect(answers[0]!.length).toBeGreaterThan(0);
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[0]).toEqual(await onA.searchWords('terns', {}, 1_000));
  for (const other of others) expect((await found(await node.open(other), 'tern')).length).toBe(1);
  await node.close();
  const left = readdirSync(folderOf('d')).filter((name) => name.endsWith('.db'));
  expect(left.every((name) => statSync(join(folderOf('d'), name)).size > 0)).toBe(true);
  expect(left.length).toBe(1);
});

it('keeps no replica of a removed account', async () => {
  const account = await newAccount();
  const onB = await b.open(account);
  await saveAndProcess(onB, 'one', { text: 'An auk.' });
  await found(onB, 'auk');
  const path = join(folderOf('b'), `${account}.db`);
  expect(existsSync(path)).toBe(true);
  await a.setAsideAccount(account);
  await expect(found(onB, 'auk')).rejects.toMatchObject({ code: 'not_found' });
  await a.removeAccount(account);
  await b.forgetRemovedAccounts();
  expect(existsSync(path)).toBe(false);
});

it('shares no replica with another process on the same folder, and deletes its own when it ends', async () => {
  const account = await newAccount();
  const id = await saveAndProcess(await a.open(account), 'one', { text: 'A skua circles.' });
  const [first, second] = [await openNode('shared'), await openNode('shared')];
  const copies = [folderOf('shared'), join(folderOf('shared'), '2')].map((own) => join(own, `${account}.db`));
  expect(await found(await first.open(account), 'skua')).toEqual([id]);
  expect(copies.map((path) => existsSync(path))).toEqual([true, false]);
  expect(await found(await second.open(account), 'skua')).toEqual([id]);
  expect(copies.map((path) => existsSync(path))).toEqual([true, true]);
  await first.close();
  writeFileSync(join(folderOf('shared'), `${account}.1.part`), 'what a killed process was making');
  const third = await openNode('shared');
  expect(await found(await third.open(account), 'skua')).toEqual([id]);
  expect(existsSync(join(folderOf('shared'), '3'))).toBe(false);
  expect(readdirSync(folderOf('shared')).filter((name) => name.endsWith('.part'))).toEqual([]);
});

it('reports that the database is unavailable, and recovers', async () => {
  const { relay, url } = await Relay.start(database.url);
  const account = await newAccount();
  const onA = await a.open(account);
  const first = await saveAndProcess(onA, 'one', { text: 'A fulmar glides.' });
  const index = { folder: folderOf('away'), maxBytes: 1e9, indexMethods: indexMethods() };
  const node = await openPostgresStores({ url, clock, index, maxConnections: 3 });
  try {
    const store = await node.open(account);
    expect(await found(store, 'fulmar')).toEqual([first]);
    relay.setAway(true);
    await expect(found(store, 'fulmar')).rejects.toMatchObject({ code: 'unavailable' });
    const second = await saveAndProcess(onA, 'two', { text: 'A fulmar lands.' });
    await onA.deleteContent(first);
    relay.setAway(false);
    expect(await found(store, 'fulmar')).toEqual([second]);
  } finally {
    await node.close();
    await relay.stop();
  }
});
