/** What the watch asks: microseconds, since `from` where that is given. */
export interface Watched {
  cpuUsage?: ((from?: NodeJS.CpuUsage) => Promise<NodeJS.CpuUsage>) | undefined;
}

/** On a machine that is busy with something else a process may take this many times its share of the processor. */
const patience = 6;
/** How soon a process that was out of luck is looked at again. */
const leastWaitMs = 50;

/**
 * Calls `over` when the process has had the processor for `ms`: on a busy machine the same work takes many times as long, and is no
 * worse for it. Where the system cannot tell (Windows), `ms` are those of the clock.
 * @returns what ends the watch
 */
export function watchProcessorTime({ cpuUsage }: Watched, ms: number, over: () => void): () => void {
  if (cpuUsage === undefined) {
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
  // A process may get nothing of the processor for ever.
  const last = setTimeout(end, ms * patience);
  const watch = async (): Promise<void> => {
    const before = await cpuUsage();
    for (let leftMs = ms; leftMs > 0;) {
      if (ended.signal.aborted) return;
      const waitMs = Math.max(leftMs, leastWaitMs);
      await new Promise((resolve) => {
        timer = setTimeout(resolve, waitMs);
      });
      const { user, system } = await cpuUsage(before);
      leftMs = ms - (user + system) / 1_000;
    }
    if (!ended.signal.aborted) end();
  };
  // Stopped, or the process has ended and cannot say; whoever watches it learns of its end elsewhere.
  watch().catch(stop);
  return stop;
}
