import { parentPort, workerData } from 'node:worker_threads';
import { checkFile } from './check-file.ts';
import type { CheckRequest } from './check-library.ts';

/* The thread behind `check-library.ts`: checks one file after the other, and posts what it finds in each. */

if (parentPort === null) throw new Error('check-worker runs only as a worker thread');
for (const { file, path, kind } of (workerData as { requests: CheckRequest[] }).requests) {
  const findings = checkFile(path, kind).map((problem) => ({ file, ...problem }));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  parentPort.postMessage(findings);
}
