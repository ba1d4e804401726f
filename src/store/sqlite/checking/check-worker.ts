import { parentPort } from 'node:worker_threads';
import type { WorkerSignal } from '../../../workers/worker-use.ts';
import { checkFile } from './check-file.ts';
import type { CheckRequest } from './check-library.ts';
import type { Finding } from './finding.ts';

/* The worker thread of `check-library.ts`: checks the files one after another, and posts the findings of each. */

if (parentPort === null) throw new Error('check-worker runs only as a worker thread');
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
const post = (message: WorkerSignal | Finding[]): void => parentPort?.postMessage(message);
parentPort.on('message', (requests: readonly CheckRequest[]) => {
  for (const { file, path, kind } of requests) post(checkFile(path, kind).map((problem) => ({ file, ...problem })));
});
post({ kind: 'ready' });
