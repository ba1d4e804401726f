import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openPostgresStores } from '../../../../src/store/postgres/open.ts';
import { saving } from '../../contracts/items/store-items.ts';
import { ManualClock } from '../../../support/clock.ts';
import { PostgresServer, type TestDatabase } from '../../../support/postgres/server.ts';
import { claimJob } from '../../../support/store/claims.ts';

/* Several nodes on one database: each has its own connections, as processes on several machines have. */

let server: PostgresServer;
let database: TestDatabase;
let nodes: Awaited<ReturnType<typeof openPostgresStores>>[];
let clock: ManualClock;

beforeAll(async () => {
  server = await PostgresServer.start();
  database = await server.createDatabase();
});
afterAll(() => server.stop());
beforeEach(async () => {
  clock = new ManualClock();
  nodes = await Promise.all([1, 2, 3].map(() => openPostgresStores({ url: database.url, clock, maxConnections: 4 })));
});
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await database.empty();
});

const openAll = (account = 'local') => Promise.all(nodes.map((node) => node.open(account)));

it('make one item of concurrent saves of the same address', async () => {
  const stores = await openAll();
  const saves = stores.flatMap((store) => [1, 2, 3].map(() => store.saveContent(saving('https://a.example/'))));
  const saved = await Promise.all(saves);
  expect(new Set(saved.map(({ id }) => id)).size).toBe(1);
  expect(saved.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
  expect((await stores[0]!.listContent({ limit: 9, offset: 0 })).total).toBe(1);
});

it('never lose work that is saved while another node finds none', async () => {
  const stores = await openAll();
  for (let round = 0; round < 20; round += 1) {
    const [waiting] = await nodes[0]!.control.accountsWithWork();
    const generation = waiting?.generation ?? 0;
    const settle = async (): Promise<void> => {
      if (await stores[1]!.settleWork(generation)) await nodes[1]!.control.clearWork('local', generation);
    };
    await Promise.all([settle(), stores[0]!.saveContent(saving(`https://a.example/${round}`))]);
    expect(await nodes[2]!.control.accountsWithWork()).toHaveLength(1);
    // The job is done, so that the next round finds none.
    const claim = (await claimJob(stores[2]!, 60_000))!;
    const failure = { code: 'server_error' as const, message: 'x', retryable: false, nextAttemptAt: null };
    await stores[2]!.failJob(claim, failure);
  }
});
