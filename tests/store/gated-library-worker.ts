import { parentPort, threadId, workerData } from 'node:worker_threads';
import { serveCalls, type ThreadData } from '../../src/store/sqlite/threads/serve-calls.ts';
import { indexMethods } from '../../src/app/index-methods.ts';
import { createLibraryCalls, type LibraryCalls } from '../../src/store/sqlite/library/calls.ts';

/*
 * A search thread in which some questions do what a test cannot wait for by chance: `block` asks for rows until the gate is
 * opened, `hang` waits for that and asks for none, `crash` ends the thread, `count` keeps SQLite busy without a way in.
 * The last number of the gate is the thread of the last write.
 */

const { gate, ...data } = workerData as ThreadData & { gate: Int32Array };
if (parentPort === null) throw new Error('this file runs as a worker thread');

const calls = createLibraryCalls(indexMethods(), data.history);
const gated: LibraryCalls = {
  write(file, at, written) {
    Atomics.store(gate, 2, threadId);
    return calls.write(file, at, written);
  },
  read(file, at, name, args) {
    const query = name === 'searchWords' ? args[0] : null;
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
    return calls.read(file, at, name, args);
  },
};
serveCalls(parentPort, data, gated);
