import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { restorableForMs } from '../../../src/domain/records/limits.ts';
import { keepSomething } from '../../support/vitest/stages.ts';
import { saveUrls } from '../../support/store/stores.ts';
import { openWorkshop, until, type Workshop } from '../../support/vitest/workers.ts';
import { countUnfinishedJobs } from '../../support/store/store-reads.ts';
import { claimJob } from '../../support/store/claims.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

let testServer: Workshop;
beforeEach(async () => {
  testServer = await openWorkshop();
});
afterEach(() => testServer.close());

const url = 'https://example.com/kept';
async function deleteOne(): Promise<string> {
  const [id] = await saveUrls(testServer.store, [url]);
  await testServer.workerWith(keepSomething).runUntilEmpty();
  await testServer.store.deleteContent(id!);
  return id!;
}
const isInTrash = async () => (await testServer.store.listContent({ limit: 1, offset: 0, deleted: true })).total === 1;
/** What the worker does every five minutes. */
const sweep = () => testServer.workerWith(keepSomething).runUntilEmpty();

describe('the trash, when the clock', () => {
  it('is 40 days ahead for 8 seconds, keeps everything restorable during and after that', async () => {
    const id = await deleteOne();
    testServer.clock.setBy(40 * day);
    for (let second = 0; second < 8; second += 1) {
      testServer.clock.advance(1_000);
      await sweep();
    }
    expect(await isInTrash()).toBe(true);
    expect(await testServer.store.restoreContent(id)).not.toBeNull();
    await testServer.store.deleteContent(id);
    testServer.clock.setBy(-40 * day);
    await sweep();
    expect(await isInTrash()).toBe(true);
    testServer.clock.advance(restorableForMs - minute);
    await sweep();
    expect(await isInTrash()).toBe(true);
    testServer.clock.advance(2 * minute);
    await sweep();
    expect(await testServer.store.purgeExpired(9)).toBe(0);
    expect(await testServer.store.restoreContent(id)).toBeNull();
  });

  it('jumps repeatedly, keeps items for thirty days', async () => {
    await deleteOne();
    for (let jump = 0; jump < 50; jump += 1) {
      testServer.clock.setBy(day);
      await sweep();
      testServer.clock.advance(minute);
      if (jump % 2 === 0) testServer.clock.setBy(-day);
      await sweep();
    }
    expect(await isInTrash()).toBe(true);
  });

  it('continues while the machine is off, keeps items longer, but not forever', async () => {
    await deleteOne();
    testServer.clock.restartMachine(90 * day);
    await sweep();
    expect(await isInTrash()).toBe(true);
    for (let morning = 0; morning < 29; morning += 1) {
      testServer.clock.advance(day);
      await sweep();
      testServer.clock.restartMachine(day);
      await sweep();
    }
    expect(await isInTrash()).toBe(true);
    testServer.clock.advance(2 * day);
    await sweep();
    expect(await isInTrash()).toBe(false);
  });

  it('is right, and the data folder was moved to a machine with a year of uptime, keeps items', async () => {
    await deleteOne();
    testServer.clock.restartMachine(0);
    testServer.clock.setBy(-365 * day);
    testServer.clock.advance(365 * day);
    await sweep();
    expect(await isInTrash()).toBe(true);
  });
});

describe('waiting work, after the clock was a day ahead', () => {
  it('is taken at once: a save, a retry, the job of a killed worker', async () => {
    testServer.clock.setBy(day);
    const [saved, failed, held] = await saveUrls(
      testServer.store,
      [1, 2, 3].map((at) => `${url}/${at}`),
    );
    for (const id of [saved, failed, held]) {
      const claim = await claimJob(testServer.store, 30_000);
      if (claim === null) throw new Error('no job to claim');
      if (claim.contentId === saved) await testServer.store.releaseJob(claim);
      const nextAttemptAt = testServer.clock.now() + 6 * 60 * minute;
      if (claim.contentId === failed)
        await testServer.store.failJob(claim, {
          code: 'timeout',
          message: 'Too slow.',
          retryable: true,
          nextAttemptAt,
        });
      expect(id).toBeDefined();
      if (claim.contentId === saved) break;
    }
    const worker = testServer.workerWith(keepSomething);
    testServer.clock.setBy(-day);
    worker.start();
    for (let minutes = 0; minutes < 3; minutes += 1) {
      await until(() => testServer.clock.sleeping === 1);
      testServer.clock.advance(minute);
    }
    await until(async () => (await countUnfinishedJobs(testServer.store)) === 0);
  });

  it('keeps its holder when that is still at work', async () => {
    testServer.clock.setBy(day);
    await saveUrls(testServer.store, [url]);
    const claim = await claimJob(testServer.store, 30_000);
    testServer.clock.setBy(-day);
    await testServer.store.purgeExpired(1);
    expect(await claimJob(testServer.store, 30_000)).toBeNull();
    expect(await testServer.store.renewLease(claim!, 30_000)).toBe(true);
    expect(await testServer.store.nextLeaseEndsAt()).toBe(testServer.clock.now() + 30_000);
  });

  it('includes an analysis that nobody writes', async () => {
    const [id] = await saveUrls(testServer.store, [url]);
    await testServer.workerWith(keepSomething).runUntilEmpty();
    testServer.clock.setBy(day);
    const claim = await testServer.store.claimAnalysis(5 * minute);
    expect(claim?.contentId).toBe(id);
    const later = { nextAttemptAt: testServer.clock.now() + 60 * minute, attempts: 1 };
    await testServer.store.endAnalysis(claim!, { code: 'internal', message: 'Not now.', ...later });
    testServer.clock.setBy(-day);
    expect(await testServer.store.hasMaintenance()).toBe(true);
    await sweep();
    expect((await testServer.store.claimAnalysis(5 * minute))?.contentId).toBe(id);
  });

  it('includes the next search for forgotten work after five minutes, not a day', async () => {
    const worker = testServer.workerWith(keepSomething);
    testServer.clock.setBy(day);
    worker.start();
    await until(() => testServer.clock.sleeping === 1);
    testServer.clock.setBy(-day);
    await saveUrls(testServer.store, [url]);
    for (const { accountId, generation } of await testServer.stores.control.accountsWithWork())
      await testServer.stores.control.clearWork(accountId, generation);
    for (let minutes = 0; minutes < 6; minutes += 1) {
      await until(() => testServer.clock.sleeping === 1);
      testServer.clock.advance(minute);
    }
    await until(() => testServer.clock.sleeping === 1);
    expect(await countUnfinishedJobs(testServer.store)).toBe(0);
  });
});
