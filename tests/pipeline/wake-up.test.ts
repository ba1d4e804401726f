import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openRaw } from '../support/store/raw-database.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localAccountId } from '../../src/domain/records/account.ts';
import { openDataFolder } from '../../src/app/installations/data-folder.ts';
import type { Stores } from '../../src/store/store.ts';
import { keepSomething } from '../support/vitest/stages.ts';
import { saveUrls } from '../support/store/stores.ts';
import { openWorkshop, until, type Workshop } from '../support/vitest/workers.ts';

/*
 * A hint of waiting work is written to control.db before the work is written to the account's file. A worker that looks between
 * the two finds nothing to do. It must not take the hint away: nobody would look again before the next sweep.
 */

let testServer: Workshop;
const others: Stores[] = [];

beforeEach(async () => {
  testServer = await openWorkshop();
});
afterEach(async () => {
  await Promise.all(others.splice(0).map((stores) => stores.close()));
  await testServer.close();
});

/** As another process has it: with files and write queues of its own. */
async function openAgain(): Promise<Stores> {
  const stores = await openDataFolder({ folder: testServer.folder, clock: testServer.clock });
  others.push(stores);
  return stores;
}

/** Keeps everybody from writing to the account's file, so that a save stops between its announcement and its write. */
function holdAccountFile(): { release(): void } {
  const file = openRaw(join(testServer.folder, 'accounts', `${localAccountId}.db`));
  file.exec('BEGIN IMMEDIATE');
  return { release: () => file.close() };
}

const isHinted = async () => (await testServer.stores.control.accountsWithWork()).length > 0;
const isCompleted = async () =>
  (await testServer.store.listContent({ limit: 1, offset: 0, status: 'completed' })).total === 1;

/** Starts a worker, and counts how often it tries to take a hint away. */
function startWorker(): { triedToClear: () => number } {
  let tries = 0;
  const stores: Stores = {
    ...testServer.stores,
    open: async (accountId) => {
      const store = await testServer.stores.open(accountId);
      return {
        ...store,
        settleWork: (generation) => {
          tries += 1;
          return store.settleWork(generation);
        },
      };
    },
  };
  testServer.workerWith(keepSomething, {}, stores).start();
  return { triedToClear: () => tries };
}

/** Lets the worker poll until the item is completed; far fewer polls than the sweep of hints takes to come round. */
async function pollUntilCompleted(): Promise<void> {
  for (let polls = 0; polls < 20; polls += 1) {
    // A worker that runs the job sleeps twice: until its poll, and until the next heartbeat of the job.
    await until(async () => testServer.clock.sleeping === 1 || (await isCompleted()));
    if (await isCompleted()) return;
    testServer.clock.advance(1_000);
  }
}

describe('work that is announced while a worker searches for some', () => {
  it('is done at the next poll when it is written after the worker found nothing', async () => {
    const worker = startWorker();
    await until(() => testServer.clock.sleeping === 1);
    const held = holdAccountFile();
    const saver = await (await openAgain()).open(localAccountId);
    const saved = saveUrls(saver, ['https://example.com/late']);
    await until(isHinted);
    testServer.clock.advance(1_000);
    await until(() => worker.triedToClear() > 0);
    held.release();
    await saved;
    await pollUntilCompleted();
    expect(await isCompleted()).toBe(true);
  });

  it('is done when another process writes it', async () => {
    const worker = startWorker();
    await until(() => testServer.clock.sleeping === 1);
    const held = holdAccountFile();
    const program = fileURLToPath(new URL('../store/kills/save-one.ts', import.meta.url));
    const args = [program, testServer.folder, 'https://example.com/late', String(testServer.clock.now())];
    const child = spawn(process.execPath, args, { stdio: 'inherit' });
    const ended = once(child, 'exit');
    await until(isHinted);
    testServer.clock.advance(1_000);
    await until(() => worker.triedToClear() > 0);
    held.release();
    expect(await ended).toEqual([0, null]);
    await pollUntilCompleted();
    expect(await isCompleted()).toBe(true);
  });
});
