import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunStage } from '../../src/pipeline/queue/run-job.ts';
import { HostBusyError, HostHeldError } from '../../src/fetching/host-turns.ts';
import type { Claim } from '../../src/store/records.ts';
import type { Store } from '../../src/store/store.ts';
import { keepSomething, untilAborted } from '../support/vitest/stages.ts';
import { saveUrls } from '../support/store/stores.ts';
import { leaseMs, openWorkshop, until, type Workshop } from '../support/vitest/workers.ts';
import { countUnfinishedJobs } from '../support/store/store-reads.ts';

let testServer: Workshop;
let other: Store;

beforeEach(async () => {
  testServer = await openWorkshop();
  const { id } = await testServer.stores.control.createAccount({ name: 'Another', plan: 'pro' });
  other = await testServer.stores.open(id);
});

afterEach(() => testServer.close());

/** Addresses, each at its own host. */
const pages = (count: number, name = 'site') =>
  Array.from({ length: count }, (_, index) => `https://${name}-${index}.example/`);
const completed = async (store: Store) => (await store.listContent({ limit: 1, offset: 0, status: 'completed' })).total;

/** Runs stages as usual, except for those of some accounts or items that never end. */
function hangingAt(hangs: (stage: string, url: string, store: Store) => boolean): RunStage {
  return async (store, claim, signal) =>
    hangs(claim.stage, claim.url, store) ? untilAborted(signal) : keepSomething(store, claim);
}

describe('work of one account', () => {
  it.each(['extract', 'split', 'embed', 'analyse'])(
    'that never ends (%s) occupies its own slots and leaves one to others',
    async (stage) => {
      await saveUrls(testServer.store, pages(40));
      let running = 0;
      const worker = testServer.workerWith(
        hangingAt((at, _url, store) => {
          const hangs = at === stage && store.accountId === testServer.store.accountId;
          if (hangs) running += 1;
          return hangs;
        }),
        { concurrency: 3 },
      );
      worker.start();
      await until(() => running === 3);
      await saveUrls(other, pages(10));
      worker.wake();
      await until(async () => (await completed(other)) === 10);
      expect(running).toBe(3);
    },
  );

  it('that hangs in the network occupies its share of network slots, and none for processing', async () => {
    await saveUrls(testServer.store, pages(60, 'hanging'));
    let hanging = 0;
    const worker = testServer.workerWith(
      hangingAt((at, url) => {
        const hangs = at === 'fetch' && url.includes('hanging');
        if (hangs) hanging += 1;
        return hangs;
      }),
      { concurrency: 1 },
    );
    worker.start();
    await until(() => hanging === 16);
    await saveUrls(other, pages(10));
    worker.wake();
    await until(async () => (await completed(other)) === 10);
    expect(hanging).toBe(16);
  });

  it('that waits for the network during processing lends its slot to others', async () => {
    const [slow] = await saveUrls(testServer.store, pages(1, 'slow'));
    const answered = Promise.withResolvers<void>();
    const processing = new Set<string>();
    let most = 0;
    let isWaiting = false;
    const worker = testServer.workerWith(
      async (store, claim, _signal, onNetwork) => {
        if (claim.stage !== 'extract') return keepSomething(store, claim);
        if (claim.contentId === slow) {
          await onNetwork(() => {
            isWaiting = true;
            return answered.promise;
          });
        }
        processing.add(claim.contentId);
        most = Math.max(most, processing.size);
        await new Promise((resolve) => setImmediate(resolve));
        processing.delete(claim.contentId);
        return keepSomething(store, claim);
      },
      { concurrency: 1 },
    );
    worker.start();
    await until(() => isWaiting);
    await saveUrls(testServer.store, pages(5));
    worker.wake();
    await until(async () => (await completed(testServer.store)) === 5);
    await saveUrls(testServer.store, pages(20, 'more'));
    answered.resolve();
    worker.wake();
    await until(async () => (await completed(testServer.store)) === 26);
    expect(most).toBe(1);
    expect(await countUnfinishedJobs(testServer.store)).toBe(0);
  });
});

describe('enrichment', () => {
  it.each(['embed', 'analyse'])('(%s) never delays work that makes other items findable', async (stage) => {
    await saveUrls(testServer.store, pages(40));
    testServer
      .workerWith(
        hangingAt((at) => at === stage),
        { concurrency: 1 },
      )
      .start();
    await until(async () => (await testServer.store.coverage()).searchable === 40);
    expect(await completed(testServer.store)).toBe(0);
  });

  it('waits for reading, then runs for one item at a time while reading uses all slots', async () => {
    const { store } = testServer;
    const advance = async (count: number, last: string): Promise<void> => {
      const fetched = await store.claimJobs(leaseMs, count, { work: 'fetch' });
      for (const claim of fetched) await keepSomething(store, claim);
      const claims = await store.claimJobs(leaseMs, count, { work: 'read' });
      for (const first of claims) {
        let claim: Claim | null = first;
        while (claim !== null && claim.stage !== last) claim = await keepSomething(store, claim);
        if (claim !== null) await store.releaseJob(claim);
      }
    };
    await saveUrls(store, pages(4, 'read'));
    await advance(4, 'embed');
    // Before they are fetched, nothing would be read yet.
    await saveUrls(store, pages(3, 'unread'));
    const unread = await store.claimJobs(leaseMs, 9, { work: 'fetch' });
    for (const claim of unread) await keepSomething(store, claim);
    const reading = Promise.withResolvers<void>();
    let readers = 0;
    let enriching = 0;
    const worker = testServer.workerWith(
      async (at, claim, signal) => {
        if (claim.stage === 'embed') {
          enriching += 1;
          return untilAborted(signal);
        }
        readers += 1;
        await reading.promise;
        return keepSomething(at, claim);
      },
      { concurrency: 3 },
    );
    worker.start();
    await until(() => readers === 3);
    const lookAgain = async (): Promise<void> => {
      for (let turn = 0; turn < 50; turn += 1) {
        worker.wake();
        await store.nextJobDueAt();
      }
    };
    await lookAgain();
    testServer.clock.advance(14_000);
    await lookAgain();
    expect(enriching).toBe(0);
    testServer.clock.advance(1_000);
    await until(() => enriching > 0);
    await lookAgain();
    expect(enriching).toBe(1);
    reading.resolve();
    await until(() => enriching === 3);
    await worker.stop();
  });

  it("does not wait for another account's reading", async () => {
    await saveUrls(testServer.store, pages(6));
    await saveUrls(other, pages(2));
    let readers = 0;
    const worker = testServer.workerWith(
      hangingAt((at, _url, { accountId }) => {
        const hangs = at === 'split' && accountId === testServer.store.accountId;
        if (hangs) readers += 1;
        return hangs;
      }),
      { concurrency: 3 },
    );
    worker.start();
    await until(async () => readers === 3 && (await completed(other)) === 2);
    expect(await completed(testServer.store)).toBe(0);
  });

  it('takes the newest and the longest-waiting item in turn', async () => {
    const ids = await saveUrls(testServer.store, pages(6));
    const isRead = () => testServer.store.coverage().then(({ searchable }) => searchable === 6);
    const order: number[] = [];
    const worker = testServer.workerWith(
      async (store, claim) => {
        if (claim.stage === 'embed') {
          while (!(await isRead())) await new Promise((resolve) => setImmediate(resolve));
          order.push(ids.indexOf(claim.contentId));
        }
        return keepSomething(store, claim);
      },
      { concurrency: 1 },
    );
    await worker.runUntilEmpty();
    // Whichever was read first was taken before the others were.
    expect(order.slice(0, 3)).toContain(5);
    expect(order.toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe('an import of hundreds', () => {
  it('neither delays manual saves nor is delayed by them', async () => {
    await saveUrls(testServer.store, pages(500));
    const order: string[] = [];
    const byHand: string[] = [];
    await testServer
      .workerWith(
        async (store, claim) => {
          if (claim.stage === 'extract') order.push(claim.url);
          if (claim.stage === 'extract' && order.length % 100 === 50) {
            const address = `https://by-hand.example/${order.length}`;
            byHand.push(address);
            await saveUrls(store, [address]);
          }
          return keepSomething(store, claim);
        },
        { concurrency: 2 },
      )
      .runUntilEmpty();
    expect(order).toHaveLength(505);
    expect(byHand).toHaveLength(5);
    for (const [index, address] of byHand.entries()) {
      // The places of both kinds of work are taken when it comes, and every second turn is that of the oldest.
      expect(order.indexOf(address) - (index * 100 + 50)).toBeLessThan(2 * 16 + 10);
    }
    // The first and the last of the import come forward at the same pace.
    const firstHalf = new Set(order.slice(0, 250));
    expect(pages(100).every((address) => firstHalf.has(address))).toBe(true);
    expect(
      pages(500)
        .slice(400)
        .every((address) => firstHalf.has(address)),
    ).toBe(true);
  });
});

describe('a job for a busy host', () => {
  it('is skipped until the host has a free slot', async () => {
    const urls = ['https://busy.example/1', 'https://busy.example/2', 'https://free.example/'];
    await saveUrls(testServer.store, urls);
    let isBusy = true;
    const order: string[] = [];
    const worker = testServer.workerWith(
      async (store, claim) => {
        if (claim.stage === 'fetch') order.push(claim.url);
        return keepSomething(store, claim);
      },
      {},
      testServer.stores,
      { busyHosts: () => (isBusy ? ['busy.example'] : []) },
    );
    worker.start();
    await until(async () => (await completed(testServer.store)) === 1);
    expect(order).toEqual(['https://free.example/']);
    isBusy = false;
    worker.wake();
    await until(async () => (await completed(testServer.store)) === 3);
  });

  it('runs at most twice at once before its host is known', async () => {
    await saveUrls(
      testServer.store,
      Array.from({ length: 9 }, (_, index) => `https://one.example/${index}`),
    );
    let fetching = 0;
    let most = 0;
    await testServer
      .workerWith(async (store, claim) => {
        if (claim.stage !== 'fetch') return keepSomething(store, claim);
        fetching += 1;
        most = Math.max(most, fetching);
        for (let step = 0; step < 5; step += 1) await new Promise((resolve) => setImmediate(resolve));
        fetching -= 1;
        return keepSomething(store, claim);
      })
      .runUntilEmpty();
    expect(most).toBe(2);
  });

  it.each(['fetch', 'extract'] as const)("returns untried from %s and waits for the redirect's host", async (stage) => {
    const [id] = await saveUrls(testServer.store, ['https://short.example/']);
    let tries = 0;
    let isBusy = false;
    const worker = testServer.workerWith(
      async (store, claim) => {
        if (claim.stage !== stage) return keepSomething(store, claim);
        tries += 1;
        if (tries > 1) return keepSomething(store, claim);
        isBusy = true;
        throw new HostBusyError('long.example');
      },
      {},
      testServer.stores,
      { busyHosts: () => (isBusy ? ['long.example'] : []) },
    );
    worker.start();
    await until(() => isBusy);
    await until(() => testServer.clock.sleeping === 1);
    const item = await testServer.store.getContent(id!);
    expect(item).toMatchObject({ status: 'pending', progress: { stage, attempts: 0 } });
    expect(item?.failure).toBeUndefined();
    isBusy = false;
    worker.wake();
    await until(async () => (await completed(testServer.store)) === 1);
    expect(tries).toBe(2);
  });

  it('is postponed, however often, while the host asks for a pause, and says so', async () => {
    const [id] = await saveUrls(testServer.store, ['https://held.example/']);
    let tries = 0;
    const worker = testServer.workerWith(async (store, claim) => {
      tries += 1;
      if (tries <= 5) throw new HostHeldError(60_000);
      return keepSomething(store, claim);
    });
    for (let round = 1; round <= 5; round += 1) {
      await worker.runUntilEmpty();
      expect(tries).toBe(round);
      expect((await testServer.store.getContent(id!))?.failure).toMatchObject({
        code: 'rate_limited',
        attempts: 0,
        nextAttemptAt: new Date(testServer.clock.now() + 60_000).toISOString(),
      });
      testServer.clock.advance(60_000);
    }
    await worker.runUntilEmpty();
    expect(await completed(testServer.store)).toBe(1);
  });
});
