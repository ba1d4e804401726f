import { parentPort, workerData } from 'node:worker_threads';
import { checkFile } from './check-file.ts';
import type { CheckRequest } from './check-library.ts';

/* The worker thread of `check-library.ts`: checks the files one after another, and posts the findings of each. */

if (parentPort === null) throw new Error('check-worker runs only as a worker thread');
for (const { file, path, kind } of (workerData as { requests: CheckRequest[] }).requests) {
  const findings = checkFile(path, kind).map((problem) => ({ file, ...problem }));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  parentPort.postMessage(findings);
}
