import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProcessingError } from '../../src/errors.ts';
import type { Stage } from '../../src/domain/records/stages.ts';
import { keepSomething, untilAborted } from '../support/vitest/stages.ts';
import { saveUrls } from '../support/store/stores.ts';
import { leaseMs, openWorkshop, until, type Workshop } from '../support/vitest/workers.ts';
import { countUnfinishedJobs } from '../support/store/store-reads.ts';
import { claimJob } from '../support/store/claims.ts';

let testServer: Workshop;

beforeEach(async () => {
  testServer = await openWorkshop();
});

afterEach(() => testServer.close());

const pages = (count: number) => Array.from({ length: count }, (_, index) => `https://example.com/${index}`);
const statusOf = async (id: string) => (await testServer.store.getContentSummary(id))?.status;
const problems = () => testServer.log.entries.filter(({ level }) => level === 'error');

describe('a worker', () => {
  it('takes every item through all stages', async () => {
    const ids = await saveUrls(testServer.store, pages(5));
    const ran: Stage[] = [];
    await testServer
      .workerWith(async (store, claim) => {
        ran.push(claim.stage);
        return keepSomething(store, claim);
      })
      .runUntilEmpty();
    expect(await Promise.all(ids.map(statusOf))).toEqual(Array.from(ids, () => 'completed'));
    expect(ran.toSorted()).toEqual(
      (['fetch', 'extract', 'split', 'embed', 'analyse'] as const)
        .flatMap((stage) => Array.from(ids, () => stage))
        .toSorted(),
    );
    expect(await countUnfinishedJobs(testServer.store)).toBe(0);
  });

  it.each([
    ['extract', 3, 3],
    ['embed', 3, 3],
    ['extract', 9, 9],
    ['embed', 9, 4],
  ])('runs as many items at once as allowed (%s, with %i slots), and no more', async (stage, concurrency, expected) => {
    await saveUrls(testServer.store, pages(12));
    let running = 0;
    let most = 0;
    const reached = Promise.withResolvers<void>();
    await testServer
      .workerWith(
        async (store, claim) => {
          if (claim.stage !== stage) return keepSomething(store, claim);
          running += 1;
          most = Math.max(most, running);
          if (running === expected) reached.resolve();
          await reached.promise;
          await new Promise((resolve) => setImmediate(resolve));
          running -= 1;
          return keepSomething(store, claim);
        },
        { concurrency },
      )
      .runUntilEmpty();
    expect(most).toBe(expected);
  });

  it('confines an endless item to its own slot', async () => {
    const ids = await saveUrls(testServer.store, pages(6));
    const worker = testServer.workerWith(async (store, claim, signal) =>
      claim.contentId === ids[0] ? untilAborted(signal) : keepSomething(store, claim),
    );
    worker.start();
    await until(async () => (await countUnfinishedJobs(testServer.store)) === 1);
    expect(await statusOf(ids[0]!)).toBe('processing');
  });

  it('ends a run when only later attempts are left, and makes them when they are due', async () => {
    const [id] = await saveUrls(testServer.store, pages(1));
    let fails = true;
    const worker = testServer.workerWith(async (store, claim) => {
      if (fails) throw new ProcessingError('server_error', 'The site is down.', { retryable: true });
      return keepSomething(store, claim);
    });
    await worker.runUntilEmpty();
    expect(await testServer.store.getContentSummary(id!)).toMatchObject({
      status: 'pending',
      failure: {
        code: 'server_error',
        message: 'The site is down. It is tried again by itself.',
        retryable: true,
        attempts: 1,
        nextAttemptAt: new Date(testServer.clock.now() + 15_000).toISOString(),
      },
    });
    testServer.clock.advance(14_999);
    fails = false;
    await worker.runUntilEmpty();
    expect(await statusOf(id!)).toBe('pending');
    testServer.clock.advance(1);
    await worker.runUntilEmpty();
    expect(await statusOf(id!)).toBe('completed');
  });

  it('retries while the network is away, with pauses that grow to a day', async () => {
    const [id] = await saveUrls(testServer.store, pages(1));
    let isAway = true;
    const worker = testServer.workerWith(async (store, claim) => {
      if (isAway) throw new ProcessingError('offline', 'There is no network.', { retryable: true });
      return keepSomething(store, claim);
    });
    const pauses: number[] = [];
    for (let run = 0; run < 18; run += 1) {
      await worker.runUntilEmpty();
      const item = await testServer.store.getContentSummary(id!);
      expect(item).toMatchObject({ status: 'pending', failure: { code: 'offline', attempts: 0 } });
      const pause = Date.parse(item?.failure?.nextAttemptAt ?? '') - testServer.clock.now();
      pauses.push(pause / 1_000);
      testServer.clock.advance(pause);
    }
    expect(pauses.slice(0, 6)).toEqual([15, 15, 30, 60, 120, 240]);
    expect(Math.max(...pauses)).toBe(24 * 3_600);
    isAway = false;
    await worker.runUntilEmpty();
    expect(await statusOf(id!)).toBe('completed');
  });

  it('gives up on an unreachable page while others can be reached', async () => {
    const [id] = await saveUrls(testServer.store, pages(1));
    const worker = testServer.workerWith(async (store, claim) => {
      if (claim.contentId === id) throw new ProcessingError('offline', 'There is no network.', { retryable: true });
      return keepSomething(store, claim);
    });
    for (let run = 0; run < 4; run += 1) {
      await saveUrls(testServer.store, [`https://example.org/${run}`]);
      await worker.runUntilEmpty();
      testServer.clock.advance(5 * 60_000);
    }
    expect(await testServer.store.getContentSummary(id!)).toMatchObject({
      status: 'failed',
      failure: { code: 'offline', nextAttemptAt: null },
    });
  });

  it('gives up after the last attempt and records the reason', async () => {
    const [id] = await saveUrls(testServer.store, pages(1));
    let attempts = 0;
    const worker = testServer.workerWith(async () => {
      attempts += 1;
      throw new ProcessingError('timeout', 'The site took too long.', { retryable: true });
    });
    for (let run = 0; run < 6; run += 1) {
      await worker.runUntilEmpty();
      testServer.clock.advance(24 * 3_600_000);
    }
    expect(attempts).toBe(3);
    expect(await testServer.store.getContentSummary(id!)).toMatchObject({
      status: 'failed',
      failure: {
        code: 'timeout',
        message: 'The site took too long. It was given up after 3 attempts; `commonplace retry` tries again.',
        attempts: 3,
        nextAttemptAt: null,
      },
    });
  });

  it('fails an item whose processing is interrupted again and again', async () => {
    const [id] = await saveUrls(testServer.store, pages(1));
    for (let crash = 0; crash < 3; crash += 1) {
      expect(await claimJob(testServer.store, leaseMs)).not.toBeNull();
      testServer.clock.advance(leaseMs);
    }
    let ran = false;
    await testServer
      .workerWith(async (store, claim) => {
        ran = true;
        return keepSomething(store, claim);
      })
      .runUntilEmpty();
    expect(ran).toBe(false);
    expect((await testServer.store.getContentSummary(id!))?.failure).toMatchObject({
      code: 'interrupted',
      nextAttemptAt: null,
    });
  });

  it('leaks no listeners over a thousand items', async () => {
    const ids = await saveUrls(testServer.store, pages(1_000));
    const warnings: unknown[] = [];
    const note = (warning: unknown) => warnings.push(warning);
    process.on('warning', note);
    process.on('unhandledRejection', note);
    try {
      await testServer
        .workerWith(
          async (store, claim, signal) => {
            // A stage that leaves a listener behind at every step, as careless libraries do.
            signal.addEventListener('abort', () => undefined);
            if (claim.contentId.endsWith('a')) throw new Error('bad luck');
            return keepSomething(store, claim);
          },
          { concurrency: 32 },
        )
        .runUntilEmpty();
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off('warning', note);
      process.off('unhandledRejection', note);
    }
    expect(warnings).toEqual([]);
    expect(problems()).toEqual([]);
    const waiting = ids.filter((id) => id.endsWith('a')).length;
    expect(await countUnfinishedJobs(testServer.store)).toBe(waiting);
    expect((await testServer.store.listContent({ limit: 1, offset: 0, status: 'completed' })).total).toBe(
      1_000 - waiting,
    );
  });
});
