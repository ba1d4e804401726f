import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadData } from '../threads/protocol.ts';
import { serveCalls } from '../threads/serve-calls.ts';
import { runWrite, type TimedArguments, type WriteName } from './writes.ts';

/* The worker thread for large writes. It runs until it gets the message `end`. */

if (parentPort === null) throw new Error('write-worker runs only as a worker thread');

// Nobody reads this thread's output, and it would pile up in memory.
for (const stream of [process.stdout, process.stderr]) {
  stream._write = (_chunk, _encoding, done) => done();
  stream._writev = (_chunks, done) => done();
}

/** Large writes come one at a time, from few accounts. */
const limits = { maxFiles: 2 };

serveCalls(parentPort, workerData as ThreadData, { readOnly: false, limits }, (file, { name, args }) =>
  file.write(() => runWrite(name as WriteName, file, args as TimedArguments<WriteName>)),
);
