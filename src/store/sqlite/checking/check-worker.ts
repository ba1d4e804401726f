import { parentPort, workerData } from 'node:worker_threads';
import { checkFile } from './check-file.ts';
import type { CheckRequest } from './check-library.ts';

/* The worker thread of `check-library.ts`: checks the files one after another, and posts the findings of each. */

for (const { file, path, kind } of workerData as readonly CheckRequest[])
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  parentPort?.postMessage(checkFile(path, kind).map((problem) => ({ file, ...problem })));
