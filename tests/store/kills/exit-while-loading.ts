import { writeSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { serveCalls, type ThreadData } from '../../../src/store/sqlite/threads/serve-calls.ts';
import { indexMethods } from '../../../src/app/index-methods.ts';
import { createLibraryCalls } from '../../../src/store/sqlite/library/calls.ts';

/*
 * A process that ends while a search thread of it is loading; the thread is this file, too. It loads only once the process
 * has begun to end, and prints `loaded` when it has.
 */

const [, , folder = ''] = process.argv;

async function search(): Promise<void> {
  const ending = new Int32Array(new SharedArrayBuffer(4));
  process.on('exit', () => {
    Atomics.store(ending, 0, 1);
    Atomics.notify(ending, 0);
  });
  const begun = Promise.withResolvers<void>();
  const startWorker = (data: ThreadData): Worker =>
    new Worker(new URL(import.meta.url), { workerData: { ...data, ending } }).once('online', begun.resolve);
  const clock = {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    uptime: () => performance.now(),
    sleep: () => Promise.resolve(),
  };
  const stores = await openDataFolder({ folder, clock, libraryThreads: { startWorker } });
  const store = await stores.open('local');
  void store.searchWords('fox', {}, 5);
  await begun.promise;
  process.exit(0);
}

function load(port: NonNullable<typeof parentPort>): void {
  const { ending, ...data } = workerData as ThreadData & { ending: Int32Array };
  Atomics.wait(ending, 0, 0);
  // This is how long loading takes; ended by force, it is not waited for.
  Atomics.wait(ending, 0, 1, 200);
  writeSync(1, 'loaded');
  serveCalls(port, data, createLibraryCalls(indexMethods(), null));
}

if (isMainThread) await search();
else if (parentPort !== null) load(parentPort);
