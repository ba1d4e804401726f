import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadData } from '../threads/protocol.ts';
import { serveCalls } from '../threads/serve-calls.ts';
import { runWrite, type TimedArguments, type WriteName } from './writes.ts';

/* The thread that writes what is large. It ends when it is told to. */

if (parentPort === null) throw new Error('write-worker runs only as a worker thread');

// Nobody reads what is printed here, and it would pile up.
for (const stream of [process.stdout, process.stderr]) {
  stream._write = (_chunk, _encoding, done) => done();
  stream._writev = (_chunks, done) => done();
}

/** Large writes come one at a time, from few accounts. */
const maxOpenFiles = 2;

serveCalls(parentPort, workerData as ThreadData, { readOnly: false, maxOpen: maxOpenFiles }, (file, { name, args }) =>
  file.write(() => runWrite(name as WriteName, file, args as TimedArguments<WriteName>)),
);
