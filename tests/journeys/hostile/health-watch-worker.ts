import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/*
 * Asks `/health` in its own thread, so that what sends the attacks cannot hold the measurement up. Posts how many milliseconds each
 * answer took.
 */

const { url, pauseMs } = workerData as { url: string; pauseMs: number };
// The first request loads the client: hundreds of milliseconds that are not the server's.
await (await fetch(`${url}/health`)).arrayBuffer();
for (;;) {
  const begun = performance.now();
  const answer = await fetch(`${url}/health`);
  await answer.arrayBuffer();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  parentPort?.postMessage(performance.now() - begun);
  await sleep(pauseMs);
}
