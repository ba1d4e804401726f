import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Stage } from '../../src/domain/records/stages.ts';
import { openDataFolder } from '../../src/app/installations/data-folder.ts';
import type { Claim } from '../../src/store/records.ts';
import { keepSomething, untilAborted } from '../support/vitest/stages.ts';
import { saveUrls } from '../support/store/stores.ts';
import { leaseMs, openWorkshop, until, withChangedStore, type Workshop } from '../support/vitest/workers.ts';
import { countUnfinishedJobs } from '../support/store/store-reads.ts';
import { claimJob } from '../support/store/claims.ts';

let testServer: Workshop;
const url = 'https://example.com/long';

beforeEach(async () => {
  testServer = await openWorkshop();
});

afterEach(() => testServer.close());

/** Lets the time go by as a running process lives through it: in small steps, everybody gets a turn in between. */
async function passTime(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1_000) {
    testServer.clock.advance(1_000);
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('a lease', () => {
  it('is renewed for as long as a stage takes', async () => {
    await saveUrls(testServer.store, [url]);
    const finish = Promise.withResolvers<void>();
    let began = false;
    const worker = testServer.workerWith(async (store, claim) => {
      began = true;
      if (claim.stage === 'fetch') await finish.promise;
      return keepSomething(store, claim);
    });
    worker.start();
    await until(() => began);
    await passTime(10 * leaseMs);
    expect(await claimJob(testServer.store, leaseMs)).toBeNull();
    finish.resolve();
    await until(async () => (await countUnfinishedJobs(testServer.store)) === 0);
  });

  it('continues to be renewed after a renewal failed', async () => {
    await saveUrls(testServer.store, [url]);
    let renewals = 0;
    const stores = withChangedStore(testServer.stores, (store) => ({
      renewLease: async (claim: Claim, ms: number) => {
        renewals += 1;
        if (renewals % 2 === 1) throw new Error('the file is busy');
        return store.renewLease(claim, ms);
      },
    }));
    const worker = testServer.workerWith((_store, _claim, signal) => untilAborted(signal), {}, stores);
    worker.start();
    await until(() => testServer.clock.sleeping > 1);
    await passTime(4 * leaseMs);
    expect(renewals).toBeGreaterThan(8);
    expect(await claimJob(testServer.store, leaseMs)).toBeNull();
    expect(testServer.log.entries.some(({ level, message }) => level === 'warn' && message.includes('renewed'))).toBe(
      true,
    );
  });

  it('that was lost stores nothing and disturbs nobody', async () => {
    const [id] = await saveUrls(testServer.store, [url]);
    const finish = Promise.withResolvers<void>();
    let aborted = false;
    const worker = testServer.workerWith(async (store, claim, signal) => {
      signal.addEventListener('abort', () => (aborted = true), { once: true });
      await finish.promise;
      return keepSomething(store, claim);
    });
    worker.start();
    await until(() => testServer.clock.sleeping > 1);
    // The machine sleeps: no renewal for longer than the lease, and another process is quicker.
    const heartbeat = testServer.clock.now() + leaseMs + 1;
    const other = await claimAt(heartbeat);
    expect(other).toMatchObject({ contentId: id, stage: 'fetch', attempts: 2 });
    await until(() => aborted);
    finish.resolve();
    await worker.stop();

    const item = await testServer.store.getContentSummary(id!);
    expect(item).toMatchObject({ status: 'processing', progress: { stage: 'fetch', attempts: 2 } });
    expect(item?.failure).toBeUndefined();
    expect(await testServer.store.readOriginal(id!)).toBeNull();
    expect(await testServer.store.renewLease(other!, leaseMs)).toBe(true);
    expect(testServer.log.entries.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
  });

  /** Claims as another process would in the instant in which the clock jumps, before anyone here wakes up. */
  async function claimAt(time: number): Promise<Claim | null> {
    testServer.clock.setBy(time - testServer.clock.now());
    const claim = await claimJob(testServer.store, leaseMs);
    testServer.clock.advance(leaseMs / 2);
    return claim;
  }

  it('that was lost during a failing stage does not fail the item', async () => {
    const [id] = await saveUrls(testServer.store, [url]);
    const begun = Promise.withResolvers<void>();
    const fail = Promise.withResolvers<never>();
    const worker = testServer.workerWith(() => {
      begun.resolve();
      return fail.promise;
    });
    const run = worker.runUntilEmpty();
    await begun.promise;
    const other = await claimAt(testServer.clock.now() + leaseMs);
    fail.reject(new Error('too late'));
    await until(() => testServer.log.entries.some(({ message }) => message === 'stage failed'));
    await testServer.store.failJob(other!, {
      code: 'internal',
      message: 'of the other',
      retryable: false,
      nextAttemptAt: null,
    });
    await untilDone(run);
    expect((await testServer.store.getContentSummary(id!))?.failure?.message).toBe('of the other');
  });
});

/** Lets time go on while programs wait for what others hold. */
async function untilDone(work: Promise<unknown>): Promise<void> {
  let done = false;
  void work.finally(() => (done = true));
  await until(() => {
    testServer.clock.advance(1);
    return done;
  });
  await work;
}

describe('two programs on one data folder', () => {
  it('share the work and do nothing twice', async () => {
    const ids = await saveUrls(
      testServer.store,
      Array.from({ length: 60 }, (_, index) => `${url}/${index}`),
    );
    const other = await openDataFolder({ folder: testServer.folder, clock: testServer.clock });
    const ran: string[] = [];
    const by = [0, 0];
    const workers = [testServer.stores, other].map((stores, program) =>
      testServer.workerWith(
        async (store, claim) => {
          ran.push(`${claim.contentId} ${claim.stage}`);
          by[program] = (by[program] ?? 0) + 1;
          await new Promise((resolve) => setImmediate(resolve));
          return keepSomething(store, claim);
        },
        {},
        stores,
      ),
    );
    await untilDone(Promise.all(workers.map((worker) => worker.runUntilEmpty())));
    await other.close();
    expect(ran).toHaveLength(ids.length * 5);
    expect(new Set(ran).size).toBe(ran.length);
    expect(Math.min(...by)).toBeGreaterThan(0);
    expect((await testServer.store.listContent({ limit: 1, offset: 0, status: 'completed' })).total).toBe(60);
  });
});

describe('stopping', () => {
  it('interrupts and releases the current job without counting the attempt', async () => {
    const ids = await saveUrls(testServer.store, [`${url}1`, `${url}2`, `${url}3`]);
    let began = 0;
    const worker = testServer.workerWith((_store, _claim, signal) => {
      began += 1;
      return untilAborted(signal);
    });
    worker.start();
    await until(() => began === 2);
    await worker.stop();
    for (const id of ids) {
      const item = await testServer.store.getContentSummary(id);
      expect(item).toMatchObject({ status: 'pending', progress: { stage: 'fetch', attempts: 0 } });
      expect(item?.failure).toBeUndefined();
    }
    expect(began).toBe(2);
    expect(testServer.clock.sleeping).toBe(0);
  });

  it('between two stages keeps the finished one', async () => {
    const [id] = await saveUrls(testServer.store, [url]);
    const ran: Stage[] = [];
    const worker = testServer.workerWith(async (store, claim) => {
      ran.push(claim.stage);
      const next = await keepSomething(store, claim);
      if (claim.stage === 'extract') void worker.stop();
      return next;
    });
    worker.start();
    await until(async () => (await testServer.store.getContentSummary(id!))?.progress?.stage === 'split');
    await worker.stop();
    expect(ran).toEqual(['fetch', 'extract']);
    expect((await testServer.store.getContentSummary(id!))?.progress).toEqual({ stage: 'split', attempts: 0 });
  });

  it('in the last stage lets a finished item be completed', async () => {
    const [id] = await saveUrls(testServer.store, [url]);
    const worker = testServer.workerWith(async (store, claim) => {
      const next = await keepSomething(store, claim);
      if (claim.stage === 'analyse') void worker.stop();
      return next;
    });
    await worker.runUntilEmpty();
    await worker.stop();
    expect((await testServer.store.getContentSummary(id!))?.status).toBe('completed');
  });

  it('of an idle worker is immediate', async () => {
    const worker = testServer.workerWith(keepSomething);
    worker.start();
    await until(() => testServer.clock.sleeping === 1);
    await worker.stop();
    expect(testServer.clock.sleeping).toBe(0);
  });

  it('of a run by its own signal leaves the rest for later', async () => {
    await saveUrls(testServer.store, [`${url}1`, `${url}2`, `${url}3`]);
    const ending = new AbortController();
    await testServer
      .workerWith((_store, _claim, signal) => {
        ending.abort();
        return untilAborted(signal);
      })
      .runUntilEmpty(ending.signal);
    expect(await countUnfinishedJobs(testServer.store)).toBe(3);
    expect((await testServer.store.listContent({ limit: 10, offset: 0, status: 'pending' })).total).toBe(3);
  });
});
