/** What the watch asks: microseconds, since `from` where that is given. */
export interface Watched {
  cpuUsage?: ((from?: NodeJS.CpuUsage) => Promise<NodeJS.CpuUsage>) | undefined;
}

/** On a machine that is busy with something else a process may take this many times its share of the processor. */
export const patience = 6;
/** How soon a process that was out of luck is looked at again. */
const minWaitMs = 50;

/**
 * Calls `over` when the process has had the processor for the time that it may: on a busy machine the same work takes many times as
 * long, and is no worse for it. Where the system cannot tell (Windows), it is the time of the clock.
 * @param allowedMs from now on; it may grow meanwhile
 * @returns what ends the watch
 */
export function watchProcessorTime(watched: Watched, allowedMs: () => number, over: () => void): () => void {
  const beganAt = performance.now();
  const passed = (): Promise<NodeJS.CpuUsage> =>
    Promise.resolve({ user: (performance.now() - beganAt) * 1_000, system: 0 });
  const { cpuUsage = passed } = watched;
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
  // A process may get nothing of the processor for ever, and a thread may be too busy to say what it had.
  const endLate = (): void => {
    const leftMs = allowedMs() * patience - (performance.now() - beganAt);
    if (leftMs <= 0) end();
    else last = setTimeout(endLate, leftMs);
  };
  let last = setTimeout(endLate, allowedMs() * patience);
  const watch = async (): Promise<void> => {
    const before = await cpuUsage();
    for (let usedMs = 0; usedMs < allowedMs();) {
      if (ended.signal.aborted) return;
      const waitMs = Math.max(allowedMs() - usedMs, minWaitMs);
      await new Promise((resolve) => {
        timer = setTimeout(resolve, waitMs);
      });
      const { user, system } = await cpuUsage(before);
      usedMs = (user + system) / 1_000;
    }
    if (!ended.signal.aborted) end();
  };
  // Stopped, or the process has ended and cannot say; whoever watches it learns of its end elsewhere.
  watch().catch(stop);
  return stop;
}
