import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProcessingError } from '../../src/errors.ts';
import { QueueCounter } from '../../src/services/operating/queue-figures.ts';
import type { Store } from '../../src/store/store.ts';
import { keepSomething } from '../support/vitest/stages.ts';
import { saveUrls } from '../support/store/stores.ts';
import { openWorkshop, withChangedStore, type Workshop } from '../support/vitest/workers.ts';
import { countUnfinishedJobs } from '../support/store/store-reads.ts';
import { claimJob } from '../support/store/claims.ts';

let testServer: Workshop;
beforeEach(async () => {
  testServer = await openWorkshop();
});
afterEach(() => testServer.close());

async function addAccounts(count: number): Promise<Store[]> {
  const added: Store[] = [];
  for (let at = 0; at < count; at += 1) {
    const { id } = await testServer.stores.control.createAccount({ name: `Account ${at}`, plan: 'pro' });
    added.push(await testServer.stores.open(id));
  }
  return added;
}
const failing = (code: 'timeout' | 'not_found') =>
  testServer.workerWith(() => Promise.reject(new ProcessingError(code, 'No.'))).runUntilEmpty();

describe('the figures of all queues', () => {
  it('count waiting, running and failed jobs in every account', async () => {
    const [second, third, idle] = await addAccounts(3);
    await saveUrls(second!, ['https://example.com/1', 'https://example.com/2']);
    await failing('timeout');
    await saveUrls(third!, ['https://example.com/3']);
    await failing('not_found');
    expect(await countUnfinishedJobs(idle!)).toBe(0);
    await saveUrls(third!, ['https://example.com/4', 'https://example.com/5']);
    await saveUrls(testServer.store, ['https://example.com/6']);
    await claimJob(testServer.store, 30_000);
    const dueAt = testServer.clock.now();
    testServer.clock.advance(10_000);

    // Accounts without work are not opened.
    const opened: string[] = [];
    const stores = withChangedStore(testServer.stores, (store) => {
      opened.push(store.accountId);
      return {};
    });
    expect(await new QueueCounter(stores, testServer.clock).count(1_000)).toEqual({
      accountsWithWork: 2,
      uncounted: 0,
      ageMs: 0,
      waiting: 2,
      running: 1,
      background: 0,
      oldestDueAt: dueAt,
      failed: { timeout: 2, not_found: 1 },
    });
    expect(opened.toSorted()).toEqual([testServer.store.accountId, third!.accountId].toSorted());
  });

  it('separate background work from work that people wait for', async () => {
    await saveUrls(testServer.store, ['https://example.com/1']);
    await testServer.workerWith(keepSomething).runUntilEmpty();
    await testServer.store.reprocess('split');
    expect(await new QueueCounter(testServer.stores, testServer.clock).count(1_000)).toMatchObject({
      waiting: 0,
      background: 1,
      oldestDueAt: null,
    });
  });

  it('cover as many accounts as time allows, and give their age and completeness', async () => {
    for (const store of await addAccounts(5)) await saveUrls(store, ['https://example.com/1']);
    const slow = withChangedStore(testServer.stores, (store) => ({
      countJobs: () => {
        testServer.clock.advance(100);
        return store.countJobs();
      },
    }));
    const counter = new QueueCounter(slow, testServer.clock);
    expect(await counter.count(200)).toMatchObject({ accountsWithWork: 5, waiting: 2, uncounted: 3 });
    expect(await counter.count(200)).toMatchObject({ waiting: 4, uncounted: 1 });
    expect(await counter.count(200)).toMatchObject({ waiting: 5, uncounted: 0, ageMs: 400 });
    expect(await counter.count(200)).toMatchObject({ waiting: 5, uncounted: 0, ageMs: 400 });
  });

  it('keep failures of an account whose items were deleted or that was removed', async () => {
    const [second] = await addAccounts(1);
    const [id] = await saveUrls(second!, ['https://example.com/1']);
    await failing('timeout');
    await second!.deleteContent(id!);
    // The sweep notes what has changed without work.
    await testServer.workerWith(keepSomething).runUntilEmpty();
    expect((await new QueueCounter(testServer.stores, testServer.clock).count(1_000)).failed).toEqual({});
    await saveUrls(second!, ['https://example.com/2']);
    await failing('timeout');
    await testServer.stores.removeAccount(second!.accountId);
    expect((await new QueueCounter(testServer.stores, testServer.clock).count(1_000)).failed).toEqual({});
  });
});
