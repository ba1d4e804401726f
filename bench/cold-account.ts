/*
 * The first search of an account on a node that has no copy of its index yet (PostgreSQL):
 *
 *   npm run build && node bench/cold-account.ts [passages] [rounds]
 *
 * Prints seconds by the clock and of this process, which has the thread of the copy as well. PostgreSQL is on a socket of this
 * machine.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { indexMethods } from '../src/app/index-methods.ts';
import type { Clock } from '../src/domain/clock.ts';
import { createLog } from '../src/log.ts';
import type { Embedder } from '../src/models/embedding/embedder.ts';
import { createSearchService } from '../src/services/search/search.ts';
import { openPostgresStores } from '../src/store/postgres/open.ts';
import { startWorkerOf } from '../src/store/sqlite/threads/account-thread.ts';
import type { Stores } from '../src/store/store.ts';
import { PostgresServer } from '../tests/support/postgres/server.ts';
import { createRandom, embedderId, fillAccount, question } from './search-account.ts';
import { createVectorSource, dimensions } from './synthetic-vectors.ts';

const [passages = 10_000, rounds = 5] = process.argv.slice(2).map(Number);
const clock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  uptime: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal }),
};
const vectors = createVectorSource('clustered', passages);
const embedder: Embedder = {
  id: embedderId,
  dimensions,
  languages: null,
  embedPassages: () => Promise.reject(new Error('everything is embedded')),
  embedQuery: () => Promise.resolve(vectors.next()),
  close: () => Promise.resolve(),
};
const random = createRandom(42);
const folder = mkdtempSync(join(tmpdir(), 'cold-account-'));
const server = await PostgresServer.start();
const database = await server.createDatabase();
const startWorker = startWorkerOf(new URL('../dist/app/library-worker.js', import.meta.url));
const openNode = async (name: string): Promise<Stores> =>
  (await openPostgresStores({
    url: database.url,
    clock,
    index: {
      folder: join(folder, name),
      maxBytes: 1e10,
      maxWaitMs: 60_000,
      indexMethods: indexMethods(),
      libraryThreads: { startWorker },
    },
  })) as unknown as Stores;

try {
  const filling = await openNode('filling');
  await fillAccount(await filling.open('local'), passages);
  await filling.close();
  for (let round = 0; round < rounds; round += 1) {
    const node = await openNode(`${round}`);
    const service = createSearchService(node, embedder, clock, createLog('error'));
    const search = () =>
      service.search('local', { query: question(random), limit: 10, maxTokens: 4_000 }, new AbortController().signal);
    const [began, before] = [performance.now(), process.cpuUsage()];
    await search();
    const [seconds, { user, system }] = [(performance.now() - began) / 1_000, process.cpuUsage(before)];
    const again = performance.now();
    await search();
    console.log(
      `cold ${seconds.toFixed(2)} s, ${((user + system) / 1e6).toFixed(2)} of processors; the next ${(performance.now() - again).toFixed(0)} ms; load ${loadavg()[0]?.toFixed(1)}`,
    );
    await node.close();
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
