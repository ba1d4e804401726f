import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localAccountId } from '../../src/domain/records/account.ts';
import type { Store } from '../../src/store/store.ts';
import { keepSomething, untilAborted } from '../support/vitest/stages.ts';
import { saveUrls } from '../support/store/stores.ts';
import { openWorkshop, until, withChangedStore, type Workshop } from '../support/vitest/workers.ts';
import { countUnfinishedJobs } from '../support/store/store-reads.ts';

let testServer: Workshop;
const urls = (count: number) => Array.from({ length: count }, (_, index) => `https://example.com/${index}`);
const hinted = async () => (await testServer.stores.control.accountsWithWork()).map(({ accountId }) => accountId);
const completed = async (store: Store) => (await store.listContent({ limit: 1, offset: 0, status: 'completed' })).total;

beforeEach(async () => {
  testServer = await openWorkshop();
});

afterEach(() => testServer.close());

async function addAccount(): Promise<Store> {
  const { id } = await testServer.stores.control.createAccount({ name: 'Another', plan: 'pro' });
  return testServer.stores.open(id);
}

describe('wake-ups for waiting work', () => {
  it('end when nothing is left, and stay while a later attempt remains', async () => {
    await saveUrls(testServer.store, urls(2));
    expect(await hinted()).toEqual([localAccountId]);
    await testServer.workerWith(keepSomething).runUntilEmpty();
    expect(await hinted()).toEqual([]);

    await saveUrls(testServer.store, ['https://example.com/another']);
    await testServer.workerWith(() => Promise.reject(new Error('not now'))).runUntilEmpty();
    expect(await hinted()).toEqual([localAccountId]);
  });

  it('are restored after a crash lost them', async () => {
    await saveUrls(testServer.store, urls(2));
    await loseHints();
    await testServer.workerWith(keepSomething).runUntilEmpty();
    expect(await completed(testServer.store)).toBe(2);
  });

  it('are restored while a worker runs, because another process may remove one', async () => {
    const worker = testServer.workerWith(keepSomething);
    worker.start();
    await until(() => testServer.clock.sleeping === 1);
    await saveUrls(testServer.store, urls(1));
    await loseHints();
    for (let minute = 0; minute < 6; minute += 1) {
      await until(() => testServer.clock.sleeping === 1);
      testServer.clock.advance(60_000);
    }
    await until(async () => (await completed(testServer.store)) === 1);
    expect(await countUnfinishedJobs(testServer.store)).toBe(0);
  });

  async function loseHints(): Promise<void> {
    for (const { accountId, generation } of await testServer.stores.control.accountsWithWork()) {
      await testServer.stores.control.clearWork(accountId, generation);
    }
    expect(await hinted()).toEqual([]);
  }
});

describe('several accounts', () => {
  it('share one slot where memory is low: one item of all is read or enriched at a time', async () => {
    const all = [testServer.store, await addAccount(), await addAccount()];
    for (const store of all) await saveUrls(store, urls(3));
    const order: string[] = [];
    let running = 0;
    let most = 0;
    await testServer
      .workerWith(
        async (store, claim) => {
          if (claim.stage === 'fetch') return keepSomething(store, claim);
          if (claim.stage === 'extract') order.push(store.accountId);
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setImmediate(resolve));
          running -= 1;
          return keepSomething(store, claim);
        },
        { concurrency: 1, isOneAtATime: true },
      )
      .runUntilEmpty();
    expect(most).toBe(1);
    for (const store of all) expect(await completed(store)).toBe(3);
    // Nobody waits for all items of another.
    expect(new Set(order.slice(0, 3)).size).toBeGreaterThan(1);
  });

  it("continue while another one's library is busy with a long write", async () => {
    const another = await addAccount();
    await saveUrls(testServer.store, urls(2));
    await saveUrls(another, urls(3));
    const write = Promise.withResolvers<void>();
    const stores = withChangedStore(testServer.stores, (store) =>
      store.accountId !== localAccountId
        ? {}
        : {
            claimJobs: async (...asked) => {
              await write.promise;
              return store.claimJobs(...asked);
            },
          },
    );
    const worker = testServer.workerWith(keepSomething, {}, stores);
    worker.start();
    await until(async () => {
      testServer.clock.advance(100);
      return (await completed(another)) === 3;
    });
    expect(await completed(testServer.store)).toBe(0);
    write.resolve();
    await until(async () => (await completed(testServer.store)) === 2);
    await worker.stop();
  });

  it('are fetched for even if the choice of readings is always late', async () => {
    const another = await addAccount();
    await saveUrls(testServer.store, urls(2));
    await saveUrls(another, urls(1));
    const stores = withChangedStore(testServer.stores, (store) =>
      store.accountId !== localAccountId
        ? {}
        : {
            claimJobs: async (leaseMs, count, which) => {
              if (which?.work === 'read') await testServer.clock.sleep(250, new AbortController().signal);
              return store.claimJobs(leaseMs, count, which);
            },
          },
    );
    const worker = testServer.workerWith(keepSomething, {}, stores);
    worker.start();
    await until(async () => {
      testServer.clock.advance(100);
      return (await completed(testServer.store)) === 2;
    });
    expect(await completed(testServer.store)).toBe(2);
    await worker.stop();
  });

  it("are read while another's maintenance takes long, where memory is low", async () => {
    const another = await addAccount();
    await saveUrls(testServer.store, urls(1));
    await saveUrls(another, urls(3));
    const upkeep = Promise.withResolvers<boolean>();
    let upkeeps = 0;
    const stores = withChangedStore(testServer.stores, ({ accountId }) =>
      accountId !== localAccountId
        ? {}
        : {
            hasMaintenance: () => Promise.resolve(true),
            maintain: () => {
              upkeeps += 1;
              return upkeep.promise;
            },
          },
    );
    const worker = testServer.workerWith(keepSomething, { concurrency: 1, isOneAtATime: true }, stores);
    worker.start();
    await until(
      async () => upkeeps === 1 && (await completed(another)) === 3 && (await completed(testServer.store)) === 1,
    );
    expect(upkeeps).toBe(1);
    upkeep.resolve(false);
  });

  it('are enriched while another has ever more to read', async () => {
    const another = await addAccount();
    await saveUrls(testServer.store, urls(20));
    await saveUrls(another, ['https://another.example/']);
    const unreadThen: number[] = [];
    let unread = 20;
    await testServer
      .workerWith(
        async (store, claim) => {
          if (claim.stage === 'extract' && store.accountId === testServer.store.accountId) unread -= 1;
          if (claim.stage === 'extract') {
            testServer.clock.advance(2_000);
            await new Promise((resolve) => setImmediate(resolve));
          }
          if (claim.stage === 'analyse' && store.accountId === another.accountId) unreadThen.push(unread);
          return keepSomething(store, claim);
        },
        { concurrency: 1, isOneAtATime: true },
      )
      .runUntilEmpty();
    expect(unreadThen).toHaveLength(1);
    expect(unreadThen[0]).toBeGreaterThan(0);
  });

  it.each([1, 2, 3])('are served in turn, with %i slots', async (concurrency) => {
    const others = [await addAccount(), await addAccount(), await addAccount()];
    const all = [testServer.store, ...others];
    for (const store of all) await saveUrls(store, urls(6));
    const served: string[] = [];
    await testServer
      .workerWith(
        async (store, claim) => {
          if (claim.stage === 'fetch') served.push(store.accountId);
          return keepSomething(store, claim);
        },
        { concurrency },
      )
      .runUntilEmpty();
    for (const store of all) expect(await completed(store)).toBe(6);
    // At no time is one account further than another by more than the places that are taken.
    for (let end = 1; end <= served.length; end += 1) {
      const counts = all.map((store) => served.slice(0, end).filter((id) => id === store.accountId).length);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(concurrency + 1);
    }
  });

  it('do not wait for one with a broken file, which is reported once', async () => {
    const { id } = await testServer.stores.control.createAccount({ name: 'Broken', plan: 'pro' });
    await writeFile(
      join(testServer.folder, 'accounts', `${id}.db`),
      'this is not a database, whatever it is called'.repeat(100),
    );
    await testServer.stores.control.announceWork(id);
    const good = await addAccount();
    for (const store of [testServer.store, good]) await saveUrls(store, urls(3));

    await expect(testServer.workerWith(keepSomething).runUntilEmpty()).rejects.toMatchObject({ code: 'unavailable' });
    for (const store of [testServer.store, good]) expect(await completed(store)).toBe(3);
    expect(testServer.log.entries.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it('do not wait for one with a broken file when wake-ups were lost as well', async () => {
    const { id } = await testServer.stores.control.createAccount({ name: 'Broken', plan: 'pro' });
    await writeFile(
      join(testServer.folder, 'accounts', `${id}.db`),
      'this is not a database, whatever it is called'.repeat(100),
    );
    await saveUrls(testServer.store, urls(1));
    const worker = testServer.workerWith(keepSomething);
    worker.start();
    await until(async () => (await completed(testServer.store)) === 1);
    expect((await hinted()).includes(id)).toBe(true);
  });
});

it('a job whose account is removed meanwhile ends without an error', async () => {
  const other = await addAccount();
  for (const store of [testServer.store, other]) await saveUrls(store, urls(2));
  await testServer
    .workerWith(async (store, claim) => {
      if (store.accountId === other.accountId) await testServer.stores.removeAccount(other.accountId);
      return keepSomething(store, claim);
    })
    .runUntilEmpty();
  expect(await completed(testServer.store)).toBe(2);
  expect(testServer.log.entries.map(({ message }) => message)).toContain(
    'a job ended, because its account was removed meanwhile',
  );
  expect(testServer.log.entries.filter(({ level }) => level === 'error')).toEqual([]);
});

describe('the waiting loop', () => {
  it('looks at once for announced work', async () => {
    const began = testServer.clock.now();
    const worker = testServer.workerWith(keepSomething);
    worker.start();
    await until(() => testServer.clock.sleeping === 1);
    await saveUrls(testServer.store, urls(1));
    worker.wake();
    await until(async () => (await completed(testServer.store)) === 1);
    expect(testServer.clock.now()).toBe(began);
  });

  it('does not miss an announcement while it looks', async () => {
    // Every item is queued in the moment in which the one before ends; the time stands still, so no poll helps.
    const addresses = urls(50);
    const worker = testServer.workerWith(
      async (store, claim) => {
        const next = await keepSomething(store, claim);
        const address = claim.stage === 'analyse' ? addresses.pop() : undefined;
        if (address !== undefined) await saveUrls(store, [address]);
        if (address !== undefined) worker.wake();
        return next;
      },
      { concurrency: 1 },
    );
    worker.start();
    await saveUrls(testServer.store, [addresses.pop()!]);
    worker.wake();
    await until(async () => (await completed(testServer.store)) === 50);
    expect(addresses).toEqual([]);
  });

  it('has one timer, however often it is woken while a job runs', async () => {
    await saveUrls(testServer.store, urls(1));
    let began = false;
    const worker = testServer.workerWith((_store, _claim, signal) => {
      began = true;
      return untilAborted(signal);
    });
    worker.start();
    await until(() => began);
    for (let round = 0; round < 200; round += 1) {
      worker.wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => testServer.clock.sleeping === 2);
    // The poll and the heartbeat of the job.
    expect(testServer.clock.sleeping).toBe(2);
  });
});

it('a failure to list accounts is reported once, and so is the recovery', async () => {
  let isAway = true;
  const control = new Proxy(testServer.stores.control, {
    get(target, key) {
      if (key === 'accountsWithWork' && isAway) return () => Promise.reject(new Error('away'));
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const worker = testServer.workerWith(keepSomething, {}, { ...testServer.stores, control });
  await saveUrls(testServer.store, urls(1));
  worker.start();
  const poll = async () => {
    await until(() => testServer.clock.sleeping === 1);
    testServer.clock.advance(1_000);
  };
  for (let times = 0; times < 3; times += 1) await poll();
  isAway = false;
  await poll();
  await until(async () => (await completed(testServer.store)) === 1);
  const said = testServer.log.entries.map(({ message }) => message).filter((message) => /look/.test(message));
  expect(said).toEqual(['looking for work failed; trying again until it succeeds', 'work can be looked for again']);
});
