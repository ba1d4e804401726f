import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadData } from '../../src/store/sqlite/threads/protocol.ts';
import { createSearches } from '../../src/search/searches.ts';
import { createSearchReads, type SearchReads } from '../../src/store/sqlite/index/searching/reads.ts';
import { serveReads } from '../../src/store/sqlite/threads/serve-reads.ts';

/*
 * A search thread in which some questions do what a test cannot wait for by chance: `block` asks for rows until the gate is
 * opened, `hang` waits for that and asks for none, `crash` ends the thread, `count` keeps SQLite busy without a way in.
 */

const { gate, ...data } = workerData as ThreadData & { gate: Int32Array };
if (parentPort === null) throw new Error('this file runs as a worker thread');

const searchReads = createSearchReads(createSearches());
const gatedReads: SearchReads = {
  ...searchReads,
  searchWords(file, query, ...rest) {
    if (query === 'block' || query === 'hang' || query === 'count') {
      Atomics.add(gate, 1, 1);
      Atomics.notify(gate, 1);
    }
    if (query === 'hang') Atomics.wait(gate, 0, 0);
    if (query === 'block') while (Atomics.wait(gate, 0, 0, 1) === 'timed-out') file.get('SELECT 1');
    if (query === 'count') {
      file.get('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT max(i) FROM n');
    }
    if (query === 'crash') process.exit(3);
    return searchReads.searchWords(file, query, ...rest);
  },
};
serveReads(parentPort, data, gatedReads);
