import { parentPort, workerData } from 'node:worker_threads';
import { indexMethods } from './index-methods.ts';
import { createLibraryCalls } from '../store/sqlite/library/calls.ts';
import { serveCalls, type ThreadData } from '../store/sqlite/threads/serve-calls.ts';

/*
 * A library thread: it runs the methods of libraries, and the program's searches beside the index, so that each search is one
 * message.
 * It ends on request.
 */

if (parentPort === null) throw new Error('library-worker runs only as a worker thread');

// Discard output: no one reads it here, and it would pile up.
for (const stream of [process.stdout, process.stderr]) {
  stream._write = (_chunk, _encoding, done) => done();
  stream._writev = (_chunks, done) => done();
}

const data = workerData as ThreadData;
serveCalls(parentPort, data, createLibraryCalls(indexMethods(), data.history));
