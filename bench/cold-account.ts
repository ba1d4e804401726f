/*
 * The first search of an account on a node that has no copy of its index yet (PostgreSQL):
 *
 *   npm run build && node bench/cold-account.ts [passages] [rounds]
 *
 * Prints seconds by the clock and of this process, which has the thread of the copy as well. PostgreSQL is on a socket of this
 * machine.
 */
import { loadavg } from 'node:os';
import { createLog } from '../src/workers/log.ts';
import { createSearchService } from '../src/services/search/search.ts';
import { clock, startNodes } from './postgres-nodes.ts';
import { createRandom, embedderOf, fillAccount, question } from './search-account.ts';
import { createVectorSource } from './synthetic-vectors.ts';

const [passages = 10_000, rounds = 5] = process.argv.slice(2).map(Number);
const vectors = createVectorSource('clustered', passages);
const random = createRandom(42);
const { openNode, stop } = await startNodes();

try {
  const filling = await openNode('filling');
  await fillAccount(await filling.open('local'), passages);
  await filling.close();
  for (let round = 0; round < rounds; round += 1) {
    const node = await openNode(`${round}`);
    const service = createSearchService(node, embedderOf(vectors), clock, createLog('error'));
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
  await stop();
}
