import type { Worker } from 'node:worker_threads';

/** On a machine that is busy with something else a thread may take this many times its share of the processor. */
const patience = 6;
/** How soon a thread that was out of luck is looked at again. */
const leastWaitMs = 50;

/**
 * Calls `over` when the worker has had the processor for `ms`: on a busy machine the same work takes many times as long, and is no
 * worse for it. Where Node cannot tell (before 24.6), `ms` are those of the clock.
 * @returns what ends the watch
 */
export function watchProcessorTime(worker: Pick<Worker, 'cpuUsage'>, ms: number, over: () => void): () => void {
  if (typeof worker.cpuUsage !== 'function') {
    const timer = setTimeout(over, ms);
    return () => clearTimeout(timer);
  }
  const ended = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearTimeout(last);
    clearTimeout(timer);
    ended.abort();
  };
  const end = (): void => {
    stop();
    over();
  };
  // A thread may be too busy to say what it had.
  const last = setTimeout(end, ms * patience);
  const watch = async (): Promise<void> => {
    const before = await worker.cpuUsage();
    for (let leftMs = ms; leftMs > 0;) {
      if (ended.signal.aborted) return;
      const waitMs = Math.max(leftMs, leastWaitMs);
      await new Promise((resolve) => {
        timer = setTimeout(resolve, waitMs);
      });
      const { user, system } = await worker.cpuUsage(before);
      leftMs = ms - (user + system) / 1_000;
    }
    if (!ended.signal.aborted) end();
  };
  // Stopped, or the thread has ended and cannot say; whoever watches it learns of its end elsewhere.
  watch().catch(stop);
  return stop;
}
