import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/*
 * Loaded into the server by `--import`. Notes how much processor time the main thread used between two turns of its event loop:
 * that long nobody else was served. Processor time, not the clock: a busy machine makes no stretch longer.
 */

const { COMMONPLACE_PROBE_FILE: file } = process.env;
const isProgram = isMainThread && process.argv[1]?.endsWith('main.js') === true;

/** Shorter stretches are not worth a line. */
const minNotedMs = 60;
const turnMs = 10;

if (isProgram && file !== undefined) {
  let last = process.threadCpuUsage();
  setInterval(() => {
    const now = process.threadCpuUsage();
    const busyMs = (now.user - last.user + now.system - last.system) / 1_000;
    last = now;
    if (busyMs >= minNotedMs) appendFileSync(file, `${JSON.stringify({ at: Date.now(), busyMs })}\n`);
  }, turnMs).unref();
}
