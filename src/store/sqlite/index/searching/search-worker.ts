import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadData } from '../../threads/protocol.ts';
import { createSearchReads } from './reads.ts';
import { serveReads } from './serve-reads.ts';

/* The worker thread behind `account-thread.ts`. It ends when it is told to. */

if (parentPort === null) throw new Error('search-worker runs only as a worker thread');

// Discard output: nobody reads it here, and it would pile up.
for (const stream of [process.stdout, process.stderr]) {
  stream._write = (_chunk, _encoding, done) => done();
  stream._writev = (_chunks, done) => done();
}

serveReads(parentPort, workerData as ThreadData, createSearchReads());
