import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openPostgresStores } from '../../../src/store/postgres/open.ts';
import { type Claim, LeaseLostError } from '../../../src/store/records.ts';
import { resource, saving } from '../../contracts/store-items.ts';
import { ManualClock } from '../../support/clock.ts';
import { PostgresServer, type TestDatabase } from '../../support/postgres/server.ts';
import { claimJob, keepOriginal } from '../../support/claims.ts';

/* Several nodes on one database: each has connections of its own, as processes on several machines have. */

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

it('make one item of saves of the same address at once', async () => {
  const stores = await openAll();
  const saves = stores.flatMap((store) => [1, 2, 3].map(() => store.saveContent(saving('https://a.example/'))));
  const saved = await Promise.all(saves);
  expect(new Set(saved.map(({ id }) => id)).size).toBe(1);
  expect(saved.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
  expect((await stores[0]!.listContent({ limit: 9, offset: 0 })).total).toBe(1);
});

it('claim each job once, while more are saved', async () => {
  const stores = await openAll();
  const max = 60;
  let saved = 0;
  const claimed: Claim[] = [];
  await Promise.all([
    ...stores.map(async (store) => {
      while (saved < max) {
        saved += 1;
        await store.saveContent(saving(`https://a.example/${saved}`));
      }
    }),
    ...stores.map(async (store) => {
      while (claimed.length < max) {
        const claim = await claimJob(store, 60_000);
        if (claim !== null) claimed.push(claim);
      }
    }),
  ]);
  expect(new Set(claimed.map(({ jobId }) => jobId)).size).toBe(claimed.length);
  expect(claimed).toHaveLength(max);
  expect(await stores[0]!.countJobs()).toMatchObject({ waiting: 0, running: max });
});

it('keep one result of a stage, whoever else believes to hold the job', async () => {
  const [one, two] = await openAll();
  await one!.saveContent(saving('https://a.example/'));
  const first = (await claimJob(one!, 1_000))!;
  clock.advance(1_000);
  const second = (await claimJob(two!, 1_000))!;
  const results = await Promise.allSettled([
    keepOriginal(one!, first, resource('https://a.example/', 'one')),
    keepOriginal(two!, second, resource('https://a.example/', 'two')),
    one!.renewLease(first, 1_000),
  ]);
  expect(results[0]).toMatchObject({ status: 'rejected', reason: expect.any(LeaseLostError) as unknown });
  expect(results[1]).toMatchObject({ status: 'fulfilled', value: { stage: 'extract' } });
  expect(results[2]).toMatchObject({ status: 'fulfilled', value: false });
  expect(Buffer.from((await one!.readOriginal(first.contentId))!.bytes).toString()).toBe('two');
});

it('never forget work that is saved while another node finds that there is none', async () => {
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
