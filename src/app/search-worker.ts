import { parentPort, workerData } from 'node:worker_threads';
import { createSearches } from '../search/searches.ts';
import { createSearchReads } from '../store/sqlite/index/index.ts';
import { serveReads } from '../store/sqlite/threads/serve-reads.ts';
import { listReads } from '../store/sqlite/list-reads.ts';
import type { ThreadData } from '../store/sqlite/threads/protocol.ts';

/*
 * A thread that searches: it runs the program's searches where SQLite's index is open, so that each search is one call to the
 * thread. Long lists are read here, too. It ends when it is told to.
 */

if (parentPort === null) throw new Error('search-worker runs only as a worker thread');

// Discard output: nobody reads it here, and it would pile up.
for (const stream of [process.stdout, process.stderr]) {
  stream._write = (_chunk, _encoding, done) => done();
  stream._writev = (_chunks, done) => done();
}

serveReads(parentPort, workerData as ThreadData, { ...createSearchReads(createSearches()), ...listReads });
