import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgresStores } from '../../../src/store/postgres/open.ts';
import { saving } from '../contracts/items/store-items.ts';
import { ManualClock } from '../../support/clock.ts';
import { PostgresServer, type TestDatabase, withStatistics } from '../../support/postgres/server.ts';

/*
 * Three nodes write to one account at once: what each was told is there afterwards, and nothing else.
 *
 *     WRITES=20000 vitest run tests/store/postgres/mixed-writes.test.ts
 */

const writes = Number(process.env['WRITES'] ?? 900);
const writersOfNode = 4;
/** Items that all writers tag. Each gets some 17 tags: an item has at most 50. */
const sharedItems = Math.ceil(writes / 100);

let server: PostgresServer;
let database: TestDatabase;
let nodes: Awaited<ReturnType<typeof openPostgresStores>>[];
type Store = Awaited<ReturnType<(typeof nodes)[number]['open']>>;

beforeAll(async () => {
  server = await PostgresServer.start(withStatistics);
  database = await server.createDatabase();
  const clock = new ManualClock();
  nodes = await Promise.all([1, 2, 3].map(() => openPostgresStores({ url: database.url, clock, maxConnections: 4 })));
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await server.stop();
});

interface Known {
  notes: string | null;
  title: string | null;
  tags: Set<string>;
  isDeleted: boolean;
}

/** What the nodes have answered. */
const items = new Map<string, Known>();
const sharedTags = new Map<string, Set<string>>();
let sharedWrites = 0;
let left = writes;

/** Its own items, one kind of write after the other; every sixth write meets those of the other writers. */
async function write(name: string, store: Store): Promise<void> {
  const own: string[] = [];
  for (let at = 0; left > 0; at += 1) {
    left -= 1;
    const id = own[at % Math.max(1, own.length)] ?? '';
    const known = items.get(id);
    const kind = known === undefined ? 0 : at % 6;
    if (kind === 0) {
      const saved = await store.saveContent(
        saving(`https://${name}.example/${at}`, { notes: `first of ${name} ${at}` }),
      );
      if (saved.outcome !== 'created') throw new Error(`a new address was ${saved.outcome}`);
      own.push(saved.id);
      items.set(saved.id, { notes: `first of ${name} ${at}`, title: null, tags: new Set(), isDeleted: false });
    } else if (kind === 1) {
      const url = `https://shared.example/${(sharedWrites += 1) % sharedItems}`;
      const tag = `${name} ${at}`;
      await store.saveContent(saving(url, { tags: [tag] }));
      sharedTags.set(url, (sharedTags.get(url) ?? new Set()).add(tag));
    } else if (kind === 2) {
      const notes = `later of ${name} ${at}`;
      if (await store.updateContent(id, { notes })) known!.notes = notes;
    } else if (kind === 3) {
      const tag = `tag ${at % 40}`;
      if (await store.updateContent(id, { addTags: [tag] })) known!.tags.add(tag);
    } else if (kind === 4) {
      await store.deleteContent(id);
      known!.isDeleted = true;
    } else {
      await store.restoreContent(id);
      known!.isDeleted = false;
      const title = `title of ${name} ${at}`;
      if (await store.updateContent(id, { title })) known!.title = title;
    }
  }
}

it('everything that three nodes write at once is stored once', async () => {
  const stores = await Promise.all(nodes.map((node) => node.open('local')));
  await Promise.all(
    stores.flatMap((store, node) =>
      Array.from({ length: writersOfNode }, (_, writer) => write(`w${node}-${writer}`, store)),
    ),
  );
  const [store] = stores;
  const found = new Map<string, Omit<Known, 'isDeleted'>>();
  const shared = new Map<string, string[]>();
  for (let offset = 0; ; offset += 100) {
    const { items: page, total } = await store!.listContent({ limit: 100, offset });
    for (const { id, url, notes, title, tags } of page) {
      if (url?.startsWith('https://shared.') === true) shared.set(url, [...tags]);
      else found.set(id, { notes, title, tags: new Set(tags) });
    }
    if (offset + 100 >= total) break;
  }
  const expected = [...items].flatMap(([id, { isDeleted, ...known }]) => (isDeleted ? [] : [[id, known] as const]));
  expect(found).toEqual(new Map(expected));
  expect(new Map([...shared].map(([url, tags]) => [url, tags.toSorted()]))).toEqual(
    new Map([...sharedTags].map(([url, tags]) => [url, [...tags].toSorted()])),
  );
}, 1_800_000);
