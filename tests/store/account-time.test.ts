import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { restorableForMs } from '../../src/domain/records/limits.ts';
import { keepSomething } from '../support/stages.ts';
import { saveUrls } from '../support/stores.ts';
import { openWorkshop, until, type Workshop } from '../support/workers.ts';
import { countUnfinishedJobs } from '../support/store-reads.ts';
import { claimJob } from '../support/claims.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

let house: Workshop;
beforeEach(async () => {
  house = await openWorkshop();
});
afterEach(() => house.close());

const url = 'https://example.com/kept';
async function deleteOne(): Promise<string> {
  const [id] = await saveUrls(house.store, [url]);
  await house.workerWith(keepSomething).runUntilEmpty();
  await house.store.deleteContent(id!);
  return id!;
}
const isInTrash = async () => (await house.store.listContent({ limit: 1, offset: 0, deleted: true })).total === 1;
/** What the worker does every five minutes. */
const sweep = () => house.workerWith(keepSomething).runUntilEmpty();

describe('the trash, when the clock', () => {
  it('is 40 days ahead for 8 seconds, keeps everything, and everything can be restored meanwhile and after', async () => {
    const id = await deleteOne();
    house.clock.setBy(40 * day);
    for (let second = 0; second < 8; second += 1) {
      house.clock.advance(1_000);
      await sweep();
    }
    expect(await isInTrash()).toBe(true);
    expect(await house.store.restoreContent(id)).not.toBeNull();
    await house.store.deleteContent(id);
    house.clock.setBy(-40 * day);
    await sweep();
    expect(await isInTrash()).toBe(true);
    house.clock.advance(restorableForMs - minute);
    await sweep();
    expect(await isInTrash()).toBe(true);
    house.clock.advance(2 * minute);
    await sweep();
    expect(await house.store.purgeExpired(9)).toBe(0);
    expect(await house.store.restoreContent(id)).toBeNull();
  });

  it('jumps again and again, keeps what is there for thirty days', async () => {
    await deleteOne();
    for (let jump = 0; jump < 50; jump += 1) {
      house.clock.setBy(day);
      await sweep();
      house.clock.advance(minute);
      if (jump % 2 === 0) house.clock.setBy(-day);
      await sweep();
    }
    expect(await isInTrash()).toBe(true);
  });

  it('goes on while the machine is off, keeps what is there for longer, and not for ever', async () => {
    await deleteOne();
    house.clock.restartMachine(90 * day);
    await sweep();
    expect(await isInTrash()).toBe(true);
    for (let morning = 0; morning < 29; morning += 1) {
      house.clock.advance(day);
      await sweep();
      house.clock.restartMachine(day);
      await sweep();
    }
    expect(await isInTrash()).toBe(true);
    house.clock.advance(2 * day);
    await sweep();
    expect(await isInTrash()).toBe(false);
  });

  it('is right, and the data folder was moved to a machine that has been up for a year, keeps what is there', async () => {
    await deleteOne();
    house.clock.restartMachine(0);
    house.clock.setBy(-365 * day);
    house.clock.advance(365 * day);
    await sweep();
    expect(await isInTrash()).toBe(true);
  });
});

describe('what waits, after the clock was a day ahead', () => {
  it('is taken at once: a save, a retry, the job of a worker that was killed', async () => {
    house.clock.setBy(day);
    const [saved, failed, held] = await saveUrls(
      house.store,
      [1, 2, 3].map((at) => `${url}/${at}`),
    );
    for (const id of [saved, failed, held]) {
      const claim = await claimJob(house.store, 30_000);
      if (claim === null) throw new Error('no job to claim');
      if (claim.contentId === saved) await house.store.releaseJob(claim);
      const nextAttemptAt = house.clock.now() + 6 * 60 * minute;
      if (claim.contentId === failed)
        await house.store.failJob(claim, { code: 'timeout', message: 'Too slow.', retryable: true, nextAttemptAt });
      expect(id).toBeDefined();
      if (claim.contentId === saved) break;
    }
    const worker = house.workerWith(keepSomething);
    house.clock.setBy(-day);
    worker.start();
    for (let minutes = 0; minutes < 3; minutes += 1) {
      await until(() => house.clock.sleeping === 1);
      house.clock.advance(minute);
    }
    await until(async () => (await countUnfinishedJobs(house.store)) === 0);
  });

  it('keeps its holder when that is still at work', async () => {
    house.clock.setBy(day);
    await saveUrls(house.store, [url]);
    const claim = await claimJob(house.store, 30_000);
    house.clock.setBy(-day);
    await house.store.purgeExpired(1);
    expect(await claimJob(house.store, 30_000)).toBeNull();
    expect(await house.store.renewLease(claim!, 30_000)).toBe(true);
    expect(await house.store.nextLeaseEndsAt()).toBe(house.clock.now() + 30_000);
  });

  it('is an analysis that nobody writes', async () => {
    const [id] = await saveUrls(house.store, [url]);
    await house.workerWith(keepSomething).runUntilEmpty();
    house.clock.setBy(day);
    const claim = await house.store.claimAnalysis(5 * minute);
    expect(claim?.contentId).toBe(id);
    const later = { nextAttemptAt: house.clock.now() + 60 * minute, attempts: 1 };
    await house.store.endAnalysis(claim!, { code: 'internal', message: 'Not now.', ...later });
    house.clock.setBy(-day);
    expect(await house.store.hasMaintenance()).toBe(true);
    await sweep();
    expect((await house.store.claimAnalysis(5 * minute))?.contentId).toBe(id);
  });

  it('is the next look for forgotten work: five minutes, not a day', async () => {
    const worker = house.workerWith(keepSomething);
    house.clock.setBy(day);
    worker.start();
    await until(() => house.clock.sleeping === 1);
    house.clock.setBy(-day);
    await saveUrls(house.store, [url]);
    for (const { accountId, generation } of await house.stores.control.accountsWithWork())
      await house.stores.control.clearWork(accountId, generation);
    for (let minutes = 0; minutes < 6; minutes += 1) {
      await until(() => house.clock.sleeping === 1);
      house.clock.advance(minute);
    }
    await until(() => house.clock.sleeping === 1);
    expect(await countUnfinishedJobs(house.store)).toBe(0);
  });
});
